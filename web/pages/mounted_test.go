package pages_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio"
	"github.com/agentstudio/agentstudio/studio/store"
	"github.com/agentstudio/agentstudio/studio/store/storetest"
	"github.com/agentstudio/agentstudio/studio/vault"
	"github.com/agentstudio/agentstudio/tenancy"
	"github.com/agentstudio/agentstudio/web"
	"github.com/agentstudio/agentstudio/web/pages"
)

// who names the header with which a request says whose it is.
const who = "X-Who"

// door is a host with three people, who are signed in until they leave: Ada, an
// admin of acme; max, a member of it; and gil, an admin of globex.
type door struct{ left atomic.Bool }

func (d *door) Resolve(_ context.Context, r *http.Request) (tenancy.Scope, error) {
	if d.left.Load() {
		return tenancy.Scope{}, models.Errorf(models.CodeUnauthenticated, "Sign in first.")
	}
	scope := tenancy.Scope{
		User: "ada", Name: "Ada", Tenant: "acme", MayAuthor: true, MayAdminister: true, StudioEnabled: true,
		Via: tenancy.ViaBrowser, Session: "s1",
	}
	if r == nil {
		return scope, nil
	}
	switch r.Header.Get(who) {
	case "max":
		scope.User, scope.Name, scope.MayAuthor, scope.MayAdminister = "max", "Max", false, false
	case "gil":
		scope.User, scope.Name, scope.Tenant = "gil", "Gil", "globex"
	}
	return scope, nil
}

func (d *door) Reload(context.Context, string, string) (tenancy.Scope, error) {
	return d.Resolve(context.Background(), nil)
}

func (*door) Names(context.Context, string, []string) (map[string]string, error) { return nil, nil }

func (*door) TenantName(context.Context, string) (string, error) { return "Acme", nil }

type closeIn struct {
	Ticket string `json:"ticket"`
}

func newTickets() (hosttools.Entry, error) {
	closeTicket := func(context.Context, closeIn) (struct{}, error) { return struct{}{}, nil }
	return hosttools.Toolkit{
		Prefix: "hd", Title: "Tickets", Description: "Close tickets.",
		Methods: []hosttools.Method{hosttools.NewMethod("close_ticket", "Close a ticket.", closeTicket)},
	}, nil
}

// site is a Studio in a server, for one person.
type site struct {
	*httptest.Server
	door   *door
	person string
	script bool // whether the page's script asks
}

// as returns the site for another person.
func (s site) as(person string) site {
	s.person = person
	return s
}

func mounted(t *testing.T) site {
	t.Helper()
	db, err := store.Open(t.Context(), store.Config{DSN: storetest.SQLite(t)})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	require.NoError(t, db.Migrate(t.Context()))
	key, err := vault.LoadOrCreateKey(filepath.Join(t.TempDir(), "master.key"))
	require.NoError(t, err)
	host := &door{}
	app, err := studio.New(studio.Config{
		Database: db, Key: key, Resolver: host, Logger: slog.New(slog.DiscardHandler),
		Registry: hosttools.NewRegistry(hosttools.Host{
			Prefix: "hd_", Tools: map[string]hosttools.Constructor{"hd_tickets": newTickets, "hd_desk": pages.NewDesk},
			App: map[string]any{"mail": "smtp.example"}, Config: map[string]map[string]any{"hd_desk": {"greeting": "Hello"}},
			Logger: slog.New(slog.DiscardHandler),
		}),
	})
	require.NoError(t, err)
	e := echo.New()
	require.NoError(t, web.Mount(e, app, web.Config{Prefix: "/studio", Directory: host}))
	server := httptest.NewServer(e)
	server.Client().Timeout = time.Minute // a stream must end by itself before
	server.Client().CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	t.Cleanup(server.Close)
	return site{Server: server, door: host}
}

// answer is what a server sent. Its body is open until the test ends.
type answer struct {
	status   int
	location string
	body     io.Reader
}

