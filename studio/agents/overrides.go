package agents

import (
	"context"
	"fmt"
	"slices"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/canon"
	"github.com/agentstudio/agentstudio/tenancy"
)

// OverrideView is what the caller has set of a toolkit for their own calls. It
// never holds a secret.
type OverrideView struct {
	Slug        string
	Overridable []string    // what they may set
	Params      canon.Value // what they set and counts, secrets as [Mask]
	NotApplied  []string    // what they set earlier, and may not set any more
	Configured  bool        // whether they have set anything
}

// overriding is a toolkit of an agent that the caller sees, with what is stored
// for them.
type overriding struct {
	agent    models.Agent
	kit      *kit
	settings models.ToolkitSettings
	own      models.ToolkitOverride
}

// overriding returns not_found for an agent that the caller does not see, and
// for a toolkit that is not assigned to it or not registered.
func (s *Service) overriding(ctx context.Context, scope tenancy.Scope, name, slug string) (overriding, error) {
	item, err := s.seen(ctx, scope, name)
	if err != nil {
		return overriding{}, err
	}
	k, err := s.kit(slug)
	if err != nil {
		return overriding{}, err
	}
	if !slices.Contains(item.Live.Definition.Toolkits, k.group.Slug) {
		return overriding{}, models.NotFound()
	}
	o := overriding{agent: item.Agent, kit: k}
	o.settings, o.own, err = s.c.Store.ToolkitSettingsFor(ctx, item.Agent.ID, k.group.Slug, scope.User)
	return o, err
}

// Override returns what the caller has set of a toolkit for their own calls
// with an agent that they see.
func (s *Service) Override(ctx context.Context, name, slug string) (OverrideView, error) {
	scope, p, err := tenancy.Caller(ctx)
	if err != nil {
		return OverrideView{}, err
	}
	var view OverrideView
	err = s.c.Store.Read(ctx, p, func(ctx context.Context) error {
		o, err := s.overriding(ctx, scope, name, slug)
		if err != nil {
			return err
		}
		view, err = o.view()
		return err
	})
	return view, err
}

func (o overriding) view() (OverrideView, error) {
	view := OverrideView{
		Slug: o.kit.group.Slug, Overridable: o.kit.overridable(o.settings.UserOverridable),
		NotApplied: []string{}, Configured: o.own.Slug != "",
	}
	var err error
	if !view.Configured {
		view.Params, err = canon.ObjectOf()
		return view, err
	}
	var applied layer
	if applied, view.NotApplied, err = o.kit.applied(o.settings, o.own); err != nil {
		return view, err
	}
	params, err := canon.Bytes(applied.params)
	if err != nil {
		return view, fmt.Errorf("override of %s: %w", view.Slug, err)
	}
	view.Params, err = masked(o.kit, string(params), applied.secrets)
	return view, err
}

// SaveOverride replaces what the caller has set of a toolkit for their own
// calls with an agent that they see; nothing at all deletes it. Secrets are kept
// and removed as in [Change].
//
// The errors, first that applies: not_found, server_managed, not_overridable
// with details.params, invalid_params with details.issues, vault_unavailable.
func (s *Service) SaveOverride(ctx context.Context, name, slug string, params canon.Value) error {
	scope, p, err := tenancy.Caller(ctx)
	if err != nil {
		return err
	}
	return s.c.Store.Write(ctx, p, func(ctx context.Context) error {
		o, err := s.overriding(ctx, scope, name, slug)
		if err != nil {
			return err
		}
		proposal, err := o.check(params)
		if err != nil {
			return err
		}
		return s.saveOverride(ctx, scope, o, proposal)
	})
}

// check checks what was sent.
func (o overriding) check(sent canon.Value) (proposal, error) {
	if err := o.kit.refuseManaged(sent); err != nil {
		return proposal{}, err
	}
	overridable := o.kit.overridable(o.settings.UserOverridable)
	refused := slices.DeleteFunc(namesOf(sent), func(name string) bool { return slices.Contains(overridable, name) })
	if len(refused) > 0 {
		slices.Sort(refused)
		return proposal{}, models.Errorf(models.CodeNotOverridable,
			"The agent's people set these themselves; leave them out: %s.", quoted(refused)).With("params", refused)
	}
	p, issues := o.kit.propose(sent, o.own.Secrets)
	if len(issues) > 0 {
		return p, invalidParams(issues)
	}
	return p, nil
}

func (s *Service) saveOverride(ctx context.Context, scope tenancy.Scope, o overriding, p proposal) error {
	slug := o.kit.group.Slug
	if p.empty() {
		_, err := s.c.Store.DeleteToolkitOverride(ctx, o.agent.ID, slug, scope.User)
		return err
	}
	next := models.ToolkitOverride{
		TenantID: o.agent.TenantID, AgentID: o.agent.ID, Slug: slug, UserID: scope.User,
		Params: p.bytes, UpdatedBy: scope.User,
	}
	var err error
	if next.Secrets, err = s.sealed(ctx, placeOfOwn(next), p.kept, p.fresh); err != nil {
		return err
	}
	return s.c.Store.SaveToolkitOverride(ctx, next)
}

// DeleteOverride deletes what the caller has set of a toolkit for their own
// calls with an agent that they see, if they have. Its error is not_found as in
// [Service.Override].
func (s *Service) DeleteOverride(ctx context.Context, name, slug string) error {
	scope, p, err := tenancy.Caller(ctx)
	if err != nil {
		return err
	}
	return s.c.Store.Write(ctx, p, func(ctx context.Context) error {
		o, err := s.overriding(ctx, scope, name, slug)
		if err != nil {
			return err
		}
		_, err = s.c.Store.DeleteToolkitOverride(ctx, o.agent.ID, o.kit.group.Slug, scope.User)
		return err
	})
}
