package sse

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// HeartbeatEvery is how often a silent stream should send [Writer.Heartbeat].
const HeartbeatEvery = 15 * time.Second

const (
	writeWithin    = 10 * time.Second // a reader slower than this has gone
	reconnectAfter = time.Second      // what browsers wait before they connect again
)

// NoEvent is the position of a reader who has seen nothing: the first event of
// a log has offset 0.
const NoEvent = -1

// Event is one event of a stream.
type Event struct {
	// ID is where a reader who saw this event goes on, in Last-Event-ID. Empty
	// leaves the reader's position as it is.
	ID string
	// Kind is what the reader listens for.
	Kind string
	// Data may have several lines.
	Data string
}

// Writer writes one stream. It is for one goroutine.
type Writer struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

// Start begins a stream: headers, and the pause after which browsers connect
// again. A server's read and write timeouts do not end it; the deadline of each
// write does. It ends with the request's context, so a server that shuts down
// should end those (http.Server.BaseContext).
func Start(w http.ResponseWriter) (*Writer, error) {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no")
	s := &Writer{w: w, control: http.NewResponseController(w)}
	if err := unlessUnsupported(s.control.SetReadDeadline(time.Time{})); err != nil {
		return nil, fmt.Errorf("start a stream: %w", err)
	}
	w.WriteHeader(http.StatusOK)
	return s, s.write("retry: " + strconv.FormatInt(reconnectAfter.Milliseconds(), 10) + "\n\n")
}

// Send writes one event and flushes it. An error means that the reader is gone.
func (s *Writer) Send(e Event) error {
	var frame strings.Builder
	if e.ID != "" {
		frame.WriteString("id: " + oneLine(e.ID) + "\n")
	}
	if e.Kind != "" {
		frame.WriteString("event: " + oneLine(e.Kind) + "\n")
	}
	for line := range strings.Lines(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(e.Data)) {
		frame.WriteString("data: " + strings.TrimSuffix(line, "\n") + "\n")
	}
	if e.Data == "" {
		frame.WriteString("data:\n")
	}
	frame.WriteString("\n")
	return s.write(frame.String())
}

// Heartbeat writes a comment, which readers ignore.
func (s *Writer) Heartbeat() error { return s.write(": still here\n\n") }

func (s *Writer) write(frame string) error {
	if err := unlessUnsupported(s.control.SetWriteDeadline(time.Now().Add(writeWithin))); err != nil {
		return fmt.Errorf("write to a stream: %w", err)
	}
	if _, err := s.w.Write([]byte(frame)); err != nil {
		return fmt.Errorf("write to a stream: %w", err)
	}
	if err := s.control.Flush(); err != nil {
		return fmt.Errorf("write to a stream: %w", err)
	}
	return nil
}

// unlessUnsupported ignores that a connection knows no deadlines.
func unlessUnsupported(err error) error {
	if errors.Is(err, http.ErrNotSupported) {
		return nil
	}
	return err
}

// oneLine keeps a field from ending early and from starting another one.
func oneLine(field string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' || r == 0 {
			return -1
		}
		return r
	}, field)
}

// After returns the offset of the last event that the reader has seen, or
// [NoEvent]: Last-Event-ID counts before the query parameter "after". What is
// no offset counts as absent.
func After(r *http.Request) int64 {
	for _, text := range []string{r.Header.Get("Last-Event-ID"), r.URL.Query().Get("after")} {
		if offset, err := strconv.ParseInt(text, 10, 64); err == nil && offset >= 0 {
			return offset
		}
	}
	return NoEvent
}
