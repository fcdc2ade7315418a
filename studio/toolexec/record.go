package toolexec

import (
	"context"
	"log/slog"
	"time"
)

// record writes down the end of a burned call, and counts every call in the
// log. Reads are not audited, so that they stay cheap.
func (r *Runner) record(ctx context.Context, e *execution) error {
	if r.logger.Enabled(ctx, slog.LevelDebug) {
		r.logger.DebugContext(ctx, "tool call", "tool", e.name(), "status", e.envelope.Status,
			"code", e.envelope.ErrorCode, "took", time.Since(e.begun))
	}
	if e.approval == nil {
		return nil
	}
	// A burned call's end is recorded even when nobody waits for it any more.
	ctx = context.WithoutCancel(ctx)
	for attempt := 1; ; attempt++ {
		err := r.settle(ctx, e)
		if err == nil || attempt == recordAttempts {
			return err
		}
		r.logger.ErrorContext(ctx, "record the end of an approved call", "tool", e.name(), "attempt", attempt, "error", err)
		time.Sleep(time.Duration(attempt) * recordPause)
	}
}

// settle writes the end of a burned call down, once.
func (r *Runner) settle(ctx context.Context, e *execution) error {
	encoded, err := e.envelope.Encode()
	if err != nil {
		return err
	}
	return r.approvals.Settle(ctx, *e.approval, e.intent, Ending{Outcome: e.outcome, Envelope: encoded})
}

// How often, and after which growing pause, an end is written down.
const (
	recordAttempts = 6
	recordPause    = 100 * time.Millisecond
)

func (e *execution) name() string {
	if e.call != nil {
		return e.call.Tool.Name
	}
	return e.approval.Slug
}
