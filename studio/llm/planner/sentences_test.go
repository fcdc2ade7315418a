package planner_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/studio/llm"
)

type sentence struct {
	said string
	want []string
}

func list(args string) string   { return "fs_list_orders " + args }
func get(id string) string      { return `fs_get_order {"order_id":"` + id + `"}` }
func export(args string) string { return "fs_export " + args }
func cancel(id, reason string) string {
	return `fs_cancel_order {"order_id":"` + id + `","reason":"` + reason + `"}`
}

func refund(id, amount, reason string) string {
	return `fs_refund_order {"order_id":"` + id + `","amount":` + amount + `,"reason":"` + reason + `"}`
}

func note(text string) string {
	return `fs_set_note {"order_id":"A-1002","note":"` + text + `"}`
}
func notify(args string) string { return "fs_notify " + args }

func readSentences() []sentence {
	return []sentence{
		{"list orders", []string{list(`{}`)}},
		{"Show me all orders, please", []string{list(`{}`)}},
		{"show pending orders", []string{list(`{"status":"pending"}`)}},
		{"Which orders are pending?", []string{list(`{"status":"pending"}`)}},
		{"what orders have been SHIPPED", []string{list(`{"status":"shipped"}`)}},
		{"Could you list the cancelled orders?", []string{list(`{"status":"cancelled"}`)}},
		{"find canceled orders", []string{list(`{"status":"cancelled"}`)}},
		{"show the first 5 orders", []string{list(`{"max_rows":5}`)}},
		{"top 3 pending orders", []string{list(`{"status":"pending","max_rows":3}`)}},
		{"list shipped orders, max 10", []string{list(`{"status":"shipped","max_rows":10}`)}},
		{"list up to 7 orders", []string{list(`{"max_rows":7}`)}},
		{"show me the first five orders", []string{list(`{"max_rows":5}`)}},
		{"list 500 orders", []string{list(`{"max_rows":100}`)}},
		{"how many orders are pending?", []string{list(`{"status":"pending"}`)}},
		{"pending orders", []string{list(`{"status":"pending"}`)}},
		{"I'd like to see the refunded orders", []string{list(`{"status":"refunded"}`)}},
		{"list pending and shipped orders", []string{list(`{"status":"pending"}`), list(`{"status":"shipped"}`)}},
		{"list the orders that are not shipped", []string{list(`{}`)}},
		{"give me the open orders", []string{list(`{"status":"pending"}`)}},
		{"show A-1002", []string{get("A-1002")}},
		{"show order a-1002", []string{get("A-1002")}},
		{"A-1002", []string{get("A-1002")}},
		{"what is the status of A-1002?", []string{get("A-1002")}},
		{"Status of order A-1002 please", []string{get("A-1002")}},
		{"look up A-1002", []string{get("A-1002")}},
		{"look A-1002 up", []string{get("A-1002")}},
		{"get details of order A-1002", []string{get("A-1002")}},
		{"tell me about A-1002", []string{get("A-1002")}},
		{"Has A-1002 been shipped?", []string{get("A-1002")}},
		{"where is A-1002", []string{get("A-1002")}},
		{"can A-1002 be cancelled?", []string{get("A-1002")}},
		{"should I cancel A-1002?", []string{get("A-1002")}},
		{"what happens if I cancel A-1002?", []string{get("A-1002")}},
		{"can I cancel A-1002?", []string{get("A-1002")}},
		{"cancel A-1002 if it is still pending", []string{get("A-1002")}},
		{"If A-1002 is pending, cancel it because it is late", []string{get("A-1002")}},
		{"refund status of A-1002", []string{get("A-1002")}},
		{"show A-1002 and A-1003", []string{get("A-1002"), get("A-1003")}},
		{"show A-1002 and tell me if it is shipped", []string{get("A-1002")}},
		{"export orders", []string{export(`{}`)}},
		{"download the shipped orders as csv", []string{export(`{"status":"shipped"}`)}},
		{"I need a CSV of the delivered orders", []string{export(`{"status":"delivered"}`)}},
		{"list the 2 most recent pending orders", []string{list(`{"status":"pending","max_rows":2}`)}},
		{"show orders from globex", []string{list(`{}`)}},
		{"details for a-1002", []string{get("A-1002")}},
		{"list pending orders and export them", []string{list(`{"status":"pending"}`), export(`{"status":"pending"}`)}},
	}
}

