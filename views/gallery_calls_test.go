package views_test

import (
	"strings"
	"time"

	"github.com/agentstudio/agentstudio/views/approvals"
	"github.com/agentstudio/agentstudio/views/chat"
	"github.com/agentstudio/agentstudio/views/ui"
)

func text(s string) approvals.Node { return approvals.Node{Kind: approvals.String, Text: s} }

func digits(s string) approvals.Node { return approvals.Node{Kind: approvals.Number, Text: s} }

func card() approvals.Card {
	return approvals.Card{
		Site: site(), ID: "0198-a1", Verb: "Cancel an order", Tool: "fs_orders · cancel_order", Consequential: true,
		Agent: "Order desk", AgentVersion: 4, Person: "Max Member", Tenant: "Acme Field Service",
		Args: []approvals.Arg{
			{Name: "order_id", Type: "text", Value: text("A-1002")},
			{Name: "reason", Type: "text", Value: text("Customer changed their mind\u202e (phone call)")},
			{Name: "refund", Type: "number", Value: digits("84.50")},
			{Name: "customer", Type: "whole number", Value: digits("9007199254740993")},
			{Name: "notify", Type: "yes/no", Note: "default", Value: approvals.Node{Kind: approvals.Bool, Text: "true"}},
		},
		Filled: []approvals.Filled{{Name: "tenant", Value: "acme"}, {Name: "caller", Value: "max@acme.test"}},
		Why: approvals.Why{
			Words: "Cancel order A-1002, the customer changed their mind.", Rules: []string{"Cancellations", "Orders in view"},
			Reasoning: "A-1002 is pending, so the rule allows cancelling it.",
			Verdict:   ui.Mark{Text: "Review: no breach", Tone: ui.OK}, VerdictBy: "Offline checks",
		},
		Hash: "7f3a91c2e0d94b6d8c1f", Nonce: "n-18", State: approvals.Pending, Requested: ago(1), Expires: now().Add(14 * time.Minute),
	}
}

func treeCard() approvals.Card {
	c := card()
	c.ID, c.Verb, c.Tool, c.Consequential = "0198-a3", "Change several orders", "fs_orders · update_orders", false
	c.Why = approvals.Why{Words: "Move both orders to Friday and tell the customers."}
	c.Args = []approvals.Arg{
		{Name: "orders", Type: "list", Value: approvals.Node{Kind: approvals.Array, Items: []approvals.Node{
			{Kind: approvals.Object, Fields: []approvals.Member{{Name: "id", Value: text("A-1002")}, {Name: "day", Value: text("2026-12-04")}, {Name: "crew", Value: approvals.Node{Kind: approvals.Array, Items: []approvals.Node{digits("7"), digits("12")}}}}},
			{Kind: approvals.Object, Fields: []approvals.Member{{Name: "id", Value: text("A-1003")}, {Name: "day", Value: approvals.Node{Kind: approvals.Null}}, {Name: "cr\u200bew", Value: approvals.Node{Kind: approvals.Array}}}},
		}}},
		{Name: "message", Type: "text", Value: text("Dear customer,\nwe come on Friday.\n\n\tYour \u2066crew\u2069 ")},
		{Name: "subject", Type: "text", Value: text("")},
		{Name: "terms", Type: "text", Value: text(strings.Repeat("The crew arrives between eight and ten, and calls before. ", 30))},
		{Name: "unbroken", Type: "text", Value: text(strings.Repeat("x1F", 60))},
	}
	return c
}

func refusedCard() approvals.Card {
	c := card()
	c.Error = "The call you saw is not the one that waits. Look at it again before deciding."
	c.Progress = "1 of 2 people approved"
	return c
}

func viewerCard() approvals.Card {
	c := card()
	c.CannotDecide = "Only Max Member or an administrator can decide on this call."
	return c
}

