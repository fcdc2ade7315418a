package agents

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/policy"
	"github.com/agentstudio/agentstudio/studio/canon"
	"github.com/agentstudio/agentstudio/studio/schema"
)

// Change is how a toolkit is to be set up.
type Change struct {
	// Params replaces everything that was set before. Of a secret, [Mask] keeps
	// the stored value; null, "" and nothing remove it.
	Params canon.Value
	// UserOverridable names the parameters that each user may set for themselves,
	// secrets included. Nil keeps the names that are stored.
	UserOverridable []string
	// ExpectedVersion is the agent's version that the change was made for; 0 is
	// whichever is live. Two changes at the same moment conflict even then.
	ExpectedVersion int
}

// Configure sets up a toolkit of an agent, and assigns it if it is not, in a
// new version whose note names what changed, never a value. When nothing
// changes there is no new version, and the live one is returned.
//
// The errors, first that applies: not_found for an agent that the caller does
// not see, not_manageable, authoring_denied, not_found for a slug that nobody
// registered, tooling_not_permitted, server_managed with details.params,
// invalid_params with details.issues, version_conflict, vault_unavailable. A
// required parameter must be set, unless the host has a default for it or it is
// left to each user.
func (s *Service) Configure(ctx context.Context, name, slug string, change Change) (models.AgentVersion, error) {
	return s.edit(ctx, name, func(ctx context.Context, d *draft) error {
		k, err := s.kit(slug)
		if err != nil {
			return err
		}
		if err := s.c.Tooling.Judge(d.scope.Tenant, k.group.Slug, string(k.group.Origin), policy.PhaseWrite); err != nil {
			return err
		}
		stored, err := s.setting(ctx, d.item.Agent.ID, k.group.Slug)
		if err != nil {
			return err
		}
		c := configuration{kit: k, stored: stored, overridable: k.leaves(change, stored)}
		if err := c.check(change.Params); err != nil {
			return err
		}
		if err := d.expect(change.ExpectedVersion); err != nil {
			return err
		}
		return s.configure(d, c)
	})
}

// expect refuses a change that was made for another version. Zero is any.
func (d *draft) expect(version int) error {
	if version != 0 && version != d.item.Agent.Version {
		return conflict(d.item.Agent.Version)
	}
	return nil
}

// setting returns how a toolkit is set up, the zero value where it is not.
func (s *Service) setting(ctx context.Context, agentID, slug string) (models.ToolkitSettings, error) {
	stored, err := s.c.Store.ToolkitSetting(ctx, agentID, slug)
	if models.CodeOf(err) == models.CodeNotFound {
		return models.ToolkitSettings{}, nil
	}
	return stored, err
}

// leaves returns the names that a change leaves to each user.
func (k *kit) leaves(change Change, stored models.ToolkitSettings) []string {
	if change.UserOverridable == nil {
		return k.overridable(stored.UserOverridable)
	}
	names := slices.Clone(change.UserOverridable)
	slices.Sort(names)
	return slices.Compact(names)
}

// configuration is a change of how a toolkit is set up.
type configuration struct {
	kit         *kit
	stored      models.ToolkitSettings
	overridable []string
	proposal    proposal
}

// check checks what was sent, and completes the proposal.
func (c *configuration) check(sent canon.Value) error {
	if err := c.kit.refuseManaged(sent); err != nil {
		return err
	}
	proposal, issues := c.kit.propose(sent, c.stored.Secrets)
	c.proposal = proposal
	issues = append(issues, c.kit.missing(func(name string) bool {
		return c.kit.asks(sent, name) || c.kit.defaulted(name) || slices.Contains(c.overridable, name)
	})...)
	for i, name := range c.overridable {
		if !c.kit.settable(name) {
			issues = append(issues, schema.Issue{
				Pointer: fmt.Sprintf("/user_overridable/%d", i), Message: "must name a parameter that people set",
			})
		}
	}
	if len(issues) > 0 {
		return invalidParams(issues)
	}
	return nil
}

// defaulted reports whether the host has a default for a parameter.
func (k *kit) defaulted(name string) bool {
	return slices.ContainsFunc(k.defaults, func(m canon.Member) bool { return m.Name == name })
}

// configure makes a draft of a checked configuration.
func (s *Service) configure(d *draft, c configuration) error {
	slug := c.kit.group.Slug
	isNew := !slices.Contains(d.definition.Toolkits, slug)
	if isNew {
		assign(&d.definition, c.kit.group)
	}
	changes, err := c.changes()
	if err != nil {
		return err
	}
	d.note = "Set up " + slug
	switch {
	case len(changes) > 0:
		d.note += ": " + strings.Join(changes, ", ")
	case isNew:
		d.note = "Assigned " + slug
	}
	if c.kit.group.Config != nil && (len(changes) > 0 || c.stored.Slug == "") {
		d.also = func(ctx context.Context) error { return s.saveSettings(ctx, *d, c) }
	}
	d.unchanged = !isNew && d.also == nil
	return nil
}

func (s *Service) saveSettings(ctx context.Context, d draft, c configuration) error {
	next := models.ToolkitSettings{
		TenantID: d.item.Agent.TenantID, AgentID: d.item.Agent.ID, Slug: c.kit.group.Slug,
		Params: c.proposal.bytes, UserOverridable: c.overridable, UpdatedBy: d.scope.User,
	}
	var err error
	if next.Secrets, err = s.sealed(ctx, placeOf(next), c.proposal.kept, c.proposal.fresh); err != nil {
		return err
	}
	return s.c.Store.SaveToolkitSettings(ctx, next)
}

// changes returns what a configuration changes, in words without values.
func (c *configuration) changes() ([]string, error) {
	was := canon.Value{}
	if c.stored.Slug != "" {
		var err error
		if was, err = read(c.stored.Params); err != nil {
			return nil, fmt.Errorf("settings of %s: %w", c.stored.Slug, err)
		}
	}
	changes := c.proposal.changed(was, c.stored.Secrets)
	if !slices.Equal(c.overridable, c.kit.overridable(c.stored.UserOverridable)) {
		changes = append(changes, "what each user may set")
	}
	return changes, nil
}
