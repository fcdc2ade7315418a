package views_test

import (
	"strconv"

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
		{Slug: "fs_orders", Name: "Orders", Description: "Reads and changes the tenant's orders.", Source: "Host", Assigned: true, Methods: orders, Setup: needs()},
		{Slug: "fs_gone", Name: "fs_gone", Source: "Host", Assigned: true, Unavailable: "The host does not offer it any more."},
		{Slug: "wiki", Name: "Wiki", Description: "Looks up pages of the public handbook.", Source: "Built in", Methods: []agents.Method{{Slug: "wiki_search", Description: "Finds pages by words."}}},
		{Slug: "fs_payments", Name: "Payments", Description: "Refunds and captures.", Source: "Host", Unavailable: "This tenant may not use it.", Methods: []agents.Method{{Slug: "fs_refund", Description: "Refunds a payment.", Write: true}}},
	}}
}

func needs() *agents.Setup {
	return &agents.Setup{Text: "2 of 5 set", Marks: []ui.Mark{{Text: "Needs: Region", Tone: ui.Warn}, {Text: "Each user sets: API key"}}}
}

// params has a parameter for every control.
func params() []agents.Param {
	list := []agents.Param{
		{Control: agents.Choice, Label: "Region", Help: "Where the orders are.", Required: true, Options: []ui.Option{{Label: "Choose…"}, {Value: "eu", Label: "eu"}}, Shown: "Not set"},
		{Control: agents.Number, Label: "Max rows", Help: "The most rows that a list returns. From 1 to 500. 100 if left empty.", About: "The most rows that a list returns.", Placeholder: "100", Min: "1", Max: "500", Step: "1", Shown: "100 (default)", Overridable: true},
		{Label: "Sender", Help: "Name under which notices are sent. At most 80 characters.", Value: "Order desk <b>", Shown: "Order desk <b>", Set: true, Choices: site().URL("agents", "orders", "tools", "fs_orders", "options", "sender")},
		{Control: agents.Block, Label: "Greeting", Value: "\nHello", Shown: "\nHello", Set: true},
		{Control: agents.Block, Label: "Limits", Help: "Write it as JSON.", Schema: "{\n  \"type\": \"array\"\n}", Shown: "Not set"},
		{Control: agents.Day, Label: "Since", Shown: "Not set"},
		{Control: agents.Clock, Label: "Opens", Step: "1", Shown: "Not set"},
		{Control: agents.Moment, Label: "Until", Step: "1", Shown: "Not set"},
		{Control: agents.Email, Label: "Contact", Shown: "Not set"},
		{Control: agents.Address, Label: "Endpoint", Shown: "Not set"},
		{Control: agents.Secret, Label: "Signing key", Value: "********", Help: "Stored; leave it as it is to keep it, empty it to remove it.", Shown: "Stored, and never shown", Set: true},
	}
	for i := range list {
		list[i].Name = "p" + strconv.Itoa(i)
		list[i].ID, list[i].Field = "param-"+strconv.Itoa(i), "param."+list[i].Name
	}
	return list
}

func toolkitView() agents.ToolkitView {
	return agents.ToolkitView{
		Shell: shellWith(ui.Notice{Tone: ui.OK, Text: "Saved as version 4."}), Agent: agent(), Params: params(),
		Toolkit: agents.Toolkit{Slug: "fs_orders", Name: "Orders", Description: "Reads and changes the tenant's orders.", Setup: needs()},
		Managed: []agents.Managed{{Name: "endpoint", Label: "Endpoint", Help: "Address of the shop."}, {Name: "key", Label: "Key", Error: "This may not be sent."}},
	}
}

func invalidToolkit() agents.ToolkitView {
	v := toolkitView()
	v.Shell = shell()
	v.Params[0].Error, v.Params[0].Focus = "Region is missing.", true
	v.Params[10].Error = "Type it again: what you typed was not saved, and is never shown."
	v.Params[1].Value, v.Params[1].Error = "900", "Max rows must be at most 500."
	return v
}

func ownToolkit(set bool) agents.ToolkitView {
	v := toolkitView()
	v.Shell, v.Agent = shell(), readOnlyAgent()
	own := params()[1:3]
	for i := range own {
		own[i].ID, own[i].Choices = "own-"+strconv.Itoa(i), ""
	}
	v.Own = &agents.OwnForm{Params: own, Set: set}
	if set {
		own[0].Value, own[0].Error = "0", "Max rows must be at least 1."
		v.Own.Ignored = []string{"region"}
	}
	return v
}

func goneToolkit() agents.ToolkitView {
	v := agents.ToolkitView{Shell: shell(), Agent: agent()}
	v.Toolkit = agents.Toolkit{Slug: "fs_gone", Name: "fs_gone", Unavailable: "The host does not offer it any more."}
	v.Params = []agents.Param{{Name: "region", Label: "Region", Shown: "eu", Set: true}}
	return v
}

func choices() agents.Choices {
	return agents.Choices{ID: "param-2", Label: "Sender", Options: []ui.Option{{Value: "desk", Label: "Order desk"}, {Value: "<b>", Label: "Max\u202e <b>"}}}
}

func choicesView(c agents.Choices) agents.ChoicesView {
	return agents.ChoicesView{Shell: shell(), Agent: agent(), Toolkit: agents.Toolkit{Slug: "fs_orders", Name: "Orders"}, Choices: c}
}

func versionsView() agents.VersionsView {
	return agents.VersionsView{Shell: shell(), Agent: agent(), Versions: []agents.Version{
		{Number: 4, At: ago(14), By: "Ada Admin", Note: "Edited the rule Cancellations.", Live: true},
		{Number: 3, At: ago(200), By: "Ada Admin", Note: "Assigned Orders."},
		{Number: 2, At: ago(1600), By: "Max Member", Note: "Changed the instructions."},
		{Number: 1, At: ago(1700), By: "Max Member", Note: "Created."},
	}}
}
