package web_test

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"
	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/hosttools/sample"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio"
	studioagents "github.com/agentstudio/agentstudio/studio/agents"
	"github.com/agentstudio/agentstudio/studio/identity"
	"github.com/agentstudio/agentstudio/studio/store"
	"github.com/agentstudio/agentstudio/studio/store/storetest"
	"github.com/agentstudio/agentstudio/studio/vault"
	"github.com/agentstudio/agentstudio/tenancy"
	"github.com/agentstudio/agentstudio/web"
)

// demoApp is a Studio with the demo's people.
type demoApp struct {
	*studio.Studio

	people *identity.Service
}

func newDemoApp(t *testing.T) demoApp {
	t.Helper()
	db, err := store.Open(t.Context(), store.Config{DSN: storetest.SQLite(t)})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	require.NoError(t, db.Migrate(t.Context()))
	key, err := vault.LoadOrCreateKey(filepath.Join(t.TempDir(), "master.key"))
	require.NoError(t, err)
	require.NoError(t, identity.SeedDemo(t.Context(), db, models.InstantOf(time.Now())))
	company, err := sample.Open(t.Context(), filepath.Join(t.TempDir(), "orders.db"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, company.Close()) })
	people := identity.NewService(identity.Config{
		Store: db, Tokens: identity.NewTokens(key.Derive(vault.PurposeTokens), time.Now),
	})
	app, err := studio.New(studio.Config{
		Database: db, Key: key, Resolver: people, Logger: slog.New(slog.DiscardHandler),
		Registry: hosttools.MustRegistry(company.Host()),
	})
	require.NoError(t, err)
	return demoApp{Studio: app, people: people}
}

func (a demoApp) config(prefix string) web.Config {
	return web.Config{Prefix: prefix, Identity: a.people, Demo: true}
}

// scope is the demo's admin of acme, in a browser.
func (a demoApp) scope(t *testing.T) tenancy.Scope {
	t.Helper()
	scope, err := a.people.Reload(t.Context(), "acme", identity.UserID("admin@acme.test"))
	require.NoError(t, err)
	scope.Via, scope.Session = tenancy.ViaBrowser, models.NewID()
	return scope
}

// browser keeps cookies and follows nothing.
type browser struct {
	*http.Client

	base string
}

