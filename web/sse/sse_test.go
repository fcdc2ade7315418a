package sse_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/agentstudio/agentstudio/web/sse"
)

func TestSend(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		event sse.Event
		frame string
	}{
		"whole":      {sse.Event{ID: "7", Kind: "log", Data: "<li>\n</li>"}, "id: 7\nevent: log\ndata: <li>\ndata: </li>\n\n"},
		"no id":      {sse.Event{Kind: "state", Data: "x"}, "event: state\ndata: x\n\n"},
		"no data":    {sse.Event{Kind: "card"}, "event: card\ndata:\n\n"},
		"windows":    {sse.Event{Data: "a\r\nb\rc"}, "data: a\ndata: b\ndata: c\n\n"},
		"blank line": {sse.Event{Data: "a\n\nb"}, "data: a\ndata: \ndata: b\n\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			recorder := httptest.NewRecorder()
			out, err := sse.Start(recorder)
			require.NoError(t, err)
			recorder.Body.Reset()
			require.NoError(t, out.Send(test.event))
			require.Equal(t, test.frame, recorder.Body.String())
			require.True(t, recorder.Flushed)
		})
	}
}

func TestNoFieldEndsEarly(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		event := sse.Event{ID: rapid.String().Draw(t, "id"), Kind: rapid.String().Draw(t, "kind"), Data: rapid.String().Draw(t, "data")}
		recorder := httptest.NewRecorder()
		out, err := sse.Start(recorder)
		require.NoError(t, err)
		recorder.Body.Reset()
		require.NoError(t, out.Send(event))
		frame, ended := strings.CutSuffix(recorder.Body.String(), "\n\n")
		require.True(t, ended)
		require.NotContains(t, frame, "\r")
		for i, line := range strings.Split(frame, "\n") {
			known := strings.HasPrefix(line, "id: ") || strings.HasPrefix(line, "event: ") || strings.HasPrefix(line, "data:")
			require.True(t, known, "line %d is %q", i, line)
		}
		require.LessOrEqual(t, strings.Count("\n"+frame, "\nid: "), 1)
		require.LessOrEqual(t, strings.Count("\n"+frame, "\nevent: "), 1)
	})
}

func TestStartSaysWhatFollows(t *testing.T) {
	t.Parallel()
	recorder := httptest.NewRecorder()
	out, err := sse.Start(recorder)
	require.NoError(t, err)
	require.NoError(t, out.Heartbeat())
	require.Equal(t, http.StatusOK, recorder.Code)
	require.Equal(t, "text/event-stream; charset=utf-8", recorder.Header().Get("Content-Type"))
	require.Equal(t, "no-store", recorder.Header().Get("Cache-Control"))
	require.Equal(t, "retry: 1000\n\n: still here\n\n", recorder.Body.String())
}

// gone is a connection whose reader has left.
type gone struct{ *httptest.ResponseRecorder }

var errGone = errors.New("broken pipe")

func (gone) Write([]byte) (int, error) { return 0, errGone }

func TestAReaderWhoIsGone(t *testing.T) {
	t.Parallel()
	_, err := sse.Start(gone{httptest.NewRecorder()})
	require.ErrorIs(t, err, errGone)
}

func TestAfter(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		header, query string
		want          int64
	}{
		"nothing":            {"", "", sse.NoEvent},
		"query":              {"", "?after=4", 4},
		"header wins":        {"9", "?after=4", 9},
		"first event":        {"0", "?after=4", 0},
		"malformed header":   {"x", "?after=4", 4},
		"negative header":    {"-3", "?after=4", 4},
		"overflowing header": {"99999999999999999999", "?after=4", 4},
		"nothing seen":       {"", "?after=-1", sse.NoEvent},
		"malformed query":    {"", "?after=1e3", sse.NoEvent},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequest(http.MethodGet, "/events"+test.query, nil)
			r.Header.Set("Last-Event-ID", test.header)
			require.Equal(t, test.want, sse.After(r))
		})
	}
}
