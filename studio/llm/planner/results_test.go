package planner_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/studio/llm"
)

// called is a turn in which said was answered with one call and its result.
func called(said, tool, args, result string) []llm.Message {
	return []llm.Message{
		user(said),
		{Role: llm.RoleAssistant, Calls: []llm.Call{{ID: "call_1", Name: tool, Arguments: []byte(args)}}},
		{Role: llm.RoleTool, CallID: "call_1", Name: tool, Text: result},
	}
}

func TestResults(t *testing.T) {
	t.Parallel()
	cancelArgs := `{"order_id":"A-1002","reason":"late"}`
	tests := []struct{ name, said, tool, args, result, want string }{
		{
			"list", "list orders", "fs_list_orders", `{}`,
			`{"status":"success","result":{"orders":[{"id":"A-1002","status":"pending","total":25.50,"currency":"EUR"},{"id":"A-1003","status":"shipped"}],"count":2},"truncated":false}`,
			"2 orders:\n- A-1002 is pending: total 25.50 EUR\n- A-1003 is shipped",
		},
		{"list of one", "list orders", "fs_list_orders", `{}`, `{"status":"success","result":{"orders":[{"order_id":"A-1"}]}}`, "1 order:\n- A-1"},
		{
			"truncated", "list orders", "fs_list_orders", `{}`, `{"status":"success","result":[{"id":"A-1"},{"id":"A-2"}],"truncated":true}`,
			"2 found:\n- A-1\n- A-2\nThis is not the whole list; the rest was cut off.",
		},
		{"empty", "list pending orders", "fs_list_orders", `{"status":"pending"}`, `{"status":"success","result":[]}`, "No orders found with status pending."},
		{
			"record", "show A-1002", "fs_get_order", `{"order_id":"A-1002"}`,
			`{"status":"success","result":{"order_id":"A-1002","status":"pending","customer":{"name":"Ada"},"gift":true,"note":null}}`,
			"A-1002 is pending: customer (name Ada), gift yes.",
		},
		{"nothing", "show A-1002", "fs_get_order", `{"order_id":"A-1002"}`, `{"status":"success","result":null}`, "The tool found nothing."},
		{
			"done", "cancel A-1002 because late", "fs_cancel_order", cancelArgs, `{"status":"success","result":{"order_id":"A-1002","status":"cancelled"}}`,
			"Done: cancel order A-1002. A-1002 is cancelled.",
		},
		{
			"what was written is told", "note call first on A-1002", "fs_set_note", `{"order_id":"A-1002","note":"call first"}`,
			`{"status":"success","result":{"order":{"order_id":"A-1002","status":"pending","amount":1,"note":"call first"}}}`,
			"Done: set note for A-1002. Order A-1002 is pending, note call first.",
		},
		{
			"only looked", "can A-1002 be cancelled?", "fs_get_order", `{"order_id":"A-1002"}`, `{"status":"success","result":{"id":"A-1002","status":"pending"}}`,
			"A-1002 is pending.\nI only looked; nothing was changed.",
		},
		{
			"part without a tool", "show A-1002 and delete A-1003", "fs_get_order", `{"order_id":"A-1002"}`, `{"status":"success","result":{"id":"A-1002"}}`,
			"A-1002.\nI found no tool for “delete A-1003”, so that was not done.",
		},
		{
			"error", "cancel A-1002 because late", "fs_cancel_order", cancelArgs, `{"status":"error","error_code":"tool_failed","message":"only pending orders can be cancelled"}`,
			"Not done: only pending orders can be cancelled.",
		},
		{
			"error without words", "cancel A-1002 because late", "fs_cancel_order", cancelArgs, `{"status":"error","error_code":"rate_limited"}`,
			"Not done: the tool reported an error (rate limited).",
		},
		{
			"unknown", "cancel A-1002 because late", "fs_cancel_order", cancelArgs, `{"status":"error","error_code":"outcome_unknown"}`,
			"It is not known whether this happened: cancel order A-1002. Please check before trying again.",
		},
		{
			"denied", "cancel A-1002 because late", "fs_cancel_order", cancelArgs, `{"status":"forbidden","error_code":"confirmation_required","reason":"denied","message":"wait for the customer"}`,
			"Nothing was changed (cancel order A-1002): a person denied it. The reason given: “wait for the customer”",
		},
		{
			"denied in silence", "cancel A-1002 because late", "fs_cancel_order", cancelArgs, `{"status":"forbidden","error_code":"confirmation_required","reason":"denied"}`,
			"Nothing was changed (cancel order A-1002): a person denied it.",
		},
		{
			"no approval", "cancel A-1002 because late", "fs_cancel_order", cancelArgs, `{"status":"forbidden","error_code":"confirmation_required","reason":"no_approval"}`,
			"Nothing was changed (cancel order A-1002): it needs a person's approval, and there is none.",
		},
		{
			"expired", "cancel A-1002 because late", "fs_cancel_order", cancelArgs, `{"status":"forbidden","error_code":"confirmation_required","reason":"expired"}`,
			"Nothing was changed (cancel order A-1002): nobody approved it in time.",
		},
		{
			"cancelled", "cancel A-1002 because late", "fs_cancel_order", cancelArgs, `{"status":"forbidden","error_code":"confirmation_required","reason":"cancelled"}`,
			"Nothing was changed (cancel order A-1002): the request for approval was cancelled.",
		},
		{
			"stale", "cancel A-1002 because late", "fs_cancel_order", cancelArgs, `{"status":"forbidden","error_code":"confirmation_required","reason":"stale"}`,
			"Nothing was changed (cancel order A-1002): something changed after the approval was asked for, so it no longer holds.",
		},
		{
			"not allowed", "cancel A-1002 because late", "fs_cancel_order", cancelArgs, `{"status":"forbidden","error_code":"policy_denied"}`,
			"Nothing was changed (cancel order A-1002): it is not allowed (policy denied).",
		},
		{
			"how many", "how many orders are shipped?", "fs_list_orders", `{"status":"shipped"}`,
			`{"status":"success","result":{"orders":[{"order_id":"A-1"},{"order_id":"A-2"}],"count":2,"truncated":false}}`,
			"2 orders are shipped:\n- A-1\n- A-2",
		},
		{
			"how many at least", "how many orders are shipped?", "fs_list_orders", `{"status":"shipped"}`,
			`{"status":"success","result":{"orders":[{"order_id":"A-1"}],"count":1,"truncated":true}}`,
			"At least 1 order is shipped:\n- A-1\nThis is not the whole list; the rest was cut off.",
		},
		{
			"a filter that no tool has", "show orders from globex", "fs_list_orders", `{}`, `{"status":"success","result":[{"id":"A-1"}]}`,
			"1 found:\n- A-1\nI could not use “from globex”: the tool has no such filter, and it sees this organization's own data only.",
		},
		{
			"a filter that is none", "how many orders do we have in total of our own?", "fs_list_orders", `{}`, `{"status":"success","result":[{"id":"A-1"}]}`,
			"1 found:\n- A-1",
		},
		{
			"a word that no filter takes", "list globex orders please", "fs_list_orders", `{}`, `{"status":"success","result":[{"id":"A-1"}]}`,
			"1 found:\n- A-1\nI could not use “globex”: the tool has no such filter, and it sees this organization's own data only.",
		},
		{
			"csv", "export orders", "fs_export", `{}`, `{"status":"success","result":{"csv":"order_id,note\nA-1,a\nA-2,b\n","rows":2,"truncated":false}}`,
			"Csv (rows 2):\norder_id,note\nA-1,a\nA-2,b",
		},
		{
			"csv that is cut", "export orders", "fs_export", `{}`, `{"status":"success","result":{"csv":"id` + strings.Repeat(`\n1`, 22) + `","truncated":true}}`,
			"Csv:\nid" + strings.Repeat("\n1", 20) + "\n… and 2 more.\nThe result was too long, so this is not all of it.",
		},
		{"a text of lines", "export orders", "fs_export", `{}`, `{"status":"success","result":"id\n1"}`, "id\n1"},
		{"a note of lines", "show A-1002", "fs_get_order", `{"order_id":"A-1002"}`, `{"status":"success","result":{"order":{"id":"A-1002","note":"a\nb"}}}`, "Order A-1002: note a b."},
		{"no envelope", "cancel A-1002 because late", "fs_cancel_order", cancelArgs, `queued`, "The tool for “cancel order A-1002” answered: queued."},
		{"no answer", "cancel A-1002 because late", "fs_cancel_order", cancelArgs, ``, "The tool for “cancel order A-1002” answered nothing."},
		{"tool no longer offered", "ban bob", "acme_ban_user", `{}`, `{"status":"success"}`, "Done: acme ban user."},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			for _, choice := range []llm.ToolChoice{llm.ToolChoiceAuto, llm.ToolChoiceNone} {
				got := answerTo(t, llm.Request{Messages: called(test.said, test.tool, test.args, test.result), Tools: demoTools(), ToolChoice: choice})
				require.Empty(t, got.Calls, "a turn with results must not call again")
				if test.name != "tool no longer offered" {
					require.Equal(t, test.want, got.Text)
				} else {
					require.Contains(t, got.Text, test.want)
				}
			}
		})
	}
}

