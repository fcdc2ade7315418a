package hosttools_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools"
)

// far is an executor that answers with fixed JSON.
type far struct {
	result string
	err    error
	method string
	args   string
}

func (f *far) Execute(_ context.Context, method string, args []byte) ([]byte, error) {
	f.method, f.args = method, string(args)
	return []byte(f.result), f.err
}

func TestRunBy(t *testing.T) {
	t.Parallel()
	executor := &far{result: `{"text":"from afar"}`}
	d := register(t, hosttools.NewMethod[textIn, textOut]("say", "Say it.", nil, hosttools.RunBy(executor)))
	instance, err := d.Construct(nil)
	require.NoError(t, err)
	out, err := instance.Call(t.Context(), "say", []byte(`{"text":"x"}`), nil)
	require.NoError(t, err)
	require.JSONEq(t, `{"text":"from afar"}`, string(out))
	require.Equal(t, "say", executor.method)
	require.JSONEq(t, `{"text":"x"}`, executor.args)
}

func TestRunByHoldsTheResultToItsType(t *testing.T) {
	t.Parallel()
	for _, result := range []string{
		``, `[]`, `"text"`, `{"text":1}`, `{"text":"a","token":"b"}`, `{"Text":"a"}`, `{"text":"a","text":"b"}`, `{"text":"\xff"}`, `{} {}`,
	} {
		d := register(t, echo("say", hosttools.RunBy(&far{result: result})))
		instance, err := d.Construct(nil)
		require.NoError(t, err)
		_, err = instance.Call(t.Context(), "say", []byte(`{"text":"x"}`), nil)
		require.ErrorContains(t, err, "the executor's result", result)
	}
	unreachable := errors.New("unreachable")
	instance, err := register(t, echo("say", hosttools.RunBy(&far{err: unreachable}))).Construct(nil)
	require.NoError(t, err)
	_, err = instance.Call(t.Context(), "say", []byte(`{"text":"x"}`), nil)
	require.ErrorIs(t, err, unreachable)
}

func TestRefusedExecutors(t *testing.T) {
	t.Parallel()
	const bound = "has a remote executor, which a tenant-bound toolkit cannot have"
	run := hosttools.RunBy(&far{})
	scoped := hosttools.NewMethod("who", "Say who calls.", whoAmI)
	for name, tc := range map[string]struct {
		build hosttools.Constructor
		want  string
	}{
		"declared":                  {with(func(k *hosttools.Toolkit) { k.TenantBound, k.Methods = true, []hosttools.Method{echo("say", run)} }), `method "say" ` + bound},
		"implied":                   {toolkit(hosttools.NewMethod("who", "Say who calls.", whoAmI, run)), `method "who" ` + bound},
		"implied by another method": {toolkit(echo("say", run), scoped), `method "say" ` + bound},
		"standalone": {func() (hosttools.Entry, error) {
			return hosttools.Tool{TenantBound: true, Method: echo("fs_kit", run)}, nil
		}, bound},
		"transactional": {
			with(func(k *hosttools.Toolkit) { k.Transactional, k.Methods = true, []hosttools.Method{echo("say", run)} }),
			"has a remote executor, which a transactional toolkit cannot have for its writes",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Contains(t, rejection(t, tc.build), tc.want)
		})
	}
	r := registry(map[string]hosttools.Constructor{"fs_kit": with(func(k *hosttools.Toolkit) {
		k.Transactional, k.Methods = true, []hosttools.Method{echo("say", run, hosttools.Read())}
	})})
	require.NoError(t, r.Err(), "a read needs no transaction")
}

