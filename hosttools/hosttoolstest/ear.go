package hosttoolstest

import (
	"context"
	"log/slog"
	"strings"
	"sync"
)

type heardKey struct{}

// heard collects the causes of failures that the door tells only to its log.
type heard struct {
	mu     sync.Mutex
	causes []string
}

// listen returns a context whose calls are heard.
func listen(ctx context.Context) (context.Context, *heard) {
	h := &heard{}
	return context.WithValue(ctx, heardKey{}, h), h
}

// String returns the causes that were heard so far.
func (h *heard) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return strings.Join(h.causes, "; ")
}

// ear is the door's log. It keeps the errors for whoever listens.
type ear struct{}

// Enabled reports whether a level can tell of an error.
func (ear) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelWarn }

// Handle keeps the errors of a record.
func (ear) Handle(ctx context.Context, record slog.Record) error {
	h, ok := ctx.Value(heardKey{}).(*heard)
	if !ok {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	record.Attrs(func(attr slog.Attr) bool {
		if err, ok := attr.Value.Any().(error); ok {
			h.causes = append(h.causes, err.Error())
		}
		return true
	})
	return nil
}

// WithAttrs returns the same log.
func (e ear) WithAttrs([]slog.Attr) slog.Handler { return e }

// WithGroup returns the same log.
func (e ear) WithGroup(string) slog.Handler { return e }
