package planner_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/studio/llm"
	"github.com/agentstudio/agentstudio/studio/llm/planner"
)

const statusSchema = `"status":{"type":"string","enum":["pending","shipped","delivered","cancelled","refunded"],"description":"Only orders in this state."}`

const orderID = `"order_id":{"type":"string","pattern":"^[A-Z]-\\d+$","description":"The order's id, for example A-1002."}`

// demoTools are the tools of a shop, as its host would offer them.
func demoTools() []llm.Tool {
	reason := `"reason":{"type":"string","minLength":3,"description":"Why, in a few words."}`
	return []llm.Tool{
		{Name: "fs_list_orders", Description: "List orders, newest first.", Parameters: []byte(`{"type":"object","properties":{` + statusSchema + `,"max_rows":{"type":"integer","minimum":1,"maximum":100}}}`)},
		{Name: "fs_get_order", Description: "Get one order by its id.", Parameters: []byte(`{"type":"object","properties":{` + orderID + `},"required":["order_id"]}`)},
		{Name: "fs_cancel_order", Description: "Cancel a pending order.", Write: true, Consequential: true, Parameters: []byte(`{"type":"object","properties":{` + orderID + `,` + reason + `},"required":["order_id","reason"]}`)},
		{Name: "fs_refund_order", Description: "Refund part or all of an order.", Write: true, Consequential: true, Parameters: []byte(`{"type":"object","properties":{` + orderID + `,"amount":{"type":"number","exclusiveMinimum":0,"description":"Amount in EUR."},` + reason + `},"required":["order_id","amount","reason"]}`)},
		{Name: "fs_set_note", Description: "Replace the note of an order.", Write: true, Parameters: []byte(`{"type":"object","properties":{` + orderID + `,"note":{"type":"string","description":"The new note."}},"required":["order_id","note"]}`)},
		{Name: "fs_export", Description: "Export orders as CSV.", Parameters: []byte(`{"type":"object","properties":{` + statusSchema + `}}`)},
		{Name: "fs_notify", Description: "Send a message to a person or team.", Write: true, Parameters: []byte(`{"type":"object","properties":{"message":{"type":"string","description":"What to say."},"recipient":{"type":"string","description":"Who gets it."}},"required":["message"]}`)},
	}
}

func user(text string) llm.Message { return llm.Message{Role: llm.RoleUser, Text: text} }

func assistant(text string) llm.Message { return llm.Message{Role: llm.RoleAssistant, Text: text} }

func answerTo(t *testing.T, req llm.Request) llm.Response {
	t.Helper()
	response, err := llm.Collect(planner.New().Generate(t.Context(), req))
	require.NoError(t, err)
	return response
}

// callsOf writes calls as "name {arguments}".
func callsOf(response llm.Response) []string {
	var out []string
	for _, call := range response.Calls {
		out = append(out, call.Name+" "+string(call.Arguments))
	}
	return out
}
