package toolexec

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"time"

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
	// Atomic runs f in one transaction, which f finds by hosttools.Tx, and in
	// which what f burns, starts and settles takes part. When f returns an error,
	// nothing of it happened.
	Atomic(ctx context.Context, approval models.Approval, f func(ctx context.Context) error) error
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
	Deadline    time.Duration // of opening an instance, and again of its method
	Atomic      time.Duration // of the method of a transactional write
	Options     time.Duration // of computing the choices for a config parameter
	ResultBytes int           // larger results are cut and marked
}

// DefaultLimits returns 30 s, 5 s, 15 s and 256 KiB. Transactional writes have
// less time, since others wait for their transaction.
func DefaultLimits() Limits {
	return Limits{
		Deadline: 30 * time.Second, Atomic: 5 * time.Second, Options: 15 * time.Second, ResultBytes: 256 << 10,
	}
}

// WithDefaults returns the limits with those that are zero filled in.
func (l Limits) WithDefaults() Limits {
	d := DefaultLimits()
	return Limits{
		Deadline: cmp.Or(l.Deadline, d.Deadline), Atomic: cmp.Or(l.Atomic, d.Atomic),
		Options: cmp.Or(l.Options, d.Options), ResultBytes: cmp.Or(l.ResultBytes, d.ResultBytes),
	}
}

// Runner is the second half of the door.
type Runner struct {
	preparer  *Preparer
	approvals Approvals
	limits    Limits
	crew      *crew
	instances *instances
	secrets   []secretPattern
	logger    *slog.Logger
	stages    []runStage
	// The stages of a transactional write: those before its transaction, and
	// those within it, which record follows.
	before, atomic []runStage
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
	instance *instance    // once it is open
	ran      bool         // the method was called
	broken   bool         // the method panicked or ended its goroutine
	left     <-chan error // of a method that was left behind: tells when it returns
	undone   bool         // whatever the method did is rolled back when it fails
	begun    time.Time
	result   []byte
	envelope Envelope
	outcome  models.Outcome
}

// NewRunner returns the second half of the door. It has to be stopped.
func NewRunner(preparer *Preparer, approvals Approvals, limits Limits) *Runner {
	limits = limits.WithDefaults()
	rejudge := runStage{"rejudge", (*Runner).rejudge}
	burn := runStage{"burn", (*Runner).burn}
	open := runStage{"open", (*Runner).open}
	start := runStage{"start", (*Runner).start}
	run := runStage{"run", (*Runner).run}
	capped := runStage{"cap", (*Runner).cap}
	crew := newCrew()
	return &Runner{
		preparer: preparer, approvals: approvals, limits: limits, crew: crew,
		instances: newInstances(crew, preparer.config.Logger, limits.Deadline),
		secrets:   secretPatterns(), logger: preparer.config.Logger,
		stages: []runStage{rejudge, burn, open, start, run, capped},
		before: []runStage{rejudge, open},
		atomic: []runStage{burn, start, run, capped},
	}
}

// Stop closes the instances that are open. Calls that still run keep theirs
// until they end.
func (r *Runner) Stop() {
	r.instances.stop()
	r.crew.stop()
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
	e := &execution{approval: &approval}
	if r.preparer.transactional(approval) {
		return r.passAtomic(ctx, e)
	}
	return r.pass(ctx, e)
}

func (r *Runner) pass(ctx context.Context, e *execution) (Envelope, error) {
	e.begun = time.Now()
	defer r.release(e)
	if err := r.through(ctx, e, r.stages); err != nil {
		if e.intent.ID == "" || errors.Is(err, ErrRunning) {
			return Envelope{}, err
		}
		e.fail(err) // Burned: whatever stopped it is its recorded end.
	}
	// What happened has happened: an end that cannot be written down is an
	// error, and never another end.
	if err := r.record(ctx, e); err != nil {
		return Envelope{}, err
	}
	return e.envelope, nil
}

// through sends a call through stages, until one of them stops it.
func (r *Runner) through(ctx context.Context, e *execution, stages []runStage) error {
	for _, stage := range stages {
		if err := stage.do(r, ctx, e); err != nil {
			if e.intent.ID != "" {
				r.logger.WarnContext(ctx, "an approved call ended early", "tool", e.name(), "stage", stage.name, "error", err)
			}
			return err
		}
	}
	return nil
}

// fail ends a burned call that a stage stopped. Once its method was called,
// nobody knows whether it had its effect, unless that was rolled back.
func (e *execution) fail(err error) {
	e.outcome = models.OutcomeFailed
	if e.ran && !e.undone || models.CodeOf(err) == models.CodeOutcomeUnknown {
		e.outcome = models.OutcomeUnknown
		e.envelope = Failed(errUnknown(e.name()))
		return
	}
	e.envelope = Failed(err)
}

func asError(err error) (*models.Error, bool) { return errors.AsType[*models.Error](err) }
