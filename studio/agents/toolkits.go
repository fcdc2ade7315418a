package agents

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/policy"
	"github.com/agentstudio/agentstudio/studio/canon"
	"github.com/agentstudio/agentstudio/studio/schema"
	"github.com/agentstudio/agentstudio/tenancy"
)

// Overview is how an agent's toolkits are set up, for one viewer.
type Overview struct {
	Item     Item
	Editable bool
	Reason   string        // a sentence for people, where it is not editable
	Toolkits []ToolkitView // one for each assigned toolkit, in their order
	// Unavailable are the slugs that nobody registered any more, or that the
	// tooling policy keeps from the tenant. The agent works without them.
	Unavailable []string
}

// ToolkitView is how one toolkit is set up. It never holds a secret.
type ToolkitView struct {
	Slug      string
	Title     string
	Group     *hosttools.Group // nil where it is no longer registered
	Available bool
	Why       string // a sentence for people, where it is not available
	// Params is an object with what is stored, sorted by name; each stored secret
	// is [Mask]. Defaults are not in it.
	Params          canon.Value
	UserOverridable []string
	Stored          bool // whether anybody has set it up
	Revision        int  // 0 where nobody has
	// Issues say why it cannot run for somebody who has set nothing themselves.
	Issues []schema.Issue
}

// ToolkitConfig returns how all toolkits of an agent are set up that the caller
// sees. Absent and unseen agents are not_found alike.
func (s *Service) ToolkitConfig(ctx context.Context, name string) (Overview, error) {
	scope, p, err := tenancy.Caller(ctx)
	if err != nil {
		return Overview{}, err
	}
	var overview Overview
	err = s.c.Store.Read(ctx, p, func(ctx context.Context) error {
		item, err := s.seen(ctx, scope, name)
		if err != nil {
			return err
		}
		all, err := s.c.Store.ToolkitSettings(ctx, item.Agent.ID)
		if err != nil {
			return err
		}
		overview, err = s.overview(scope, item, all)
		return err
	})
	return overview, err
}

func (s *Service) overview(scope tenancy.Scope, item Item, all []models.ToolkitSettings) (Overview, error) {
	overview := Overview{Item: item, Toolkits: []ToolkitView{}, Unavailable: []string{}}
	overview.Editable, overview.Reason = s.editable(scope, item.Agent)
	stored := make(map[string]models.ToolkitSettings, len(all))
	for _, settings := range all {
		stored[settings.Slug] = settings
	}
	for _, slug := range item.Live.Definition.Toolkits {
		view, err := s.view(scope, slug, stored[slug])
		if err != nil {
			return Overview{}, err
		}
		overview.Toolkits = append(overview.Toolkits, view)
		if !view.Available {
			overview.Unavailable = append(overview.Unavailable, slug)
		}
	}
	return overview, nil
}

// editable reports whether the caller may change an agent that they see, and
// why not.
func (s *Service) editable(scope tenancy.Scope, a models.Agent) (bool, string) {
	err := s.mayManage(scope, a)
	return err == nil, sentenceOf(err)
}

// Toolkit returns how one toolkit of an agent is set up that the caller sees.
// One that is not assigned is not_found.
func (s *Service) Toolkit(ctx context.Context, name, slug string) (ToolkitView, error) {
	scope, p, err := tenancy.Caller(ctx)
	if err != nil {
		return ToolkitView{}, err
	}
	slug = s.registered(slug)
	var view ToolkitView
	err = s.c.Store.Read(ctx, p, func(ctx context.Context) error {
		item, err := s.seen(ctx, scope, name)
		if err != nil {
			return err
		}
		if !slices.Contains(item.Live.Definition.Toolkits, slug) {
			return models.NotFound()
		}
		stored, err := s.setting(ctx, item.Agent.ID, slug)
		if err != nil {
			return err
		}
		view, err = s.view(scope, slug, stored)
		return err
	})
	return view, err
}

func (s *Service) view(scope tenancy.Scope, slug string, stored models.ToolkitSettings) (ToolkitView, error) {
	view := ToolkitView{
		Slug: slug, Title: slug, Stored: stored.Slug != "", Revision: stored.Revision,
		UserOverridable: append([]string{}, stored.UserOverridable...),
	}
	k := s.kits[slug]
	var err error
	if view.Params, err = masked(k, stored.Params, stored.Secrets); err != nil {
		return view, fmt.Errorf("settings of %s: %w", slug, err)
	}
	if k == nil {
		view.Why = "The host does not offer it any more."
		return view, nil
	}
	group := k.group
	view.Group, view.Title, view.UserOverridable = &group, group.Title, k.overridable(stored.UserOverridable)
	if err := s.c.Tooling.Judge(scope.Tenant, slug, string(group.Origin), policy.PhaseAttach); err != nil {
		view.Why = sentenceOf(err)
		return view, nil
	}
	view.Available = true
	setting, err := k.effective(stored, models.ToolkitOverride{})
	view.Issues = setting.Issues
	return view, err
}

// masked returns what is stored, with the secrets masked. Where the toolkit is
// known, what has become a secret since, or is no longer one, is left out.
func masked(k *kit, params string, secrets map[string]models.SealedSecret) (canon.Value, error) {
	if params == "" {
		return canon.ObjectOf()
	}
	value, err := read(params)
	if err != nil {
		return canon.Value{}, err
	}
	members := slices.DeleteFunc(membersOf(value), func(m canon.Member) bool {
		if k == nil {
			return false
		}
		param, known := k.config.Param(m.Name)
		return known && (param.Secret || param.Managed())
	})
	for name := range secrets {
		if k == nil || k.secret(name) {
			members = append(members, canon.Member{Name: name, Value: canon.String(Mask)})
		}
	}
	slices.SortFunc(members, func(a, b canon.Member) int { return strings.Compare(a.Name, b.Name) })
	return canon.ObjectOf(members...)
}

// sentenceOf returns what an error says to people, "" for none.
func sentenceOf(err error) string {
	if e, ok := errors.AsType[*models.Error](err); ok {
		return e.Message
	}
	return ""
}
