package web_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/require"
)

// minCells is how many cells the matrix has at least.
const minCells = 3500

// TestMatrix asks every route as everybody for a record in every state, and
// compares the answers with the declared ones.
func TestMatrix(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	declared := routes()
	cells := 0
	for _, route := range declared {
		for actor, scope := range actors() {
			for _, state := range route.states() {
				cells++
				want := route.want(actor, state)
				got := w.ask(t, route, actor, state)
				if got.Code != want {
					t.Errorf("%s %s as %q for a record that is %q: %d, declared %d\n%.300s",
						route.method, route.path, actor, state, got.Code, want, got.Body)
				}
				if scope.Tenant != "globex" && strings.Contains(got.Body.String(), `globex`) {
					t.Errorf("%s %s as %q for %q names the other tenant", route.method, route.path, actor, state)
				}
			}
		}
	}
	require.GreaterOrEqual(t, cells, minCells)
	t.Logf("%d cells of %d routes, %d actors, %d states", cells, len(declared), len(actors()), len(states()))
}

// TestEveryRouteIsDeclared reads the routes of the running router.
func TestEveryRouteIsDeclared(t *testing.T) {
	t.Parallel()
	declared := map[string]bool{}
	for _, route := range routes() {
		declared[route.method+" "+route.path] = true
	}
	for _, route := range newWorld(t).echo.Routes() {
		if route.Method == echo.RouteNotFound || slices.Contains(outside(), route.Method+" "+route.Path) {
			continue
		}
		require.True(t, declared[route.Method+" "+route.Path], "%s %s is in no table of the matrix", route.Method, route.Path)
		delete(declared, route.Method+" "+route.Path)
	}
	require.Empty(t, declared, "the matrix declares routes that do not exist")
}

// TestUnseenAndAbsentAreTheSame compares, byte for byte, what is said of a record
// that is not there and of one that somebody may not see.
func TestUnseenAndAbsentAreTheSame(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, route := range routes() {
		if route.record == plain {
			continue
		}
		for actor := range actors() {
			absent := map[bool]string{}
			for _, state := range []string{stateMissing, missingThere} {
				absent[state == missingThere] = withoutIDs(w.ask(t, route, actor, state), w.id(route, state))
			}
			for _, state := range route.states() {
				if state == stateMissing || route.grade(actor, state) != unseen {
					continue
				}
				require.Equal(t, absent[state == wrongTenant], withoutIDs(w.ask(t, route, actor, state), w.id(route, state)),
					"%s %s as %q for %q", route.method, route.path, actor, state)
			}
		}
	}
}

// withoutIDs is an answer without what differs in each: the request's own id, and
// the address that was asked for.
func withoutIDs(r *httptest.ResponseRecorder, id string) string {
	body := regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}`).ReplaceAllString(r.Body.String(), "ID")
	return fmt.Sprint(r.Code, " ", strings.ReplaceAll(body, id, "ID"))
}

// id is what stands in a route's path for a record in a state.
func (w *world) id(route matrixRoute, state string) string {
	switch route.record {
	case agents:
		return w.agent[state]
	case sessions:
		return w.session[state]
	case approvals:
		return w.approval[state]
	default:
		return ""
	}
}

// streamFor is how long a stream is listened to.
const streamFor = 50 * time.Millisecond

// ask sends one request of the matrix.
func (w *world) ask(t *testing.T, route matrixRoute, actor, state string) *httptest.ResponseRecorder {
	t.Helper()
	tenant := "acme"
	if state == wrongTenant || state == missingThere {
		tenant = "globex"
	}
	path := strings.NewReplacer(
		":tenant", tenant, ":agent", w.agent[state], ":session", w.session[state], ":approval", w.approval[state],
		":id", w.approval[state], ":slug", "fs_notify", ":param", "channel", ":rule", "none",
	).Replace(route.path) + route.query
	ctx := t.Context()
	if strings.HasSuffix(route.path, "/events") {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, streamFor)
		defer cancel()
	}
	request := httptest.NewRequestWithContext(ctx, route.method, path, strings.NewReader(route.body))
	request.Header.Set(actorHeader, actor)
	if token, ok := w.tokens[actor]; ok {
		request.Header.Set(echo.HeaderAuthorization, "Bearer "+token)
	}
	request.Header.Set("Sec-Fetch-Site", "same-origin")
	request.Header.Set(echo.HeaderContentType, echo.MIMEApplicationForm)
	if strings.HasPrefix(route.path, "/studio/api/") {
		request.Header.Set(echo.HeaderContentType, echo.MIMEApplicationJSON)
	}
	recorder := httptest.NewRecorder()
	w.echo.ServeHTTP(recorder, request)
	return recorder
}

// grade is how far somebody gets with a record.
type grade byte

// The grades, as they stand in the tables.
const (
	nobody      grade = '-' // not signed in
	tenantless  grade = 'R' // belongs to no tenant
	elsewhere   grade = 'M' // the address is of another tenant
	switchedOff grade = 'D' // the Studio is off for the tenant
	narrowed    grade = 'T' // the token is for other things
	unseen      grade = '.' // as if it were not there
	sees        grade = 's' // and may test it, not change it
	noAuthor    grade = 'a' // could manage it, and may not author
	manages     grade = 'm'
)

// record is the kind of record that a path addresses.
type record int

// The kinds.
const (
	plain record = iota // none
	agents
	sessions
	approvals
)

// matrixRoute is one route with what it answers to whom.
type matrixRoute struct {
	method, path string
	query, body  string
	record       record
	changes      bool           // needs to manage the record
	forCatalogue bool           // what a token for the catalogue is enough for
	done         int            // what it answers to those who may
	others       map[string]int // of plain routes: what it answers to some actors instead
}

func (r matrixRoute) states() []string {
	if r.record == plain {
		return []string{stateTenant, wrongTenant}
	}
	return states()
}

// grade reads the tables.
func (r matrixRoute) grade(actor, state string) grade {
	table := map[record]string{plain: plainGrades, agents: agentGrades, sessions: sessionGrades, approvals: approvalGrades}[r.record]
	lines := strings.Split(strings.TrimSpace(table), "\n")
	for _, line := range lines {
		name, cells, _ := strings.Cut(line, "|")
		if strings.TrimSpace(name) != state {
			continue
		}
		for i, column := range columns() {
			if column == actor {
				return grade(strings.Fields(cells)[i][0])
			}
		}
	}
	return 0
}

// want is the declared status.
func (r matrixRoute) want(actor, state string) int {
	switch g := r.grade(actor, state); {
	case g == nobody:
		return http.StatusUnauthorized
	case g == tenantless:
		return http.StatusUnprocessableEntity
	case g == elsewhere, g == narrowed && !r.forCatalogue:
		return http.StatusForbidden
	case g == switchedOff && strings.HasSuffix(r.path, "/me") && r.record == plain:
		return http.StatusOK
	case g == switchedOff, g == unseen:
		return http.StatusNotFound
	case r.changes && g != manages:
		return http.StatusForbidden
	}
	if status, ok := r.others[actor]; ok {
		return status
	}
	return r.done
}
