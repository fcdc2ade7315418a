package views_test

import (
	"fmt"
	"time"

	"github.com/a-h/templ"

	"github.com/agentstudio/agentstudio/views/agents"
	"github.com/agentstudio/agentstudio/views/approvals"
	"github.com/agentstudio/agentstudio/views/audit"
	"github.com/agentstudio/agentstudio/views/chat"
	"github.com/agentstudio/agentstudio/views/home"
	"github.com/agentstudio/agentstudio/views/layout"
	"github.com/agentstudio/agentstudio/views/people"
	"github.com/agentstudio/agentstudio/views/problem"
	"github.com/agentstudio/agentstudio/views/signin"
	"github.com/agentstudio/agentstudio/views/tools"
	"github.com/agentstudio/agentstudio/views/ui"
)

// now is the moment at which the sample data is looked at.
func now() time.Time { return time.Now().Truncate(time.Second) }

func ago(minutes int) time.Time { return now().Add(-time.Duration(minutes) * time.Minute) }

func site() ui.Site { return ui.Site{Prefix: "/studio", Tenant: "acme"} }

func shell() layout.Shell {
	return layout.Shell{Site: site(), TenantName: "Acme Field Service", Role: "Admin", Person: "Ada Admin", Waiting: 3}
}

func shellWith(notice ui.Notice) layout.Shell {
	s := shell()
	s.Notices = []ui.Notice{notice}
	return s
}