// ask sends a request to a path below /studio. A body that begins with a brace
// is sent as JSON, another as a form.
func (s site) ask(t *testing.T, method, path, body string) answer {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, s.URL+"/studio"+path, strings.NewReader(body))
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if strings.HasPrefix(body, "{") {
		request.Header.Set("Content-Type", "application/json")
	}
	request.Header.Set("Sec-Fetch-Site", "same-origin")
	request.Header.Set(who, s.person)
	if s.script {
		request.Header.Set("HX-Request", "true")
	}
	response, err := s.Client().Do(request)
	require.NoError(t, err)
	t.Cleanup(func() { _ = response.Body.Close() })
	return answer{status: response.StatusCode, location: response.Header.Get("Location"), body: response.Body}
}

func TestHEADIsAnsweredLikeGET(t *testing.T) {
	t.Parallel()
	s := mounted(t)
	for path, want := range map[string]int{
		"/t/acme": http.StatusOK, "/t/acme/agents": http.StatusOK, "/t/acme/approvals": http.StatusOK,
		"/t/acme/activity": http.StatusOK, "/t/acme/agents/none/rules": http.StatusNotFound,
	} {
		require.Equal(t, want, s.ask(t, http.MethodGet, path, "").status, path)
		require.Equal(t, want, s.ask(t, http.MethodHead, path, "").status, path)
	}
}

func TestWhatIsNoTextIsABadRequest(t *testing.T) {
	t.Parallel()
	s := mounted(t)
	s.ask(t, http.MethodPost, "/t/acme/agents", "name=Desk")
	for _, c := range []struct{ method, path, body string }{
		{http.MethodGet, "/t/acme/agents/de%00sk/rules", ""},
		{http.MethodGet, "/t/acme/agents/de%FFsk/rules", ""},
		{http.MethodGet, "/t/acme/activity?outcome=%00", ""},
		{http.MethodPost, "/t/acme/agents", "name=De%00sk"},
		{http.MethodPost, "/t/acme/agents/desk/instructions", "expected_version=1&name=Desk&instructions=%FF"},
	} {
		require.Equal(t, http.StatusBadRequest, s.ask(t, c.method, c.path, c.body).status, c.path)
	}
	require.Equal(t, http.StatusNotFound, s.ask(t, http.MethodPost, "/t/acme/agents/none/instructions", "name=%00").status,
		"what the caller cannot see is absent before what they sent is read")
}

func TestTitlesWithoutLettersShareNoName(t *testing.T) {
	t.Parallel()
	s := mounted(t)
	form := url.Values{"name": {"🙂🙂"}}.Encode()
	for _, name := range []string{"agent", "agent-2", "agent-3"} {
		response := s.ask(t, http.MethodPost, "/t/acme/agents", form)
		require.Equal(t, http.StatusSeeOther, response.status)
		require.Equal(t, "/studio/t/acme/agents/"+name+"/tools", response.location)
	}
}

func TestTheInboxBeginsWithWhatExpiresFirst(t *testing.T) {
	t.Parallel()
	s := mounted(t)
	for _, ticket := range []string{"T-1", "T-2", "T-3"} {
		response := s.ask(t, http.MethodPost, "/api/v1/acme/tools/hd_tickets.close_ticket/requests", `{"args":{"ticket":"`+ticket+`"}}`)
		require.Equal(t, http.StatusAccepted, response.status)
	}
	page, err := goquery.NewDocumentFromReader(s.ask(t, http.MethodGet, "/t/acme/approvals", "").body)
	require.NoError(t, err)
	lines := page.Find(".row .line code:last-child").Map(func(_ int, line *goquery.Selection) string { return strings.TrimSpace(line.Text()) })
	require.Equal(t, []string{`ticket: "T-1"`, `ticket: "T-2"`, `ticket: "T-3"`}, lines)
	require.Contains(t, page.Find("nav .count").Text(), "3")
}

func TestAStreamEndsWhenItsReaderSignsOut(t *testing.T) {
	t.Parallel()
	s := mounted(t)
	s.ask(t, http.MethodPost, "/t/acme/agents", "name=Desk")
	chat := s.ask(t, http.MethodPost, "/t/acme/agents/desk/sessions", "").location
	require.NotEmpty(t, chat)
	stream := s.ask(t, http.MethodGet, "/t/acme/sessions/"+chat[strings.LastIndex(chat, "/")+1:]+"/events", "")
	require.Equal(t, http.StatusOK, stream.status)
	s.door.left.Store(true)
	_, err := io.ReadAll(stream.body) // to its end
	require.NoError(t, err)
}
