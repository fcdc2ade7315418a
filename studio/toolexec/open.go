package toolexec

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
)

// open constructs and opens the instance within the deadline, and then marks a
// burned call as started. Before the mark a crash means that nothing ran;
// after it the call is never started again.
func (r *Runner) open(ctx context.Context, e *execution) error {
	ctx, cancel := context.WithTimeout(withoutCancel(ctx, e), r.limits.Deadline)
	defer cancel()
	// A constructor that was left behind writes to this variable, which then
	// nobody reads.
	var opened hosttools.Instance
	err := contained(ctx, func() error {
		instance, err := construct(ctx, e.call.Tool)
		if err == nil {
			opened = instance
		}
		return err
	})
	if err == nil {
		e.instance = &opened
	} else {
		r.logger.ErrorContext(ctx, "construct or open a tool", "tool", e.call.Tool.Name, "error", err)
		return models.Errorf(models.CodeInstantiationFailed, "The tool %s could not be started. Nothing ran.", e.call.Tool.Name).
			Because(err)
	}
	if e.approval == nil {
		return nil
	}
	return r.start(ctx, e)
}

// grace is what a running call gets beyond its deadlines before it counts as
// abandoned.
const grace = 10 * time.Second

func (r *Runner) start(ctx context.Context, e *execution) error {
	start, err := r.approvals.Start(ctx, *e.approval, e.intent, 2*r.limits.Deadline+grace)
	switch {
	case err != nil:
		return err
	case start == StartRunning:
		return ErrRunning
	case start == StartAbandoned:
		return errUnknown(e.call.Tool.Name)
	}
	return nil
}

// construct returns an open instance. One that opens after its time is over is
// closed again, since nobody waits for it any more.
func construct(ctx context.Context, tool *hosttools.Descriptor) (hosttools.Instance, error) {
	instance, err := tool.Construct()
	if err != nil {
		return instance, err
	}
	if err := instance.Open(ctx); err != nil {
		return instance, fmt.Errorf("open: %w", err)
	}
	if err := ctx.Err(); err != nil {
		return instance, errors.Join(err, instance.Close(context.WithoutCancel(ctx)))
	}
	return instance, nil
}

// close gives back what the instance holds, once, at the end of the call. A
// failure to do so is logged and changes nothing. An instance whose method was
// left behind stays open, since that method may still use it.
func (r *Runner) close(ctx context.Context, e *execution) {
	if e.instance == nil || e.left {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), r.limits.Deadline)
	defer cancel()
	if err := contained(ctx, func() error { return e.instance.Close(ctx) }); err != nil {
		r.logger.WarnContext(ctx, "close a tool", "tool", e.call.Tool.Name, "error", err)
	}
}

func errUnknown(tool string) error {
	return models.Errorf(models.CodeOutcomeUnknown,
		"%s was started, and whether it finished is not known. Look before you ask for it again.", tool)
}

// withoutCancel keeps a burned call running when its caller goes away. Reads
// stop with their caller.
func withoutCancel(ctx context.Context, e *execution) context.Context {
	if e.approval == nil {
		return ctx
	}
	return context.WithoutCancel(ctx)
}

// contained runs f in a goroutine of its own, so that a panic is an error and
// a hang ends with ctx. A hanging f is left behind.
func contained(ctx context.Context, f func() error) error {
	done := make(chan error, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				done <- fmt.Errorf("%w: %v", errPanicked, p)
			}
		}()
		done <- f()
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}
