package web_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/models"
	studioagents "github.com/agentstudio/agentstudio/studio/agents"
	"github.com/agentstudio/agentstudio/studio/toolexec"
	"github.com/agentstudio/agentstudio/tenancy"
	"github.com/agentstudio/agentstudio/web"
	"github.com/agentstudio/agentstudio/web/auth"
)

// addresses returns every address within the server that a page names, in
// whichever attribute.
func addresses(t *testing.T, page string) []string {
	t.Helper()
	document, err := goquery.NewDocumentFromReader(strings.NewReader(page))
	require.NoError(t, err)
	var found []string
	document.Find("*").Each(func(_ int, element *goquery.Selection) {
		for _, attribute := range element.Nodes[0].Attr {
			if strings.HasPrefix(attribute.Val, "/") {
				found = append(found, attribute.Val)
			}
		}
	})
	return found
}

func regexpAttr(t *testing.T, text, pattern string) string {
	t.Helper()
	match := regexp.MustCompile(pattern).FindStringSubmatch(text)
	require.Len(t, match, 2, pattern)
	return match[1]
}

// proxied serves a backend behind a proxy that shows base in place of prefix, and
// nothing else.
func proxied(t *testing.T, backend http.Handler, base, prefix string) string {
	t.Helper()
	target, err := url.Parse(serve(t, backend))
	require.NoError(t, err)
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		r.SetXForwarded()
		r.Out.Host = r.In.Host
		r.Out.URL.Path = prefix + strings.TrimPrefix(r.In.URL.Path, base)
		r.Out.URL.RawPath = ""
	}}
	return serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if base != "" && r.URL.Path != base && !strings.HasPrefix(r.URL.Path, base+"/") {
			http.Error(w, "this is another application", http.StatusTeapot)
			return
		}
		proxy.ServeHTTP(w, r)
	}))
}

// TestBehindAProxy walks through everything that a browser finds behind a proxy.
func TestBehindAProxy(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ prefix, base string }{
		{"/studio", "/apps/studio"}, // takes a part away
		{"/studio", "/Agents/v1.2"}, // has another one
		{"/inner/studio", ""},       // shows the Studio at the root of a host of its own
		{"/studio", "/studio"},
	} {
		t.Run(c.prefix+" seen at "+c.base, func(t *testing.T) {
			t.Parallel()
			app := newDemoApp(t)
			require.NoError(t, app.Start(t.Context()))
			t.Cleanup(func() { require.NoError(t, app.Stop(t.Context())) })
			e := echo.New()
			config := app.config(c.prefix)
			// The name of the proxy is known when it serves, after the backend.
			outside := proxied(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { e.ServeHTTP(w, r) }), c.base, c.prefix)
			config.PublicURL = outside + c.base
			require.NoError(t, web.Mount(e, app.Studio, config))
			walk := &walker{browser: newBrowser(t, outside), base: c.base, seen: map[string]bool{}}
			walk.records(t, app)
			walk.from(t, c.base+"/")
			walk.signIn(t, c.base, "admin@acme.test")
			walk.from(t, c.base+"/t/acme")
			walk.posts(t)
			require.Greater(t, len(walk.seen), 30, "pages and files were found")
		})
	}
}

// walker follows every link of every page.
type walker struct {
	browser

	base string
	seen map[string]bool
}

// records makes something of everything, so that its pages are there.
func (w *walker) records(t *testing.T, app demoApp) {
	t.Helper()
	ctx := tenancy.WithScope(t.Context(), app.scope(t))
	definition := models.Definition{Title: "Desk"}
	for _, group := range app.Registry.Groups() {
		definition.Toolkits = append(definition.Toolkits, group.Slug)
	}
	agent, err := app.Agents.Create(ctx, studioagents.NewAgent{Name: "desk", Definition: definition})
	require.NoError(t, err)
	_, err = app.Sessions.Create(ctx, agent.ID)
	require.NoError(t, err)
	call, err := app.Door.Prepare(ctx, toolexec.Request{
		Slug: "fs_notify", Raw: []byte(`{"message":"hello"}`), Channel: toolexec.ChannelREST, HasToken: true,
	})
	require.NoError(t, err)
	_, _, err = app.Approvals.AskWithToken(ctx, call)
	require.NoError(t, err)
}

