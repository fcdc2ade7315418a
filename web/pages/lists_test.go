package pages

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/policy"
	"github.com/agentstudio/agentstudio/studio/agents"
	"github.com/agentstudio/agentstudio/tenancy"
	"github.com/agentstudio/agentstudio/views/approvals"
	auditviews "github.com/agentstudio/agentstudio/views/audit"
	"github.com/agentstudio/agentstudio/views/ui"
	"github.com/agentstudio/agentstudio/web/respond"
)

func TestCallsOfADay(t *testing.T) {
	t.Parallel()
	midnight := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	at := func(hour int) models.Instant { return models.InstantOf(midnight.Add(time.Duration(hour) * time.Hour)) }
	today := since([]models.Approval{
		{IssuedAt: at(-1), State: models.ApprovalDenied},
		{IssuedAt: at(0), State: models.ApprovalConsumed, Outcome: models.OutcomeSucceeded},
		{IssuedAt: at(2), State: models.ApprovalConsumed, Outcome: models.OutcomeUnknown},
		{IssuedAt: at(3), State: models.ApprovalConsumed},
		{IssuedAt: at(23), State: models.ApprovalStale},
	}, midnight)
	require.Len(t, today, 4)

	values := map[string]int{}
	for _, point := range callsPlot(today).Points {
		values[point.Label] = point.Value
	}
	require.Equal(t, map[string]int{"Ran once": 1, "Failed": 0, "Unknown": 1, "Denied": 0, "Lapsed": 1, "Open": 1}, values)

	hours := hoursPlot(today).Points
	require.Len(t, hours, 8)
	require.Equal(t, 2, hours[0].Value)
	require.Equal(t, 1, hours[1].Value)
	require.Equal(t, 1, hours[7].Value)
}

func TestNeeds(t *testing.T) {
	t.Parallel()
	list := needs(testSite(), []approvals.Row{
		{ID: "a1", Verb: "Cancel an order", Agent: "Order desk", Person: "Max", Line: "x"}, {ID: "a2", Person: "Max", Line: "y"},
	})
	require.Equal(t, "Order desk asks for Max: x", list[0].Detail)
	require.Equal(t, "/studio/t/acme/approvals/a1", list[0].Action.Href)
	require.Equal(t, "Max asked directly: y", list[1].Detail)
}

func TestFirstSteps(t *testing.T) {
	t.Parallel()
	require.False(t, approveStep(testSite(), []models.Approval{{State: models.ApprovalDenied}}).Done)
	require.True(t, approveStep(testSite(), []models.Approval{{State: models.ApprovalConsumed}}).Done)
	require.False(t, makeStep(testSite(), make([]agents.Item, 1)).Done)
	require.True(t, makeStep(testSite(), make([]agents.Item, 2)).Done)
	require.Empty(t, tryStep(testSite(), nil, false).Action.Href)
	version := models.AgentVersion{Definition: models.Definition{Rules: []models.Rule{{ID: "made", Toolkit: "fs_orders"}, {ID: "own"}}}}
	require.Equal(t, []string{"own"}, ownRules(version))
}

func TestAnEntryOfTheAudit(t *testing.T) {
	t.Parallel()
	p := &auditPages{registry: testRegistry(t)}
	row := p.row(testSite(), models.AuditEntry{
		At: 1_000, Action: models.AuditRan, Actor: "u-ada", Requester: "u-max", ApprovalID: "a1", Slug: "fs_orders",
		Method: "cancel_order", ArgumentsHash: []byte{1}, Outcome: "succeeded",
	}, testNames)
	require.Equal(t, auditviews.Row{
		At: time.UnixMilli(1_000).UTC(), Asked: "Max Member", Decided: "Ada Admin", What: "Cancel an order",
		Tool: "fs_orders · cancel_order", Outcome: ui.Mark{Text: "Ran once", Tone: ui.OK}, Hash: "01",
		Href: "/studio/t/acme/approvals/a1",
	}, row)

	for who, want := range map[string]bool{"": true, " ADA ": true, "max": true, "eve": false} {
		require.Equal(t, want, auditFilter{who: who, tool: "CANCEL"}.matches(row), "who %q", who)
	}
	require.False(t, auditFilter{tool: "refund"}.matches(row))
	require.Equal(t, "before=b&outcome=ran&who=a+b", auditFilter{who: "a b", action: "ran"}.query("b"))
}

func TestEveryActionHasAWord(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, option := range actionOptions("denied") {
		require.Equal(t, option.Value == "denied", option.Selected)
		if option.Value == "" {
			continue
		}
		mark := actionMark(models.AuditEntry{Action: models.AuditAction(option.Value), Outcome: "failed"})
		require.False(t, seen[mark.Text], "%s is used twice", mark.Text)
		seen[mark.Text] = true
	}
	require.Equal(t, "not yet", decidedBy(models.AuditEntry{Action: models.AuditRequested, Actor: "u-max"}, testNames))
}

