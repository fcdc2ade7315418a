package web_test

import (
	"context"
	"database/sql"
	"log/slog"
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/hosttools/sample"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/policy"
	"github.com/agentstudio/agentstudio/studio"
	studioagents "github.com/agentstudio/agentstudio/studio/agents"
	"github.com/agentstudio/agentstudio/studio/identity"
	"github.com/agentstudio/agentstudio/studio/store"
	"github.com/agentstudio/agentstudio/studio/store/storetest"
	"github.com/agentstudio/agentstudio/studio/toolexec"
	"github.com/agentstudio/agentstudio/studio/vault"
	"github.com/agentstudio/agentstudio/tenancy"
	"github.com/agentstudio/agentstudio/web"
)

// actorHeader names the header with which a request of the matrix says whose it
// is.
const actorHeader = "X-Actor"

// actors returns who asks, by name. Records belong to the user "olga" of acme;
// the group of group records is "g1". A scope without a user is nobody.
func actors() map[string]tenancy.Scope {
	of := func(user, tenant string, change func(*tenancy.Scope)) tenancy.Scope {
		s := tenancy.Scope{
			User: user, Name: user, Tenant: tenant, MayAuthor: true, StudioEnabled: true,
			Session: "session-" + user, AuthTime: time.Now(),
		}
		if change != nil {
			change(&s)
		}
		return s
	}
	return map[string]tenancy.Scope{
		"anonymous":    {},
		"owner":        of("olga", "acme", func(s *tenancy.Scope) { s.Groups = []string{"g1"} }),
		"peer":         of("pete", "acme", nil),
		"peer in g1":   of("gina", "acme", func(s *tenancy.Scope) { s.Groups = []string{"g1", "g2"} }),
		"peer once g1": of("fred", "acme", func(s *tenancy.Scope) { s.Groups = []string{"g2"} }),
		"admin":        of("ada", "acme", func(s *tenancy.Scope) { s.MayAdminister = true }),
		"superuser":    of("sue", "acme", func(s *tenancy.Scope) { s.Superuser = true }),
		"member":       of("mia", "acme", func(s *tenancy.Scope) { s.MayAuthor = false }),
		"owner, no author": of("olga", "acme", func(s *tenancy.Scope) {
			s.MayAuthor = false
			s.Groups = []string{"g1"}
		}),
		"other tenant":    of("gus", "globex", nil),
		"other admin":     of("gwen", "globex", func(s *tenancy.Scope) { s.MayAdminister, s.Superuser = true, true }),
		"owner elsewhere": of("olga", "globex", func(s *tenancy.Scope) { s.Groups = []string{"g1"} }),
		"no tenant":       of("nora", "", nil),
		"disabled":        of("dan", "acme", func(s *tenancy.Scope) { s.StudioEnabled, s.MayAdminister = false, true }),
		"broken scope":    of("bert", "ACME", func(s *tenancy.Scope) { s.MayAdminister = true }),
		wrongToken:        of("tom", "acme", nil),
		expiredToken:      of("tom", "acme", nil),
	}
}

// The programs among the actors, which send a real API token each.
const (
	wrongToken   = "wrong token"   // it is for the catalogue only
	expiredToken = "expired token" // it was for everything
)

// callersOfMatrix resolves the actor that a request names. What way it came, the
// address says. Requests with a token are the identity service's.
type callersOfMatrix struct {
	scopes map[string]tenancy.Scope
	people *identity.Service
	tokens map[string]string // by actor
}

