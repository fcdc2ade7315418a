package toolexec

import (
	"context"
	"time"
)

// record writes down the end of a burned call, and counts every call in the
// log. Reads are not audited, so that they stay cheap.
func (r *Runner) record(ctx context.Context, e *execution) error {
	r.logger.DebugContext(ctx, "tool call", "tool", e.name(), "status", e.envelope.Status,
		"code", e.envelope.ErrorCode, "took", time.Since(e.begun))
	if e.approval == nil {
		return nil
	}
	encoded, err := e.envelope.Encode()
	if err != nil {
		return err
	}
	// A burned call's end is recorded even when nobody waits for it any more.
	return r.approvals.Settle(context.WithoutCancel(ctx), *e.approval, e.intent, Ending{Outcome: e.outcome, Envelope: encoded})
}

func (e *execution) name() string {
	if e.call != nil {
		return e.call.Tool.Name
	}
	return e.approval.Slug
}
