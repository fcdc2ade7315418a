package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/llm"
	"github.com/agentstudio/agentstudio/studio/rules"
	"github.com/agentstudio/agentstudio/studio/session"
	"github.com/agentstudio/agentstudio/studio/toolexec"
	"github.com/agentstudio/agentstudio/tenancy"
)

// ErrBusy says that another execution has the turn now; try again soon.
var ErrBusy = errors.New("the turn is being worked on elsewhere")

// run is one execution of a turn, from lease to suspension or end.
type run struct {
	*Engine
	p       tenancy.Partition
	turn    models.Turn
	agent   models.Agent
	version models.AgentVersion
	model   llm.Model

	past    history
	matched []rules.Match
	calls   []models.Call // of the current step, once they are stored

	proposal  llm.Response // of the current step, until it is stored
	proposals []proposed
	verdict   string // of the review, in words for the card
}

// Advance works on a turn until it waits for a person or has ended. It is a
// job: it may run more than once, and at any time. It returns [ErrBusy] while
// another execution has the turn.
func (e *Engine) Advance(ctx context.Context, p tenancy.Partition, turnID string) error {
	r := &run{Engine: e, p: p}
	ended, err := r.lease(ctx, turnID)
	if err != nil {
		return err
	}
	if ended {
		return r.finishBurned(ctx)
	}
	stop := r.keepLease(ctx)
	defer stop()
	ctx, err = r.load(ctx)
	if err == nil {
		err = r.work(ctx)
	}
	switch {
	case errors.Is(err, models.ErrLeaseLost):
		return nil // cancelled meanwhile: whoever did that told the log
	case errors.Is(err, ErrBusy), errors.Is(err, context.Canceled), r.again(err):
		return r.release(ctx, err)
	case err != nil:
		e.Logger.ErrorContext(ctx, "a turn failed", "turn", turnID, "error", err)
		return r.failed(ctx, err)
	}
	return nil
}

// passing reports whether an error may be gone at the next try, such as a
// database that does not answer. The job is then run again, later each time.
func passing(err error) bool {
	code := models.CodeOf(err)
	return code == models.CodeInternal || code == models.CodeStorageUnavailable
}

// again reports whether a turn that an error ended is tried again.
func (r *run) again(err error) bool {
	if err == nil || !passing(err) {
		return false
	}
	r.turn.Memory.Failures++
	return r.turn.Memory.Failures < maxFailures
}

// keepLease renews the turn's lease until the returned function is called. When
// this process dies the lease ends soon, and another one takes the turn up.
func (r *run) keepLease(ctx context.Context) (stop func()) {
	ctx, stop = context.WithCancel(ctx)
	id, epoch := r.turn.ID, r.turn.Epoch
	go func() {
		ticker := time.NewTicker(renewEvery)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			err := r.Store.Write(ctx, r.p, func(ctx context.Context) error {
				_, err := r.Store.RenewTurn(ctx, id, epoch, leaseFor)
				return err
			})
			if err != nil && ctx.Err() == nil {
				r.Logger.WarnContext(ctx, "renew the lease of a turn", "turn", id, "error", err)
			}
		}
	}()
	return stop
}

// lease takes the turn for this execution, or reports that it has ended.
func (r *run) lease(ctx context.Context, turnID string) (ended bool, err error) {
	err = r.Store.Write(ctx, r.p, func(ctx context.Context) error {
		turn, ok, err := r.Store.LeaseTurn(ctx, turnID, leaseFor)
		if err != nil {
			return err
		}
		if !ok {
			if turn, err = r.Store.Turn(ctx, turnID); err != nil {
				return err
			}
			if ended = turn.State.Ended(); !ended {
				return ErrBusy
			}
		}
		r.turn = turn
		return nil
	})
	return ended, err
}