// newCallers returns the actors, with tokens of a member that the database knows.
func newCallers(t *testing.T, db *store.Store, key vault.MasterKey) callersOfMatrix {
	t.Helper()
	now := time.Now()
	people := identity.NewService(identity.Config{
		Store: db, Tokens: identity.NewTokens(key.Derive(vault.PurposeTokens), func() time.Time { return now }), Now: func() time.Time { return now },
	})
	ctx := t.Context()
	require.NoError(t, db.UpsertTenant(ctx, models.Tenant{ID: "acme", Name: "acme"}))
	require.NoError(t, db.UpsertUser(ctx, models.User{ID: "tom", Name: "Tom", Email: "tom@acme.test"}))
	require.NoError(t, db.UpsertMembership(ctx, models.Membership{TenantID: "acme", UserID: "tom", Role: models.RoleAuthor}))
	tokens := map[string]string{}
	for actor, token := range map[string]identity.NewToken{
		wrongToken:   {User: "tom", Name: "x", Permissions: []string{string(policy.ToolsCatalogue)}, TTL: 24 * time.Hour},
		expiredToken: {User: "tom", Name: "y", TTL: time.Hour},
	} {
		text, _, err := people.IssueAPIToken(ctx, "acme", token)
		require.NoError(t, err)
		tokens[actor] = text
	}
	now = now.Add(2 * time.Hour)
	return callersOfMatrix{scopes: actors(), people: people, tokens: tokens}
}

func (c callersOfMatrix) Resolve(ctx context.Context, r *http.Request) (tenancy.Scope, error) {
	if r.Header.Get("Authorization") != "" {
		return c.people.Resolve(ctx, r)
	}
	scope, ok := c.scopes[r.Header.Get(actorHeader)]
	if !ok || scope.User == "" {
		return tenancy.Scope{}, models.Errorf(models.CodeUnauthenticated, "Sign in first.")
	}
	scope.Via = tenancy.ViaBrowser
	if len(r.URL.Path) > len("/studio/api/") && r.URL.Path[:len("/studio/api/")] == "/studio/api/" {
		scope.Via, scope.Session = tenancy.ViaAPI, ""
	}
	return scope, nil
}

func (c callersOfMatrix) Reload(_ context.Context, tenant, user string) (tenancy.Scope, error) {
	for _, scope := range c.scopes {
		if scope.User == user && scope.Tenant == tenant {
			scope.Via = tenancy.ViaJob
			return scope, nil
		}
	}
	return tenancy.Scope{}, models.Errorf(models.CodePermissionDenied, "No such member.")
}

func (callersOfMatrix) Names(context.Context, string, []string) (map[string]string, error) {
	return nil, nil
}

func (callersOfMatrix) TenantName(_ context.Context, tenant string) (string, error) {
	return tenant, nil
}

// The states of the record that a path addresses.
const (
	statePrivate   = "private"       // olga's, seen by nobody else
	stateTenant    = "tenant"        // olga's, seen by everybody in acme
	stateGroups    = "groups"        // olga's, seen by group g1
	stateForeign   = "foreign"       // globex's
	stateGlobal    = "global"        // in the GLOBAL partition
	stateMissing   = "missing"       // nobody's
	stateMalformed = "malformed"     // no id or name at all
	wrongTenant    = "wrong tenant"  // olga's shared record under the address of globex
	missingThere   = "missing there" // nobody's, under the address of globex; not in the tables
)

func states() []string {
	return []string{
		statePrivate, stateTenant, stateGroups, stateForeign, stateGlobal, stateMissing, stateMalformed, wrongTenant,
	}
}

// world is a mounted Studio with one record of each kind in each state.
type world struct {
	app  *studio.Studio
	db   *store.Store
	echo *echo.Echo
	// By state: what stands in the path for :agent, :session, :approval and :id.
	agent, session, approval map[string]string
	tokens                   map[string]string // by actor
}

func newWorld(t *testing.T) *world {
	t.Helper()
	db, err := store.Open(t.Context(), store.Config{DSN: storetest.SQLite(t)})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	require.NoError(t, db.Migrate(t.Context()))
	key, err := vault.LoadOrCreateKey(filepath.Join(t.TempDir(), "master.key"))
	require.NoError(t, err)
	company, err := sample.Open(t.Context(), filepath.Join(t.TempDir(), "orders.db"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, company.Close()) })
	callers := newCallers(t, db, key)
	app, err := studio.New(studio.Config{
		Database: db, Key: key, Resolver: callers, Logger: slog.New(slog.DiscardHandler),
		Registry: hosttools.MustRegistry(company.Host()),
	})
	require.NoError(t, err)
	w := &world{
		app: app, db: db, echo: echo.New(), tokens: callers.tokens,
		agent: map[string]string{}, session: map[string]string{}, approval: map[string]string{},
	}
	require.NoError(t, web.Mount(w.echo, app, web.Config{Prefix: "/studio", Directory: callers}))
	w.fill(t)
	return w
}