func settledCard(state approvals.State, outcome approvals.Outcome) approvals.Card {
	c := card()
	c.State, c.Outcome = state, outcome
	if state == approvals.Consumed || state == approvals.Approved || state == approvals.Granted || state == approvals.Denied {
		c.Decision = approvals.Decision{By: "Ada Admin", At: ago(3)}
	}
	switch {
	case outcome == approvals.Succeeded:
		c.Run = approvals.Run{At: ago(3), Sentence: "Order A-1002 is cancelled.", Result: "{\n  \"order_id\": \"A-1002\",\n  \"status\": \"cancelled\"\n}"}
	case outcome == approvals.Failed:
		c.Run = approvals.Run{At: ago(3), Sentence: "Only pending orders can be cancelled."}
	case state == approvals.Denied:
		c.Decision.Reason = "Ask the customer once more first."
	}
	return c
}

func waitingRows() []approvals.Row {
	return []approvals.Row{
		{ID: "0198-a1", Verb: "Cancel an order", Tool: "fs_cancel_order", Line: "order_id: \"A-1002\", reason: \"Customer changed their mind\u202e\"", Agent: "Order desk", Person: "Max Member", Consequential: true, State: approvals.Pending, Requested: ago(1), Expires: now().Add(14 * time.Minute)},
		{ID: "0198-a2", Verb: "Refund a payment", Tool: "fs_refund", Line: "payment: 9007199254740993, amount: 84.50", Agent: "Order desk", Person: "Ada Admin", State: approvals.Pending, Requested: ago(9), Expires: now().Add(40 * time.Second)},
		{ID: "0198-a3", Verb: "Export all orders", Tool: "fs_export", Line: `format: "csv"`, Person: "Nightly export", State: approvals.Pending, Requested: ago(12), Expires: now().Add(26 * time.Hour)},
	}
}

func settledRows() []approvals.Row {
	rows := waitingRows()
	rows[0].State, rows[0].Outcome, rows[0].DecidedBy, rows[0].DecidedAt = approvals.Consumed, approvals.Succeeded, "Ada Admin", ago(1)
	rows[1].State, rows[1].DecidedBy, rows[1].DecidedAt = approvals.Denied, "Max Member", ago(60)
	rows[2].State = approvals.Expired
	return rows
}

func stopURL() string { return site().URL("sessions", "s-1", "stop") }

func sendURL() string { return site().URL("sessions", "s-1", "messages") }

// items is a turn that waits for a person, as its log tells it.
func items() []chat.Item {
	return []chat.Item{
		chat.Person{ID: "1", Who: "Max Member", Text: "Which orders are open?", At: ago(6)},
		chat.RulesMatched{ID: "1", Names: []string{"Orders in view"}, Of: 4, Took: 120 * time.Millisecond},
		chat.ToolsOffered{ID: "1", Names: []string{"fs_list_orders", "fs_get_order"}},
		chat.Proposed{Call: "0", Tool: "fs_list_orders", Line: `status: "pending", limit: 5`},
		chat.Running{Call: "0", Tool: "fs_list_orders"},
		chat.Result{Call: "0", Tool: "fs_list_orders", Mark: ui.Mark{Text: "Done", Tone: ui.OK}, Line: "3 orders are pending", JSON: "{\n  \"orders\": [\n    {\"id\": \"A-1002\", \"total\": 84.50}\n  ]\n}", Took: 9 * time.Millisecond},
		chat.Reply{ID: "1", Agent: "Order desk", Text: "Three orders are open: A-1002, A-1003 and A-1007.\n\nThe oldest is A-1002, from Monday.", At: ago(6)},
		chat.Person{ID: "2", Who: "Max Member", Text: "Cancel order A-1002, the customer changed their mind.", At: ago(2)},
		chat.RulesMatched{ID: "2", Names: []string{"Cancellations", "Orders in view"}, Of: 4, Took: 140 * time.Millisecond},
		chat.Proposed{Call: "1", Tool: "fs_cancel_order", Line: `order_id: "A-1002"`, Write: true, Withdrawn: true},
		chat.Verdict{ID: "1", By: "Offline checks", Breaches: []string{"Cancellations: look at the order before cancelling it."}, Struck: "The customer asked, so I cancel it now.", Corrected: "First read A-1002 and see whether it is pending.", Took: 610 * time.Millisecond},
		chat.Proposed{Call: "2", Tool: "fs_get_order", Line: `order_id: "A-1002"`},
		chat.Result{Call: "2", Tool: "fs_get_order", Mark: ui.Mark{Text: "Done", Tone: ui.OK}, Line: "order A-1002 is pending, 2 items, 84.50 EUR", JSON: "{\n  \"status\": \"pending\"\n}", Took: 12 * time.Millisecond, Trimmed: true},
		chat.Proposed{Call: "3", Tool: "fs_cancel_order", Line: `order_id: "A-1002", reason: "Customer changed their mind", refund: 84.50, notify: true`, Write: true},
		chat.Verdict{ID: "2", Passed: true, By: "Offline checks", Todo: "confirm the refund wording", Took: 480 * time.Millisecond},
		chat.Waiting{Site: site(), Approval: "0198-a1", Tool: "fs_cancel_order", Verb: "Cancel an order", Expires: now().Add(14 * time.Minute)},
	}
}

