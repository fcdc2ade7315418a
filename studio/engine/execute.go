package engine

import (
	"context"
	"errors"
	"time"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/session"
	"github.com/agentstudio/agentstudio/studio/toolexec"
)

// execute runs the step's calls in their order, each judged anew as it starts.
// At a call that waits for a person the turn is suspended.
func (r *run) execute(ctx context.Context) (next, error) {
	for i := range r.calls {
		how, err := r.one(ctx, &r.calls[i])
		if err != nil || how != goOn {
			return how, err
		}
	}
	return goOn, nil
}

func (r *run) one(ctx context.Context, call *models.Call) (next, error) {
	switch call.State {
	case models.CallSettled:
		return goOn, nil
	case models.CallWaiting:
		return r.waiting(ctx, call)
	default:
		begun := time.Now()
		envelope := r.read(ctx, *call)
		return goOn, r.settleTimed(ctx, call, envelope, time.Since(begun))
	}
}

// read runs a read from its stored arguments.
func (r *run) read(ctx context.Context, call models.Call) toolexec.Envelope {
	prepared, err := r.Door.Prepare(ctx, toolexec.Request{Name: call.Name, Raw: call.Arguments, Channel: toolexec.ChannelChat})
	if err != nil {
		return toolexec.Failed(err)
	}
	envelope, err := r.Runner.Read(ctx, prepared)
	if err != nil {
		return toolexec.Failed(err)
	}
	return envelope
}

func (r *run) waiting(ctx context.Context, call *models.Call) (next, error) {
	begun := time.Now()
	envelope, how, err := r.decided(ctx, *call)
	if err != nil {
		return how, err
	}
	if how == suspend {
		return suspend, r.suspended(ctx)
	}
	return goOn, r.settleTimed(ctx, call, envelope, time.Since(begun))
}

// decided returns what became of a call that waited for a person, running it
// when it was approved; suspend while nobody has decided.
func (r *run) decided(ctx context.Context, call models.Call) (toolexec.Envelope, next, error) {
	a, err := r.approvalOf(ctx, call)
	if err != nil {
		return toolexec.Envelope{}, end, err
	}
	switch {
	case a.State == models.ApprovalPending:
		return toolexec.Envelope{}, suspend, nil
	case a.State != models.ApprovalConsumed:
		return toolexec.NotApproved(string(a.State), a.Reason), goOn, nil
	case a.Outcome != "":
		envelope, err := toolexec.DecodeEnvelope(a.Result)
		return envelope, goOn, err
	}
	envelope, err := r.Runner.Approved(ctx, a)
	switch {
	case errors.Is(err, toolexec.ErrRunning):
		return envelope, end, ErrBusy
	case passing(err) && err != nil:
		return envelope, end, err
	case err != nil:
		return toolexec.Failed(err), goOn, nil
	}
	return envelope, goOn, nil
}

func (r *run) approvalOf(ctx context.Context, call models.Call) (models.Approval, error) {
	var a models.Approval
	err := r.Store.Read(ctx, r.p, func(ctx context.Context) error {
		var err error
		a, err = r.Store.Approval(ctx, call.ApprovalID)
		return err
	})
	return a, err
}

// suspended gives the turn back until a decision enqueues it again.
func (r *run) suspended(ctx context.Context) error {
	return r.Store.Write(ctx, r.p, func(ctx context.Context) error {
		r.turn.State = models.TurnWaiting
		if err := r.save(ctx); err != nil {
			return err
		}
		return r.Log.Append(ctx, r.turn, session.Status{State: models.TurnWaiting})
	})
}

func (r *run) settleTimed(ctx context.Context, call *models.Call, envelope toolexec.Envelope, took time.Duration) error {
	var err error
	if call.Result, err = envelope.Encode(); err != nil {
		return err
	}
	from := call.State
	call.State = models.CallSettled
	return r.Store.Write(ctx, r.p, func(ctx context.Context) error {
		payload := told(r.Registry, *call)
		payload.Took = took.Milliseconds()
		return r.settled(ctx, r.turn, *call, from, payload)
	})
}

// settle ends a call that did not run here, in the unit of ctx.
func (e *Engine) settle(ctx context.Context, turn models.Turn, call models.Call, envelope toolexec.Envelope) error {
	var err error
	if call.Result, err = envelope.Encode(); err != nil {
		return err
	}
	from := call.State
	call.State = models.CallSettled
	return e.settled(ctx, turn, call, from, told(e.Registry, call))
}

// settled stores a call's end, once, and tells the log.
func (e *Engine) settled(
	ctx context.Context, turn models.Turn, call models.Call, from models.CallState, payload session.Call,
) error {
	changed, err := e.Store.UpdateCall(ctx, call, from)
	if err != nil || !changed {
		return err
	}
	return e.Log.Append(ctx, turn, payload)
}

// told is the event that shows a call as it stands.
func told(registry *hosttools.Registry, call models.Call) session.Call {
	event := session.Call{
		ID: call.ID, Step: call.Step, Name: call.Name, Arguments: string(shown(call)),
		State: call.State, ApprovalID: call.ApprovalID, Result: call.Result,
	}
	if d, ok := registry.Lookup(call.Name); ok {
		event.Slug, event.Method = d.Slug, d.Method
		event.Write, event.Consequential = d.Access != hosttools.AccessRead, d.Consequential
	}
	return event
}
