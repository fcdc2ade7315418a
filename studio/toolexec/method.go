package toolexec

import (
	"context"
	"errors"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/tenancy"
)

const errPanicked = sentinel("the tool panicked")

// sentinel is an error that is a constant.
type sentinel string

// Error returns the text.
func (s sentinel) Error() string { return string(s) }

// run calls the method with the stored bytes, within the deadline.
func (r *Runner) run(ctx context.Context, e *execution) error {
	ctx, cancel := context.WithTimeout(withoutCancel(ctx, e), r.limits.Deadline)
	defer cancel()
	ctx = tenancy.WithScope(ctx, e.call.Scope)
	if e.call.Agent.ID != "" {
		ctx = tenancy.WithAgent(ctx, e.call.Agent)
	}
	// The result has its own variable per run: a method that was left behind
	// may still write to it.
	var result []byte
	e.ran = true
	err := contained(ctx, func() error {
		out, err := e.instance.Call(ctx, e.call.Tool.Method, e.call.Arguments, e.call.Filled)
		if err == nil && ctx.Err() == nil {
			result = out
		}
		return err
	})
	if err != nil {
		e.left = ctx.Err() != nil
		r.failed(ctx, e, err)
		return nil
	}
	e.result = result
	e.outcome = models.OutcomeSucceeded
	return nil
}

// failed turns what went wrong in a method into its end: the tool's own words,
// or general ones. A write that ended in any other way than its own words may
// have had its effect.
func (r *Runner) failed(ctx context.Context, e *execution, err error) {
	e.outcome = models.OutcomeFailed
	name := e.call.Tool.Name
	if own, ok := errors.AsType[*hosttools.Error](err); ok {
		e.envelope = Envelope{Status: StatusError, ErrorCode: own.Code, Message: own.Message}
		return
	}
	if ours, ok := asError(err); ok && ours.Code == models.CodeToolScopeUnavailable {
		e.envelope = Failed(ours)
		return
	}
	r.logger.ErrorContext(ctx, "a tool failed", "tool", name, "error", err)
	switch {
	case e.approval != nil:
		e.outcome = models.OutcomeUnknown
		e.envelope = Failed(errUnknown(name))
	case errors.Is(err, context.DeadlineExceeded):
		e.envelope = Failed(models.Errorf(models.CodeToolTimeout, "%s took too long and was stopped.", name))
	default:
		e.envelope = Failed(models.Errorf(models.CodeToolFailed, "%s failed. Its makers have the details in their log.", name))
	}
}

// scanned is the note that secrets were taken out of a result.
func scanned(metadata map[string]any, removed int) map[string]any {
	if removed > 0 {
		metadata["secrets_removed"] = removed
	}
	return metadata
}

// shape wraps a finished result.
func shape(e *execution, result []byte, truncated bool, removed int) Envelope {
	return succeeded(result, truncated, scanned(map[string]any{"tool": e.call.Tool.Name}, removed))
}

// unreadable is the end of a result that cannot be cut to size.
func unreadable(tool string, limit int) Envelope {
	return Failed(models.Errorf(models.CodeResultUnreadable,
		"%s returned more than %d KiB that cannot be shortened. Ask for less.", tool, limit>>10))
}
