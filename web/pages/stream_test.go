package pages

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/session"
	"github.com/agentstudio/agentstudio/tenancy"
	"github.com/agentstudio/agentstudio/web/sse"
)

// liveOver returns a stream over a log that the test may add to.
func liveOver(t *testing.T, events *[]models.Event, after int64) (*liveLog, *httptest.ResponseRecorder) {
	t.Helper()
	recorder := httptest.NewRecorder()
	writer, err := sse.Start(recorder)
	require.NoError(t, err)
	recorder.Body.Reset()
	return &liveLog{
		out: writer, log: testTranscript(t), after: after, stopURL: "/stop",
		still: func(context.Context) error { return nil },
		events: func(_ context.Context, from int64) ([]models.Event, error) {
			from = min(from, int64(len(*events)))
			return (*events)[from:min(from+batch, int64(len(*events)))], nil
		},
	}, recorder
}

func TestAStreamSendsWhatTheReaderHasNotSeen(t *testing.T) {
	t.Parallel()
	events := logOf(t, append(aWrite(), session.Approval{ID: "a1", CallID: "c1", State: models.ApprovalConsumed, By: "u-ada"})...)
	live, recorder := liveOver(t, &events, 6)
	require.NoError(t, live.catchUp(t.Context()))
	body := recorder.Body.String()
	require.Contains(t, body, "id: 7\nevent: log\n")
	require.Contains(t, body, "Ada Admin")
	require.Contains(t, body, "fs_cancel_order", "the tool's name comes from an event the reader has seen")
	require.NotContains(t, body, `id="ev-message-0"`)
	require.Less(t, strings.Index(body, "event: state"), strings.Index(body, "event: log"),
		"the event with the offset comes last")

	recorder.Body.Reset()
	require.NoError(t, live.catchUp(t.Context()))
	require.Empty(t, recorder.Body.String(), "nothing is sent twice")
}

func TestAStateAloneCarriesTheOffset(t *testing.T) {
	t.Parallel()
	events := logOf(t, session.Status{State: models.TurnQueued})
	live, recorder := liveOver(t, &events, sse.NoEvent)
	require.NoError(t, live.catchUp(t.Context()))
	require.True(t, strings.HasPrefix(recorder.Body.String(), "id: 0\nevent: state\n"))
}

func TestTheCardOfACallThatWaits(t *testing.T) {
	t.Parallel()
	settled := session.Approval{ID: "a1", CallID: "c1", State: models.ApprovalDenied}
	for name, test := range map[string]struct {
		log   []session.Payload
		after int64
		opens bool
	}{
		"shown by the page":        {aWrite(), 6, true},
		"new, opens itself":        {aWrite(), 4, false},
		"settled meanwhile":        {append(aWrite(), settled), 6, false},
		"settled before the page":  {append(aWrite(), settled), 7, false},
		"nothing was ever pending": {aWrite()[:4], 3, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			events := logOf(t, test.log...)
			live, recorder := liveOver(t, &events, test.after)
			require.NoError(t, live.catchUp(t.Context()))
			recorder.Body.Reset()
			require.NoError(t, live.openCard(t.Context()))
			if test.opens {
				require.Equal(t, "event: card\ndata: <span data-open-card=\"/studio/t/acme/approvals/a1/card\"></span>\n\n", recorder.Body.String())
			} else {
				require.Empty(t, recorder.Body.String())
			}
		})
	}
}

// A reader who is cut off anywhere and connects again with the last offset sees
// every line, whatever the batches were.
func TestEveryLineArrives(t *testing.T) {
	t.Parallel()
	lines := regexp.MustCompile(`id="ev-message-(\d+)"`)
	rapid.Check(t, func(rt *rapid.T) {
		total := rapid.IntRange(0, 3*batch).Draw(rt, "events")
		payloads := make([]session.Payload, total)
		for i := range payloads {
			payloads[i] = session.Message{Text: "m", From: "Max"}
		}
		whole := logOf(t, payloads...)
		seen := map[string]int{}
		after := int64(sse.NoEvent)
		for _, cut := range rapid.SliceOfN(rapid.IntRange(0, total), 0, 3).Draw(rt, "cuts") {
			after = readLog(t, whole[:cut], after, lines, seen)
		}
		after = readLog(t, whole, after, lines, seen)
		require.EqualValues(rt, total-1, after)
		require.Len(rt, seen, total)
		for line, times := range seen {
			require.Equal(rt, 1, times, "line %s", line)
		}
	})
}