func (w *walker) inside(t *testing.T, where, address string) {
	t.Helper()
	require.True(t, address == w.base || strings.HasPrefix(address, w.base+"/"), "%q leads to %q, outside of %q", where, address, w.base)
}

func (w *walker) from(t *testing.T, start string) {
	t.Helper()
	for queue := []string{start}; len(queue) > 0; queue = queue[1:] {
		path := queue[0]
		path, _, _ = strings.Cut(path, "#")
		if w.seen[path] || strings.Contains(path, "/events") {
			continue
		}
		w.seen[path] = true
		got := w.get(t, path)
		require.NotEqual(t, http.StatusNotFound, got.StatusCode, path)
		require.NotEqual(t, http.StatusTeapot, got.StatusCode, path)
		require.Less(t, got.StatusCode, http.StatusInternalServerError, path)
		if to := got.Header.Get("Location"); to != "" {
			w.inside(t, path, to)
			queue = append(queue, to)
		}
		if !strings.HasPrefix(got.Header.Get(echo.HeaderContentType), "text/html") {
			continue
		}
		for _, address := range addresses(t, got.text) {
			w.inside(t, path, address)
			queue = append(queue, w.readable(t, address)...)
		}
	}
}

// readable returns an address if it can be asked for without changing anything.
// What only takes a form is asked for, too: it must be there.
func (w *walker) readable(t *testing.T, address string) []string {
	t.Helper()
	path, _, _ := strings.Cut(address, "#")
	if w.seen[path] {
		return nil
	}
	if got := w.do(t, http.MethodPatch, path, nil); got.StatusCode == http.StatusMethodNotAllowed {
		if strings.Contains(got.Header.Get("Allow"), http.MethodGet) {
			return []string{address}
		}
		w.seen[path] = true
		require.Contains(t, got.Header.Get("Allow"), http.MethodPost, address)
		return nil
	}
	return []string{address}
}

// posts sends forms, and follows where they lead.
func (w *walker) posts(t *testing.T) {
	t.Helper()
	home := w.base + "/t/acme"
	for _, form := range []struct {
		path   string
		fields url.Values
	}{
		{home + "/agents", url.Values{"name": {"Another"}}},
		{home + "/agents/desk/sessions", url.Values{}},
	} {
		got := w.do(t, http.MethodPost, form.path, form.fields)
		require.Equal(t, http.StatusSeeOther, got.StatusCode, "%s: %s", form.path, got.text)
		w.inside(t, form.path, got.Header.Get("Location"))
		w.from(t, got.Header.Get("Location"))
	}
	got := w.do(t, http.MethodPost, w.base+"/sign-out", url.Values{})
	require.Equal(t, w.base+"/sign-in", got.Header.Get("Location"))
	next := w.get(t, home+"/agents?x=1").Header.Get("Location")
	require.Equal(t, w.base+"/sign-in?next="+url.QueryEscape(home+"/agents?x=1"), next, "the way back is as the browser knows it")
	got = w.do(t, http.MethodPost, w.base+"/sign-in/demo", url.Values{"user": {"admin@acme.test"}, "next": {home + "/agents"}})
	require.Equal(t, home+"/agents", got.Header.Get("Location"))
}

