package web_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/studio"
	"github.com/agentstudio/agentstudio/studio/store"
	"github.com/agentstudio/agentstudio/studio/store/storetest"
	"github.com/agentstudio/agentstudio/studio/vault"
	"github.com/agentstudio/agentstudio/tenancy"
	"github.com/agentstudio/agentstudio/web"
)

func TestMain(m *testing.M) {
	os.Exit(storetest.Main(m, func(ctx context.Context, dsn string) error {
		db, err := store.Open(ctx, store.Config{DSN: dsn})
		if err != nil {
			return err
		}
		return errors.Join(db.Migrate(ctx), db.Close())
	}))
}

type noteIn struct {
	Text string `json:"text"`
}

type boundIn struct {
	Tenant hosttools.TenantID `json:"-"`
	Text   string             `json:"text"`
}

type noteOut struct {
	Scoped bool `json:"scoped"` // whether the tool was told of a tenant
}

// notebook has tools that belong to no tenant, and one that does.
type notebook struct{ kept, bound atomic.Int64 }

func (n *notebook) registry(t *testing.T) *hosttools.Registry {
	t.Helper()
	read := func(ctx context.Context, _ noteIn) (noteOut, error) {
		_, scoped := tenancy.FromContext(ctx)
		return noteOut{Scoped: scoped}, nil
	}
	keep := func(ctx context.Context, in noteIn) (noteOut, error) { n.kept.Add(1); return read(ctx, in) }
	ofTenant := func(context.Context, boundIn) (noteOut, error) { n.bound.Add(1); return noteOut{}, nil }
	tool := func(m hosttools.Method) hosttools.Constructor {
		return func() (hosttools.Entry, error) { return hosttools.Tool{Title: "Notes", Method: m}, nil }
	}
	return hosttools.MustRegistry(hosttools.Host{
		Prefix: "hd_", Logger: slog.New(slog.DiscardHandler),
		Tools: map[string]hosttools.Constructor{
			"hd_look":  tool(hosttools.NewMethod("hd_look", "Look at notes.", read, hosttools.Read())),
			"hd_keep":  tool(hosttools.NewMethod("hd_keep", "Keep a note.", keep)),
			"hd_bound": tool(hosttools.NewMethod("hd_bound", "Look at a tenant's notes.", ofTenant, hosttools.Read())),
		},
	})
}

// global is a Studio without a resolver, in a server.
type global struct {
	*httptest.Server
	notes *notebook
}

func newGlobal(t *testing.T, dsn string) global {
	t.Helper()
	db, err := store.Open(t.Context(), store.Config{DSN: dsn})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	if !strings.HasPrefix(dsn, "postgres") {
		require.NoError(t, db.Migrate(t.Context()))
	}
	key, err := vault.LoadOrCreateKey(filepath.Join(t.TempDir(), "master.key"))
	require.NoError(t, err)
	g := global{notes: &notebook{}}
	app, err := studio.New(studio.Config{
		Database: db, Key: key, Registry: g.notes.registry(t), Logger: slog.New(slog.DiscardHandler),
	})
	require.NoError(t, err)
	e := echo.New()
	require.ErrorContains(t, web.Mount(e, app, web.Config{Prefix: "/studio"}), "Identify")
	require.NoError(t, web.Mount(e, app, web.Config{Prefix: "/studio", Identify: identify}))
	require.NoError(t, app.Start(t.Context()))
	t.Cleanup(func() { require.NoError(t, app.Stop(context.Background())) })
	g.Server = httptest.NewServer(e)
	g.Client().CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	t.Cleanup(g.Close)
	return g
}

// identify believes a header. Sue is a superuser.
func identify(r *http.Request) (tenancy.Identity, error) {
	user := r.Header.Get("X-User")
	if user == "panic" {
		return tenancy.Identity{}, errors.New("who knows")
	}
	who := tenancy.Identity{User: user, Superuser: user == "sue"}
	if strings.Contains(r.URL.Path, "/t/") {
		who.Session = "session-" + user
	}
	return who, nil
}

// ask sends a request of a user below /studio, and returns its status and body.
func (g global) ask(t *testing.T, user, method, path, body string, headers ...string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, g.URL+"/studio"+path, strings.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("X-User", user)
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	r.Header.Set("Content-Type", "application/json")
	if strings.HasPrefix(path, "/t/") {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	response, err := g.Client().Do(r)
	require.NoError(t, err)
	defer func() { require.NoError(t, response.Body.Close()) }()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, string(text)
}

func object(t *testing.T, body string) map[string]any {
	t.Helper()
	var found map[string]any
	require.NoError(t, json.Unmarshal([]byte(body), &found), body)
	return found
}

// onBothDatabases runs a test on a Studio without tenants, on each database.
func onBothDatabases(t *testing.T, test func(t *testing.T, g global)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		test(t, newGlobal(t, storetest.SQLite(t)))
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		test(t, newGlobal(t, storetest.Postgres(t)))
	})
}

