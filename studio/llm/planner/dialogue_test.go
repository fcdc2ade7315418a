package planner_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/studio/llm"
)

// TestDialogues talks to the planner message by message: what it asked is part
// of the history, as it is in a real session.
func TestDialogues(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		said []string
		want []string
		text string
	}{
		{name: "id then reason", said: []string{"cancel an order", "A-1002", "the customer changed their mind"}, want: []string{cancel("A-1002", "the customer changed their mind")}},
		{name: "both at once", said: []string{"cancel an order please", "a-1002, ordered twice"}, want: []string{cancel("A-1002", "ordered twice")}},
		{name: "because in the answer", said: []string{"cancel A-1002", "because it is late"}, want: []string{cancel("A-1002", "it is late")}},
		{name: "answer in a sentence", said: []string{"cancel A-1002", "The reason is a wrong size."}, want: []string{cancel("A-1002", "a wrong size")}},
		{name: "answer that starts like a request", said: []string{"cancel A-1002", "refund requested by the customer"}, want: []string{cancel("A-1002", "refund requested by the customer")}},
		{name: "verb repeated", said: []string{"cancel because damaged", "cancel A-1002"}, want: []string{cancel("A-1002", "damaged")}},
		{name: "amount then reason", said: []string{"refund A-1003", "20 EUR", "damaged"}, want: []string{refund("A-1003", "20", "damaged")}},
		{name: "plain number", said: []string{"refund A-1003 because damaged", "12.5"}, want: []string{refund("A-1003", "12.5", "damaged")}},
		{name: "odd id, then a good one", said: []string{"show order 1002", "A-1002"}, want: []string{get("A-1002")}},
		{name: "several ids in the answer", said: []string{"cancel because out of stock", "A-1002 and A-1003"}, want: []string{cancel("A-1002", "out of stock"), cancel("A-1003", "out of stock")}},
		{name: "message", said: []string{"notify the warehouse", "the truck is late"}, want: []string{notify(`{"message":"the truck is late","recipient":"warehouse"}`)}},
		{name: "note", said: []string{"add a note to A-1002", "call before delivery"}, want: []string{note("call before delivery")}},
		{name: "new request instead", said: []string{"cancel A-1002", "show pending orders"}, want: []string{list(`{"status":"pending"}`)}},
		{name: "question instead", said: []string{"cancel A-1002", "what is the status of A-1002?"}, want: []string{get("A-1002")}},
		{name: "withdrawn", said: []string{"cancel A-1002", "never mind"}, text: "Nothing was changed."},
		{name: "withdrawn by no", said: []string{"cancel A-1002", "No."}, text: "Nothing was changed."},
		{name: "refused", said: []string{"cancel A-1002", "don't cancel it"}, text: "I did nothing"},
		{name: "withdrawn is over", said: []string{"cancel A-1002", "never mind", "because damaged"}, text: "I found no tool for that"},
		{name: "asked again", said: []string{"cancel an order", "please"}, text: "Which order?"},
		{name: "second of two", said: []string{"cancel A-1002 because late and refund 5 EUR on A-1003", "damaged"}, want: []string{cancel("A-1002", "late"), refund("A-1003", "5", "damaged")}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var got llm.Response
			var messages []llm.Message
			for i, text := range test.said {
				if i > 0 {
					require.Empty(t, got.Calls, "called before message %d", i)
					messages = append(messages, assistant(got.Text))
				}
				messages = append(messages, user(text))
				got = answerTo(t, llm.Request{Messages: messages, Tools: demoTools()})
			}
			require.Equal(t, test.want, callsOf(got), "text: %s\nreasoning: %s", got.Text, got.Reasoning)
			require.Contains(t, got.Text, test.text)
		})
	}
}

func TestPointsBackToEarlierTurns(t *testing.T) {
	t.Parallel()
	history := []llm.Message{
		user("show A-1002"),
		{Role: llm.RoleAssistant, Calls: []llm.Call{{ID: "call_1", Name: "fs_get_order", Arguments: []byte(`{"order_id":"A-1002"}`)}}},
		{Role: llm.RoleTool, CallID: "call_1", Name: "fs_get_order", Text: `{"status":"success","result":{"id":"A-1002"}}`},
		assistant("A-1002."),
	}
	got := answerTo(t, llm.Request{Messages: append(history, user("cancel it because it is late")), Tools: demoTools()})
	require.Equal(t, []string{cancel("A-1002", "it is late")}, callsOf(got))
	require.Equal(t, "call_2", got.Calls[0].ID)

	history[0] = user("show A-1002 and A-1003")
	got = answerTo(t, llm.Request{Messages: append(history, user("cancel it because it is late")), Tools: demoTools()})
	require.Empty(t, got.Calls, "two orders were named, so none may be guessed")
	require.Contains(t, got.Text, "Which order?")
}

func TestCallIDsAreUnique(t *testing.T) {
	t.Parallel()
	history := []llm.Message{
		user("show A-1002"),
		{Role: llm.RoleAssistant, Calls: []llm.Call{{ID: "call_2", Name: "fs_get_order", Arguments: []byte(`{"order_id":"A-1002"}`)}}},
		{Role: llm.RoleTool, CallID: "call_2", Name: "fs_get_order", Text: `{"status":"success","result":{}}`},
		assistant("Done."),
		user("cancel A-1002 and A-1003 because late"),
	}
	got := answerTo(t, llm.Request{Messages: history, Tools: demoTools()})
	require.Len(t, got.Calls, 2)
	require.Equal(t, "call_3", got.Calls[0].ID)
	require.Equal(t, "call_4", got.Calls[1].ID)
}

func TestCorrection(t *testing.T) {
	t.Parallel()
	messages := []llm.Message{user("cancel A-1002 because late")}
	req := llm.Request{Messages: messages, Tools: demoTools(), Correction: "The order has shipped, so it cannot be cancelled"}
	got := answerTo(t, req)
	require.Empty(t, got.Calls)
	require.Equal(t, "I have not done this yet: The order has shipped, so it cannot be cancelled. How should I go on?", got.Text)

	req.Correction = "Which of the two orders is meant?"
	got = answerTo(t, req)
	require.Empty(t, got.Calls)
	require.Equal(t, req.Correction, got.Text)

	for answer, want := range map[string]string{
		"go on":                     cancel("A-1002", "late"),
		"A-1003 please":             cancel("A-1003", "late"),
		"because it is a duplicate": cancel("A-1002", "it is a duplicate"),
	} {
		next := append([]llm.Message{}, messages...)
		got = answerTo(t, llm.Request{Messages: append(next, assistant(req.Correction), user(answer)), Tools: demoTools()})
		require.Equal(t, []string{want}, callsOf(got), answer)
	}
}

func TestForcedReply(t *testing.T) {
	t.Parallel()
	req := llm.Request{Messages: []llm.Message{user("cancel A-1002 because late")}, Tools: demoTools(), ToolChoice: llm.ToolChoiceNone}
	got := answerTo(t, req)
	require.Empty(t, got.Calls)
	require.Equal(t, "I could not do this. No tool ran for it, so nothing was changed.", got.Text)

	req.Correction = "The reason is missing."
	got = answerTo(t, req)
	require.Empty(t, got.Calls)
	require.Equal(t, "The reason is missing.", got.Text)
}

func TestNoToolsOffered(t *testing.T) {
	t.Parallel()
	got := answerTo(t, llm.Request{Messages: []llm.Message{user("cancel A-1002")}})
	require.Empty(t, got.Calls)
	require.Contains(t, got.Text, "No tool fits this right now, so nothing was done.")
}