func TestSeveralResults(t *testing.T) {
	t.Parallel()
	call := func(id, order string) llm.Call {
		return llm.Call{ID: id, Name: "fs_cancel_order", Arguments: []byte(`{"order_id":"` + order + `","reason":"late"}`)}
	}
	messages := []llm.Message{
		user("cancel A-1, A-2 and A-3 because late"),
		{Role: llm.RoleAssistant, Calls: []llm.Call{call("call_1", "A-1"), call("call_2", "A-2"), call("call_3", "A-3")}},
		{Role: llm.RoleTool, CallID: "call_2", Name: "fs_cancel_order", Text: `{"status":"error","message":"already shipped"}`},
		{Role: llm.RoleTool, CallID: "call_1", Name: "fs_cancel_order", Text: `{"status":"success","result":{"id":"A-1","status":"cancelled"}}`},
	}
	got := answerTo(t, llm.Request{Messages: messages, Tools: demoTools(), Correction: "The reply must name every order"})
	require.Equal(t, "Done: cancel order A-1. A-1 is cancelled.\n"+
		"Not done (cancel order A-2): already shipped.\n"+
		"No result came back for “cancel order A-3”, so I do not know whether it happened.\n"+
		"The reply must name every order.", got.Text)
	require.Empty(t, got.Calls)
}

func TestLongListIsCut(t *testing.T) {
	t.Parallel()
	result := `{"status":"success","result":[0`
	for range 24 {
		result += `,1`
	}
	got := answerTo(t, llm.Request{Messages: called("list orders", "fs_list_orders", `{}`, result+`]}`), Tools: demoTools()})
	require.Contains(t, got.Text, "25 found:\n- 0\n- 1")
	require.Contains(t, got.Text, "… and 5 more.")
}
