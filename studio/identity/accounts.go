package identity

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agentstudio/agentstudio/models"
)

// maxAccounts is how many service accounts a tenant can have.
const maxAccounts = 100

// NewAccount is a service account to be made.
type NewAccount struct {
	Name   string      // for people; 1 to 80 characters
	Role   models.Role // member or author: a program administers nothing
	Groups []string
}

// CreateServiceAccount makes a program's own account in a tenant. It can never
// sign in; it has API tokens. It returns validation_error with details.field.
func (s *Service) CreateServiceAccount(ctx context.Context, tenant string, n NewAccount) (models.User, error) {
	n.Name = strings.TrimSpace(n.Name)
	switch {
	case n.Name == "" || utf8.RuneCountInString(n.Name) > maxTokenName || !oneLine(n.Name):
		return models.User{}, invalid("name", "Give the account a name of at most %d characters.", maxTokenName)
	case n.Role != models.RoleMember && n.Role != models.RoleAuthor:
		return models.User{}, invalid("role", "A service account is a member or an author.")
	}
	id := models.NewID()
	user := models.User{ID: id, Kind: models.UserService, Email: "service:" + id, Name: n.Name}
	err := s.write(ctx, tenant, func(ctx context.Context) error {
		if err := s.store.LockTenant(ctx, tenant); err != nil {
			return err
		}
		accounts, err := s.ServiceAccounts(ctx, tenant)
		if err != nil {
			return err
		}
		if len(accounts) >= maxAccounts {
			return invalid("name", "There are %d service accounts already. Remove one that is not needed any more.", maxAccounts)
		}
		if err := s.store.CreateUser(ctx, user); err != nil {
			return err
		}
		return s.store.UpsertMembership(ctx, models.Membership{
			TenantID: tenant, UserID: user.ID, Role: n.Role, Groups: n.Groups, CreatedAt: models.InstantOf(s.now()),
		})
	})
	return user, err
}

// ServiceAccounts returns the service accounts of a tenant, by name.
func (s *Service) ServiceAccounts(ctx context.Context, tenant string) ([]Person, error) {
	people, err := s.People(ctx, tenant)
	return slices.DeleteFunc(people, func(p Person) bool { return p.User.Kind != models.UserService }), err
}

// RemoveServiceAccount ends a service account with all its tokens, at once. It
// returns not_found for whoever is none of the tenant's.
func (s *Service) RemoveServiceAccount(ctx context.Context, tenant, user string) error {
	return s.write(ctx, tenant, func(ctx context.Context) error {
		found, _, err := s.store.Member(ctx, tenant, user)
		if err != nil {
			return err
		}
		if found.Kind != models.UserService {
			return models.NotFound()
		}
		if _, err := s.store.RevokeAPITokensOf(ctx, user, models.InstantOf(s.now())); err != nil {
			return fmt.Errorf("end the tokens of a service account: %w", err)
		}
		_, err = s.store.DeleteMembership(ctx, tenant, user)
		return err
	})
}

// MemberByEmail returns the member of a tenant with an address, or an error with
// code permission_denied and reason membership_lost.
func (s *Service) MemberByEmail(ctx context.Context, tenant, email string) (Person, error) {
	user, err := s.store.UserByEmail(ctx, normalEmail(email))
	if absent(err) {
		return Person{}, membershipLost()
	}
	if err != nil {
		return Person{}, fmt.Errorf("find a member: %w", err)
	}
	membership, err := s.membership(ctx, tenant, user.ID)
	return Person{User: user, Membership: membership}, err
}

func invalid(field, format string, args ...any) error {
	return models.Errorf(models.CodeValidation, format, args...).With("field", field)
}

// oneLine reports whether a text has no character that no eye sees.
func oneLine(text string) bool {
	return utf8.ValidString(text) && strings.IndexFunc(text, func(r rune) bool {
		return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
	}) < 0
}
