package identity

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/tenancy"
)

// FreshFor is how long ago a person may have proved who they are for what gives
// away rights: roles, invitations and API tokens.
const FreshFor = 15 * time.Minute

// Fresh reports whether the person of a scope proved who they are lately.
func (s *Service) Fresh(scope tenancy.Scope, within time.Duration) bool {
	return !scope.AuthTime.IsZero() && s.now().Sub(scope.AuthTime) < within
}

// User returns a user, or not_found.
func (s *Service) User(ctx context.Context, id string) (models.User, error) {
	return s.store.User(ctx, id)
}

// SignIns returns a person's live sign-ins, the newest first.
func (s *Service) SignIns(ctx context.Context, user string) ([]models.LoginSession, error) {
	return s.store.LoginSessionsOf(ctx, user, models.InstantOf(s.now()))
}

// EndSignIn ends one sign-in of a person. It returns not_found for one that is
// another's or has ended.
func (s *Service) EndSignIn(ctx context.Context, user, id string) error {
	live, err := s.SignIns(ctx, user)
	if err != nil {
		return fmt.Errorf("list sign-ins: %w", err)
	}
	if !slices.ContainsFunc(live, func(l models.LoginSession) bool { return l.ID == id }) {
		return models.NotFound()
	}
	return s.SignOut(ctx, id)
}

// EndOtherSignIns signs a person out everywhere but here.
func (s *Service) EndOtherSignIns(ctx context.Context, scope tenancy.Scope) error {
	return s.store.RevokeLoginSessionsOf(ctx, scope.User, scope.Session, models.InstantOf(s.now()))
}

// Rename changes what a person is called. It returns validation_error.
func (s *Service) Rename(ctx context.Context, scope tenancy.Scope, name string) error {
	name = strings.TrimSpace(name)
	if err := checkPersonName(name); err != nil {
		return err
	}
	user, err := s.signedIn(ctx, scope)
	if err != nil {
		return err
	}
	user.Name = name
	_, err = s.store.UpdateUser(ctx, user)
	return err
}

// ChangePassword changes the password of a person who proves the current one,
// and ends their other sign-ins. It returns validation_error with details.field.
func (s *Service) ChangePassword(ctx context.Context, scope tenancy.Scope, current, next string, from Client) error {
	if err := s.reprove(ctx, scope, current, from); err != nil {
		return err
	}
	user, err := s.signedIn(ctx, scope)
	if err != nil {
		return err
	}
	password, err := s.newPassword(ctx, user, next)
	if err != nil {
		return err
	}
	if err := s.store.SavePassword(ctx, password); err != nil {
		return fmt.Errorf("keep a password: %w", err)
	}
	return s.EndOtherSignIns(ctx, scope)
}

// CreateTenant makes a tenant and returns the secret of the link with which its
// first admin joins. It returns invalid_name, name_taken and validation_error.
func (s *Service) CreateTenant(ctx context.Context, id, name, admin string) (string, error) {
	if !tenancy.ValidTenant(id) {
		return "", models.Errorf(models.CodeInvalidName,
			"A tenant's id has lower-case letters, digits, \"-\" and \"_\", begins with a letter or digit, and has at most 63.")
	}
	name = strings.TrimSpace(name)
	if err := checkPersonName(name); err != nil {
		return "", invalid("name", "Give the tenant a name of at most %d characters.", maxPersonName)
	}
	if admin = normalEmail(admin); !validEmail(admin) {
		return "", invalid("email", "Write the e-mail address of the first admin.")
	}
	var secret string
	err := s.write(ctx, id, func(ctx context.Context) (err error) {
		if err := s.store.CreateTenant(ctx, models.Tenant{ID: id, Name: name, CreatedAt: models.InstantOf(s.now())}); err != nil {
			return err
		}
		secret, _, err = s.Invite(ctx, id, NewInvitation{Role: models.RoleAdmin, Email: admin})
		return err
	})
	return secret, err
}

// Tenants returns all tenants, by id.
func (s *Service) Tenants(ctx context.Context) ([]models.Tenant, error) { return s.store.Tenants(ctx) }