func newBrowser(t *testing.T, base string) browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	return browser{base: base, Client: &http.Client{
		Jar: jar, Timeout: time.Minute, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// answer is what came back.
type answer struct {
	*http.Response

	text string
}

func (b browser) do(t *testing.T, method, path string, form url.Values) answer {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, b.base+path, strings.NewReader(form.Encode()))
	require.NoError(t, err)
	if form != nil {
		r.Header.Set(echo.HeaderContentType, echo.MIMEApplicationForm)
	}
	response, err := b.Do(r)
	require.NoError(t, err)
	defer response.Body.Close() //nolint:errcheck // Nothing is lost with it.
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return answer{response, string(body)}
}

func (b browser) get(t *testing.T, path string) answer {
	t.Helper()
	return b.do(t, http.MethodGet, path, nil)
}

func (b browser) signIn(t *testing.T, prefix, email string) {
	t.Helper()
	got := b.do(t, http.MethodPost, prefix+"/sign-in/demo", url.Values{"user": {email}})
	require.Equal(t, http.StatusSeeOther, got.StatusCode, got.text)
}

func serve(t *testing.T, handler http.Handler) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

// TestTheHostKeepsWhatIsItsOwn mounts the Studio in a host with routes, an error
// handler, middleware and an IP extractor of its own.
func TestTheHostKeepsWhatIsItsOwn(t *testing.T) {
	t.Parallel()
	e := echo.New()
	var seen []string
	e.HTTPErrorHandler = func(err error, c echo.Context) {
		seen = append(seen, c.Request().URL.Path)
		status := http.StatusInternalServerError
		if router, ok := err.(*echo.HTTPError); ok { //nolint:errorlint // The router's own, as hosts read it.
			status = router.Code
		}
		_ = c.HTML(status, "<h1>the host's own page</h1>")
	}
	e.IPExtractor = echo.ExtractIPDirect()
	e.Logger.SetOutput(io.Discard)
	e.Use(middleware.Recover(), func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			c.Response().Header().Set("X-Host", "help desk")
			return next(c)
		}
	})
	e.GET("/in/:section", func(c echo.Context) error { return c.String(http.StatusOK, "section "+c.Param("section")) })
	e.GET("/tickets/:id", func(c echo.Context) error { return c.String(http.StatusOK, "ticket "+c.Param("id")) })
	e.GET("/tickets/:id/agents/:tenant", func(c echo.Context) error {
		return c.String(http.StatusOK, c.Param("id")+" of "+c.Param("tenant"))
	})
	e.GET("/panic", func(echo.Context) error { panic("host") })
	handler, extractor, binder := e.HTTPErrorHandler, e.IPExtractor, e.Binder
	before := routesOf(e)

	app := newDemoApp(t)
	require.NoError(t, web.Mount(e, app.Studio, app.config("/studio")))
	require.Equal(t, reflect.ValueOf(handler).Pointer(), reflect.ValueOf(e.HTTPErrorHandler).Pointer())
	require.Equal(t, reflect.ValueOf(extractor).Pointer(), reflect.ValueOf(e.IPExtractor).Pointer())
	require.Equal(t, binder, e.Binder)
	for _, route := range routesOf(e) {
		require.True(t, slices.Contains(before, route) || strings.Contains(route, " /studio"), "a route outside of the prefix: %s", route)
	}

	b := newBrowser(t, serve(t, e))
	for path, want := range map[string]string{
		"/in/news": "section news", "/tickets/17": "ticket 17", "/tickets/17/agents/acme": "17 of acme",
	} {
		got := b.get(t, path)
		require.Equal(t, want, got.text)
		require.Equal(t, "help desk", got.Header.Get("X-Host"))
		require.Empty(t, got.Header.Get("Content-Security-Policy"), "the Studio's headers are the Studio's")
	}
	for _, c := range []struct {
		method, path string
		status       int
	}{
		{http.MethodGet, "/no/such/page", http.StatusNotFound},
		{http.MethodGet, "/studios/x", http.StatusNotFound},
		{http.MethodPost, "/tickets/17", http.StatusMethodNotAllowed},
		{http.MethodGet, "/panic", http.StatusInternalServerError},
	} {
		seen = nil
		got := b.do(t, c.method, c.path, nil)
		require.Equal(t, c.status, got.StatusCode, c.path)
		require.Equal(t, "<h1>the host's own page</h1>", got.text)
		require.Equal(t, []string{c.path}, seen)
	}
	seen = nil
	for _, path := range []string{"/studio/none", "/studio/t/acme/none", "/studio/api/v1/acme/none", "/studio/static/none.css"} {
		got := b.get(t, path)
		require.NotContains(t, got.text, "host's own page", path)
		require.NotEmpty(t, got.Header.Get("Content-Security-Policy"), path)
	}
	require.Empty(t, seen, "the Studio answers its own errors")
}

func routesOf(e *echo.Echo) []string {
	var all []string
	for _, route := range e.Routes() {
		all = append(all, route.Method+" "+route.Path)
	}
	return all
}

// TestWrongMethods asks every address of the Studio with every method.
func TestWrongMethods(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	takes := map[string][]string{}
	for _, route := range w.echo.Routes() {
		if route.Method != echo.RouteNotFound {
			takes[route.Path] = append(takes[route.Path], route.Method)
		}
	}
	methods := []string{
		http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions, "PROPFIND",
	}
	for path, allowed := range takes {
		for _, method := range methods {
			if slices.Contains(allowed, method) {
				continue
			}
			got := w.ask(t, matrixRoute{method: method, path: strings.Replace(path, "*", "app.css", 1)}, "admin", stateTenant)
			require.Equal(t, http.StatusMethodNotAllowed, got.Code, "%s %s\n%s", method, path, got.Body)
			for _, one := range allowed {
				require.Contains(t, strings.Split(got.Header().Get("Allow"), ", "), one, "%s %s", method, path)
			}
			require.NotContains(t, strings.Split(got.Header().Get("Allow"), ", "), method)
			require.NotEmpty(t, got.Header().Get("Content-Security-Policy"))
			require.NotEmpty(t, got.Header().Get(echo.HeaderXRequestID))
			if strings.HasPrefix(path, restPath) {
				require.Contains(t, got.Body.String(), `"code":"method_not_allowed"`)
			} else {
				require.Contains(t, got.Header().Get(echo.HeaderContentType), "text/html")
			}
		}
	}
}

