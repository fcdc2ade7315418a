package agents_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/policy"
	"github.com/agentstudio/agentstudio/studio/agents"
	"github.com/agentstudio/agentstudio/studio/store"
	"github.com/agentstudio/agentstudio/studio/store/storetest"
	"github.com/agentstudio/agentstudio/tenancy"
)

// newStore returns an empty SQLite store.
func newStore(t *testing.T) *store.Store {
	t.Helper()
	db, err := store.Open(t.Context(), store.Config{DSN: storetest.SQLite(t)})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	require.NoError(t, db.Migrate(t.Context()))
	return db
}

// service returns the service over a store, with the toolkits of registry.
func service(t *testing.T, db *store.Store, registry *hosttools.Registry, tooling policy.Tooling) *agents.Service {
	t.Helper()
	authorizer, err := policy.NewAuthorizer()
	require.NoError(t, err)
	frozen, err := tooling.Freeze()
	require.NoError(t, err)
	return agents.New(agents.Config{
		Store: db, Registry: registry, Authorizer: authorizer, Tooling: frozen, Models: []string{"offline", "large"},
	})
}

// setup returns the service on an empty store, with both toolkits and no policy.
func setup(t *testing.T) *agents.Service {
	t.Helper()
	return service(t, newStore(t), registry(t, "fs_orders", "fs_notify"), policy.Tooling{})
}

// registry returns a registry of some of the host's toolkits.
func registry(t *testing.T, slugs ...string) *hosttools.Registry {
	t.Helper()
	all := map[string]hosttools.Constructor{"fs_orders": orders, "fs_notify": notify}
	chosen := map[string]hosttools.Constructor{}
	for _, slug := range slugs {
		chosen[slug] = all[slug]
	}
	r := hosttools.NewRegistry(hosttools.Host{Prefix: "fs_", Tools: chosen})
	require.Empty(t, r.Rejections())
	return r
}

type nothing struct{}

func nop(context.Context, nothing) (nothing, error) { return nothing{}, nil }

func orders() (hosttools.Entry, error) {
	return hosttools.Toolkit{
		Prefix: "fs", Title: "Orders", Description: "Look up orders and Cancel them.",
		Methods: []hosttools.Method{
			hosttools.NewMethod("get_order", "Get an order.", nop, hosttools.Read()),
			hosttools.NewMethod("cancel_order", "Cancel an order.", nop),
		},
	}, nil
}

func notify() (hosttools.Entry, error) {
	return hosttools.Tool{Title: "Notices", Method: hosttools.NewMethod("fs_notify", "Send a notice.", nop)}, nil
}

// The people of these tests. All but gus belong to acme.
func owner() tenancy.Scope {
	return tenancy.Scope{User: "olga", Tenant: "acme", MayAuthor: true, StudioEnabled: true, Via: tenancy.ViaBrowser}
}

func admin() tenancy.Scope {
	return tenancy.Scope{User: "ada", Tenant: "acme", MayAdminister: true, StudioEnabled: true, Via: tenancy.ViaBrowser}
}

func peer() tenancy.Scope {
	return tenancy.Scope{User: "pete", Tenant: "acme", MayAuthor: true, StudioEnabled: true, Via: tenancy.ViaBrowser}
}

func member() tenancy.Scope {
	return tenancy.Scope{
		User: "mia", Tenant: "acme", Groups: []string{"support"}, StudioEnabled: true, Via: tenancy.ViaBrowser,
	}
}

func stranger() tenancy.Scope {
	return tenancy.Scope{
		User: "gus", Tenant: "globex", Groups: []string{"support"}, MayAuthor: true, MayAdminister: true,
		StudioEnabled: true, Via: tenancy.ViaBrowser,
	}
}

// as returns a context in which somebody acts.
func as(t *testing.T, scope tenancy.Scope) context.Context {
	t.Helper()
	return tenancy.WithScope(t.Context(), scope)
}

// create makes an agent named desk, which must be accepted.
func create(t *testing.T, s *agents.Service, scope tenancy.Scope) models.Agent {
	t.Helper()
	agent, err := s.Create(as(t, scope), "desk", models.Definition{Title: "desk"})
	require.NoError(t, err)
	return agent
}

// requireField requires a validation_error about a field of a form.
func requireField(t *testing.T, field string, err error) {
	t.Helper()
	require.Equal(t, models.CodeValidation, models.CodeOf(err), "%v", err)
	var e *models.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, field, e.Details["field"])
}