func TestToolkitsOfATenant(t *testing.T) {
	t.Parallel()
	narrow, err := policy.Tooling{TenantToolkits: map[string][]string{"globex": {}}}.Freeze()
	require.NoError(t, err)
	p := &agentPages{registry: testRegistry(t), tooling: narrow}

	orders, _ := p.registry.Group("fs_orders")
	shown := p.assignable("acme", []agents.ToolkitView{
		{Slug: "fs_orders", Group: &orders, Available: true}, {Slug: "fs_gone", Title: "fs_gone", Why: "It is gone."},
	})
	require.Len(t, shown, 2)
	require.True(t, shown[0].Assigned)
	require.Empty(t, shown[0].Unavailable)
	require.True(t, shown[0].Methods[0].Write)
	require.False(t, shown[0].Methods[1].Write)
	require.Equal(t, "fs_gone", shown[1].Slug)
	require.Equal(t, "It is gone.", shown[1].Unavailable)
	require.Len(t, p.assignable("acme", nil), 1)
	require.Empty(t, p.assignable("globex", nil), "what a tenant may not use is not shown")
}

func TestHealth(t *testing.T) {
	t.Parallel()
	p := &agentPages{registry: testRegistry(t)}
	d := models.Definition{Rules: []models.Rule{{Tools: []string{"fs_get_order", "fs_gone"}}, {Tools: []string{"fs_gone"}}}}
	require.Equal(t, 2, p.unavailable("acme", d))
	d.Toolkits = []string{"fs_orders"}
	require.Equal(t, 1, p.unavailable("acme", d))
	require.Equal(t, ui.Mark{Text: "1 tool unavailable", Tone: ui.Warn}, health(1))
	require.Equal(t, "Ready", health(0).Text)
}

func TestProblemsOfRules(t *testing.T) {
	t.Parallel()
	p := &agentPages{registry: testRegistry(t)}
	item := agents.Item{Live: models.AgentVersion{Definition: models.Definition{Toolkits: []string{"fs_orders"}}}}
	require.Empty(t, p.ruleProblem(item, models.Rule{Tools: []string{"fs_get_order"}}))
	require.Equal(t, "fs_gone does not exist any more", p.ruleProblem(item, models.Rule{Tools: []string{"fs_gone"}}))
	item.Live.Definition.Toolkits = nil
	require.Equal(t, "fs_get_order is not assigned", p.ruleProblem(item, models.Rule{Tools: []string{"fs_get_order"}}))
}

func TestRulesReadAsTheyMatch(t *testing.T) {
	t.Parallel()
	require.True(t, ruleView(models.Rule{Kind: models.RulePolicy, Content: "Be brief."}, "").Always)
	named := ruleView(models.Rule{Kind: models.RuleObservation, Condition: "a refund", Title: "a refund"}, "")
	require.Empty(t, named.Title, "an observation that is called after its condition says it once")
	require.NotEmpty(t, ruleView(models.Rule{Tools: []string{"fs_get_order"}}, "").Condition)
}

func TestTheCatalogue(t *testing.T) {
	t.Parallel()
	group, ok := testRegistry(t).Group("fs_orders")
	require.True(t, ok)
	toolkit := catalogued(group, []agents.Item{
		{Live: models.AgentVersion{Definition: models.Definition{Title: "Order desk", Toolkits: []string{"fs_orders"}}}},
		{Live: models.AgentVersion{Definition: models.Definition{Title: "Other"}}},
	})
	require.Equal(t, []string{"Order desk"}, toolkit.UsedBy)
	require.Equal(t, "Host", toolkit.Source)
	require.Contains(t, toolkit.Methods[0].Schema, "\n  \"")
	require.NotEmpty(t, rejected([]hosttools.Rejection{{Slug: "x", Reason: "r"}})[0].Fix)
}

func TestProblems(t *testing.T) {
	t.Parallel()
	view := problemView(respond.Problem{Code: models.CodeNotFound, Message: "m", RequestID: "id"})
	require.Equal(t, "This page does not exist", view.Title)
	require.Equal(t, "m", view.Sentence)
	require.Equal(t, "id", view.RequestID)
	require.Equal(t, "Something went wrong", problemView(respond.Problem{Code: "new_code"}).Title)
}

func TestRoles(t *testing.T) {
	t.Parallel()
	require.Equal(t, "Admin", roleOf(tenancy.Scope{Tenant: "acme", MayAdminister: true, MayAuthor: true}))
	require.Equal(t, "Author", roleOf(tenancy.Scope{Tenant: "acme", MayAuthor: true}))
	require.Equal(t, "Member", roleOf(tenancy.Scope{Tenant: "acme"}))
}