// TestNothingThere asks for addresses that there are not.
func TestNothingThere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for path, kind := range map[string]string{
		"/studio/none": "text/html", "/studio/t": "text/html", "/studio/t/acme/none": "text/html", "/studio/t/acme/agents/a/b/c": "text/html",
		"/studio/api": "text/html", "/studio/api/": "application/json", "/studio/api/v2/acme/me": "application/json",
		"/studio/api/v1/acme/none": "application/json", "/studio/api/v1/acme/tools/x": "application/json",
	} {
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodOptions} {
			got := w.ask(t, matrixRoute{method: method, path: path}, "admin", stateTenant)
			require.Equal(t, http.StatusNotFound, got.Code, "%s %s", method, path)
			require.Contains(t, got.Header().Get(echo.HeaderContentType), kind, path)
			require.Empty(t, got.Header().Get("Allow"))
			require.NotEmpty(t, got.Header().Get("Content-Security-Policy"))
			require.NotEmpty(t, got.Header().Get(echo.HeaderXRequestID))
		}
	}
	got := w.ask(t, matrixRoute{method: http.MethodPut, path: "/studio/api/v1/acme/me"}, "anonymous", stateTenant)
	require.Equal(t, http.StatusUnauthorized, got.Code, "who calls comes before what they call")
}

// TestHeadIsGetWithoutABody compares the two on pages, files and the sign-in.
func TestHeadIsGetWithoutABody(t *testing.T) {
	t.Parallel()
	app := newDemoApp(t)
	e := echo.New()
	require.NoError(t, web.Mount(e, app.Studio, app.config("/studio")))
	b := newBrowser(t, serve(t, e))
	style := regexpAttr(t, b.get(t, "/studio/sign-in").text, `href="(/studio/static/app[^"]+)"`)
	for _, path := range []string{"/studio", "/studio/", "/studio/sign-in", "/studio/t/acme", style} {
		sameHead(t, b, path)
	}
	b.signIn(t, "/studio", "admin@acme.test")
	for _, path := range []string{"/studio", "/studio/t/acme", "/studio/t/acme/agents", "/studio/t/acme/none", style} {
		sameHead(t, b, path)
	}
}

func sameHead(t *testing.T, b browser, path string) {
	t.Helper()
	get, head := b.get(t, path), b.do(t, http.MethodHead, path, nil)
	require.Equal(t, get.StatusCode, head.StatusCode, path)
	require.Empty(t, head.text, path)
	for _, header := range []string{echo.HeaderContentType, "Location", "Content-Security-Policy", "Cache-Control"} {
		require.Equal(t, get.Header.Get(header), head.Header.Get(header), "%s of %s", header, path)
	}
}

func TestPrefixesThatAreTaken(t *testing.T) {
	t.Parallel()
	app := newDemoApp(t)
	for name, c := range map[string]struct {
		host   []string // routes
		mounts []string // the last is refused
		says   string   // "" for a mount that is not refused
	}{
		"twice at one":                  {nil, []string{"/studio", "/studio"}, `the Studio that is mounted at "/studio"`},
		"inside of another":             {nil, []string{"/studio", "/studio/inner"}, `the Studio that is mounted at "/studio"`},
		"inside of another's pages":     {nil, []string{"/studio", "/studio/t/x"}, `the Studio that is mounted at "/studio"`},
		"around another":                {nil, []string{"/apps/studio", "/apps"}, `the Studio that is mounted at "/apps/studio"`},
		"beside another":                {nil, []string{"/studio", "/studio2"}, ""},
		"beside another, further down":  {nil, []string{"/apps/studio", "/apps/studio2"}, ""},
		"on a page of the host":         {[]string{"/studio"}, []string{"/studio"}, "the host has the route GET /studio"},
		"over a page of the host":       {[]string{"/studio/help"}, []string{"/studio"}, "the host has the route GET /studio/help"},
		"over a pattern of the host":    {[]string{"/studio/:page"}, []string{"/studio"}, "the host has the route GET /studio/:page"},
		"on a pattern without a slash":  {[]string{"/studio*"}, []string{"/studio"}, "the host has the route GET /studio*"},
		"beside a page of the host":     {[]string{"/studios", "/studio-help"}, []string{"/studio"}, ""},
		"below a page of the host":      {[]string{"/apps"}, []string{"/apps/studio"}, ""},
		"below the host's own patterns": {[]string{"/*", "/:page", "/apps/:name", "/:a/:b"}, []string{"/apps/studio"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := echo.New()
			for _, path := range c.host {
				e.GET(path, func(c echo.Context) error { return c.String(http.StatusOK, "host") })
			}
			last := len(c.mounts) - 1
			for _, prefix := range c.mounts[:last] {
				require.NoError(t, web.Mount(e, app.Studio, app.config(prefix)))
			}
			before := len(e.Routes())
			err := web.Mount(e, app.Studio, app.config(c.mounts[last]))
			if c.says != "" {
				require.ErrorContains(t, err, c.says)
				require.Len(t, e.Routes(), before, "a refused mount adds nothing")
				return
			}
			require.NoError(t, err)
			got := httptest.NewRecorder()
			e.ServeHTTP(got, httptest.NewRequestWithContext(t.Context(), http.MethodGet, c.mounts[last]+"/sign-in", nil))
			require.Contains(t, got.Body.String(), "admin@acme.test")
		})
	}
}