// fill makes the records of every state.
func (w *world) fill(t *testing.T) {
	t.Helper()
	for _, state := range []string{statePrivate, stateTenant, stateGroups} {
		w.make(t, "owner", state)
	}
	w.make(t, "other admin", stateForeign)
	w.make(t, "owner", stateGlobal)
	w.change(t, "acme", `UPDATE agents SET visibility = 'private' WHERE name = 'desk-private'`)
	w.change(t, "acme", `UPDATE agents SET visibility = 'groups', allowed_groups = '["g1"]' WHERE name = 'desk-groups'`)
	w.toGlobal(t)
	for _, kind := range []map[string]string{w.agent, w.session, w.approval} {
		absent := models.NewID() // names no agent either
		kind[stateMissing], kind[missingThere], kind[stateMalformed] = absent, absent, "..%2Fnot%20an%20id"
		kind[wrongTenant] = kind[stateTenant]
	}
}

// make makes an agent with a conversation and an approval that waits.
func (w *world) make(t *testing.T, actor, state string) {
	t.Helper()
	scope := actors()[actor]
	scope.Via = tenancy.ViaBrowser
	ctx := tenancy.WithScope(t.Context(), scope)
	agent, err := w.app.Agents.Create(ctx, studioagents.NewAgent{
		Name: "desk-" + state, Definition: models.Definition{Title: state, Toolkits: []string{"fs_notify"}},
		Sharing: studioagents.Sharing{Visibility: models.VisibilityTenant},
	})
	require.NoError(t, err)
	chat, err := w.app.Sessions.Create(ctx, agent.ID)
	require.NoError(t, err)
	call, err := w.app.Door.Prepare(ctx, toolexec.Request{
		Slug: "fs_notify", Raw: []byte(`{"message":"` + state + `"}`), Channel: toolexec.ChannelREST, HasToken: true,
	})
	require.NoError(t, err)
	asked, _, err := w.app.Approvals.AskWithToken(ctx, call)
	require.NoError(t, err)
	w.agent[state], w.session[state], w.approval[state] = agent.Name, chat.ID, asked.ID
}

// change runs a statement as nobody's code would, in a transaction of a tenant.
func (w *world) change(t *testing.T, tenant, statement string) {
	t.Helper()
	p, err := tenancy.PartitionFromStored(tenant)
	require.NoError(t, err)
	require.NoError(t, w.db.Write(t.Context(), p, func(ctx context.Context) error {
		tx, err := w.db.Tx(ctx)
		if err != nil {
			return err
		}
		return execute(ctx, tx, statement)
	}))
}

func execute(ctx context.Context, tx *sql.Tx, statement string) error {
	_, err := tx.ExecContext(ctx, statement)
	return err
}

// toGlobal moves the records of the state global into the GLOBAL partition,
// foreign keys and all.
func (w *world) toGlobal(t *testing.T) {
	t.Helper()
	w.change(t, "acme", `PRAGMA defer_foreign_keys = ON; UPDATE agent_versions SET tenant_id = '*'
		WHERE agent_id = (SELECT id FROM agents WHERE name = 'desk-global');
		UPDATE chat_sessions SET tenant_id = '*' WHERE id = '`+w.session[stateGlobal]+`';
		UPDATE approvals SET tenant_id = '*' WHERE id = '`+w.approval[stateGlobal]+`';
		UPDATE agents SET tenant_id = '*' WHERE name = 'desk-global'`)
}
