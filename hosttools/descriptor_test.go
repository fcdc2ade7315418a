package hosttools_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools"
)

func TestAccess(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		options       []hosttools.MethodOption
		access        hosttools.Access
		declared      bool
		consequential bool
	}{
		"undeclared is a write": {nil, hosttools.AccessWrite, false, false},
		"write":                 {[]hosttools.MethodOption{hosttools.Write()}, hosttools.AccessWrite, true, false},
		"read":                  {[]hosttools.MethodOption{hosttools.Read()}, hosttools.AccessRead, true, false},
		"consequential": {
			[]hosttools.MethodOption{hosttools.Consequential()}, hosttools.AccessWrite, false, true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := register(t, echo("say", tc.options...))
			require.Equal(t, tc.access, d.Access)
			require.Equal(t, tc.declared, d.Declared)
			require.Equal(t, tc.consequential, d.Consequential)
		})
	}
}

func TestVerbFallsBackToTheDescription(t *testing.T) {
	t.Parallel()
	require.Equal(t, "Say it again.", register(t, echo("say")).Verb)
	require.Equal(t, "Repeat", register(t, echo("say", hosttools.Verb("Repeat"))).Verb)
}

func TestTenantBound(t *testing.T) {
	t.Parallel()
	type tenantIn struct {
		Tenant hosttools.TenantID `json:"-"`
	}
	type callerIn struct {
		Caller hosttools.CallerID `json:"-"`
	}
	type agentIn struct {
		Agent hosttools.AgentID `json:"-"`
	}
	for name, tc := range map[string]struct {
		build hosttools.Constructor
		want  bool
	}{
		"nothing":        {toolkit(echo("say")), false},
		"tenant":         {toolkit(method[tenantIn, textOut]("do")), true},
		"caller":         {toolkit(method[callerIn, textOut]("do")), true},
		"agent":          {toolkit(method[agentIn, textOut]("do")), true},
		"one of several": {toolkit(echo("a"), method[tenantIn, textOut]("do"), echo("z")), true},
		"declared": {func() (hosttools.Entry, error) {
			return hosttools.Toolkit{Prefix: "fs", TenantBound: true, Methods: []hosttools.Method{echo("say")}}, nil
		}, true},
		"tool, declared": {func() (hosttools.Entry, error) {
			return hosttools.Tool{TenantBound: true, Method: echo("fs_kit")}, nil
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := registry(map[string]hosttools.Constructor{"fs_kit": tc.build})
			require.Empty(t, r.Rejections())
			group, ok := r.Group("fs_kit")
			require.True(t, ok)
			require.Equal(t, tc.want, group.TenantBound)
			for _, d := range group.Methods {
				require.Equal(t, tc.want, d.TenantBound, d.Name)
			}
		})
	}
}

func TestSchemaHashFollowsTheSchema(t *testing.T) {
	t.Parallel()
	type otherIn struct {
		Text string `json:"text" jsonschema:"any text" maxLength:"5"`
	}
	require.Equal(t, register(t, echo("say")).SchemaHash, register(t, echo("other")).SchemaHash)
	require.NotEqual(t, register(t, echo("say")).SchemaHash, register(t, method[otherIn, textOut]("say")).SchemaHash)
}

func TestOpenAndClose(t *testing.T) {
	t.Parallel()
	var events []string
	note := func(event string) func(context.Context) error {
		return func(context.Context) error {
			events = append(events, event)
			return nil
		}
	}
	r := registry(map[string]hosttools.Constructor{"fs_say": func() (hosttools.Entry, error) {
		return hosttools.Tool{Method: echo("fs_say"), Open: note("open"), Close: note("close")}, nil
	}})
	d, ok := r.Find("fs_say", "")
	require.True(t, ok)
	instance, err := d.Construct(nil)
	require.NoError(t, err)
	require.Empty(t, events, "constructing acquires nothing")
	require.NoError(t, instance.Open(t.Context()))
	require.NoError(t, instance.Close(t.Context()))
	require.Equal(t, []string{"open", "close"}, events)

	plain, err := register(t, echo("say")).Construct(nil)
	require.NoError(t, err)
	require.NoError(t, plain.Open(t.Context()))
	require.NoError(t, plain.Close(t.Context()))
}