// TestGlobalAgents says who sees and who changes what where there are no tenants.
func TestGlobalAgents(t *testing.T) {
	t.Parallel()
	onBothDatabases(t, func(t *testing.T, g global) {
		const rest, agent = "/api/v1/-", "/api/v1/-/agents/notes"
		status, body := g.ask(t, "ann", "POST", rest+"/agents", `{"name":"notes"}`)
		require.Equal(t, http.StatusCreated, status, body)
		require.Nil(t, object(t, body)["tenant"])
		require.Equal(t, "private", object(t, body)["visibility"])
		require.Equal(t, "owner", object(t, body)["access"])
		_, body = g.ask(t, "bob", "GET", agent, "")
		require.Equal(t, "global", object(t, body)["access"], "everybody sees it")
		require.Equal(t, false, object(t, body)["can_manage"])
		_, body = g.ask(t, "bob", "GET", rest+"/me", "")
		require.Nil(t, object(t, body)["tenant"])
		require.Equal(t, "bob", object(t, body)["user_id"])
		for _, c := range []struct {
			user, method, path, body string
			status                   int
			code                     string
		}{
			{"", "GET", rest + "/agents", "", 401, "unauthenticated"},
			{"panic", "GET", rest + "/agents", "", 401, "unauthenticated"},
			{"ann", "GET", "/api/v1/acme/agents", "", 403, "tenant_mismatch"},
			{"ann", "GET", "/api/v1/*/agents", "", 403, "tenant_mismatch"},
			{"bob", "PATCH", agent, `{"title":"Bob's"}`, 403, "not_manageable"},
			{"bob", "DELETE", agent, "", 403, "not_manageable"},
			{"ann", "PATCH", agent + "/visibility", `{"visibility":"tenant"}`, 422, "tenant_required"},
			{"ann", "PATCH", agent + "/visibility", `{"visibility":"groups","allowed_groups":["g"]}`, 422, "tenant_required"},
			{"sue", "PATCH", agent + "/visibility", `{"visibility":"tenant"}`, 422, "tenant_required"},
		} {
			status, body := g.ask(t, c.user, c.method, c.path, c.body)
			require.Equal(t, c.status, status, "%s %s as %q: %s", c.method, c.path, c.user, body)
			require.Equal(t, c.code, object(t, body)["code"])
		}
		status, body = g.ask(t, "sue", "PATCH", agent, `{"title":"Sue's"}`)
		require.Equal(t, http.StatusOK, status, body)
		_, body = g.ask(t, "bob", "GET", "/t/-/agents/notes/instructions", "")
		require.Contains(t, body, "works without tenants (GLOBAL)", "every page says so")
		require.Contains(t, body, "You can look, not edit.")
	})
}

// TestGlobalTools runs what belongs to no tenant, a write with its approval among
// it, and nothing that does.
func TestGlobalTools(t *testing.T) {
	t.Parallel()
	onBothDatabases(t, func(t *testing.T, g global) {
		const tools, args = "/api/v1/-/tools/", `{"args":{"text":"hello"}}`
		status, body := g.ask(t, "ann", "POST", tools+"hd_bound/execute", args)
		require.Equal(t, http.StatusForbidden, status, body)
		require.Equal(t, "tool_scope_unavailable", object(t, body)["code"])
		require.Equal(t, "no_scope", object(t, body)["details"].(map[string]any)["reason"])
		status, body = g.ask(t, "ann", "POST", tools+"hd_look/execute", args)
		require.Equal(t, http.StatusOK, status, body)
		require.Equal(t, map[string]any{"scoped": false}, object(t, body)["result"], "no tool takes it for a tenant")
		status, _ = g.ask(t, "ann", "POST", tools+"hd_keep/execute", args)
		require.Equal(t, http.StatusForbidden, status)

		status, body = g.ask(t, "ann", "POST", tools+"hd_keep/requests", args)
		require.Equal(t, http.StatusAccepted, status, body)
		id, token := object(t, body)["id"].(string), object(t, body)["token"].(string)
		for _, other := range []string{"bob", "sue"} {
			status, _ = g.ask(t, other, "POST", "/t/-/approvals/"+id+"/approve", g.decision(t, "ann", id))
			require.NotEqual(t, http.StatusSeeOther, status, "%s decides on no call of ann's", other)
		}
		status, _ = g.ask(t, "bob", "GET", "/t/-/approvals/"+id, "")
		require.Equal(t, http.StatusNotFound, status)
		status, body = g.ask(t, "ann", "POST", "/t/-/approvals/"+id+"/approve", g.decision(t, "ann", id))
		require.Equal(t, http.StatusSeeOther, status, body)
		require.Zero(t, g.notes.kept.Load())
		status, body = g.ask(t, "ann", "POST", tools+"hd_keep/execute", args, "X-Approval-Token", token)
		require.Equal(t, http.StatusOK, status, body)
		require.Equal(t, int64(1), g.notes.kept.Load())
		status, _ = g.ask(t, "ann", "POST", tools+"hd_keep/execute", args, "X-Approval-Token", token)
		require.Equal(t, http.StatusConflict, status)
		require.Equal(t, int64(1), g.notes.kept.Load())
		require.Zero(t, g.notes.bound.Load())
	})
}

// decision is the form of a card, as somebody who sees it sends it.
func (g global) decision(t *testing.T, user, id string) string {
	t.Helper()
	status, body := g.ask(t, user, "GET", "/t/-/approvals/"+id, "")
	require.Equal(t, http.StatusOK, status, body)
	page, err := goquery.NewDocumentFromReader(strings.NewReader(body))
	require.NoError(t, err)
	form := url.Values{}
	for _, name := range []string{"nonce", "hash"} {
		form.Set(name, page.Find(`form[action$="/approve"] input[name=`+name+`]`).AttrOr("value", ""))
	}
	require.NotEmpty(t, form.Get("nonce"))
	return form.Encode()
}
