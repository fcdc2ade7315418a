package toolexec

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
)

// Approvals is what the second half of the door needs of approvals.
type Approvals interface {
	// Burn verifies the seals and the decider's right, and spends the approval
	// with its intent and audit entry in one transaction. An approval that was
	// burned when it was decided is only verified; its intent comes with the
	// error, if there is one, so that the end can be recorded.
	Burn(ctx context.Context, approval models.Approval) (models.Intent, error)
	// Start marks the intent as started, once. A call that was started before
	// is running as long as within has not passed, and abandoned after.
	Start(ctx context.Context, approval models.Approval, intent models.Intent, within time.Duration) (Start, error)
	// Settle records the outcome of a burned call.
	Settle(ctx context.Context, approval models.Approval, intent models.Intent, end Ending) error
}

// Start is what became of an attempt to start a burned call.
type Start int

// The starts.
const (
	StartFirst     Start = iota // this execution starts it
	StartRunning                // another one runs it now
	StartAbandoned              // another one started it and never said how it ended
)

// ErrRunning says that another execution runs the same burned call now. The
// call's end will be recorded by that one.
const ErrRunning = sentinel("the call is running elsewhere")

// Ending is how a burned call ended.
type Ending struct {
	Outcome  models.Outcome
	Envelope []byte
}

// Limits bound a run.
type Limits struct {
	Deadline    time.Duration // of constructing, opening and the method together
	ResultBytes int           // larger results are cut and marked
}

// DefaultLimits returns 30 s and 256 KiB.
func DefaultLimits() Limits {
	return Limits{Deadline: 30 * time.Second, ResultBytes: 256 << 10}
}

// Runner is the second half of the door.
type Runner struct {
	preparer  *Preparer
	approvals Approvals
	limits    Limits
	secrets   []secretPattern
	logger    *slog.Logger
	stages    []runStage
}

// runStage is one stage of the second half. The last one, record, is no part of
// the slice: it follows whatever stage was the last to run.
type runStage struct {
	name string
	do   func(*Runner, context.Context, *execution) error
}

// execution is a call on its way through the second half.
type execution struct {
	call     *Prepared
	approval *models.Approval // nil for a read
	intent   models.Intent
	instance *hosttools.Instance // once it is open
	ran      bool                // the method was called
	left     bool                // the method was left behind, and may still run
	begun    time.Time
	result   []byte
	envelope Envelope
	outcome  models.Outcome
}

// NewRunner returns the second half of the door.
func NewRunner(preparer *Preparer, approvals Approvals, limits Limits) *Runner {
	return &Runner{
		preparer: preparer, approvals: approvals, limits: limits,
		secrets: secretPatterns(), logger: preparer.config.Logger,
		stages: []runStage{
			{"rejudge", (*Runner).rejudge},
			{"burn", (*Runner).burn},
			{"open", (*Runner).open},
			{"run", (*Runner).run},
			{"cap", (*Runner).cap},
		},
	}
}

// Read runs a prepared read. Its error is a refusal; a tool's own failure is in
// the envelope.
func (r *Runner) Read(ctx context.Context, call *Prepared) (Envelope, error) {
	if call.Write() {
		return Envelope{}, models.Errorf(models.CodeConfirmationRequired,
			"%s changes something, so a person has to approve it first.", call.Tool.Name).Reason(ReasonNoApproval)
	}
	return r.pass(ctx, &execution{call: call})
}

// Approved runs the stored call of an approval that a person gave, once. Its
// error is a refusal without effect; what happened otherwise is in the
// envelope and was recorded.
func (r *Runner) Approved(ctx context.Context, approval models.Approval) (Envelope, error) {
	return r.pass(ctx, &execution{approval: &approval})
}

func (r *Runner) pass(ctx context.Context, e *execution) (Envelope, error) {
	e.begun = time.Now()
	defer r.close(ctx, e)
	for _, stage := range r.stages {
		err := stage.do(r, ctx, e)
		if err == nil {
			continue
		}
		if e.intent.ID == "" || errors.Is(err, ErrRunning) {
			return Envelope{}, err
		}
		// Burned: whatever stopped it is its recorded end.
		r.logger.WarnContext(ctx, "an approved call ended early", "tool", e.name(), "stage", stage.name, "error", err)
		e.fail(err)
		break
	}
	// What happened has happened: an end that cannot be written down is an
	// error, and never another end.
	if err := r.record(ctx, e); err != nil {
		return Envelope{}, err
	}
	return e.envelope, nil
}

// fail ends a burned call that a stage stopped. Once its method was called,
// nobody knows whether it had its effect.
func (e *execution) fail(err error) {
	e.outcome = models.OutcomeFailed
	if e.ran || models.CodeOf(err) == models.CodeOutcomeUnknown {
		e.outcome = models.OutcomeUnknown
		e.envelope = Failed(errUnknown(e.name()))
		return
	}
	e.envelope = Failed(err)
}

func asError(err error) (*models.Error, bool) { return errors.AsType[*models.Error](err) }
