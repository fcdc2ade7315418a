package toolexec

import (
	"context"
	"errors"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/tenancy"
)

// How a toolkit's code can end without returning.
const (
	errPanicked = sentinel("the tool panicked")
	errGone     = sentinel("the tool ended its goroutine")
)

// sentinel is an error that is a constant.
type sentinel string

// Error returns the text.
func (s sentinel) Error() string { return string(s) }

// run calls the method with the stored bytes, within the deadline.
func (r *Runner) run(ctx context.Context, e *execution) error {
	limit := r.limits.Deadline
	if e.undone {
		limit = r.limits.Atomic
	}
	ctx, cancel := context.WithTimeout(withoutCancel(ctx, e), limit)
	defer cancel()
	if e.approval != nil { // The scope of a read is in its context.
		ctx = tenancy.WithScope(ctx, e.call.Scope)
		if e.call.Agent.ID != "" {
			ctx = tenancy.WithAgent(ctx, e.call.Agent)
		}
	}
	// Of a method that was left behind, which may still write to it, nobody reads
	// this variable.
	var result []byte
	e.ran = true
	err := r.contain(ctx, e, func() error {
		out, err := e.instance.Call(ctx, e.call.Tool.Method, e.call.Arguments, e.call.Filled)
		result = out
		return err
	})
	if misfit, ok := errors.AsType[*hosttools.ArgumentsError](err); ok && e.approval == nil {
		return outside(e.call.Tool, misfit)
	}
	if err != nil {
		r.failed(ctx, e, err)
		return nil
	}
	e.result = result
	e.outcome = models.OutcomeSucceeded
	return nil
}

// contain runs a toolkit's code in a goroutine of its own, so that a panic is an
// error and a hang ends with ctx. What hangs is left behind.
func (r *Runner) contain(ctx context.Context, e *execution, f func() error) error {
	done := r.crew.run(f)
	select {
	case err := <-done:
		e.broken = errors.Is(err, errPanicked) || errors.Is(err, errGone)
		return err
	case <-ctx.Done():
		e.left = done
		return ctx.Err()
	}
}

// failed turns what went wrong in a method into its end: the tool's own words,
// or general ones. A write that ended in any other way than its own words may
// have had its effect.
func (r *Runner) failed(ctx context.Context, e *execution, err error) {
	e.outcome = models.OutcomeFailed
	name := e.call.Tool.Name
	if own, ok := errors.AsType[*hosttools.Error](err); ok {
		message, _ := r.withoutSecrets([]byte(own.Message), e.instance.Secrets())
		code, _ := r.withoutSecrets([]byte(own.Code), e.instance.Secrets())
		e.envelope = Envelope{Status: StatusError, ErrorCode: string(code), Message: string(message)}
		return
	}
	if ours, ok := asError(err); ok && models.ReasonOf(ours) == string(tenancy.HostTenantMismatch) {
		e.envelope = Failed(ours)
		return
	}
	r.logger.ErrorContext(ctx, "a tool failed", "tool", name, "error", scrub(err, e.instance.Secrets()))
	switch {
	case e.approval != nil && !e.undone:
		e.outcome = models.OutcomeUnknown
		e.envelope = Failed(errUnknown(name))
	case errors.Is(err, context.DeadlineExceeded):
		e.envelope = Failed(models.Errorf(models.CodeToolTimeout, "%s took too long and was stopped.", name))
	default:
		e.envelope = Failed(models.Errorf(models.CodeToolFailed, "%s failed. Its makers have the details in their log.", name))
	}
}

// shape wraps a finished result.
func shape(e *execution, result []byte, truncated bool, removed int) Envelope {
	return succeeded(result, truncated, Metadata{Tool: e.call.Tool.Name, SecretsRemoved: removed})
}

// unreadable is the end of a result that cannot be cut to size.
func unreadable(tool string, limit int) Envelope {
	return Failed(models.Errorf(models.CodeResultUnreadable,
		"%s returned more than %d KiB that cannot be shortened. Ask for less.", tool, limit>>10))
}
