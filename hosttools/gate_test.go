package hosttools_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/tenancy"
)

// counted constructs a toolkit that counts what of it runs.
func counted(ran *int, bound bool, methods ...hosttools.Method) hosttools.Constructor {
	open := func(ctx context.Context) error {
		*ran++
		return ctx.Err()
	}
	return func() (hosttools.Entry, error) {
		return hosttools.Toolkit{
			Prefix: "fs", TenantBound: bound, Config: &base{}, Open: open,
			Options: map[string]hosttools.OptionsFunc{"rows": func(ctx context.Context) ([]hosttools.Option, error) {
				return []hosttools.Option{{Value: "1"}}, open(ctx)
			}},
			Methods: append(methods, hosttools.NewMethod("say", "Say it.", func(ctx context.Context, in textIn) (textOut, error) {
				return textOut(in), open(ctx)
			})),
		}, nil
	}
}

// TestGate calls tenant-bound instances as the Studio would never call them.
func TestGate(t *testing.T) {
	t.Parallel()
	scope := tenancy.Scope{User: "ada", Tenant: "acme"}
	agent := func(tenant string) func(context.Context) context.Context {
		return func(ctx context.Context) context.Context {
			return tenancy.WithAgent(tenancy.WithScope(ctx, scope), tenancy.Agent{ID: "a", Tenant: tenant})
		}
	}
	for want, bind := range map[tenancy.Refusal]func(context.Context) context.Context{
		tenancy.NoContext: func(ctx context.Context) context.Context { return ctx },
		tenancy.NoScope:   tenancy.WithoutScope,
		tenancy.NoTenant: func(ctx context.Context) context.Context {
			return tenancy.WithScope(ctx, tenancy.Scope{User: "ada"})
		},
		tenancy.AgentTenantUnset: agent(""),
		tenancy.TenantMismatch:   agent("globex"),
		"":                       agent("acme"),
	} {
		for name, implied := range map[string]bool{"declared": false, "implied": true} {
			t.Run(string(want)+" "+name, func(t *testing.T) {
				t.Parallel()
				ran := 0
				var methods []hosttools.Method
				if implied {
					methods = append(methods, hosttools.NewMethod("who", "Say who calls.", whoAmI))
				}
				r := registry(map[string]hosttools.Constructor{"fs_kit": counted(&ran, !implied, methods...)})
				d, ok := r.Lookup("fs_say")
				require.True(t, ok)
				require.True(t, d.TenantBound, "what binds one method binds the instance")
				instance, err := d.Construct(nil)
				require.NoError(t, err)
				ctx := bind(t.Context())
				_, callErr := instance.Call(ctx, "say", []byte(`{"text":"x"}`), nil)
				_, optionsErr := instance.ConfigOptions(ctx, "rows")
				_, unknownErr := instance.ConfigOptions(ctx, "other")
				for _, err := range []error{instance.Open(ctx), callErr, optionsErr, unknownErr} {
					if want != "" {
						require.Equal(t, models.CodeToolScopeUnavailable, models.CodeOf(err))
						require.Equal(t, string(want), models.ReasonOf(err))
					}
				}
				if want != "" {
					require.Zero(t, ran, "nothing ran")
					return
				}
				require.NoError(t, callErr)
				require.NoError(t, optionsErr)
				require.Equal(t, 3, ran)
			})
		}
	}
}

func TestUnboundToolsNeedNoScope(t *testing.T) {
	t.Parallel()
	ran := 0
	r := registry(map[string]hosttools.Constructor{"fs_kit": counted(&ran, false)})
	d, _ := r.Lookup("fs_say")
	instance, err := d.Construct(nil)
	require.NoError(t, err)
	require.NoError(t, instance.Open(t.Context()))
	_, err = instance.Call(t.Context(), "say", []byte(`{"text":"x"}`), nil)
	require.NoError(t, err)
	_, err = instance.ConfigOptions(t.Context(), "rows")
	require.NoError(t, err)
	require.Equal(t, 3, ran)
}

// TestCloseNeedsNoScope gives back what was opened, whoever is still there.
func TestCloseNeedsNoScope(t *testing.T) {
	t.Parallel()
	closed := false
	r := registry(map[string]hosttools.Constructor{"fs_kit": with(func(k *hosttools.Toolkit) {
		k.TenantBound = true
		k.Close = func(context.Context) error {
			closed = true
			return nil
		}
	})})
	d, _ := r.Lookup("fs_say")
	instance, err := d.Construct(nil)
	require.NoError(t, err)
	require.NoError(t, instance.Close(t.Context()))
	require.True(t, closed)
}

func TestHostTenantMismatch(t *testing.T) {
	t.Parallel()
	d := register(t, hosttools.NewMethod("get", "Get a record.", func(context.Context, scopedIn) (textOut, error) {
		return textOut{}, hosttools.HostTenantMismatch()
	}))
	instance, err := d.Construct(nil)
	require.NoError(t, err)
	_, err = instance.Call(scoped(t), "get", []byte(`{"text":"x"}`),
		map[string]string{"tenant_id": "acme", "caller": "ada", "http_agent": ""})
	require.Equal(t, models.CodeToolScopeUnavailable, models.CodeOf(err))
	require.Equal(t, "host_tenant_mismatch", models.ReasonOf(err))
}
