package engine

import (
	"context"
	"strings"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/llm"
	"github.com/agentstudio/agentstudio/studio/rules"
	"github.com/agentstudio/agentstudio/studio/toolexec"
)

// history is a conversation as it stands before the current step.
type history struct {
	turns  []models.Turn // the newest ones, oldest first, the current one last
	calls  map[string][]models.Call
	sticky []string // rules of the turn before this one
}

func (r *run) readHistory(ctx context.Context) (history, error) {
	h := history{calls: map[string][]models.Call{}}
	var err error
	if h.turns, err = r.Store.TurnsOf(ctx, r.turn.SessionID); err != nil {
		return h, err
	}
	h.turns = h.turns[max(0, len(h.turns)-maxTurns):]
	calls, err := r.Store.CallsOfSession(ctx, r.turn.SessionID)
	if err != nil {
		return h, err
	}
	for _, call := range calls {
		h.calls[call.TurnID] = append(h.calls[call.TurnID], call)
	}
	for i, turn := range h.turns {
		if turn.ID == r.turn.ID && i > 0 {
			h.sticky = h.turns[i-1].Memory.Rules
		}
	}
	return h, nil
}

// messages returns the conversation for a model: what it is told, then every
// turn. Each call has exactly one result, right behind it.
func (r *run) messages() []llm.Message {
	out := []llm.Message{{Role: llm.RoleSystem, Text: r.system()}}
	for _, turn := range r.past.turns {
		out = append(out, llm.Message{Role: llm.RoleUser, Text: turn.Memory.Input})
		out = append(out, stepMessages(r.past.calls[turn.ID])...)
		if turn.Memory.Reply != "" {
			out = append(out, llm.Message{Role: llm.RoleAssistant, Text: turn.Memory.Reply})
		}
		if turn.ID == r.turn.ID {
			break
		}
	}
	return out
}

func stepMessages(calls []models.Call) []llm.Message {
	var out []llm.Message
	for start := 0; start < len(calls); {
		stop := start
		for stop < len(calls) && calls[stop].Step == calls[start].Step {
			stop++
		}
		step := calls[start:stop]
		asked := llm.Message{Role: llm.RoleAssistant, Text: step[0].Reasoning}
		var results []llm.Message
		for _, call := range step {
			asked.Calls = append(asked.Calls, llm.Call{ID: call.ModelID, Name: call.Name, Arguments: shown(call)})
			results = append(results, llm.Message{
				Role: llm.RoleTool, CallID: call.ModelID, Name: call.Name, Text: resultOf(call),
			})
		}
		out = append(append(out, asked), results...)
		start = stop
	}
	return out
}

// shown returns a call's arguments as they ran, or as the model wrote them.
func shown(call models.Call) []byte {
	if call.Arguments != nil {
		return call.Arguments
	}
	return call.Raw
}

func resultOf(call models.Call) string {
	if call.Result != nil {
		return string(call.Result)
	}
	encoded, err := toolexec.NotApproved("cancelled", "The turn ended before this ran.").Encode()
	if err != nil {
		return ""
	}
	return string(encoded)
}

// system is what the agent is told: its instructions, then the rules in force.
func (r *run) system() string {
	var b strings.Builder
	d := r.version.Definition
	b.WriteString("You are " + d.Title + ".")
	if d.Instructions != "" {
		b.WriteString("\n\n" + d.Instructions)
	}
	for _, m := range r.matched {
		if m.Rule.Kind != models.RulePolicy {
			continue
		}
		b.WriteString("\n\n## " + m.Rule.Title + "\n" + m.Rule.Content)
		if m.Rule.Weight == models.WeightHigh {
			b.WriteString("\nNever act against this.")
		}
	}
	return b.String()
}

// said returns what the person wrote in this conversation, oldest first.
func (r *run) said() []string {
	var out []string
	for _, turn := range r.past.turns {
		out = append(out, turn.Memory.Input)
	}
	return out
}

// results returns what tools returned in this conversation.
func (r *run) results() []string {
	var out []string
	for _, turn := range r.past.turns {
		for _, call := range r.past.calls[turn.ID] {
			if call.Result != nil {
				out = append(out, string(call.Result))
			}
		}
	}
	return out
}

// titles returns the titles of the rules in force.
func titles(matched []rules.Match) []string {
	out := make([]string, 0, len(matched))
	for _, m := range matched {
		out = append(out, m.Rule.Title)
	}
	return out
}
