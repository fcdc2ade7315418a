package identity

import (
	"context"
	"fmt"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/tenancy"
)

// Link makes an account at an issuer a user's. It returns name_taken when the
// account is another user's, and what [Service.MemberByEmail] returns.
func (s *Service) Link(ctx context.Context, tenant, email, issuer, subject string) error {
	member, err := s.MemberByEmail(ctx, tenant, email)
	if err != nil {
		return err
	}
	return s.store.LinkIdentity(ctx, models.UserIdentity{
		Issuer: issuer, Subject: subject, UserID: member.User.ID, CreatedAt: models.InstantOf(s.now()),
	})
}

// LinkedScope returns the scope that the user of an account at an issuer has in a
// tenant: by issuer and subject, which stay, and not by an address, which
// somebody else can have tomorrow. It returns an error with code unauthenticated
// for an account that is nobody's, and with permission_denied and reason
// membership_lost when its user is no member.
func (s *Service) LinkedScope(ctx context.Context, issuer, subject, tenant string) (tenancy.Scope, error) {
	user, err := s.store.UserByIdentity(ctx, issuer, subject)
	if absent(err) {
		return tenancy.Scope{}, unauthenticated("Nobody here has this account. Ask an admin to link it.").Because(err)
	}
	if err != nil {
		return tenancy.Scope{}, fmt.Errorf("find the user of an account: %w", err)
	}
	scope, err := s.Reload(ctx, tenant, user.ID)
	scope.Via = tenancy.ViaAPI
	return scope, err
}
