package hosttools_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools"
)

func TestManagedFieldsThatAClientCouldSet(t *testing.T) {
	t.Parallel()
	type untagged struct{ Tenant hosttools.TenantID }
	type named struct {
		Tenant hosttools.TenantID `json:"tenant"`
	}
	type unexported struct {
		tenant hosttools.TenantID
	}
	type collides struct {
		Tenant hosttools.TenantID `json:"-"`
		Other  string             `json:"tenant"`
	}
	type collidesInCase struct {
		TenantID hosttools.TenantID `json:"-"`
		Other    string             `json:"Tenant_ID"`
	}
	type twice struct {
		Tenant hosttools.TenantID `json:"-"`
		TENANT hosttools.CallerID `json:"-"`
	}
	type nested struct {
		Inner named `json:"inner"`
	}
	type list struct {
		Tenants []hosttools.TenantID `json:"tenants"`
	}
	type keys struct {
		Tenants map[hosttools.TenantID][1]string `json:"tenants"`
	}
	type pointer struct {
		Tenant *hosttools.TenantID `json:"-"`
	}
	type Base struct {
		Tenant hosttools.TenantID `json:"-"`
	}
	type embedsPointer struct {
		*Base
	}
	type served struct {
		Token hosttools.Server[string] `json:"token"`
	}
	type secret struct {
		Token hosttools.Secret `json:"token"`
	}
	_ = unexported{tenant: ""}.tenant
	const inside = "holds a server-managed type inside"
	for name, tc := range map[string]struct {
		method hosttools.Method
		want   string
	}{
		"no tag":             {method[untagged, textOut]("do"), "the server-managed field Tenant needs the tag `json:\"-\"`"},
		"name":               {method[named, textOut]("do"), "needs the tag"},
		"unexported":         {method[unexported, textOut]("do"), "the server-managed field tenant must be exported"},
		"argument":           {method[collides, textOut]("do"), `"tenant" is filled by the server and cannot be an argument too; rename one`},
		"argument, case":     {method[collidesInCase, textOut]("do"), `"Tenant_ID" is filled by the server`},
		"two of a name":      {method[twice, textOut]("do"), `two server-managed fields are named "tenant"; rename one`},
		"nested":             {method[nested, textOut]("do"), inside},
		"list":               {method[list, textOut]("do"), inside},
		"map key":            {method[keys, textOut]("do"), inside},
		"pointer":            {method[pointer, textOut]("do"), inside},
		"embedded a pointer": {method[embedsPointer, textOut]("do"), inside},
		"no struct":          {method[[]string, textOut]("do"), "the input must be a struct, not []string"},
		"config's type":      {method[served, textOut]("do"), "holds a secret or a server-managed parameter, which only a Config can have"},
		"secret":             {method[secret, textOut]("do"), "secret holds a secret or"},
		"secret in a result": {method[textIn, struct{ Tokens []secret }]("do"), "which only a Config can have"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Contains(t, rejection(t, toolkit(tc.method)), tc.want)
		})
	}
}

type scopeFields struct {
	TenantID hosttools.TenantID `json:"-"`
	Caller   hosttools.CallerID `json:"-"`
}

type scopedIn struct {
	scopeFields
	HTTPAgent hosttools.AgentID `json:"-"`
	Text      string            `json:"text"`
}

func whoAmI(_ context.Context, in scopedIn) (textOut, error) {
	return textOut{strings.Join([]string{string(in.TenantID), string(in.Caller), string(in.HTTPAgent), in.Text}, "/")}, nil
}

