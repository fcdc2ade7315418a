package views_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/a-h/templ"
	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/views/agents"
	"github.com/agentstudio/agentstudio/views/approvals"
	"github.com/agentstudio/agentstudio/views/audit"
	"github.com/agentstudio/agentstudio/views/chat"
	"github.com/agentstudio/agentstudio/views/home"
	"github.com/agentstudio/agentstudio/views/layout"
	"github.com/agentstudio/agentstudio/views/tools"
	"github.com/agentstudio/agentstudio/views/ui"
)

// TestNoNameTurnsASentenceAround shows names that hold the control which writes
// text from right to left, wherever people decide or look up who did what.
func TestNoNameTurnsASentenceAround(t *testing.T) {
	t.Parallel()
	const bad = "Max\u202e, for Ada"
	at := time.Date(2026, 3, 4, 10, 0, 0, 0, time.UTC)
	shell := layout.Shell{TenantName: bad, Person: bad}
	card := approvals.Card{
		Verb: bad, Tool: bad, Agent: bad, Person: bad, Tenant: bad, Filled: []approvals.Filled{{Name: bad, Value: bad, Note: bad}},
		Why:      approvals.Why{Words: bad, Rules: []string{bad}, Reasoning: bad, Verdict: ui.Mark{Text: "No breach"}, VerdictBy: bad},
		Decision: approvals.Decision{By: bad, At: at, Reason: bad}, State: approvals.Granted, RedeemUntil: at,
	}
	row := approvals.Row{Agent: bad, Person: bad, DecidedBy: bad, Line: bad}
	agent := agents.Agent{ID: "a", Name: bad}
	for name, page := range map[string]templ.Component{
		"card":     approvals.CardView(card),
		"inbox":    approvals.ListPage(approvals.List{Shell: shell, Rows: []approvals.Row{row}}),
		"chat":     chat.Page(chat.View{Shell: shell, Agent: agent, Sessions: []chat.Session{{ID: "s", Title: bad}}}),
		"message":  chat.Person{Who: bad}.Fragment(),
		"reply":    chat.Reply{Agent: bad}.Fragment(),
		"rules":    chat.RulesMatched{Names: []string{bad}}.Fragment(),
		"verdict":  chat.Verdict{By: bad, Breaches: []string{bad}, Struck: bad, Corrected: bad, Todo: bad}.Fragment(),
		"decision": chat.Decided{Tool: bad, By: bad, Reason: bad}.Fragment(),
		"ended":    chat.Ended{Text: bad}.Fragment(),
		"agents":   agents.ListPage(agents.ListView{Shell: shell, Agents: []agents.Row{{Name: bad, Description: bad, Owner: bad, Visible: bad}}}),
		"versions": agents.VersionsPage(agents.VersionsView{Shell: shell, Agent: agent, Versions: []agents.Version{{By: bad}}}),
		"sharing": agents.SharingPage(agents.SharingView{
			Shell: shell, Agent: agent, Groups: []ui.Option{{Label: bad}}, Choices: []agents.SharingChoice{{Label: bad}},
		}),
		"settings": agents.ToolkitPage(agents.ToolkitView{Shell: shell, Agent: agents.Agent{ReadOnly: "x"}, Params: []agents.Param{{Shown: bad}}}),
		"choices":  agents.ChoicesFragment(agents.Choices{ID: "p", Options: []ui.Option{{Label: bad}}}),
		"listed":   agents.ChoicesPage(agents.ChoicesView{Shell: shell, Agent: agent, Choices: agents.Choices{Options: []ui.Option{{Label: bad}}}}),
		"activity": audit.Page(audit.View{Shell: shell, Rows: []audit.Row{{What: bad, Tool: bad, Line: bad, Asked: bad, Decided: bad}}}),
		"home":     home.Page(home.View{Shell: shell, Needs: []home.Need{{Detail: bad}}}),
		"tools":    tools.Page(tools.View{Shell: shell, Toolkits: []tools.Toolkit{{UsedBy: []string{bad}}}}),
	} {
		var html bytes.Buffer
		require.NoError(t, page.Render(t.Context(), &html))
		require.NotContains(t, html.String(), "\u202e", name)
		require.Contains(t, html.String(), "U+202E", name)
	}
}