func TestMountRefusesNonsense(t *testing.T) {
	t.Parallel()
	app := newDemoApp(t)
	for _, public := range []string{
		"studio.example/x", "ftp://studio.example", "//studio.example", "https://", "https:///x", "https://u@studio.example", "https://u:p@studio.example/x",
		"https://studio.example/x?y=1", "https://studio.example/x?", "https://studio.example/x#y", "https://studio.example/x#", "https://studio.example/a/../b",
		"https://studio.example/a//b", "https://studio.example/a%2Fb", "https://studio.example/a b", "https://studio.example/a;b", "https://studio.example/\x00",
		"https://studio.example:port/", "javascript:alert(1)",
	} {
		c := app.config("/studio")
		c.PublicURL = public
		e := echo.New()
		require.Error(t, web.Mount(e, app.Studio, c), public)
		require.Empty(t, e.Routes(), public)
	}
	for _, prefix := range []string{"", "/", "studio", "/Studio", "/studio/", "//studio", "/a//b", "/a/../b", "/:tenant", "/*", "/stüdio"} {
		require.Error(t, web.Mount(echo.New(), app.Studio, app.config(prefix)), prefix)
	}
}

// TestTwoStudiosInOneServer gives each mount its own people and records, signed in
// at the same time in one browser.
func TestTwoStudiosInOneServer(t *testing.T) {
	t.Parallel()
	e := echo.New()
	one, two := newDemoApp(t), newDemoApp(t)
	require.NoError(t, web.Mount(e, one.Studio, one.config("/one")))
	require.NoError(t, web.Mount(e, two.Studio, two.config("/two")))
	_, err := one.Agents.Create(tenancy.WithScope(t.Context(), one.scope(t)), studioagents.NewAgent{
		Name: "first-only", Definition: models.Definition{Title: "First only"},
	})
	require.NoError(t, err)
	b := newBrowser(t, serve(t, e))
	b.signIn(t, "/one", "admin@acme.test")
	require.Equal(t, "/two/sign-in?next=%2Ftwo%2Ft%2Facme", b.get(t, "/two/t/acme").Header.Get("Location"), "one sign-in is not the other's")
	b.signIn(t, "/two", "admin@acme.test")
	require.Equal(t, http.StatusOK, b.get(t, "/one/t/acme/agents/first-only/chat").StatusCode)
	require.Equal(t, http.StatusNotFound, b.get(t, "/two/t/acme/agents/first-only/chat").StatusCode)
	require.Equal(t, http.StatusSeeOther, b.do(t, http.MethodPost, "/two/sign-out", url.Values{}).StatusCode)
	require.Equal(t, http.StatusOK, b.get(t, "/one/t/acme").StatusCode, "signing out of one leaves the other")
	require.Equal(t, http.StatusSeeOther, b.get(t, "/two/t/acme").StatusCode)
}

// TestOneStudioMountedTwice has one person per mount, whose cookies do not collide.
func TestOneStudioMountedTwice(t *testing.T) {
	t.Parallel()
	e := echo.New()
	app := newDemoApp(t)
	require.NoError(t, web.Mount(e, app.Studio, app.config("/studio")))
	require.NoError(t, web.Mount(e, app.Studio, app.config("/studio2")))
	b := newBrowser(t, serve(t, e))
	b.signIn(t, "/studio", "admin@acme.test")
	b.signIn(t, "/studio2", "admin@globex.test")
	for prefix, tenant := range map[string]string{"/studio": "acme", "/studio2": "globex"} {
		require.Equal(t, prefix+"/t/"+tenant, b.get(t, prefix).Header.Get("Location"))
		page := b.get(t, prefix+"/t/"+tenant)
		require.Equal(t, http.StatusOK, page.StatusCode)
		for _, link := range addresses(t, page.text) {
			require.True(t, link == prefix || strings.HasPrefix(link, prefix+"/"), "%s is not below %s", link, prefix)
		}
	}
	require.Equal(t, http.StatusForbidden, b.get(t, "/studio/t/globex").StatusCode)
}