func TestManagedFieldsAreFilled(t *testing.T) {
	t.Parallel()
	d := register(t, hosttools.NewMethod("who", "Say who calls.", whoAmI))
	require.Equal(t, []hosttools.Managed{
		{Name: "tenant_id", Source: hosttools.SourceTenant},
		{Name: "caller", Source: hosttools.SourceCaller},
		{Name: "http_agent", Source: hosttools.SourceAgent},
	}, d.Managed)
	for _, name := range []string{
		"tenant_id", "Tenant_ID", "TENANT", "tenant", "caller", "CALLER", "http_agent", "HTTP_AGENT",
	} {
		require.True(t, d.IsManaged(name), name)
	}
	for _, name := range []string{"text", "", "tenants", "agent", "tenant id", "call\u0435r"} {
		require.False(t, d.IsManaged(name), name)
	}
	require.Len(t, d.Input.Properties, 1)

	instance, err := d.Construct(nil)
	require.NoError(t, err)
	filled := map[string]string{"tenant_id": "acme", "caller": "ada", "http_agent": ""}
	out, err := instance.Call(scoped(t), "who", []byte(`{"text":"hello"}`), filled)
	require.NoError(t, err)
	require.JSONEq(t, `{"text":"acme/ada//hello"}`, string(out))

	delete(filled, "caller")
	_, err = instance.Call(scoped(t), "who", []byte(`{"text":"hello"}`), filled)
	require.ErrorContains(t, err, `no value for the server-managed "caller"`)

	_, err = instance.Call(scoped(t), "no", []byte(`{}`), filled)
	var refused *hosttools.Error
	require.ErrorAs(t, err, &refused)
	require.Equal(t, "unknown_method", refused.Code)
}

func TestArgumentsThatDoNotDecode(t *testing.T) {
	t.Parallel()
	type countIn struct {
		Count int8 `json:"count"`
	}
	d := register(t, method[countIn, textOut]("do"))
	instance, err := d.Construct(nil)
	require.NoError(t, err)
	for _, args := range []string{
		``, `null null`, `[]`, `{"count":128}`, `{"count":1.5}`, `{"count":"1"}`,
		`{"COUNT":1}`, `{"count":1,"count":1}`, `{"count":1,"other":1}`,
	} {
		var bad *hosttools.ArgumentsError
		require.ErrorAs(t, d.Decodes([]byte(args)), &bad, args)
		_, err := instance.Call(t.Context(), "do", []byte(args), nil)
		require.ErrorAs(t, err, &bad, args)
		require.EqualError(t, bad.Unwrap(), bad.Error())
	}
	require.NoError(t, d.Decodes([]byte(`{"count":-128}`)))
}

// FuzzCallNeverTakesTheTenantFromArguments feeds a method whatever a client
// could send: the tenant stays the one that the server filled in, and what
// [hosttools.Descriptor.Decodes] accepts is what a call accepts.
func FuzzCallNeverTakesTheTenantFromArguments(f *testing.F) {
	for _, seed := range []string{
		`{"text":"hello"}`, `{"text":"x","tenant_id":"globex"}`, `{"text":"x","TenantID":"globex"}`,
		`{"text":"x","scopeFields":{"TenantID":"globex"}}`, `{"-":"globex"}`, `{"text":1}`, "\xff", `{}`,
	} {
		f.Add([]byte(seed))
	}
	var seen hosttools.TenantID
	r := registry(map[string]hosttools.Constructor{"fs_kit": toolkit(
		hosttools.NewMethod("who", "Say who calls.", func(_ context.Context, in scopedIn) (textOut, error) {
			seen = in.TenantID
			return textOut{in.Text}, nil
		}))})
	d, ok := r.Find("fs_kit", "who")
	require.True(f, ok)
	instance, err := d.Construct(nil)
	require.NoError(f, err)
	filled := map[string]string{"tenant_id": "acme", "caller": "ada", "http_agent": ""}
	f.Fuzz(func(t *testing.T, args []byte) {
		seen = ""
		_, err := instance.Call(scoped(t), "who", args, filled)
		if d.Decodes(args) != nil {
			var bad *hosttools.ArgumentsError
			require.ErrorAs(t, err, &bad)
			require.Empty(t, seen)
			return
		}
		require.NoError(t, err)
		require.Equal(t, hosttools.TenantID("acme"), seen)
	})
}
