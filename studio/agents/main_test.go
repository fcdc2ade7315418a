package agents_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/policy"
	"github.com/agentstudio/agentstudio/studio/agents"
	"github.com/agentstudio/agentstudio/studio/store"
	"github.com/agentstudio/agentstudio/studio/store/storetest"
	"github.com/agentstudio/agentstudio/studio/vault"
	"github.com/agentstudio/agentstudio/tenancy"
)

func TestMain(m *testing.M) { os.Exit(storetest.Main(m, migrate)) }

// migrate brings the database at dsn up to date.
func migrate(ctx context.Context, dsn string) error {
	db, err := store.Open(ctx, store.Config{DSN: dsn})
	if err != nil {
		return err
	}
	return errors.Join(db.Migrate(ctx), db.Close())
}

// newStore returns an empty SQLite store.
func newStore(t testing.TB) *store.Store {
	t.Helper()
	dsn := storetest.SQLite(t)
	require.NoError(t, migrate(t.Context(), dsn))
	return open(t, dsn)
}

func open(t testing.TB, dsn string) *store.Store {
	t.Helper()
	db, err := store.Open(t.Context(), store.Config{DSN: dsn})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db
}

// onBoth runs a test on both databases, each time on an empty one.
func onBoth(t *testing.T, test func(t *testing.T, db *store.Store)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		test(t, newStore(t))
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		test(t, open(t, storetest.Postgres(t)))
	})
}

// service returns the service over a store, with the toolkits of registry.
func service(t testing.TB, db agents.Store, registry *hosttools.Registry, tooling policy.Tooling) *agents.Service {
	t.Helper()
	return serviceWith(t, db, registry, tooling, keyring(t, db, 1))
}

// keyring returns the keyring of a master key over a store.
func keyring(t testing.TB, db agents.Store, fill byte) *vault.Keyring {
	t.Helper()
	keys, err := vault.NewKeyring(db.(vault.KeyStore), masterKey(t, fill))
	require.NoError(t, err)
	return keys
}

// masterKey returns a key, always the same one for the same number.
func masterKey(t testing.TB, fill byte) vault.MasterKey {
	t.Helper()
	raw := make([]byte, vault.KeySize)
	for i := range raw {
		raw[i] = fill + byte(i)
	}
	path := filepath.Join(t.TempDir(), "master.key")
	require.NoError(t, os.WriteFile(path, raw, 0o600))
	key, err := vault.LoadKey(path)
	require.NoError(t, err)
	return key
}

// serviceWith returns a service that seals with a certain box.
func serviceWith(
	t testing.TB, db agents.Store, registry *hosttools.Registry, tooling policy.Tooling, box agents.Box,
) *agents.Service {
	t.Helper()
	frozen, err := tooling.Freeze()
	require.NoError(t, err)
	return serviceOf(t, agents.Config{Store: db, Registry: registry, Tooling: frozen, Box: box})
}

// serviceOf returns the service of a configuration, with models and an
// authorizer.
func serviceOf(t testing.TB, c agents.Config) *agents.Service {
	t.Helper()
	authorizer, err := policy.NewAuthorizer()
	require.NoError(t, err)
	c.Authorizer, c.Models = authorizer, []string{"offline", "large"}
	s, err := agents.New(c)
	require.NoError(t, err)
	return s
}

// setup returns the service on an empty store, with both toolkits and no policy.
func setup(t *testing.T) *agents.Service {
	t.Helper()
	return service(t, newStore(t), registry(t, "fs_orders", "fs_notify"), policy.Tooling{})
}

// registry returns a registry of some of the host's toolkits.
func registry(t testing.TB, slugs ...string) *hosttools.Registry {
	t.Helper()
	all := map[string]hosttools.Constructor{"fs_orders": orders, "fs_notify": notify, "fs_export": export}
	host := hosttools.Host{
		Prefix: "fs_", Tools: map[string]hosttools.Constructor{}, App: map[string]any{"ledger": "main"},
		Config: map[string]map[string]any{}, Logger: slog.New(slog.DiscardHandler),
	}
	for _, slug := range slugs {
		host.Tools[slug] = all[slug]
		if slug == "fs_export" {
			host.Config[slug] = map[string]any{"format": "csv", "folder": "inbox"}
		}
	}
	r := hosttools.NewRegistry(host)
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
	return tenancy.Scope{User: "ada", Tenant: "acme", MayAuthor: true, MayAdminister: true, StudioEnabled: true, Via: tenancy.ViaBrowser}
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
func as(t testing.TB, scope tenancy.Scope) context.Context {
	t.Helper()
	return tenancy.WithScope(t.Context(), scope)
}

// shared is a new agent that everyone in its tenant sees.
func shared(name string, d models.Definition) agents.NewAgent {
	return agents.NewAgent{Name: name, Definition: d, Sharing: agents.Sharing{Visibility: models.VisibilityTenant}}
}

// create makes an agent named desk, which must be accepted.
func create(t testing.TB, s *agents.Service, scope tenancy.Scope) models.Agent {
	t.Helper()
	agent, err := s.Create(as(t, scope), shared("desk", models.Definition{Title: "desk"}))
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
