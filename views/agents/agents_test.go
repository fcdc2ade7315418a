package agents_test

import (
	"bytes"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/a-h/templ"
	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/views/agents"
	"github.com/agentstudio/agentstudio/views/layout"
	"github.com/agentstudio/agentstudio/views/ui"
)

func document(t *testing.T, c templ.Component) *goquery.Document {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, c.Render(t.Context(), &out))
	parsed, err := goquery.NewDocumentFromReader(&out)
	require.NoError(t, err)
	return parsed
}

// pages is every tab on which something can be changed.
func pages(a agents.Agent) map[string]templ.Component {
	shell := layout.Shell{Site: ui.Site{Prefix: "/studio", Tenant: "acme"}, NoSignOut: true}
	rule := agents.Rule{ID: "r1", Title: "Cancellations", Condition: "x", Weight: "LOW"}
	return map[string]templ.Component{
		"instructions": agents.InstructionsPage(agents.InstructionsView{Shell: shell, Agent: a}),
		"rules": agents.RulesPage(agents.RulesView{
			Shell: shell, Agent: a, Policies: []agents.Rule{rule},
			Form: &agents.RuleForm{Kind: agents.Policy, Errors: map[string]string{"title": "Give it a title."}},
		}),
		"tools": agents.ToolsPage(agents.ToolsView{Shell: shell, Agent: a, Toolkits: []agents.Toolkit{
			{Slug: "fs_orders", Assigned: true, Setup: &agents.Setup{Text: "1 of 2 set"}}, {Slug: "wiki"}, {Slug: "fs_stock", Unavailable: "Not allowed here."},
		}}),
		"toolkit": agents.ToolkitPage(agents.ToolkitView{
			Shell: shell, Agent: a, Toolkit: agents.Toolkit{Slug: "fs_orders", Name: "Orders"},
			Params: []agents.Param{{ID: "param-0", Field: "param.region", Name: "region", Label: "Region"}},
		}),
	}
}

func TestEveryChangeNamesTheVersionItWasMadeOn(t *testing.T) {
	t.Parallel()
	for name, page := range pages(agents.Agent{ID: "orders", Name: "Order desk", Version: 4}) {
		forms := document(t, page).Find(`main form[method="post"]`)
		require.NotZero(t, forms.Length(), name)
		forms.Each(func(_ int, form *goquery.Selection) {
			require.Equal(t, "4", form.Find(`input[type="hidden"][name="expected_version"]`).AttrOr("value", ""), form.AttrOr("action", ""))
		})
	}
}

func TestReadersCannotSubmit(t *testing.T) {
	t.Parallel()
	for name, page := range pages(agents.Agent{ID: "orders", Name: "Order desk", ReadOnly: "Ada owns it."}) {
		parsed := document(t, page)
		require.Zero(t, parsed.Find(`main button[type="submit"]`).Length(), name)
		require.Contains(t, parsed.Text(), "Ada owns it.", name)
	}
}

func TestRuleFormsGoToTheirRule(t *testing.T) {
	t.Parallel()
	view := agents.RulesView{Agent: agents.Agent{ID: "orders"}, Form: &agents.RuleForm{Kind: agents.Observation}}
	view.Shell.Site = ui.Site{Prefix: "/studio", Tenant: "acme"}
	added := document(t, agents.RulesPage(view))
	require.Equal(t, 1, added.Find(`form[action="/studio/t/acme/agents/orders/rules"]`).Length())
	require.Zero(t, added.Find(`[name="title"], [name="content"]`).Length(), "an observation has neither")

	view.Form = &agents.RuleForm{ID: "r1", Kind: agents.Policy, Errors: map[string]string{"content": "Say what to do."}}
	edited := document(t, agents.RulesPage(view))
	form := edited.Find(`form[action="/studio/t/acme/agents/orders/rules/r1"]`)
	require.Equal(t, "policy", form.Find(`[name="kind"]`).AttrOr("value", ""))
	require.Equal(t, "content-error", form.Find(`[name="content"]`).AttrOr("aria-describedby", ""))
	require.Contains(t, form.Find(`[role="alert"]`).Text(), "One field needs attention.")
}

func TestUnavailableToolkitCannotBeAssigned(t *testing.T) {
	t.Parallel()
	parsed := document(t, pages(agents.Agent{ID: "orders"})["tools"])
	_, disabled := parsed.Find(`form[action$="/fs_stock/assign"] button`).Attr("disabled")
	require.True(t, disabled)
	_, disabled = parsed.Find(`form[action$="/wiki/assign"] button`).Attr("disabled")
	require.False(t, disabled)
	require.Equal(t, 1, parsed.Find(`form[action$="/fs_orders/unassign"]`).Length())
}

func TestHeadMarksTheCurrentTab(t *testing.T) {
	t.Parallel()
	head := agents.Head(ui.Site{Prefix: "/studio", Tenant: "acme"}, agents.Agent{ID: "orders", Name: "Order desk", RuleCount: 3}, agents.Rules)
	require.Equal(t, layout.Agents, head.Area)
	for _, tab := range head.Tabs {
		require.Equal(t, tab.Label == "Rules", tab.Selected, tab.Label)
	}
	require.Equal(t, "/studio/t/acme/agents/orders/chat", head.Tabs[0].Href)
	require.Equal(t, 3, head.Tabs[2].Count)
}

func TestNobodySetsUpWhatIsUnavailable(t *testing.T) {
	t.Parallel()
	parsed := document(t, agents.ToolkitPage(agents.ToolkitView{
		Toolkit: agents.Toolkit{Slug: "fs_gone", Unavailable: "The host does not offer it any more."},
		Params:  []agents.Param{{Name: "region", Label: "Region", Shown: "eu"}},
	}))
	require.Zero(t, parsed.Find("main form").Length())
	require.Contains(t, parsed.Find("main").Text(), "The host does not offer it any more.")
	require.Contains(t, parsed.Find("dd").Text(), "eu")
}
