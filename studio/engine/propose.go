package engine

import (
	"context"
	"slices"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/llm"
	"github.com/agentstudio/agentstudio/studio/toolexec"
)

// proposed is a call that the model wants, judged by the door.
type proposed struct {
	call     llm.Call
	prepared *toolexec.Prepared // nil when refused
	refusal  error
}

// propose asks the model for the next step. Calls go on to the review; text
// without calls is the reply.
func (r *run) propose(ctx context.Context) (next, error) {
	r.calls = r.callsOfStep()
	if len(r.calls) > 0 {
		return goOn, nil // proposed and stored before the turn was suspended
	}
	response, err := llm.Collect(r.model.Generate(ctx, r.request(ctx)))
	if err != nil {
		return end, models.Errorf(models.CodeModelFailed, "The model did not answer. Send the message again in a moment.").Because(err)
	}
	if len(response.Calls) == 0 || r.turn.Memory.GivingUp != "" {
		return r.reply(ctx, response.Text)
	}
	r.proposal = response
	r.prepare(ctx)
	return goOn, nil
}

func (r *run) callsOfStep() []models.Call {
	var calls []models.Call
	for _, call := range r.past.calls[r.turn.ID] {
		if call.Step == r.turn.Memory.Step {
			calls = append(calls, call)
		}
	}
	return calls
}

func (r *run) request(ctx context.Context) llm.Request {
	request := llm.Request{
		Messages: r.messages(), ToolChoice: llm.ToolChoiceAuto,
		Correction: r.turn.Memory.Correction, Todo: r.turn.Memory.Todo,
	}
	if r.turn.Memory.GivingUp != "" {
		request.ToolChoice = llm.ToolChoiceNone
		return request
	}
	for _, name := range r.turn.Memory.Tools {
		d, ok := r.Registry.Lookup(name)
		if !ok {
			continue
		}
		request.Tools = append(request.Tools, llm.Tool{
			Name: d.Name, Description: d.Description, Parameters: r.schemas.of(ctx, r.model, d),
			Consequential: d.Consequential, Write: d.Access != "read",
		})
	}
	return request
}

// prepare sends every proposed call through the first half of the door. A
// refused call becomes an error result, so that the reply knows why it did not
// run.
func (r *run) prepare(ctx context.Context) {
	r.proposals = nil
	for i, call := range r.proposal.Calls {
		p := proposed{call: call}
		switch {
		case i >= maxCalls:
			p.refusal = models.Errorf(models.CodeInvalidRequest, "At most %d calls can be made in one step.", maxCalls)
		case !slices.Contains(r.turn.Memory.Tools, call.Name):
			p.refusal = models.Errorf(models.CodeNotFound, "No tool named %q is offered now.", call.Name)
		default:
			p.prepared, p.refusal = r.Door.Prepare(ctx, toolexec.Request{
				Name: call.Name, Raw: call.Arguments, Channel: toolexec.ChannelChat,
			})
		}
		r.proposals = append(r.proposals, p)
	}
}