// readLog streams a log and returns the last offset that the reader has.
func readLog(t *testing.T, events []models.Event, after int64, lines *regexp.Regexp, seen map[string]int) int64 {
	t.Helper()
	live, recorder := liveOver(t, &events, after)
	require.NoError(t, live.catchUp(t.Context()))
	for _, match := range lines.FindAllStringSubmatch(recorder.Body.String(), -1) {
		seen[match[1]]++
	}
	return max(after, live.next-1)
}

func TestAWakeUpIsFollowed(t *testing.T) {
	t.Parallel()
	var events []models.Event
	live, recorder := liveOver(t, &events, sse.NoEvent)
	ctx, cancel := context.WithCancel(t.Context())
	wake := make(chan struct{}, 1)
	wake <- struct{}{}
	reads := 0
	inner := live.events
	live.events = func(ctx context.Context, from int64) ([]models.Event, error) {
		switch reads++; reads {
		case 2: // the log grows, and wakes the stream once more
			events = logOf(t, session.Message{Text: "Hello", From: "Max"})
			wake <- struct{}{}
		case 3:
			cancel()
		}
		return inner(ctx, from)
	}
	require.ErrorIs(t, live.run(ctx, wake, true), context.Canceled)
	require.Contains(t, recorder.Body.String(), "Hello")
}

func TestALostLogEndsTheStream(t *testing.T) {
	t.Parallel()
	var events []models.Event
	live, _ := liveOver(t, &events, sse.NoEvent)
	live.events = func(context.Context, int64) ([]models.Event, error) { return nil, models.NotFound() }
	require.Equal(t, models.CodeNotFound, models.CodeOf(live.run(t.Context(), nil, true)))
}

// resolverOf answers with one scope or error.
type resolverOf struct {
	scope tenancy.Scope
	err   error
}

func (r resolverOf) Resolve(context.Context, *http.Request) (tenancy.Scope, error) {
	return r.scope, r.err
}

func (r resolverOf) Reload(context.Context, string, string) (tenancy.Scope, error) {
	return r.scope, r.err
}

func TestOnlyTheCallerReadsOn(t *testing.T) {
	t.Parallel()
	opened := tenancy.Scope{User: "u-max", Tenant: "acme", Session: "s1", StudioEnabled: true}
	for name, test := range map[string]struct {
		change func(*resolverOf)
		left   bool
	}{
		"the same":         {func(*resolverOf) {}, false},
		"with more groups": {func(r *resolverOf) { r.scope.Groups = []string{"support"} }, false},
		"signed out":       {func(r *resolverOf) { *r = resolverOf{err: models.Errorf(models.CodeUnauthenticated, "No.")} }, true},
		"another person":   {func(r *resolverOf) { r.scope.User = "u-ada" }, true},
		"another tenant":   {func(r *resolverOf) { r.scope.Tenant = "globex" }, true},
		"another session":  {func(r *resolverOf) { r.scope.Session = "s2" }, true},
		"switched off":     {func(r *resolverOf) { r.scope.StudioEnabled = false }, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			resolver := resolverOf{scope: opened}
			test.change(&resolver)
			err := stillCaller(t.Context(), resolver, httptest.NewRequest(http.MethodGet, "/", nil), opened)
			require.Equal(t, test.left, errors.Is(err, errLeft))
			require.Equal(t, test.left, err != nil)
		})
	}
}

// Somebody who signs out while a stream is open gets nothing that came later.
func TestAReaderWhoLeftGetsNothingMore(t *testing.T) {
	t.Parallel()
	events := logOf(t, session.Message{Text: "Before", From: "Max"})
	live, recorder := liveOver(t, &events, sse.NoEvent)
	wake := make(chan struct{}, 1)
	asked := 0
	live.still = func(context.Context) error {
		if asked++; asked == 1 {
			wake <- struct{}{}
			return nil
		}
		events = logOf(t, session.Message{Text: "Before", From: "Max"}, session.Message{Text: "After", From: "Max"})
		return errLeft
	}
	require.ErrorIs(t, live.run(t.Context(), wake, true), errLeft)
	require.Contains(t, recorder.Body.String(), "Before")
	require.NotContains(t, recorder.Body.String(), "After")
}
