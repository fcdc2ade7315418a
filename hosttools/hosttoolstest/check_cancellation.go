package hosttoolstest

import (
	"context"
	"fmt"
	"time"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/studio/toolexec"
)

// midCall is when a call is cancelled that has begun.
const midCall = 20 * time.Millisecond

// cancellation reports a method that does not return when its call is
// cancelled, before it begins or while it runs, and a write that succeeds
// though it was cancelled before it began.
func (s *suite) cancellation(ctx context.Context, t *tool) []problem {
	tenant, works := s.handy(ctx, t)
	if !works {
		return nil
	}
	call, err := s.preparer.Prepare(scoped(ctx, tenant), request(t, t.raw))
	if err != nil {
		return nil
	}
	instance, err := s.constructed(ctx, t.kit)
	if err != nil || !s.open(ctx, instance, tenant).good() {
		return nil
	}
	for _, after := range []time.Duration{0, midCall} {
		end := s.cancelled(scoped(ctx, tenant), instance, call, after)
		if says := end.says(); says != "" {
			return []problem{{ // Not closed: the method may still use what is open.
				fmt.Sprintf("Cancelled after %s, it %s.", after, says),
				"Pass the method's context to all that waits, and return when it is done; a retry must look at it too.",
			}}
		}
		if after == 0 && call.Write() && end.err == nil {
			return []problem{{
				"It is a write, and succeeds though its call was cancelled before it began.",
				"Return the context's error before anything is changed; pass the context to the database.",
			}}
		}
	}
	s.shut(ctx, instance)
	return nil
}

// cancelled calls a method past the door and cancels the call.
func (s *suite) cancelled(
	ctx context.Context, instance *hosttools.Instance, call *toolexec.Prepared, after time.Duration,
) ending {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if after == 0 {
		cancel()
	} else {
		defer time.AfterFunc(after, cancel).Stop()
	}
	return contained(ctx, after+s.deadline, func() error {
		if !call.Write() || !call.Tool.Transactional {
			return s.invoke(ctx, instance, call)
		}
		tx, err := s.db.BeginTx(context.WithoutCancel(ctx), nil)
		if err != nil {
			return fmt.Errorf("begin: %w", err)
		}
		defer func() { _ = tx.Rollback() }() // What it did is not kept.
		return s.invoke(hosttools.WithTx(ctx, tx), instance, call)
	})
}