// TestThePublicURLDecides looks at what hangs on the public URL besides links.
func TestThePublicURLDecides(t *testing.T) {
	t.Parallel()
	app := newDemoApp(t)
	e := echo.New()
	config := app.config("/studio")
	config.PublicURL, config.Hosts = "https://Studio.Example:443/apps/studio/", []string{"backend"}
	require.NoError(t, web.Mount(e, app.Studio, config))
	ask := func(host, origin, site string) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/studio/sign-in/demo",
			strings.NewReader(url.Values{"user": {"admin@acme.test"}}.Encode()))
		r.Host = host
		r.Header.Set(echo.HeaderContentType, echo.MIMEApplicationForm)
		for name, value := range map[string]string{"Origin": origin, "Sec-Fetch-Site": site} {
			if value != "" {
				r.Header.Set(name, value)
			}
		}
		got := httptest.NewRecorder()
		e.ServeHTTP(got, r)
		return got
	}
	for _, c := range []struct {
		host, origin, site string
		want               int
	}{
		{"studio.example", "https://studio.example", "same-origin", http.StatusSeeOther},
		{"backend:8080", "https://studio.example", "", http.StatusSeeOther},
		{"backend", "", "", http.StatusSeeOther},
		{"backend", "https://evil.example", "", http.StatusForbidden},
		{"backend", "https://studio.example.evil.example", "cross-site", http.StatusForbidden},
		{"backend", "http://studio.example", "", http.StatusForbidden},
		{"backend", "https://evil.example", "cross-site", http.StatusForbidden},
		{"evil.example", "https://evil.example", "same-origin", http.StatusMisdirectedRequest},
	} {
		got := ask(c.host, c.origin, c.site)
		require.Equal(t, c.want, got.Code, "%+v", c)
		for _, cookie := range got.Result().Cookies() {
			require.True(t, cookie.Secure, "browsers come by https, whatever the proxy does")
			require.True(t, cookie.HttpOnly)
			require.Equal(t, "/apps/studio", cookie.Path)
		}
		require.Equal(t, c.want == http.StatusSeeOther, len(got.Result().Cookies()) == 1)
	}
}

// TestProgramsGetAWholeAddress reads the address of an approval.
func TestProgramsGetAWholeAddress(t *testing.T) {
	t.Parallel()
	for public, want := range map[string]string{
		"": "/studio/t/acme/approvals/", "https://studio.example/apps": "https://studio.example/apps/t/acme/approvals/",
	} {
		w := newWorld(t)
		e := echo.New()
		require.NoError(t, web.Mount(e, w.app, web.Config{Prefix: "/studio", Directory: callersOfMatrix{scopes: actors()}, PublicURL: public}))
		w.echo = e
		got := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/studio/api/v1/acme/tools/fs_notify/requests",
			strings.NewReader(`{"args":{"message":"hello"}}`))
		r.Host = "studio.example"
		r.Header.Set(actorHeader, "owner")
		r.Header.Set(echo.HeaderContentType, echo.MIMEApplicationJSON)
		e.ServeHTTP(got, r)
		require.Equal(t, http.StatusAccepted, got.Code, got.Body)
		require.Contains(t, got.Body.String(), `"url":"`+want)
	}
}

// TestTheClientBehindProxies sends forged and honest headers to a mounted Studio,
// whose resolver tells what it was told.
func TestTheClientBehindProxies(t *testing.T) {
	t.Parallel()
	e := echo.New()
	trusted := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	e.GET("/ip", func(c echo.Context) error { return c.String(http.StatusOK, fmt.Sprint(auth.ClientIP(c))) }, auth.Client(trusted))
	for _, c := range []struct{ socket, forwarded, want string }{
		{"198.51.100.7:1234", "", "198.51.100.7"},
		{"198.51.100.7:1234", "203.0.113.9", "198.51.100.7"},
		{"10.0.0.1:1234", "203.0.113.9", "203.0.113.9"},
		{"10.0.0.1:1234", "127.0.0.1, 203.0.113.9, 10.0.0.2", "203.0.113.9"},
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/ip", nil)
		r.RemoteAddr = c.socket
		r.Header.Set(echo.HeaderXForwardedFor, c.forwarded)
		r.Header.Set(echo.HeaderXRealIP, "192.0.2.1")
		r.Header.Set("Forwarded", "for=192.0.2.2")
		got := httptest.NewRecorder()
		e.ServeHTTP(got, r)
		require.Equal(t, c.want, got.Body.String(), "%+v", c)
	}
}
