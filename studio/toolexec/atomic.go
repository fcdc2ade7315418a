package toolexec

import (
	"context"
	"errors"
	"time"

	"github.com/agentstudio/agentstudio/models"
)

// errUndo rolls the transaction of a write back that did not succeed.
const errUndo = sentinel("undo the write")

// transactional reports whether a stored call is of a transactional toolkit.
func (d *Preparer) transactional(a models.Approval) bool {
	tool, ok := d.config.Registry.Find(a.Slug, a.Method)
	return ok && tool.Transactional
}

// passAtomic runs a write whose toolkit is transactional: burn, effect and
// recorded outcome are one transaction. A write that does not succeed is undone,
// and then only burned and recorded, so its outcome is never unknown.
func (r *Runner) passAtomic(ctx context.Context, e *execution) (Envelope, error) {
	e.begun, e.undone = time.Now(), true
	defer r.release(e)
	if err := r.through(ctx, e, r.before); err != nil {
		return r.endWithout(ctx, e, err)
	}
	ctx = context.WithoutCancel(ctx)
	err := r.approvals.Atomic(ctx, *e.approval, func(ctx context.Context) error {
		if err := r.through(ctx, e, r.atomic); err != nil {
			return err
		}
		if e.outcome != models.OutcomeSucceeded {
			return errUndo
		}
		return r.settle(ctx, e)
	})
	switch {
	case err == nil:
		return e.envelope, nil
	case !e.ran || errors.Is(err, ErrRunning):
		return r.endWithout(ctx, e, err)
	case !errors.Is(err, errUndo):
		// The commit failed, and nobody knows which way. What is recorded decides.
		e.envelope = Failed(models.Errorf(models.CodeToolFailed, "%s could not be committed. Nothing was changed.", e.name()))
		r.logger.ErrorContext(ctx, "commit a transactional write", "tool", e.name(), "error", err)
	}
	e.outcome = models.OutcomeFailed
	return r.recordUndone(ctx, e)
}

// endWithout ends a write whose method was not called. One that was burned when
// it was decided gets that end recorded; any other is refused.
func (r *Runner) endWithout(ctx context.Context, e *execution, cause error) (Envelope, error) {
	if e.approval.State != models.ApprovalConsumed || errors.Is(cause, ErrRunning) {
		return Envelope{}, cause
	}
	e.fail(cause)
	return r.recordUndone(ctx, e)
}

// recordUndone burns and settles a write that was rolled back. An end that was
// committed after all stands.
func (r *Runner) recordUndone(ctx context.Context, e *execution) (Envelope, error) {
	intent, err := r.approvals.Burn(ctx, *e.approval)
	switch {
	case intent.State == models.IntentSettled:
		return Envelope{}, models.Errorf(models.CodeApprovalConsumed, "This call ran already. It runs only once.")
	case intent.ID == "":
		return Envelope{}, err
	}
	e.intent = intent
	if err := r.record(ctx, e); err != nil {
		return Envelope{}, err
	}
	return e.envelope, nil
}
