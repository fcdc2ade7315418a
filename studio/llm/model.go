package llm

import (
	"context"
	"iter"
)

// ToolChoice says whether the model may call tools. The zero value means auto.
type ToolChoice string

// Tool choices.
const (
	// ToolChoiceAuto lets the model choose between calls and text.
	ToolChoiceAuto ToolChoice = "auto"
	// ToolChoiceNone forbids calls: the model must answer with text.
	ToolChoiceNone ToolChoice = "none"
)

// Request is everything a model is shown for one step of a turn.
type Request struct {
	Messages   []Message
	Tools      []Tool
	ToolChoice ToolChoice
	// Correction is the adjusted reasoning that replaces the reasoning of a
	// rejected step; empty when nothing was rejected.
	Correction string
	// Todo is what the turn has still to do; empty when there is none.
	Todo string
}

// EventKind says what an event carries.
type EventKind string

// Kinds of events.
const (
	// EventTextDelta carries the next piece of the reply in Text.
	EventTextDelta EventKind = "text_delta"
	// EventReasoningDelta carries the next piece of the reasoning in Text.
	EventReasoningDelta EventKind = "reasoning_delta"
	// EventToolCall carries one complete call in Call.
	EventToolCall EventKind = "tool_call"
	// EventDone is the last event and carries Usage and Finish.
	EventDone EventKind = "done"
)

// Finish says why a model stopped.
type Finish string

// Reasons to stop.
const (
	FinishStop      Finish = "stop"
	FinishToolCalls Finish = "tool_calls"
	FinishLength    Finish = "length"
	FinishFiltered  Finish = "filtered"
)

// Usage counts the tokens of one request.
type Usage struct {
	InputTokens  int
	OutputTokens int
	// Estimated is true when the numbers were not counted by the model's own
	// tokenizer.
	Estimated bool
}

// Event is one piece of a model's answer; Kind says which fields are set.
type Event struct {
	Kind   EventKind
	Text   string
	Call   Call
	Usage  Usage
	Finish Finish
}

// Model answers requests. Implementations are safe for concurrent use.
type Model interface {
	// Name identifies the model in logs, traces and usage records.
	Name() string
	// Generate streams the answer to req. The sequence ends after one Done
	// event, or after one pair with a non-nil error; it runs once, and ends
	// early when ctx is done or the caller stops reading. Failures of a
	// provider are of type *Error; a done context yields its own error.
	Generate(ctx context.Context, req Request) iter.Seq2[Event, error]
}