func TestInputSchema(t *testing.T) {
	t.Parallel()
	const own = `{"type":"object","properties":{"text":{"type":"string","enum":["a","b"]}},"required":["text"],"additionalProperties":false}`
	d := register(t, echo("say", hosttools.InputSchema(own)))
	require.JSONEq(t, own, string(d.InputJSON))
	require.NotEqual(t, register(t, echo("say")).SchemaHash, d.SchemaHash)

	for name, tc := range map[string]struct{ schema, want string }{
		"no JSON":        {`{`, "not strict JSON"},
		"no object":      {`{"type":"string"}`, `the top must have "type": "object"`},
		"open":           {`{"type":"object","additionalProperties":true}`, `additionalProperties must be a schema`},
		"keyword":        {`{"type":"object","allOf":[]}`, "allOf"},
		"managed":        {`{"type":"object","properties":{"caller":{"type":"string"}}}`, `"caller" is filled by the server`},
		"managed, case":  {`{"type":"object","properties":{"CALLER":{"type":"string"}}}`, `"CALLER" is filled by the server`},
		"tenant":         {`{"type":"object","properties":{"tenant":{"type":"string"}}}`, `"tenant" cannot be sent`},
		"tenant_id":      {`{"type":"object","properties":{"Tenant_ID":{"type":"string"}}}`, `"Tenant_ID" cannot be sent`},
		"managed agent":  {`{"type":"object","properties":{"http_agent":{"type":"string"}}}`, `"http_agent" is filled by the server`},
		"bad default":    {`{"type":"object","properties":{"text":{"type":"string","default":1}}}`, "text"},
		"no field":       {`{"type":"object","properties":{"txt":{"type":"string"}}}`, `the schema has a property "txt", for which hosttools_test.scopedIn has no field`},
		"hidden field":   {`{"type":"object","properties":{"-":{"type":"string"}}}`, `the schema has a property "-"`},
		"duplicate name": {`{"type":"object","type":"object"}`, "not strict JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := hosttools.NewMethod("who", "Say who calls.", whoAmI, hosttools.InputSchema(tc.schema))
			require.Contains(t, rejection(t, toolkit(m)), tc.want)
		})
	}
}

// TestLookAlikesOfManagedNames has letters that fold to those of a managed name.
func TestLookAlikesOfManagedNames(t *testing.T) {
	t.Parallel()
	type in struct {
		TaskSource hosttools.AgentID `json:"-"`
	}
	d := register(t, method[in, textOut]("do"))
	for _, name := range []string{"task_source", "TASK_SOURCE", "ta\u017fk_source", "tas\u212a_source", "Ta\u017f\u212a_\u017fource"} {
		require.True(t, d.IsManaged(name), name)
		schema := fmt.Sprintf(`{"type":"object","properties":{%q:{"type":"string"}}}`, name)
		reason := rejection(t, toolkit(hosttools.NewMethod("do", "Do it.",
			func(context.Context, in) (textOut, error) { return textOut{}, nil }, hosttools.InputSchema(schema))))
		require.Contains(t, reason, "is filled by the server and cannot be an argument too")
	}
	require.False(t, d.IsManaged("task_source\x00"))
	require.False(t, d.IsManaged("task-source"))
}

// TestHiddenManagedField has a managed field behind another of its name, which
// Go would not show: it is filled and binds all the same.
func TestHiddenManagedField(t *testing.T) {
	t.Parallel()
	type Owner struct {
		Who hosttools.TenantID `json:"-"`
	}
	type in struct {
		Owner
		Who string `json:"name"`
	}
	d := register(t, hosttools.NewMethod("who", "Say who calls.", func(_ context.Context, in in) (textOut, error) {
		return textOut{string(in.Owner.Who) + "/" + in.Who}, nil
	}))
	require.True(t, d.TenantBound)
	instance, err := d.Construct(nil)
	require.NoError(t, err)
	out, err := instance.Call(scoped(t), "who", []byte(`{"name":"ada"}`), map[string]string{"who": "acme"})
	require.NoError(t, err)
	require.JSONEq(t, `{"text":"acme/ada"}`, string(out))
}

func TestErrorsOfTools(t *testing.T) {
	t.Parallel()
	err := hosttools.Errorf("not_pending", "Order %s is %s.", "A-1", "shipped")
	require.Equal(t, &hosttools.Error{Code: "not_pending", Message: "Order A-1 is shipped."}, err)
	require.EqualError(t, err, "not_pending: Order A-1 is shipped.")
}