// gallery is every page in every state that looks different.
func gallery() map[string]templ.Component {
	signedIn := shell()
	return map[string]templ.Component{
		"signin":              signin.Page(signinView("")),
		"signin-error":        signin.Page(signinView("This person is not part of the demo. Pick one below.")),
		"signin-empty":        signin.Page(signin.View{Site: site()}),
		"home":                home.Page(homeView()),
		"home-new":            home.Page(newHomeView()),
		"agents":              agents.ListPage(agentList()),
		"agents-empty":        agents.ListPage(agents.ListView{Shell: shell(), CanCreate: true}),
		"agents-none":         agents.ListPage(agents.ListView{Shell: shell()}),
		"agent-new":           agents.NewPage(agents.NewView{Shell: shell(), Form: emptyForm()}),
		"agent-new-invalid":   agents.NewPage(agents.NewView{Shell: shell(), Form: invalidForm()}),
		"agent-instructions":  agents.InstructionsPage(agents.InstructionsView{Shell: shellWith(ui.Notice{Tone: ui.OK, Text: "Saved as version 4."}), Agent: agent(), Form: filledForm()}),
		"agent-readonly":      agents.InstructionsPage(agents.InstructionsView{Shell: shell(), Agent: readOnlyAgent(), Form: filledForm()}),
		"agent-rules":         agents.RulesPage(rulesView(nil)),
		"agent-rules-new":     agents.RulesPage(rulesView(&agents.RuleForm{Kind: agents.Observation, Weight: "MEDIUM", Tools: toolOptions()})),
		"agent-rules-invalid": agents.RulesPage(rulesView(invalidRule())),
		"agent-rules-empty":   agents.RulesPage(agents.RulesView{Shell: shell(), Agent: agent()}),
		"agent-tools":         agents.ToolsPage(toolsView()),
		"agent-tools-empty":   agents.ToolsPage(agents.ToolsView{Shell: shell(), Agent: agent()}),
		"toolkit":             agents.ToolkitPage(toolkitView()),
		"toolkit-invalid":     agents.ToolkitPage(invalidToolkit()),
		"toolkit-own":         agents.ToolkitPage(ownToolkit(false)),
		"toolkit-own-invalid": agents.ToolkitPage(ownToolkit(true)),
		"toolkit-gone":        agents.ToolkitPage(goneToolkit()),
		"toolkit-nothing":     agents.ToolkitPage(agents.ToolkitView{Shell: shell(), Agent: agent(), Toolkit: agents.Toolkit{Slug: "wiki", Name: "Wiki"}}),
		"choices":             agents.ChoicesPage(choicesView(choices())),
		"choices-failed":      agents.ChoicesPage(choicesView(agents.Choices{Label: "Sender", Error: "Orders could not list its choices."})),
		"choices-none":        agents.ChoicesPage(choicesView(agents.Choices{Label: "Sender"})),
		"members": people.MembersPage(people.MembersView{
			Shell: shellWithMenu(), Link: "https://studio.example/join/acme?key=ABC",
			Members: []people.Member{
				{ID: "1", Name: "Ada Admin", Email: "ada@acme.test", Self: true, Groups: []ui.Option{{Value: "night", Label: "night"}}},
			},
			Invitations: []people.Invitation{{ID: "i", Role: "Author", For: "sam@acme.test", By: "Ada Admin"}},
			Groups:      []people.Group{{Name: "night", About: "Who works at night", Count: 2}},
			Errors:      map[string]string{"member": "This is the only admin. Make somebody else one first."},
		}),
		"tokens": people.TokensPage(people.TokensView{
			Shell: shellWithMenu(), Secret: "eyJ.x.y", Admin: true, Days: "30",
			Tokens:      []people.Token{{ID: "1", Name: "Monthly report", For: "Ada Admin", For2: "run tools", Live: true}, {Name: "Old", State: "Revoked"}},
			Accounts:    []people.Account{{ID: "2", Name: "Warehouse", Role: "Author"}},
			For:         []ui.Option{{Value: "1", Label: "You"}, {Value: "2", Label: "Warehouse"}},
			Permissions: []people.Permission{{Value: "tools.execute", Label: "Run tools", Help: "Run reads."}},
			Errors:      map[string]string{"permissions": "Choose at least one thing that the token may do."},
		}),
		"join": signin.JoinPage(signin.JoinView{
			Site: shell().Site, Tenant: "acme", TenantName: "Acme Field Service", Role: "author", Person: "Ada Admin",
			Errors: map[string]string{"password": "The password is too short."},
		}),
		"confirm": signin.ConfirmPage(signin.ConfirmView{Site: shell().Site, HasPassword: true, Error: "This is not your password. Try again."}),
		"profile": signin.ProfilePage(signin.ProfileView{
			Site: shell().Site, Name: "Ada Admin", Email: "ada@acme.test", HasPassword: true, Done: "Your name is saved.",
			Places:  []signin.Place{{Name: "Acme Field Service", Role: "Admin", Href: "/studio/t/acme"}},
			SignIns: []signin.SignIn{{ID: "1", Device: "Firefox on Linux", Here: true}, {ID: "2", Device: "Chrome on Android", Address: "192.0.2.1"}},
		}),
		"agent-sharing":      agents.SharingPage(sharingView()),
		"agent-versions":     agents.VersionsPage(versionsView()),
		"chat":               chat.Page(chatView()),
		"chat-new":           chat.Page(chat.View{Shell: shell(), Agent: agent()}),
		"chat-empty":         chat.Page(emptyChat()),
		"chat-settled":       chat.Page(settledChat()),
		"approvals":          approvals.ListPage(approvals.List{Shell: shell(), Waiting: 3, Rows: waitingRows()}),
		"approvals-settled":  approvals.ListPage(approvals.List{Shell: shell(), Settled: true, Waiting: 3, Rows: settledRows(), More: "Only the newest 3 calls are listed here."}),
		"approvals-empty":    approvals.ListPage(approvals.List{Shell: shell()}),
		"approvals-nothing":  approvals.ListPage(approvals.List{Shell: shell(), Settled: true}),
		"approval":           approvals.SinglePage(approvals.Single{Shell: shell(), Card: card()}),
		"approval-tree":      approvals.SinglePage(approvals.Single{Shell: shell(), Card: treeCard()}),
		"approval-refused":   approvals.SinglePage(approvals.Single{Shell: shell(), Card: refusedCard()}),
		"approval-viewer":    approvals.SinglePage(approvals.Single{Shell: shell(), Card: viewerCard()}),
		"approval-succeeded": approvals.SinglePage(approvals.Single{Shell: shell(), Card: settledCard(approvals.Consumed, approvals.Succeeded)}),
		"approval-denied":    approvals.SinglePage(approvals.Single{Shell: shell(), Card: settledCard(approvals.Denied, approvals.NoOutcome)}),
		"tools":              tools.Page(catalogue()),
		"tools-empty":        tools.Page(tools.View{Shell: shell()}),
		"activity":           audit.Page(activity()),
		"activity-empty":     audit.Page(audit.View{Shell: shell()}),
		"activity-none":      audit.Page(audit.View{Shell: shell(), Who: "nobody"}),
		"problem":            problem.Page(notFound(nil)),
		"problem-inside":     problem.Page(notFound(&signedIn)),
	}
}

