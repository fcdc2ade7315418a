package jobs

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// errorLog logs what went wrong in handlers, and lets River try again.
type errorLog struct{ log *slog.Logger }

// HandleError logs a handler's error: as a warning while it is tried again, as
// an error when it was the last time.
func (l errorLog) HandleError(ctx context.Context, job *rivertype.JobRow, err error) *river.ErrorHandlerResult {
	level := slog.LevelWarn
	if job.Attempt >= job.MaxAttempts {
		level = slog.LevelError
	}
	l.log.LogAttrs(ctx, level, "a job failed", append(about(job), slog.Any("error", err))...)
	return nil
}

// HandlePanic logs a handler's panic.
func (l errorLog) HandlePanic(
	ctx context.Context, job *rivertype.JobRow, value any, trace string,
) *river.ErrorHandlerResult {
	l.log.LogAttrs(ctx, slog.LevelError, "a job panicked",
		append(about(job), slog.String("panic", fmt.Sprint(value)), slog.String("trace", trace))...)
	return nil
}

func about(job *rivertype.JobRow) []slog.Attr {
	return []slog.Attr{
		slog.String("kind", job.Kind), slog.Int64("job", job.ID),
		slog.Int("attempt", job.Attempt), slog.Int("attempts", job.MaxAttempts),
	}
}

// atLeastWarn drops what River tells about its ordinary life.
type atLeastWarn struct{ slog.Handler }

// Enabled reports whether a record of this level is written.
func (h atLeastWarn) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && h.Handler.Enabled(ctx, level)
}

// WithAttrs returns a handler that still drops the same.
func (h atLeastWarn) WithAttrs(attrs []slog.Attr) slog.Handler {
	return atLeastWarn{h.Handler.WithAttrs(attrs)}
}

// WithGroup returns a handler that still drops the same.
func (h atLeastWarn) WithGroup(name string) slog.Handler {
	return atLeastWarn{h.Handler.WithGroup(name)}
}
