package tenancy_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/tenancy"
)

// The parts from which the gate's contexts are put together.
func scoped(tenant string) func(context.Context) context.Context {
	return func(ctx context.Context) context.Context {
		return tenancy.WithScope(ctx, tenancy.Scope{User: "u", Tenant: tenant})
	}
}

func withAgent(tenant string) func(context.Context) context.Context {
	return func(ctx context.Context) context.Context {
		return tenancy.WithAgent(ctx, tenancy.Agent{ID: "a", Version: 3, Tenant: tenant})
	}
}

func TestGate(t *testing.T) {
	t.Parallel()
	type steps []func(context.Context) context.Context
	cases := map[string]struct {
		steps steps
		want  tenancy.Refusal // "" for the scope of acme
	}{
		"bare context":                       {nil, tenancy.NoContext},
		"unit of work without a scope":       {steps{tenancy.WithoutScope}, tenancy.NoScope},
		"an agent alone is no scope":         {steps{withAgent("acme")}, tenancy.NoScope},
		"no scope before the agent's tenant": {steps{tenancy.WithoutScope, withAgent("")}, tenancy.NoScope},
		"caller without a tenant":            {steps{scoped("")}, tenancy.NoTenant},
		"no tenant before the agent's":       {steps{scoped(""), withAgent("")}, tenancy.NoTenant},
		"no tenant before the mismatch":      {steps{scoped(""), withAgent("acme")}, tenancy.NoTenant},
		"agent without a tenant":             {steps{scoped("acme"), withAgent("")}, tenancy.AgentTenantUnset},
		"agent of another tenant":            {steps{scoped("acme"), withAgent("globex")}, tenancy.TenantMismatch},
		"agent of a tenant in another case":  {steps{scoped("acme"), withAgent("Acme")}, tenancy.TenantMismatch},
		"agent of every tenant":              {steps{scoped("acme"), withAgent("*")}, tenancy.TenantMismatch},
		"no agent":                           {steps{scoped("acme")}, ""},
		"agent of the tenant":                {steps{scoped("acme"), withAgent("acme")}, ""},
		"agent bound before the scope":       {steps{withAgent("acme"), scoped("acme")}, ""},
		"mismatch bound in the other order":  {steps{withAgent("globex"), scoped("acme")}, tenancy.TenantMismatch},
		"another scope keeps the agent":      {steps{scoped("globex"), withAgent("globex"), scoped("acme")}, tenancy.TenantMismatch},
		"another agent takes the place":      {steps{scoped("acme"), withAgent("globex"), withAgent("acme")}, ""},
		"a scope taken away":                 {steps{scoped("acme"), tenancy.WithoutScope}, tenancy.NoScope},
		"a scope taken away, with its agent": {steps{scoped("acme"), withAgent("globex"), tenancy.WithoutScope, scoped("acme")}, ""},
		"a scope in a context made from it":  {steps{scoped("acme"), context.WithoutCancel}, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := t.Context()
			for _, step := range c.steps {
				ctx = step(ctx)
			}
			scope, err := tenancy.Gate(ctx)
			if c.want == "" {
				require.NoError(t, err)
				require.Equal(t, tenancy.Scope{User: "u", Tenant: "acme"}, scope)
				return
			}
			require.Equal(t, models.CodeToolScopeUnavailable, models.CodeOf(err))
			require.Equal(t, string(c.want), models.ReasonOf(err))
			require.Zero(t, scope, "a refusal hands out nothing")
		})
	}
}

func TestRefuseSaysWhy(t *testing.T) {
	t.Parallel()
	said := map[string]tenancy.Refusal{}
	for _, why := range []tenancy.Refusal{
		tenancy.NoContext, tenancy.NoScope, tenancy.NoTenant,
		tenancy.AgentTenantUnset, tenancy.TenantMismatch, tenancy.HostTenantMismatch, "unheard of",
	} {
		err := tenancy.Refuse(why)
		require.Equal(t, models.CodeToolScopeUnavailable, models.CodeOf(err))
		require.Equal(t, string(why), models.ReasonOf(err))
		var e *models.Error
		require.ErrorAs(t, err, &e)
		require.NotContains(t, said, e.Message, "each refusal has its own sentence")
		said[e.Message] = why
	}
}

func TestGateLetsOnlyEqualTenantsPass(t *testing.T) {
	t.Parallel()
	name := rapid.OneOf(rapid.SampledFrom([]string{"", "*", "-", "acme", "Acme", "globex", "acme "}), rapid.String())
	rapid.Check(t, func(rt *rapid.T) {
		caller, agent := name.Draw(rt, "caller"), name.Draw(rt, "agent")
		if rapid.Bool().Draw(rt, "same") {
			agent = caller
		}
		scope, err := tenancy.Gate(withAgent(agent)(scoped(caller)(t.Context())))
		require.Equal(rt, caller != "" && caller == agent, err == nil)
		if err == nil {
			require.Equal(rt, caller, scope.Tenant)
		}
	})
}

func TestBindingsDoNotReachTheirParent(t *testing.T) {
	t.Parallel()
	parent := scoped("acme")(t.Context())
	withAgent("globex")(parent)
	scoped("globex")(parent)
	tenancy.WithoutScope(parent)
	scope, err := tenancy.Gate(parent)
	require.NoError(t, err)
	require.Equal(t, "acme", scope.Tenant)
	_, acts := tenancy.AgentFromContext(parent)
	require.False(t, acts)

	child := withAgent("acme")(parent)
	agent, acts := tenancy.AgentFromContext(child)
	require.True(t, acts)
	require.Equal(t, tenancy.Agent{ID: "a", Version: 3, Tenant: "acme"}, agent)
}