// load reads what the turn needs, and binds the scope that its caller has now.
func (r *run) load(ctx context.Context) (context.Context, error) {
	scope, err := r.Resolver.Reload(ctx, r.turn.TenantID, r.turn.Caller)
	if err != nil {
		return ctx, err
	}
	err = r.Store.Read(ctx, r.p, func(ctx context.Context) error {
		if r.agent, err = r.Store.AgentByID(ctx, r.turn.AgentID); err != nil {
			return err
		}
		if !visible(scope, r.agent) {
			return models.Errorf(models.CodePermissionDenied, "You can no longer see this agent.")
		}
		if r.version, err = r.Store.AgentVersion(ctx, r.turn.AgentID, r.turn.AgentVersion); err != nil {
			return err
		}
		r.past, err = r.readHistory(ctx)
		return err
	})
	if err != nil {
		return ctx, err
	}
	model, ok := r.Models[r.version.Definition.Model]
	if !ok {
		return ctx, models.Errorf(models.CodeModelFailed, "The model %q is not set up here. Choose another one in the agent's settings.",
			r.version.Definition.Model)
	}
	r.model = model
	ctx = tenancy.WithScope(ctx, scope)
	return tenancy.WithAgent(ctx, tenancy.Agent{ID: r.agent.ID, Version: r.version.Number, Tenant: r.agent.TenantID}), nil
}

// work goes through the stages. A turn that was suspended goes on in the step
// in which it was.
func (r *run) work(ctx context.Context) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("a stage panicked: %v", p)
		}
	}()
	if r.turn.Memory.Step == 0 {
		for _, s := range r.begin {
			if how, err := s.do(r, ctx); err != nil || how != goOn {
				return named(s, err)
			}
		}
	} else {
		r.recall()
	}
	for {
		how, err := r.oneStep(ctx)
		if err != nil || how == suspend || how == end {
			return err
		}
	}
}

func (r *run) oneStep(ctx context.Context) (next, error) {
	for _, s := range r.step {
		if how, err := s.do(r, ctx); err != nil || how != goOn {
			return how, named(s, err)
		}
	}
	return again, nil
}

func named(s stage, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", s.name, err)
}

// save stores the turn's memory and renews the lease, in the unit of ctx. A
// turn that is not running any more gives its lease back.
func (r *run) save(ctx context.Context) error {
	r.turn.LeaseUntil = 0
	if r.turn.State == models.TurnRunning {
		now, err := r.Store.Now(ctx)
		if err != nil {
			return err
		}
		r.turn.LeaseUntil = now.Add(leaseFor)
	}
	return r.Store.SaveTurn(ctx, r.turn)
}

// release gives the lease back, so that the next try need not wait for its end.
func (r *run) release(ctx context.Context, cause error) error {
	err := r.Store.Write(context.WithoutCancel(ctx), r.p, func(ctx context.Context) error {
		r.turn.State = models.TurnQueued
		return r.save(ctx)
	})
	if err != nil && !errors.Is(err, models.ErrLeaseLost) {
		return err
	}
	return cause
}

// failed ends a turn that cannot go on, with words for the person.
func (r *run) failed(ctx context.Context, cause error) error {
	message := "Something went wrong inside the Studio, so this answer stops here. What ran before is listed above."
	var ours *models.Error
	if errors.As(cause, &ours) && ours.Code != models.CodeInternal {
		message = ours.Message
	}
	err := r.Store.Write(context.WithoutCancel(ctx), r.p, func(ctx context.Context) error {
		r.turn.State = models.TurnFailed
		if err := r.save(ctx); err != nil {
			return err
		}
		if err := r.Approvals.CancelTurn(ctx, r.turn.ID, "The turn failed."); err != nil {
			return err
		}
		if err := r.cancelCalls(ctx, r.p, r.turn, "The turn failed before this could run."); err != nil {
			return err
		}
		return r.Log.Append(ctx, r.turn, session.Status{State: models.TurnFailed, Message: message})
	})
	if errors.Is(err, models.ErrLeaseLost) {
		return nil
	}
	return err
}

// finishBurned runs what was burned before its turn was cancelled: it was
// approved and promised, so it runs once, and its end is told.
func (r *run) finishBurned(ctx context.Context) error {
	var calls []models.Call
	err := r.Store.Read(ctx, r.p, func(ctx context.Context) error {
		var err error
		calls, err = r.Store.CallsOf(ctx, r.turn.ID)
		return err
	})
	if err != nil {
		return err
	}
	for _, call := range calls {
		if call.State == models.CallSettled || call.ApprovalID == "" {
			continue
		}
		envelope, how, err := r.decided(ctx, call)
		if err != nil || how == suspend {
			return err
		}
		if err := r.settleNow(ctx, call, envelope); err != nil {
			return err
		}
	}
	return nil
}

// settleNow settles a call in a unit of its own.
func (r *run) settleNow(ctx context.Context, call models.Call, envelope toolexec.Envelope) error {
	return r.Store.Write(ctx, r.p, func(ctx context.Context) error { return r.settle(ctx, r.turn, call, envelope) })
}