func writeSentences() []sentence {
	return []sentence{
		{"cancel A-1002 because the customer changed their mind", []string{cancel("A-1002", "the customer changed their mind")}},
		{"Please cancel order a-1002, the customer changed their mind.", []string{cancel("A-1002", "the customer changed their mind")}},
		{"Can you cancel A-1002 because it is a duplicate?", []string{cancel("A-1002", "it is a duplicate")}},
		{"call off A-1002 with reason out of stock", []string{cancel("A-1002", "out of stock")}},
		{"Call A-1002 off, reason: out of stock", []string{cancel("A-1002", "out of stock")}},
		{"abort A-1002 due to fraud", []string{cancel("A-1002", "fraud")}},
		{"I want to cancel A-1002 since it is late", []string{cancel("A-1002", "it is late")}},
		{"I need A-1002 cancelled because it is late", []string{cancel("A-1002", "it is late")}},
		{"The customer changed their mind. Please cancel A-1002.", []string{cancel("A-1002", "The customer changed their mind")}},
		{"A-1002: cancel it, ordered twice", []string{cancel("A-1002", "ordered twice")}},
		{`cancel A-1002 "wrong size"`, []string{cancel("A-1002", "wrong size")}},
		{"cancel A-1002 and A-1004 because damaged", []string{cancel("A-1002", "damaged"), cancel("A-1004", "damaged")}},
		{"cancel orders A-1002, A-1003 and A-1004: out of stock", []string{cancel("A-1002", "out of stock"), cancel("A-1003", "out of stock"), cancel("A-1004", "out of stock")}},
		{"cancel A-1002 but not A-1003 because damaged", []string{cancel("A-1002", "damaged")}},
		{"don't forget to cancel A-1002 because it is late", []string{cancel("A-1002", "it is late")}},
		{"show A-1002 and then cancel it because it is late", []string{get("A-1002"), cancel("A-1002", "it is late")}},
		{"refund 25.50 EUR on A-1003 because damaged", []string{refund("A-1003", "25.50", "damaged")}},
		{"refund €20 for A-1003, damaged in transit", []string{refund("A-1003", "20", "damaged in transit")}},
		{"pay back 12,50 EUR on order A-1003 because it was late", []string{refund("A-1003", "12.50", "it was late")}},
		{"give the customer 5 euros back on A-1003 because it was late", []string{refund("A-1003", "5", "it was late")}},
		{"Please refund A-1003: 1,250.00 EUR, since the box was empty", []string{refund("A-1003", "1250.00", "the box was empty")}},
		{"I need to get a refund of 20 EUR on A-1003 because damaged", []string{refund("A-1003", "20", "damaged")}},
		{"refund A-1003 20 EUR damaged", []string{refund("A-1003", "20", "damaged")}},
		{"cancel A-1002 because late and refund 20 EUR on A-1003 because damaged", []string{cancel("A-1002", "late"), refund("A-1003", "20", "damaged")}},
		{"don't cancel A-1002, refund 20 EUR on it because damaged", []string{refund("A-1002", "20", "damaged")}},
		{"cancel A-1002 (duplicate)", []string{cancel("A-1002", "duplicate")}},
		{"A-1002 should be cancelled because it is late", []string{cancel("A-1002", "it is late")}},
		{"please cancel A-1002 for the reason that it was a mistake", []string{cancel("A-1002", "it was a mistake")}},
		{"cancel order A-1002. Reason: duplicate", []string{cancel("A-1002", "duplicate")}},
		{"cancel A-1002 because late. Cancel A-1002 because late.", []string{cancel("A-1002", "late")}},
		{"alert the ops team about the delay of A-1002", []string{notify(`{"message":"the delay of A-1002","recipient":"ops team"}`)}},
		{"Notify: stock is low", []string{notify(`{"message":"stock is low"}`)}},
		{"note on A-1002: gift wrap", []string{note("gift wrap")}},
		{"set note on A-1002 to call back tomorrow", []string{note("call back tomorrow")}},
		{"change A-1002's note to urgent", []string{note("urgent")}},
		{"clear the note of order A-1002", []string{note("")}},
		{"remove the note from A-1002, it is outdated", []string{note("")}},
		{"cancel order A-1002 and refund 10 on A-1003, both broken", []string{cancel("A-1002", "both broken"), refund("A-1003", "10", "both broken")}},
		{"give 10.50 back on A-1003 because it was damaged", []string{refund("A-1003", "10.50", "it was damaged")}},
		{"send notice to bob: meeting at 5", []string{notify(`{"message":"meeting at 5","recipient":"bob"}`)}},
		{"tell support the printer is broken", []string{notify(`{"message":"the printer is broken","recipient":"support"}`)}},
		{"email ops saying the server is down", []string{notify(`{"message":"the server is down","recipient":"ops"}`)}},
		{"add a note to A-1002 saying call before delivery", []string{note("call before delivery")}},
		{`set the note of a-1002 to "leave at the door"`, []string{note("leave at the door")}},
		{"put a comment on A-1002 that the customer is moving", []string{note("the customer is moving")}},
		{"change the note on A-1002 to 'don't ring'", []string{note("don't ring")}},
		{"Note on A-1002: customer called. Wants gift wrap", []string{note("customer called. Wants gift wrap")}},
		{"note on A-1002: pack and return it to the shelf", []string{note("pack and return it to the shelf")}},
		{"tell the warehouse to hold A-1002", []string{notify(`{"message":"hold A-1002","recipient":"warehouse"}`)}},
		{"notify alice@acme.test that A-1002 is late", []string{notify(`{"message":"A-1002 is late","recipient":"alice@acme.test"}`)}},
		{`send a message to the shipping team saying “we close at 5”`, []string{notify(`{"message":"we close at 5","recipient":"shipping team"}`)}},
		{"let the customer know that the parcel is late", []string{notify(`{"message":"the parcel is late","recipient":"customer"}`)}},
		{"message Bob: the truck is here", []string{notify(`{"message":"the truck is here","recipient":"Bob"}`)}},
		{"inform everyone that the shop closes early", []string{notify(`{"message":"the shop closes early","recipient":"everyone"}`)}},
		{"tell the customer the order is late", []string{notify(`{"message":"the order is late","recipient":"customer"}`)}},
		{"cancel A-1002 because late and tell the warehouse that A-1002 is off", []string{cancel("A-1002", "late"), notify(`{"message":"A-1002 is off","recipient":"warehouse"}`)}},
	}
}

