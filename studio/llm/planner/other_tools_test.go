package planner_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/studio/llm"
	"github.com/agentstudio/agentstudio/studio/llm/planner"
)

// TestOtherTools shows that nothing is tied to the tools of the demo.
func TestOtherTools(t *testing.T) {
	t.Parallel()
	tests := []sentence{
		{"close ticket 42", []string{`close_ticket {"ticket_id":42}`}},
		{"please close ticket #42, priority high", []string{`close_ticket {"ticket_id":42,"priority":"high"}`}},
		{"what is the weather in Berlin?", []string{`forecast {"city":"Berlin"}`}},
		{"forecast for Paris", []string{`forecast {"city":"Paris"}`}},
		{"book a meeting on 2026-01-31 for 45 minutes", []string{`bookMeeting {"date":"2026-01-31","minutes":45}`}},
		{"book an urgent meeting on 2026-01-31, 30 minutes", []string{`bookMeeting {"date":"2026-01-31","minutes":30,"urgent":true}`}},
		{`tag X-1 and X-2 with tag "vip"`, []string{`tag_records {"ids":["X-1","X-2"],"tag":"vip"}`}},
	}
	for _, test := range tests {
		t.Run(test.said, func(t *testing.T) {
			t.Parallel()
			got := answerTo(t, llm.Request{Messages: []llm.Message{user(test.said)}, Tools: oddTools()})
			require.Equal(t, test.want, callsOf(got), "text: %s\nreasoning: %s", got.Text, got.Reasoning)
		})
	}
}

func TestIDsFollowTheSchema(t *testing.T) {
	t.Parallel()
	tool := func(property string) []llm.Tool {
		return []llm.Tool{{Name: "get_invoice", Description: "Get an invoice.", Parameters: []byte(`{"type":"object","properties":{"invoice_id":` + property + `},"required":["invoice_id"]}`)}}
	}
	tests := []struct{ name, property, said, want string }{
		{"as typed", `{"type":"string"}`, "show invoice inv-77", "inv-77"},
		{"pattern in upper case", `{"type":"string","pattern":"^INV-\\d+$"}`, "show inv-77", "INV-77"},
		{"pattern in lower case", `{"type":"string","pattern":"^inv-\\d+$"}`, "show INV-77", "inv-77"},
		{"description says so", `{"type":"string","description":"Invoice id in upper case."}`, "show inv-77", "INV-77"},
		{"example of that form", `{"type":"string","description":"Like INV-1."}`, "show inv-77", "INV-77"},
		{"number after the noun", `{"type":"string"}`, "show invoice 77", "77"},
		{"number after a hash", `{"type":"string"}`, "show invoice #77", "77"},
		{"uuid", `{"type":"string","format":"uuid"}`, "show invoice 0195C0DE-0000-7000-8000-000000000001", "0195C0DE-0000-7000-8000-000000000001"},
		{"pattern that Go cannot run", `{"type":"string","pattern":"^(?=x)"}`, "show invoice inv-77", "inv-77"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := answerTo(t, llm.Request{Messages: []llm.Message{user(test.said)}, Tools: tool(test.property)})
			require.Equal(t, []string{`get_invoice {"invoice_id":"` + test.want + `"}`}, callsOf(got), got.Text)
		})
	}
}

func TestAmbiguousWritesAreAsked(t *testing.T) {
	t.Parallel()
	id := func(name string) []byte {
		return []byte(`{"type":"object","properties":{"` + name + `":{"type":"string"}},"required":["` + name + `"]}`)
	}
	tools := []llm.Tool{
		{Name: "cancel_invoice", Description: "Cancel an invoice.", Write: true, Parameters: id("invoice_id")},
		{Name: "cancel_booking", Description: "Cancel a booking.", Write: true, Parameters: id("booking_id")},
	}
	first := answerTo(t, llm.Request{Messages: []llm.Message{user("cancel X-7")}, Tools: tools})
	require.Empty(t, first.Calls)
	require.Equal(t, "Which of these do you mean: cancel invoice, or cancel booking?", first.Text)

	second := answerTo(t, llm.Request{Messages: []llm.Message{user("cancel X-7"), assistant(first.Text), user("the booking")}, Tools: tools})
	require.Equal(t, []string{`cancel_booking {"booking_id":"X-7"}`}, callsOf(second))
}

func TestStream(t *testing.T) {
	t.Parallel()
	model := planner.New()
	require.Equal(t, "offline-planner", model.Name())
	req := llm.Request{Messages: []llm.Message{{Role: llm.RoleSystem, Text: "cancel A-1"}, user("show A-1002")}, Tools: demoTools()}

	var kinds []llm.EventKind
	for event, err := range model.Generate(t.Context(), req) {
		require.NoError(t, err)
		kinds = append(kinds, event.Kind)
	}
	require.Equal(t, []llm.EventKind{llm.EventReasoningDelta, llm.EventToolCall, llm.EventDone}, kinds)

	for _, err := range model.Generate(t.Context(), req) {
		require.NoError(t, err)
		break
	}

	ctx, stop := context.WithCancel(t.Context())
	stop()
	_, err := llm.Collect(model.Generate(ctx, req))
	require.ErrorIs(t, err, context.Canceled)
}

func TestReasoningSaysWhereValuesComeFrom(t *testing.T) {
	t.Parallel()
	got := answerTo(t, llm.Request{Messages: []llm.Message{user("cancel A-1002, the customer changed their mind")}, Tools: demoTools()})
	require.Equal(t, "The request asks to cancel order A-1002; fs_cancel_order fits; reason taken from “the customer changed their mind”.", got.Reasoning)
	require.True(t, got.Usage.Estimated)
	require.Equal(t, 7, got.Usage.InputTokens)
}
