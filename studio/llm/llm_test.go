package llm_test

import (
	"errors"
	"fmt"
	"iter"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/studio/llm"
)

func stream(failure error, events ...llm.Event) iter.Seq2[llm.Event, error] {
	return func(yield func(llm.Event, error) bool) {
		for _, event := range events {
			if !yield(event, nil) {
				return
			}
		}
		if failure != nil {
			yield(llm.Event{}, failure)
		}
	}
}

func TestCollect(t *testing.T) {
	t.Parallel()
	boom := errors.New("boom")
	call := llm.Call{ID: "call_1", Name: "get", Arguments: []byte(`{}`)}
	text := func(s string) llm.Event { return llm.Event{Kind: llm.EventTextDelta, Text: s} }
	done := llm.Event{Kind: llm.EventDone, Usage: llm.Usage{InputTokens: 3, OutputTokens: 2}, Finish: llm.FinishStop}

	tests := []struct {
		name    string
		events  []llm.Event
		failure error
		want    llm.Response
		err     error
	}{
		{
			name: "everything is joined in order",
			events: []llm.Event{
				{Kind: llm.EventReasoningDelta, Text: "be"},
				{Kind: llm.EventReasoningDelta, Text: "cause"},
				text("a "),
				{Kind: llm.EventToolCall, Call: call},
				text("b"), done,
			},
			want: llm.Response{Text: "a b", Reasoning: "because", Calls: []llm.Call{call}, Usage: done.Usage, Finish: llm.FinishStop},
		},
		{name: "nothing after done", events: []llm.Event{text("a"), done, text("b")}, want: llm.Response{Text: "a", Usage: done.Usage, Finish: llm.FinishStop}},
		{name: "no done", events: []llm.Event{text("a")}, want: llm.Response{Text: "a"}, err: llm.ErrIncomplete},
		{name: "empty", err: llm.ErrIncomplete},
		{name: "failure keeps what arrived", events: []llm.Event{text("a")}, failure: boom, want: llm.Response{Text: "a"}, err: boom},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, err := llm.Collect(stream(test.failure, test.events...))
			require.ErrorIs(t, err, test.err)
			require.Equal(t, test.want, got)
		})
	}
}

func TestError(t *testing.T) {
	t.Parallel()
	cause := errors.New("status 429")
	failure := &llm.Error{Kind: llm.KindRateLimited, Model: "m", Message: "slow down", Err: cause}
	wrapped := fmt.Errorf("step: %w", failure)

	require.ErrorIs(t, wrapped, cause)
	require.Equal(t, llm.KindRateLimited, llm.KindOf(wrapped))
	require.Empty(t, llm.KindOf(cause))
	require.Empty(t, llm.KindOf(nil))
	require.Equal(t, "llm: m: rate_limited: slow down: status 429", failure.Error())
	require.True(t, failure.Temporary())
	require.False(t, (&llm.Error{Kind: llm.KindRefused}).Temporary())
}
