package identity

import (
	"context"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/agentstudio/agentstudio/models"
)

// maxAbout is the longest description of a group, in characters.
const maxAbout = 200

// Change is what a member is to be.
type Change struct {
	User   string
	Role   models.Role
	Groups []string
}

// ChangeMember gives a member of a tenant another role and other groups, for an
// admin. It is in force with their next request. It returns permission_denied
// when by is no admin any more, not_found for whoever is no member, and
// validation_error with details.field, also when no admin would be left.
func (s *Service) ChangeMember(ctx context.Context, tenant, by string, c Change) error {
	groups, err := checkMembership(c.Role, c.Groups)
	if err != nil {
		return err
	}
	return s.administer(ctx, tenant, by, func(ctx context.Context) error {
		user, member, err := s.store.Member(ctx, tenant, c.User)
		if err != nil {
			return err
		}
		if user.Kind == models.UserService && c.Role == models.RoleAdmin {
			return invalid("role", "A service account is a member or an author.")
		}
		if c.Role != models.RoleAdmin {
			if err := s.notTheLast(ctx, member); err != nil {
				return err
			}
		}
		member.Role, member.Groups = c.Role, groups
		return s.store.UpsertMembership(ctx, member)
	})
}

// RemoveMember ends a membership, with the member's API tokens in the tenant,
// for an admin. It returns what [Service.ChangeMember] returns.
func (s *Service) RemoveMember(ctx context.Context, tenant, by, user string) error {
	return s.administer(ctx, tenant, by, func(ctx context.Context) error {
		_, member, err := s.store.Member(ctx, tenant, user)
		if err != nil {
			return err
		}
		if err := s.notTheLast(ctx, member); err != nil {
			return err
		}
		if _, err := s.store.RevokeAPITokensOf(ctx, user, models.InstantOf(s.now())); err != nil {
			return fmt.Errorf("end the tokens of a member: %w", err)
		}
		_, err = s.store.DeleteMembership(ctx, tenant, user)
		return err
	})
}

// administer runs fn in a unit in which nobody else changes members, if by is an
// admin at that moment.
func (s *Service) administer(ctx context.Context, tenant, by string, fn func(ctx context.Context) error) error {
	return s.write(ctx, tenant, func(ctx context.Context) error {
		if err := s.store.LockTenant(ctx, tenant); err != nil {
			return err
		}
		actor, err := s.membership(ctx, tenant, by)
		if err != nil {
			return err
		}
		if actor.Role != models.RoleAdmin {
			return models.Errorf(models.CodePermissionDenied, "Your role here does not include this. Ask an admin.")
		}
		return fn(ctx)
	})
}

// notTheLast refuses to take the role of the only admin.
func (s *Service) notTheLast(ctx context.Context, m models.Membership) error {
	if m.Role != models.RoleAdmin {
		return nil
	}
	others, err := s.store.CountAdmins(ctx, m.TenantID, m.UserID)
	if err != nil {
		return fmt.Errorf("count admins: %w", err)
	}
	if others == 0 {
		return invalid("role", "This is the only admin. Make somebody else one first.")
	}
	return nil
}

// Groups returns the groups of a tenant, by name: those that were made, and
// others that members are in.
func (s *Service) Groups(ctx context.Context, tenant string) ([]models.Group, error) {
	var groups []models.Group
	err := s.read(ctx, tenant, func(ctx context.Context) (err error) {
		groups, err = s.store.Groups(ctx)
		return err
	})
	if err != nil {
		return nil, err
	}
	members, err := s.store.MembersOf(ctx, tenant)
	if err != nil {
		return nil, fmt.Errorf("list the members of a tenant: %w", err)
	}
	for _, m := range members {
		for _, name := range m.Groups {
			if !slices.ContainsFunc(groups, func(g models.Group) bool { return g.Name == name }) {
				groups = append(groups, models.Group{TenantID: tenant, Name: name})
			}
		}
	}
	slices.SortFunc(groups, func(a, b models.Group) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
	return groups, nil
}

// SaveGroup makes a group, or says something else about the one of that name.
func (s *Service) SaveGroup(ctx context.Context, tenant, by, name, about string) error {
	if _, err := checkMembership(models.RoleMember, []string{name}); err != nil {
		return invalid("name", "A group's name is one line of text, of at most 128 bytes.")
	}
	if utf8.RuneCountInString(about) > maxAbout || !oneLine(about) {
		return invalid("about", "Say what the group is for in one line of at most %d characters.", maxAbout)
	}
	return s.administer(ctx, tenant, by, func(ctx context.Context) error {
		return s.store.SaveGroup(ctx, models.Group{TenantID: tenant, Name: name, About: about, CreatedAt: models.InstantOf(s.now())})
	})
}

// DeleteGroup removes a group, and everybody from it: what is shared with it is
// seen by nobody through it any more.
func (s *Service) DeleteGroup(ctx context.Context, tenant, by, name string) error {
	return s.administer(ctx, tenant, by, func(ctx context.Context) error {
		members, err := s.store.MembersOf(ctx, tenant)
		if err != nil {
			return err
		}
		for _, m := range members {
			if !slices.Contains(m.Groups, name) {
				continue
			}
			m.Groups = slices.DeleteFunc(slices.Clone(m.Groups), func(g string) bool { return g == name })
			if err := s.store.UpsertMembership(ctx, m); err != nil {
				return err
			}
		}
		_, err = s.store.DeleteGroup(ctx, name)
		return err
	})
}
