package agents

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/tenancy"
)

// maxGroups is the most groups that an agent is shared with.
const maxGroups = 100

// Sharing says who besides the owner and the admins sees an agent.
type Sharing struct {
	Visibility models.Visibility
	Groups     []string // only where the visibility is groups
}

// Share sets who sees an agent that the caller may change, in a new version. In
// GLOBAL, where there is nobody to share with, it returns tenant_required. It
// returns invalid_visibility; groups_required without groups where the agent is
// to be seen by some; groups_not_allowed for groups elsewhere, and for groups
// that the caller, who is no admin, is not in; and version_conflict when expected
// is not the live version (0 expects any).
func (s *Service) Share(ctx context.Context, name string, expected int, sharing Sharing) (Item, error) {
	_, err := s.edit(ctx, name, func(_ context.Context, d *draft) error {
		if err := d.expect(expected); err != nil {
			return err
		}
		to, err := mayShare(d.scope, d.item.Agent, sharing)
		if err != nil {
			return err
		}
		d.note = sharedNote(to)
		d.unchanged = to.Visibility == d.item.Agent.Visibility && slices.Equal(to.Groups, sorted(d.item.Agent.AllowedGroups))
		d.also = func(ctx context.Context) error {
			return s.c.Store.ShareAgent(ctx, d.item.Agent.ID, to.Visibility, to.Groups)
		}
		return nil
	})
	if err != nil {
		return Item{}, err
	}
	return s.Get(ctx, name)
}

func sharedNote(to Sharing) string {
	switch to.Visibility {
	case models.VisibilityTenant:
		return "Shared with everyone"
	case models.VisibilityGroups:
		return "Shared with " + strings.Join(to.Groups, ", ")
	default:
		return "Stopped sharing"
	}
}

// mayShare checks a sharing, and returns it with its groups sorted, each once.
// An agent keeps groups that it has, also where its owner has left them.
func mayShare(scope tenancy.Scope, a models.Agent, to Sharing) (Sharing, error) {
	to.Groups = sorted(to.Groups)
	if err := scope.CanShare(to.Visibility); err != nil {
		return to, err
	}
	switch to.Visibility {
	case models.VisibilityPrivate, models.VisibilityTenant:
		if len(to.Groups) > 0 {
			return to, models.Errorf(models.CodeGroupsNotAllowed, "Groups are named only where the agent is shared with groups.").
				With("groups", to.Groups)
		}
		return to, nil
	case models.VisibilityGroups:
	default:
		return to, models.Errorf(models.CodeInvalidVisibility, "Choose private, tenant or groups.").With("field", "visibility")
	}
	if len(to.Groups) == 0 {
		return to, models.Errorf(models.CodeGroupsRequired, "Choose at least one group to share with.").With("field", "groups")
	}
	if len(to.Groups) > maxGroups {
		return to, models.Errorf(models.CodeGroupsNotAllowed, "An agent can be shared with %d groups at most.", maxGroups)
	}
	if scope.Administers() {
		return to, wellNamed(to.Groups)
	}
	foreign := slices.DeleteFunc(slices.Clone(to.Groups), func(group string) bool {
		return slices.Contains(scope.Groups, group) || slices.Contains(a.AllowedGroups, group)
	})
	if len(foreign) > 0 {
		return to, models.Errorf(models.CodeGroupsNotAllowed, "You can share with the groups that you are in. An admin can choose others.").
			With("groups", foreign)
	}
	return to, nil
}

// wellNamed refuses groups that no scope can have.
func wellNamed(groups []string) error {
	for _, group := range groups {
		if !tenancy.ValidGroup(group) {
			return models.Errorf(models.CodeGroupsNotAllowed, "A group's name is a line of text, not empty and not longer than 128 bytes.")
		}
	}
	return nil
}

// sorted returns groups in order, each once, never nil.
func sorted(groups []string) []string {
	once := append([]string{}, groups...)
	slices.Sort(once)
	return slices.Compact(once)
}

// Groups returns the groups that the caller can share with, sorted: an admin all
// of the tenant, others those they are in.
func (s *Service) Groups(ctx context.Context) ([]string, error) {
	scope, p, err := tenancy.Caller(ctx)
	if err != nil {
		return nil, err
	}
	if !scope.Administers() || s.c.Groups == nil {
		return sorted(scope.Groups), nil
	}
	all, err := s.c.Groups.GroupNames(ctx, p.Tenant())
	if err != nil {
		return nil, fmt.Errorf("list the groups of a tenant: %w", err)
	}
	return sorted(append(slices.Clone(all), scope.Groups...)), nil
}
