package e2e_test

import (
	"bufio"
	"context"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/e2e"
)

// event is one event of a stream.
type event struct {
	id, kind, data string
}

// listen reads a conversation's stream until an event satisfies enough.
func listen(t *testing.T, s *e2e.Server, p *e2e.Person, chat, lastID string, enough func(event) bool) []event {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL+p.Home+"/sessions/"+chat+"/events", nil)
	if err != nil {
		t.Error(err)
		return nil
	}
	request.AddCookie(p.Cookie())
	if lastID != "" {
		request.Header.Set("Last-Event-ID", lastID)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Error(err)
		return nil
	}
	defer response.Body.Close() //nolint:errcheck // Nothing is lost with it.
	if kind := response.Header.Get("Content-Type"); response.StatusCode != http.StatusOK || kind != "text/event-stream; charset=utf-8" {
		t.Errorf("no stream but %d %s", response.StatusCode, kind)
		return nil
	}
	var events []event
	var now event
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ": ")
		switch name {
		case "id":
			now.id = value
		case "event":
			now.kind = value
		case "data":
			now.data += value + "\n"
		case "":
			if now.kind == "" {
				continue
			}
			events = append(events, now)
			if enough(now) {
				return events
			}
			now = event{}
		}
	}
	t.Errorf("the stream ended too early: %d events, %v", len(events), lines.Err())
	return nil
}

// cancelled reports the event that tells of the end.
func cancelled(e event) bool {
	return e.kind == "log" && strings.Contains(e.data, "A-1002 is cancelled")
}

// TestStreamReplaysTheLog reads a conversation live, and again from any point:
// what a reader missed comes, and nothing comes twice.
func TestStreamReplaysTheLog(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *e2e.Server) {
		admin := s.SignIn("admin@acme.test")
		conversation := talk(t, admin)
		var live []event
		var listening sync.WaitGroup
		listening.Go(func() { live = listen(t, s, admin, conversation.id, "", cancelled) })
		conversation.say(cancelOrder)
		id := conversation.waiting()
		decide(t, admin, id, "approve")
		listening.Wait()
		require.Contains(t, logOf(live), "data-open-card", "the waiting call came live")

		whole := listen(t, s, admin, conversation.id, "", cancelled)
		last := -1
		for _, e := range whole {
			if e.kind != "log" {
				continue
			}
			offset, err := strconv.Atoi(e.id)
			require.NoError(t, err)
			require.Greater(t, offset, last, "offsets grow")
			last = offset
		}
		for _, from := range []int{0, 1, last / 2, last - 2} {
			rest := listen(t, s, admin, conversation.id, strconv.Itoa(from), cancelled)
			require.NotContains(t, logOf(rest), `id="ev-message-0"`, "what was seen does not come again")
		}
		for _, nonsense := range []string{"-1", "x", "99999999999999999999", "1;2"} {
			require.Contains(t, logOf(listen(t, s, admin, conversation.id, nonsense, cancelled)), `id="ev-message-0"`)
		}
	})
}

func logOf(events []event) string {
	var b strings.Builder
	for _, e := range events {
		if e.kind == "log" {
			b.WriteString(e.data)
		}
	}
	return b.String()
}