// fragments is everything that is sent without a page around it.
func fragments() map[string]templ.Component {
	all := map[string]templ.Component{
		"card":           approvals.CardView(card()),
		"state-idle":     chat.StateLine(chat.State{}),
		"state-working":  chat.StateLine(chat.State{Working: true, Text: "Reviewing the proposed call", StopURL: stopURL()}),
		"state-waiting":  chat.StateLine(chat.State{Working: true, Waiting: true, Text: "Waits for your decision", StopURL: stopURL()}),
		"composer":       chat.ComposerForm(chat.Composer{SendURL: sendURL()}),
		"composer-error": chat.ComposerForm(chat.Composer{SendURL: sendURL(), Text: "Hello", Error: "The message was not sent: this conversation is closed."}),
		"card-signal":    chat.CardSignal(site(), "0198-a1"),
		"problem":        problem.Fragment(notFound(nil)),
	}
	lines := choices()
	lines.Lines = true
	all["choices"], all["choices-lines"] = agents.ChoicesFragment(choices()), agents.ChoicesFragment(lines)
	all["choices-none"] = agents.ChoicesFragment(agents.Choices{Label: "Sender"})
	all["choices-failed"] = agents.ChoicesFragment(agents.Choices{Label: "Sender", Error: "Orders could not list its choices."})
	for _, state := range []approvals.State{approvals.Approved, approvals.Granted, approvals.Expired, approvals.Cancelled, approvals.Stale} {
		all["card-"+string(state)] = approvals.CardView(settledCard(state, approvals.NoOutcome))
	}
	for _, outcome := range []approvals.Outcome{approvals.Failed, approvals.Unknown} {
		all["card-"+string(outcome)] = approvals.CardView(settledCard(approvals.Consumed, outcome))
	}
	for i, item := range append(items(), moreItems()...) {
		all[fmt.Sprintf("item-%02d-%s", i, item.Key())] = item.Fragment()
	}
	return all
}

func signinView(message string) signin.View {
	return signin.View{Site: site(), Error: message, Next: "/studio/t/acme/approvals", Tenants: []signin.Tenant{
		{Name: "Acme Field Service", About: "Repairs heat pumps. 48 orders, two agents.", Users: []signin.User{
			{ID: "ada", Name: "Ada Admin", Role: "Admin", About: "Builds agents and decides on every write."},
			{ID: "max", Name: "Max Member", Role: "Member", About: "Chats with shared agents and decides on own calls."},
		}},
		{Name: "Globex Travel", About: "Sells city trips. Knows nothing of Acme.", Users: []signin.User{
			{ID: "gil", Name: "Gil Admin", Role: "Admin", About: "Sees an empty studio: a good place to start an agent."},
		}},
	}}
}

func homeView() home.View {
	return home.View{
		Shell: shell(),
		Needs: []home.Need{
			{Tone: ui.Warn, Kind: "Approval", Title: "Cancel an order", Detail: "Order desk asks for Max Member.", Since: ago(2), Action: ui.Link{Text: "Review", Href: site().URL("approvals", "0198-a1")}},
			{Tone: ui.Warn, Kind: "Approval", Title: "Refund a payment", Detail: "Order desk asks for you.", Since: ago(9), Action: ui.Link{Text: "Review", Href: site().URL("approvals", "0198-a2")}},
			{Tone: ui.Danger, Kind: "Agent", Title: "Invoice helper lost a tool", Detail: "A rule brings fs_send_invoice, which is not assigned any more.", Action: ui.Link{Text: "Open its rules", Href: site().URL("agents", "invoices", "rules")}},
		},
		Calls: ui.Plot{ID: "plot-calls", Title: "Calls by outcome", Summary: "41 calls, 3 of them did not run.", Unit: "calls", Points: []ui.Point{
			{Label: "Succeeded", Value: 36, Tone: ui.OK}, {Label: "Failed", Value: 2, Tone: ui.Danger}, {Label: "Denied", Value: 2}, {Label: "Refused", Value: 1},
		}},
		Waiting: ui.Plot{ID: "plot-waiting", Title: "Approvals asked for", Summary: "9 today; half were decided within 40 seconds.", Unit: "approvals", Points: []ui.Point{
			{Label: "07", Value: 0}, {Label: "08", Value: 2}, {Label: "09", Value: 4}, {Label: "10", Value: 1}, {Label: "11", Value: 0}, {Label: "12", Value: 2},
		}},
	}
}

func newHomeView() home.View {
	return home.View{
		Shell:   shell(),
		Calls:   ui.Plot{ID: "plot-calls", Title: "Calls by outcome", Summary: "No calls today.", Unit: "calls"},
		Waiting: ui.Plot{ID: "plot-waiting", Title: "Approvals asked for", Summary: "None today.", Unit: "approvals"},
		Steps: []home.Step{
			{Done: true, Title: "Sign in", Detail: "You are Ada Admin of Acme Field Service."},
			{Title: "Try the demo agent", Detail: "Ask the order desk for the newest orders.", Action: ui.Link{Text: "Open the chat", Href: site().URL("agents", "orders", "chat")}},
			{Title: "Approve a write", Detail: "Let it cancel an order, and look at what will run.", Action: ui.Link{Text: "Open approvals", Href: site().URL("approvals")}},
			{Title: "Make an agent", Detail: "With your own instructions and tools.", Action: ui.Link{Text: "New agent", Href: site().URL("agents", "new")}},
			{Title: "Add a rule", Detail: "Say what must happen in one situation."},
		},
	}
}

