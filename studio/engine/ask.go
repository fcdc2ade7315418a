package engine

import (
	"context"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/approval"
	"github.com/agentstudio/agentstudio/studio/session"
	"github.com/agentstudio/agentstudio/studio/toolexec"
)

// ask stores the step's calls, and an approval for every write, in one unit.
// From here on the step is in rows.
func (r *run) ask(ctx context.Context) (next, error) {
	if len(r.calls) > 0 {
		return goOn, nil
	}
	err := r.Store.Write(ctx, r.p, func(ctx context.Context) error {
		r.calls = nil
		if err := r.save(ctx); err != nil {
			return err
		}
		var told []session.Payload
		for i, p := range r.proposals {
			call, payloads, err := r.store(ctx, i, p)
			if err != nil {
				return err
			}
			r.calls = append(r.calls, call)
			told = append(told, payloads...)
		}
		if err := r.Store.CreateCalls(ctx, r.calls); err != nil {
			return err
		}
		return r.Log.Append(ctx, r.turn, told...)
	})
	return goOn, err
}

// store turns a proposal into a call: refused ones are settled, writes wait
// for a person, reads are ready to run.
func (r *run) store(ctx context.Context, position int, p proposed) (models.Call, []session.Payload, error) {
	call := models.Call{
		ID: models.NewID(), TurnID: r.turn.ID, SessionID: r.turn.SessionID, Step: r.turn.Memory.Step, Position: position,
		ModelID: p.call.ID, Name: p.call.Name, Raw: p.call.Arguments, State: models.CallProposed,
	}
	if position == 0 {
		call.Reasoning = r.proposal.Reasoning
	}
	if p.prepared == nil {
		var err error
		call.State = models.CallSettled
		call.Result, err = toolexec.Failed(p.refusal).Encode()
		return call, []session.Payload{told(r.Registry, call)}, err
	}
	call.Arguments = p.prepared.Arguments
	if !p.prepared.Write() {
		return call, []session.Payload{told(r.Registry, call)}, nil
	}
	asked, err := r.Approvals.Ask(ctx, p.prepared, approval.Context{
		SessionID: r.turn.SessionID, TurnID: r.turn.ID, CallID: call.ID,
		Why: models.ApprovalWhy{Words: r.turn.Memory.Input, Rules: titles(r.matched), Reasoning: r.proposal.Reasoning, Verdict: r.verdict},
	})
	if err != nil {
		return call, nil, err
	}
	call.State, call.ApprovalID = models.CallWaiting, asked.ID
	return call, []session.Payload{told(r.Registry, call), session.Approval{
		ID: asked.ID, CallID: call.ID, State: asked.State, ExpiresAt: asked.ExpiresAt, Verb: p.prepared.Tool.Verb,
	}}, nil
}
