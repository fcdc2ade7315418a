package engine

import (
	"context"
	"slices"
	"time"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/policy"
	"github.com/agentstudio/agentstudio/studio/rules"
	"github.com/agentstudio/agentstudio/studio/session"
)

// match decides which rules of the agent apply to the turn.
func (r *run) match(_ context.Context) (next, error) {
	r.matched = rules.Matcher{}.Match(rules.Input{
		Rules: r.version.Definition.Rules, Text: r.turn.Memory.Input, Sticky: r.past.sticky, Tools: r.ruleTool,
	})
	r.turn.Memory.Rules = nil
	for _, m := range r.matched {
		r.turn.Memory.Rules = append(r.turn.Memory.Rules, m.Rule.ID)
	}
	return goOn, nil
}

func (r *run) ruleTool(name string) (rules.Tool, bool) {
	d, ok := r.Registry.Lookup(name)
	if !ok {
		return rules.Tool{}, false
	}
	return rules.Tool{Name: d.Name, Description: d.Description}, true
}

// selectTools fixes what the model is offered: tools that a matched rule
// brings, that the agent has, and that the tenant may use.
func (r *run) selectTools(ctx context.Context) (next, error) {
	begun := time.Now()
	offered := slices.DeleteFunc(rules.ToolNames(r.matched), func(name string) bool { return !r.available(name) })
	r.turn.Memory.Tools = offered
	r.turn.Memory.Step = 1
	told := session.Rules{Considered: len(r.version.Definition.Rules), Tools: offered, Took: time.Since(begun).Milliseconds()}
	for _, m := range r.matched {
		told.Matched = append(told.Matched, session.Matched{ID: m.Rule.ID, Title: m.Rule.Title, Why: m.Why})
	}
	return goOn, r.Store.Write(ctx, r.p, func(ctx context.Context) error {
		r.turn.State = models.TurnRunning
		if err := r.save(ctx); err != nil {
			return err
		}
		return r.Log.Append(ctx, r.turn, session.Status{State: models.TurnRunning, Version: r.version.Number}, told)
	})
}

func (r *run) available(name string) bool {
	d, ok := r.Registry.Lookup(name)
	if !ok || !slices.Contains(r.version.Definition.Toolkits, d.Slug) {
		return false
	}
	return r.Tooling.Judge(r.p.Tenant(), d.Slug, string(d.Origin), policy.PhaseBuild) == nil
}

// recall restores the matched rules of a turn that was suspended.
func (r *run) recall() {
	for _, rule := range r.version.Definition.Rules {
		if slices.Contains(r.turn.Memory.Rules, rule.ID) {
			r.matched = append(r.matched, rules.Match{Rule: rule})
		}
	}
}
