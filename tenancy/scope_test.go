package tenancy_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/tenancy"
)

func TestAdministers(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		scope tenancy.Scope
		want  bool
	}{
		"admin":                    {tenancy.Scope{Tenant: "acme", MayAdminister: true}, true},
		"superuser":                {tenancy.Scope{Tenant: "acme", Superuser: true}, true},
		"author":                   {tenancy.Scope{Tenant: "acme", MayAuthor: true}, false},
		"member":                   {tenancy.Scope{Tenant: "acme"}, false},
		"admin without a tenant":   {tenancy.Scope{MayAdminister: true}, false},
		"superuser without tenant": {tenancy.Scope{Superuser: true}, false},
		"zero":                     {tenancy.Scope{}, false},
	}
	for name, c := range cases {
		require.Equal(t, c.want, c.scope.Administers(), name)
	}
}

func TestScopeFromContext(t *testing.T) {
	t.Parallel()
	_, ok := tenancy.FromContext(t.Context())
	require.False(t, ok)
	_, ok = tenancy.AgentFromContext(t.Context())
	require.False(t, ok)

	ctx := tenancy.WithScope(t.Context(), tenancy.Scope{})
	_, ok = tenancy.FromContext(ctx)
	require.True(t, ok, "a scope that may do nothing is bound all the same")

	scope := tenancy.Scope{User: "u", Tenant: "acme"}
	ctx = tenancy.WithScope(ctx, scope)
	scope.Tenant = "globex"
	got, ok := tenancy.FromContext(ctx)
	require.True(t, ok)
	require.Equal(t, "acme", got.Tenant, "the context has its own copy")
	got.Tenant = "globex"
	again, _ := tenancy.FromContext(ctx)
	require.Equal(t, "acme", again.Tenant)

	_, ok = tenancy.FromContext(tenancy.WithoutScope(ctx))
	require.False(t, ok)
}
