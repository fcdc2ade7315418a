package engine

import (
	"context"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/session"
)

// fallback is said when the model has no words of its own.
const fallback = "I could not finish this. Nothing more was done than what is listed above."

// fold closes a step whose calls are all settled, so that the next step reads
// their results.
func (r *run) fold(ctx context.Context) (next, error) {
	r.past.calls[r.turn.ID] = append(r.withoutStep(), r.calls...)
	r.calls, r.proposals = nil, nil
	r.turn.Memory.Step++
	r.turn.Memory.Correction = ""
	if r.turn.Memory.Step > maxSteps {
		r.turn.Memory.GivingUp = "the turn took too many steps"
	}
	return goOn, r.Store.Write(ctx, r.p, func(ctx context.Context) error {
		r.turn.State = models.TurnRunning
		return r.save(ctx)
	})
}

// withoutStep returns the turn's calls of earlier steps.
func (r *run) withoutStep() []models.Call {
	var calls []models.Call
	for _, call := range r.past.calls[r.turn.ID] {
		if call.Step != r.turn.Memory.Step {
			calls = append(calls, call)
		}
	}
	return calls
}

// reply says the agent's answer and ends the turn.
func (r *run) reply(ctx context.Context, text string) (next, error) {
	if text == "" {
		text = fallback
	}
	return end, r.Store.Write(ctx, r.p, func(ctx context.Context) error {
		r.turn.State, r.turn.Memory.Reply = models.TurnDone, text
		if err := r.save(ctx); err != nil {
			return err
		}
		message := session.Message{Text: text, From: r.version.Definition.Title}
		if err := r.Log.Say(ctx, r.turn, models.SourceAgent, message); err != nil {
			return err
		}
		return r.Log.Append(ctx, r.turn, session.Status{State: models.TurnDone})
	})
}

// Observer tells a conversation what became of an approval that it waits for.
type Observer struct{ Log Log }

// ApprovalChanged adds an event to the conversation, in the unit of ctx.
func (o Observer) ApprovalChanged(ctx context.Context, a models.Approval) error {
	turn := models.Turn{TenantID: a.TenantID, ID: a.TurnID, SessionID: a.SessionID}
	return o.Log.Append(ctx, turn, session.Approval{
		ID: a.ID, CallID: a.CallID, State: a.State, By: a.DecidedBy, Reason: a.Reason, Outcome: a.Outcome,
	})
}