// moreItems is what may follow, and what went otherwise.
func moreItems() []chat.Item {
	return []chat.Item{
		chat.Decided{Site: site(), Approval: "0198-a1", Tool: "fs_cancel_order", Outcome: ui.Mark{Text: "Approved", Tone: ui.OK}, By: "Ada Admin", At: ago(1)},
		chat.Result{Call: "3", Tool: "fs_cancel_order", Mark: ui.Mark{Text: "Ran once", Tone: ui.OK}, Line: "order A-1002 is cancelled", Took: 1400 * time.Millisecond},
		chat.Decided{Site: site(), Approval: "0198-a2", Tool: "fs_refund", Outcome: ui.Mark{Text: "Denied", Tone: ui.Danger}, By: "Ada Admin", At: ago(1), Reason: "Not before the parts are back."},
		chat.Refused{Call: "4", Tool: "fs_refund", Reason: "A person denied this call.", Code: "confirmation_required"},
		chat.Result{Call: "5", Tool: "fs_export", Mark: ui.Mark{Text: "Outcome unknown", Tone: ui.Warn}, Line: "it started and did not report back"},
		chat.Running{Call: "6", Tool: "fs_get_order"},
		chat.Reply{ID: "2", Agent: "Order desk", Text: "I have cancelled A-1002 and", Streaming: true},
		chat.Piece{Reply: "2", Number: 7, Text: " told the customer."},
		chat.Ended{ID: "3", Failed: true, Text: "The model did not answer in time. Nothing was changed.", Code: "model_timeout", RequestID: "01JE8Q4T9Z3M7W5K2B6H"},
		chat.Ended{ID: "4", Text: "You stopped this turn. The call that waited was cancelled."},
	}
}

func sessions() []chat.Session {
	return []chat.Session{
		{ID: "s-1", Title: "Cancel order A-1002, the customer changed", Updated: ago(2), Waiting: true},
		{ID: "s-0", Title: "Which orders are open?", Updated: ago(1500)},
	}
}

func chatView() chat.View {
	return chat.View{
		Shell: shell(), Agent: agent(), Sessions: sessions(), Session: "s-1", Items: chat.Fold(items()), After: 31,
		State:    chat.State{Working: true, Waiting: true, Text: "Waits for your decision", StopURL: stopURL()},
		Composer: chat.Composer{SendURL: sendURL(), Waiting: true},
	}
}

func emptyChat() chat.View {
	v := chatView()
	v.Items, v.State, v.Composer.Waiting = nil, chat.State{}, false
	return v
}

func settledChat() chat.View {
	v := chatView()
	v.Items = chat.Fold(append(items(), moreItems()...))
	v.State, v.Composer.Waiting = chat.State{Working: true, Text: "Writing the answer", StopURL: stopURL()}, false
	return v
}
