package planner

import (
	"context"
	"strings"

	"github.com/agentstudio/agentstudio/studio/llm"
)

// answer is what the planner decided: calls, or a text, and why.
type answer struct {
	reasoning string
	text      string
	calls     []llm.Call
}

// emit streams the answer: the reasoning, then the text word by word, then the
// calls, then Done.
func (a answer) emit(ctx context.Context, req llm.Request, yield func(llm.Event, error) bool) {
	for _, event := range a.events(req) {
		if err := ctx.Err(); err != nil {
			yield(llm.Event{}, err)
			return
		}
		if !yield(event, nil) {
			return
		}
	}
}

func (a answer) events(req llm.Request) []llm.Event {
	a.reasoning, a.text = strings.ToValidUTF8(a.reasoning, "�"), strings.ToValidUTF8(a.text, "�")
	var events []llm.Event
	if a.reasoning != "" {
		events = append(events, llm.Event{Kind: llm.EventReasoningDelta, Text: a.reasoning})
	}
	for _, chunk := range strings.SplitAfter(a.text, " ") {
		if chunk != "" {
			events = append(events, llm.Event{Kind: llm.EventTextDelta, Text: chunk})
		}
	}
	finish := llm.FinishStop
	for _, call := range a.calls {
		finish = llm.FinishToolCalls
		events = append(events, llm.Event{Kind: llm.EventToolCall, Call: call})
	}
	return append(events, llm.Event{Kind: llm.EventDone, Usage: a.usage(req), Finish: finish})
}

// usage counts words, since the planner has no tokens; it is marked as an
// estimate.
func (a answer) usage(req llm.Request) llm.Usage {
	usage := llm.Usage{Estimated: true}
	for _, message := range req.Messages {
		usage.InputTokens += len(strings.Fields(message.Text))
	}
	usage.OutputTokens = len(strings.Fields(a.reasoning)) + len(strings.Fields(a.text))
	for _, call := range a.calls {
		usage.OutputTokens += 1 + len(strings.Fields(string(call.Arguments)))
	}
	return usage
}
