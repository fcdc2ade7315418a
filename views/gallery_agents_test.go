package views_test

import (
	"github.com/agentstudio/agentstudio/views/agents"
	"github.com/agentstudio/agentstudio/views/ui"
)

func agent() agents.Agent {
	return agents.Agent{
		ID: "orders", Name: "Order desk", Version: 4, RuleCount: 4, ToolCount: 1,
		Marks: []ui.Mark{{Text: "Live v4", Tone: ui.OK}}, State: "Everyone in Acme can test it",
	}
}

func readOnlyAgent() agents.Agent {
	a := agent()
	a.ReadOnly = "Only its owner and administrators edit it. Ada Admin owns this agent."
	return a
}

func agentList() agents.ListView {
	return agents.ListView{Shell: shell(), CanCreate: true, Agents: []agents.Row{
		{ID: "orders", Name: "Order desk", Description: "Answers questions about orders and changes them on request.", Owner: "Ada Admin", Visible: "Everyone in Acme", Version: 4, Updated: ago(14), Health: ui.Mark{Text: "Ready", Tone: ui.OK}},
		{ID: "invoices", Name: "Invoice helper", Description: "Finds invoices and explains them.", Owner: "Max Member", Visible: "Only its owner", Version: 11, Updated: ago(2900), Health: ui.Mark{Text: "1 tool unavailable", Tone: ui.Warn}},
	}}
}

func models() []ui.Option {
	return []ui.Option{{Value: "offline", Label: "Offline planner", Selected: true}, {Value: "large", Label: "Large model"}}
}

func efforts() []ui.Option {
	return []ui.Option{{Value: "LOW", Label: "Low"}, {Value: "MEDIUM", Label: "Medium", Selected: true}, {Value: "HIGH", Label: "High"}}
}

func emptyForm() agents.Form { return agents.Form{Models: models(), Efforts: efforts()} }

func filledForm() agents.Form {
	f := emptyForm()
	f.Name, f.Description = "Order desk", "Answers questions about orders and changes them on request."
	f.Instructions = "You help the service desk of a company that repairs heat pumps.\n\nBe brief. Name orders by their number. Say what you changed."
	f.Review = true
	return f
}

func invalidForm() agents.Form {
	f := filledForm()
	f.Name = ""
	f.Errors = map[string]string{"name": "Give the agent a name.", "effort": "Pick one of the three."}
	return f
}

func toolOptions() []ui.Option {
	return []ui.Option{
		{Value: "fs_list_orders", Label: "fs_list_orders", Selected: true},
		{Value: "fs_get_order", Label: "fs_get_order", Selected: true},
		{Value: "fs_cancel_order", Label: "fs_cancel_order"},
		{Value: "fs_refund", Label: "fs_refund"},
	}
}

func invalidRule() *agents.RuleForm {
	return &agents.RuleForm{
		ID: "r1", Kind: agents.Policy, Title: "Cancellations", Condition: "the customer wants to cancel an order", Tools: toolOptions(), Weight: "HIGH", Review: true,
		Errors: map[string]string{"content": "Say what the agent must do.", "tools": "fs_refund is not assigned to this agent."},
	}
}

func rulesView(form *agents.RuleForm) agents.RulesView {
	return agents.RulesView{
		Shell: shell(), Agent: agent(), Form: form,
		Policies: []agents.Rule{
			{ID: "r1", Title: "Cancellations", Condition: "the customer wants to cancel an order", Content: "only cancel orders that are pending, and say what happens to the payment.", Tools: []string{"fs_get_order", "fs_cancel_order"}, Weight: "HIGH", Review: true},
			{ID: "r2", Title: "Tone", Content: "answer in the customer's language, in at most three sentences.", Weight: "LOW", Always: true},
		},
		Observations: []agents.Rule{
			{ID: "r3", Condition: "the customer asks about an order", Tools: []string{"fs_list_orders", "fs_get_order"}, Weight: "MEDIUM"},
			{ID: "r4", Condition: "stock is mentioned", Tools: []string{"fs_stock_level"}, Weight: "MEDIUM", Problem: "fs_stock_level is not assigned"},
		},
	}
}

func toolsView() agents.ToolsView {
	orders := []agents.Method{
		{Slug: "fs_list_orders", Description: "Lists orders, newest first."},
		{Slug: "fs_get_order", Description: "Shows one order with its items and payments."},
		{Slug: "fs_cancel_order", Description: "Cancels a pending order and releases its stock.", Write: true, Consequential: true},
	}
	return agents.ToolsView{Shell: shell(), Agent: agent(), Toolkits: []agents.Toolkit{
		{Slug: "fs_orders", Name: "Orders", Description: "Reads and changes the tenant's orders.", Source: "Host", Assigned: true, Methods: orders},
		{Slug: "wiki", Name: "Wiki", Description: "Looks up pages of the public handbook.", Source: "Built in", Methods: []agents.Method{{Slug: "wiki_search", Description: "Finds pages by words."}}},
		{Slug: "fs_payments", Name: "Payments", Description: "Refunds and captures.", Source: "Host", Unavailable: "This tenant may not use it.", Methods: []agents.Method{{Slug: "fs_refund", Description: "Refunds a payment.", Write: true}}},
	}}
}

func versionsView() agents.VersionsView {
	return agents.VersionsView{Shell: shell(), Agent: agent(), Versions: []agents.Version{
		{Number: 4, At: ago(14), By: "Ada Admin", Note: "Edited the rule Cancellations.", Live: true},
		{Number: 3, At: ago(200), By: "Ada Admin", Note: "Assigned Orders."},
		{Number: 2, At: ago(1600), By: "Max Member", Note: "Changed the instructions."},
		{Number: 1, At: ago(1700), By: "Max Member", Note: "Created."},
	}}
}
