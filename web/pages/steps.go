package pages

import (
	"cmp"
	"slices"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/policy"
	"github.com/agentstudio/agentstudio/studio/agents"
	views "github.com/agentstudio/agentstudio/views/home"
	"github.com/agentstudio/agentstudio/views/ui"
)

// maxTried is how many agents are asked for a conversation of the caller.
const maxTried = 5

// steps returns the first things to do in a tenant, and nothing once all of
// them are done. Whether one is done is read from the data.
func (p *homePages) steps(r *request, recent []models.Approval) ([]views.Step, error) {
	items, err := p.agents.List(r.ctx)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(items, func(a, b agents.Item) int { return cmp.Compare(a.Agent.CreatedAt, b.Agent.CreatedAt) })
	tried, err := p.tried(r, items)
	if err != nil {
		return nil, err
	}
	steps := []views.Step{tryStep(r.site, items, tried), approveStep(r.site, recent)}
	if p.allow(r.scope, policy.AgentsAuthor) == nil {
		ruled, err := p.ruled(r, items)
		if err != nil {
			return nil, err
		}
		steps = append(steps, makeStep(r.site, items), ruleStep(r.site, items, ruled))
	}
	if !slices.ContainsFunc(steps, func(s views.Step) bool { return !s.Done }) {
		return nil, nil
	}
	return steps, nil
}

// tried reports whether the caller has talked with one of the first agents.
func (p *homePages) tried(r *request, items []agents.Item) (bool, error) {
	for _, item := range items[:min(len(items), maxTried)] {
		conversations, err := p.sessions.List(r.ctx, item.Agent.ID, maxTried)
		if err != nil {
			return false, err
		}
		if slices.ContainsFunc(conversations, func(s models.ChatSession) bool { return s.NextOffset > 0 }) {
			return true, nil
		}
	}
	return false, nil
}

// ruled reports whether somebody wrote a rule: an agent made after the first
// one has one of its own, or the first one has one that it did not begin with.
func (p *homePages) ruled(r *request, items []agents.Item) (bool, error) {
	if len(items) == 0 {
		return false, nil
	}
	for _, item := range items[1:] {
		if len(ownRules(item.Live)) > 0 {
			return true, nil
		}
	}
	if items[0].Agent.Version == 1 {
		return false, nil
	}
	versions, err := p.agents.Versions(r.ctx, items[0].Agent.Name)
	if err != nil || len(versions) == 0 {
		return false, err
	}
	begun := ownRules(versions[len(versions)-1])
	return slices.ContainsFunc(ownRules(items[0].Live), func(id string) bool { return !slices.Contains(begun, id) }), nil
}

// ownRules returns the ids of the rules that no assignment made.
func ownRules(v models.AgentVersion) []string {
	var ids []string
	for _, rule := range v.Definition.Rules {
		if rule.Toolkit == "" {
			ids = append(ids, rule.ID)
		}
	}
	return ids
}

func tryStep(site ui.Site, items []agents.Item, tried bool) views.Step {
	step := views.Step{
		Done: tried, Title: "Try an agent", Detail: "Ask it something and watch which rules and tools it uses.",
	}
	if len(items) > 0 {
		step.Action = ui.Link{Text: "Open the chat", Href: site.URL("agents", items[0].Agent.Name, "chat")}
	}
	return step
}

func approveStep(site ui.Site, recent []models.Approval) views.Step {
	return views.Step{
		Done: slices.ContainsFunc(recent, func(a models.Approval) bool {
			return a.State == models.ApprovalConsumed || a.State == models.ApprovalApproved
		}),
		Title: "Approve a write", Detail: "Ask an agent to change something; nothing runs before a person has seen the exact call.",
		Action: ui.Link{Text: "Open approvals", Href: site.URL("approvals")},
	}
}

func makeStep(site ui.Site, items []agents.Item) views.Step {
	return views.Step{
		Done: len(items) > 1, Title: "Make an agent", Detail: "Give it a purpose, and the tools it needs for that.",
		Action: ui.Link{Text: "New agent", Href: site.URL("agents", "new")},
	}
}

func ruleStep(site ui.Site, items []agents.Item, ruled bool) views.Step {
	step := views.Step{
		Done: ruled, Title: "Add a rule", Detail: "Say what it should do in a situation, and which tools help there.",
	}
	if len(items) > 0 {
		step.Action = ui.Link{Text: "Add a rule", Href: site.URL("agents", items[len(items)-1].Agent.Name, "rules") + "?new=policy"}
	}
	return step
}