func notFound(s *layout.Shell) problem.View {
	return problem.View{
		Shell: s, Site: site(), Title: "This page does not exist",
		Sentence: "There is nothing at this address, or it is not shared with you.",
		Next:     "If you followed a link, ask the person who sent it which tenant it belongs to.",
		Links:    []ui.Link{{Text: "Go home", Href: site().URL()}, {Text: "All agents", Href: site().URL("agents")}},
		Code:     "not_found", RequestID: "01JE8Q4T9Z3M7W5K2B6H",
	}
}

func activity() audit.View {
	return audit.View{
		Shell: shell(), Who: "Max",
		Outcomes: []ui.Option{{Value: "", Label: "Any outcome"}, {Value: "succeeded", Label: "Ran once"}, {Value: "denied", Label: "Denied"}, {Value: "refused", Label: "Refused"}},
		Older:    "/studio/t/acme/activity?before=18120",
		Rows: []audit.Row{
			{At: ago(3), Asked: "Max Member", Decided: "Ada Admin", What: "Cancel an order", Tool: "fs_cancel_order", Line: `order_id: "A-1002", reason: "Customer changed their mind"`, Outcome: ui.Mark{Text: "Ran once", Tone: ui.OK}, Hash: "7f3a91c2e0", Href: site().URL("approvals", "0198-a1")},
			{At: ago(31), Asked: "Max Member", Decided: "Max Member", What: "Refund a payment", Tool: "fs_refund", Line: `payment: 9007199254740993, amount: 84.50`, Outcome: ui.Mark{Text: "Denied", Tone: ui.Danger}, Hash: "1bb2c3d4e5", Href: site().URL("approvals", "0198-a2")},
			{At: ago(1500), Asked: "Nightly export (API)", What: "Export all orders", Tool: "fs_export", Line: `format: "csv"`, Outcome: ui.Mark{Text: "Refused"}, Hash: "99ab00cdef"},
		},
	}
}

func catalogue() tools.View {
	schema := "{\n  \"type\": \"object\",\n  \"properties\": {\n    \"order_id\": { \"type\": \"string\" }\n  },\n  \"required\": [\"order_id\"]\n}"
	return tools.View{
		Shell: shell(),
		Toolkits: []tools.Toolkit{
			{Slug: "fs_orders", Name: "Orders", Description: "Reads and changes the tenant's orders.", Source: "Host", Version: "1.4.0", TenantBound: true, UsedBy: []string{"Order desk", "Invoice helper"}, Methods: []tools.Method{
				{Slug: "fs_list_orders", Description: "Lists orders, newest first.", Schema: schema},
				{Slug: "fs_get_order", Description: "Shows one order with its items and payments.", Schema: schema},
				{Slug: "fs_cancel_order", Description: "Cancels a pending order and releases its stock.", Write: true, Consequential: true, Schema: schema},
			}},
			{Slug: "old", Name: "Stock", Description: "Counts articles.", Source: "Host, not registered", Deprecated: "Declare it in Tools.", Params: []tools.Param{{Name: "max_rows"}, {Name: "api_key", Secret: true}, {Name: "endpoint", Managed: true}}},
			{Slug: "wiki", Name: "Wiki", Description: "Looks up pages of the public handbook.", Source: "Built in", Methods: []tools.Method{
				{Slug: "wiki_search", Description: "Finds pages by words.", Schema: schema},
			}},
		},
		Rejected: []tools.Rejected{
			{Slug: "fs_stock", Reason: "Its method Adjust returns an untyped map, so nothing is known about its result.", Fix: "Return a struct with named fields."},
		},
	}
}

func sharingView() agents.SharingView {
	return agents.SharingView{
		Shell: shell(), Agent: agent(), Now: "2 groups, its owner and admins can test it.",
		Choices: []agents.SharingChoice{
			{Value: "private", Label: "Only me", Help: "You, and the admins of Acme Field Service."},
			{Value: "tenant", Label: "Everyone in Acme Field Service", Help: "Every member can find and test it."},
			{Value: "groups", Label: "Groups…", Help: "The members of the groups you choose can find and test it.", Selected: true},
		},
		Groups: []ui.Option{{Value: "support", Label: "support", Selected: true}, {Value: "sales", Label: "sales"}},
	}
}

func shellWithMenu() layout.Shell {
	s := shell()
	s.Menu = []ui.Link{{Text: "Your profile and tenants", Href: "/studio/profile"}}
	return s
}