func TestSentences(t *testing.T) {
	t.Parallel()
	for _, test := range append(readSentences(), writeSentences()...) {
		t.Run(test.said, func(t *testing.T) {
			t.Parallel()
			got := answerTo(t, llm.Request{Messages: []llm.Message{user(test.said)}, Tools: demoTools()})
			require.Equal(t, test.want, callsOf(got), "text: %s\nreasoning: %s", got.Text, got.Reasoning)
			require.Empty(t, got.Text)
			require.NotEmpty(t, got.Reasoning)
			require.Equal(t, llm.FinishToolCalls, got.Finish)
		})
	}
}

func TestRepliesWithoutCalls(t *testing.T) {
	t.Parallel()
	tests := []struct{ said, want string }{
		{"cancel an order", "Which order? I need the order id, for example A-1002. What is the reason? (Why, in a few words)"},
		{"cancel A-1002", "What is the reason?"},
		{"cancel A-1002 please", "What is the reason?"},
		{"cancel A-1002 now", "What is the reason?"},
		{"cancel A-1002 for me", "What is the reason?"},
		{"cancel order 1002 because late", "“1002” cannot be the order id."},
		{"refund A-1003 because damaged", "How much? I need the amount (Amount in EUR)."},
		{"refund -5 EUR on A-1003 because damaged", "The amount cannot be -5: it must be more than 0."},
		{"refund 20 EUR because damaged", "Which order?"},
		{"look up an order", "Which order?"},
		{"add a note to A-1002", "What is the note?"},
		{"notify the warehouse", "What is the message?"},
		{"cancel it because it is late", "Which order?"},
		{"cancel A-1002 because late and refund A-1003 because damaged", "To refund order A-1003: How much?"},
		{"don't cancel A-1002", "Understood: “don't cancel A-1002”. I did nothing"},
		{"Do not refund A-1003 please", "I did nothing"},
		{"please never cancel A-1002", "I did nothing"},
		{"hello", "Hello. Here is what I can use: list orders, newest first; get one order by its id; cancel a pending order;"},
		{"hi there, good morning", "Hello."},
		{"thanks a lot!", "You are welcome."},
		{"what can you do?", "Here is what I can use:"},
		{"make me a sandwich", "I found no tool for that, so I did nothing. Here is what I can use:"},
		{"undo the cancellation of A-1007", "I found no tool for that"},
		{"reinstate A-1007 because it was cancelled by mistake", "I found no tool for that"},
		{"un-cancel A-1007 because late", "I did nothing"},
		{"uncancel A-1007 because late", "I found no tool for that"},
		{"revoke the cancellation of A-1007 because late", "I found no tool for that"},
		{"cancel the refund of A-1003 because late", "I found no tool for that"},
		{"do not, under any circumstances, cancel A-1002 because late", "I did nothing"},
		{"clear A-1002", "I found no tool for that"},
		{"delete A-1002", "I found no tool for that"},
		{"what is the meaning of life?", "I did nothing."},
		{"", "Here is what I can use:"},
		{"???", "Here is what I can use:"},
	}
	for _, test := range tests {
		t.Run(test.said, func(t *testing.T) {
			t.Parallel()
			got := answerTo(t, llm.Request{Messages: []llm.Message{user(test.said)}, Tools: demoTools()})
			require.Empty(t, callsOf(got), got.Reasoning)
			require.Contains(t, got.Text, test.want)
			require.Equal(t, llm.FinishStop, got.Finish)
		})
	}
}
