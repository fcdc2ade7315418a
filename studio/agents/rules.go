package agents

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
)

// maxRuleText is the longest content or condition of a rule, in characters.
const maxRuleText = 8_000

// SaveRule adds a rule, or replaces the one with the same id, in a new version.
func (s *Service) SaveRule(ctx context.Context, name string, expected int, rule models.Rule) (models.AgentVersion, error) {
	note := "Changed the rule " + rule.Title
	if rule.ID == "" {
		rule.ID, note = models.NewID(), "Added the rule "+rule.Title
	}
	return s.Edit(ctx, name, expected, note, func(d *models.Definition) error {
		at := slices.IndexFunc(d.Rules, func(r models.Rule) bool { return r.ID == rule.ID })
		if at < 0 {
			d.Rules = append(d.Rules, rule)
			return nil
		}
		rule.Toolkit = d.Rules[at].Toolkit
		d.Rules[at] = rule
		return nil
	})
}

// DeleteRule removes a rule in a new version.
func (s *Service) DeleteRule(ctx context.Context, name string, expected int, ruleID string) (models.AgentVersion, error) {
	return s.Edit(ctx, name, expected, "Deleted a rule", func(d *models.Definition) error {
		at := slices.IndexFunc(d.Rules, func(r models.Rule) bool { return r.ID == ruleID })
		if at < 0 {
			return models.NotFound()
		}
		d.Rules = slices.Delete(d.Rules, at, at+1)
		return nil
	})
}

// Assign gives a toolkit to an agent: an editable observation that brings its
// tools, since there are no agent-wide tools.
func (s *Service) Assign(ctx context.Context, name string, expected int, slug string) (models.AgentVersion, error) {
	group, ok := s.c.Registry.Group(slug)
	if !ok {
		return models.AgentVersion{}, models.NotFound()
	}
	return s.Edit(ctx, name, expected, "Assigned "+group.Slug, func(d *models.Definition) error {
		if slices.Contains(d.Toolkits, group.Slug) {
			return field("toolkits", "The agent has this toolkit already.")
		}
		assign(d, group)
		return nil
	})
}

func assign(d *models.Definition, group hosttools.Group) {
	d.Toolkits = append(d.Toolkits, group.Slug)
	d.Rules = append(d.Rules, ToolkitRule(group))
}

// ToolkitRule returns the observation that the assignment of a toolkit makes:
// in view of what the toolkit is for, its tools are offered.
func ToolkitRule(group hosttools.Group) models.Rule {
	var tools []string
	for _, method := range group.Methods {
		tools = append(tools, method.Name)
	}
	return models.Rule{
		ID: models.NewID(), Kind: models.RuleObservation, Toolkit: group.Slug,
		Title:     group.Title + " in view",
		Condition: fmt.Sprintf("the conversation is about: %s", strings.TrimSuffix(strings.ToLower(group.Description), ".")),
		Tools:     tools, Weight: models.WeightMedium,
	}
}

// Unassign takes a toolkit away, with how it was set up, with the observation
// that its assignment made, and with its tools from every other rule. Tools that
// the host no longer has go too: nothing says any more whose they were.
func (s *Service) Unassign(ctx context.Context, name string, expected int, slug string) (models.AgentVersion, error) {
	return s.Edit(ctx, name, expected, "Removed "+slug, func(d *models.Definition) error { return s.unassign(d, slug) })
}

// RemoveToolkit is [Service.Unassign] for programs: the slug may be in any case
// as long as the toolkit is registered, and 0 expects whichever version is live.
func (s *Service) RemoveToolkit(ctx context.Context, name, slug string, expected int) (models.AgentVersion, error) {
	slug = s.registered(slug)
	return s.edit(ctx, name, func(_ context.Context, d *draft) error {
		if err := d.expect(expected); err != nil {
			return err
		}
		d.note = "Removed " + slug
		return s.unassign(&d.definition, slug)
	})
}

func (s *Service) unassign(d *models.Definition, slug string) error {
	if !slices.Contains(d.Toolkits, slug) {
		return models.NotFound()
	}
	d.Toolkits = slices.DeleteFunc(d.Toolkits, func(s string) bool { return s == slug })
	d.Rules = slices.DeleteFunc(d.Rules, func(r models.Rule) bool { return r.Toolkit == slug })
	for i := range d.Rules {
		d.Rules[i].Tools = slices.DeleteFunc(d.Rules[i].Tools, func(tool string) bool {
			of := s.slugOf(tool)
			return of == slug || of == ""
		})
	}
	return nil
}

func (s *Service) slugOf(tool string) string {
	d, ok := s.c.Registry.Lookup(tool)
	if !ok {
		return ""
	}
	return d.Slug
}

func (s *Service) validateRule(d, had models.Definition, rule models.Rule) error {
	switch {
	case strings.TrimSpace(rule.Title) == "" || utf8.RuneCountInString(rule.Title) > maxTitle:
		return field("rule.title", "Give the rule a title of at most %d characters.", maxTitle)
	case utf8.RuneCountInString(rule.Content) > maxRuleText:
		return field("rule.content", "The content may have at most %d characters.", maxRuleText)
	case utf8.RuneCountInString(rule.Condition) > maxRuleText:
		return field("rule.condition", "The condition may have at most %d characters.", maxRuleText)
	}
	if err := readableRule(rule); err != nil {
		return err
	}
	switch rule.Kind {
	case models.RulePolicy:
		if strings.TrimSpace(rule.Content) == "" {
			return field("rule.content", "A policy says what to do: write its content.")
		}
	case models.RuleObservation:
		if strings.TrimSpace(rule.Condition) == "" && !rule.Always {
			return field("rule.condition", "An observation names a situation: write its condition, or let it apply always.")
		}
	default:
		return field("rule.kind", "A rule is a policy or an observation.")
	}
	switch rule.Weight {
	case models.WeightLow, models.WeightMedium, models.WeightHigh:
	default:
		return field("rule.weight", "Choose LOW, MEDIUM or HIGH.")
	}
	for _, tool := range rule.Tools {
		slug := s.slugOf(tool)
		if !slices.Contains(d.Toolkits, slug) && (slug != "" || !brings(had, tool)) {
			return field("rule.tools", "The agent does not have the tool %q. Assign its toolkit first.", tool)
		}
	}
	return nil
}

// brings reports whether any rule of a definition names a tool.
func brings(d models.Definition, tool string) bool {
	return slices.ContainsFunc(d.Rules, func(r models.Rule) bool { return slices.Contains(r.Tools, tool) })
}
