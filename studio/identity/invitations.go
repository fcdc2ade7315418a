package identity

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/tenancy"
)

const (
	// InvitationLifetime is how long a link to join counts.
	InvitationLifetime = 7 * 24 * time.Hour
	// maxPersonName and maxEmail are the longest name and address, in characters.
	maxPersonName = 120
	maxEmail      = 254
	// maxMemberGroups is how many groups a member is in at most.
	maxMemberGroups = 50
)

// NewInvitation is an invitation to be made.
type NewInvitation struct {
	Role   models.Role
	Groups []string
	Email  string // the only address that may join with it; "" for whoever has the link
	By     string // id of the admin who invites; "" for whoever runs the server
}

// Newcomer is a person without an account here.
type Newcomer struct {
	Name, Email, Password string
}

// Invite returns an invitation and the secret of its link, which is nowhere
// else. It returns validation_error with details.field.
func (s *Service) Invite(ctx context.Context, tenant string, n NewInvitation) (string, models.Invitation, error) {
	groups, err := checkMembership(n.Role, n.Groups)
	if err != nil {
		return "", models.Invitation{}, err
	}
	n.Email = normalEmail(n.Email)
	if n.Email != "" && !validEmail(n.Email) {
		return "", models.Invitation{}, invalid("email", "This is no e-mail address. Leave it empty for whoever has the link.")
	}
	secret := rand.Text() + rand.Text()
	now := s.now()
	invitation := models.Invitation{
		TenantID: tenant, ID: models.NewID(), TokenHash: hashOf(secret), Role: n.Role, Groups: groups, Email: n.Email,
		InvitedBy: n.By, CreatedAt: models.InstantOf(now), ExpiresAt: models.InstantOf(now.Add(InvitationLifetime)),
	}
	err = s.write(ctx, tenant, func(ctx context.Context) error { return s.store.CreateInvitation(ctx, invitation) })
	return secret, invitation, err
}

// Invitations returns the invitations of a tenant that can still be accepted, the
// newest first.
func (s *Service) Invitations(ctx context.Context, tenant string) ([]models.Invitation, error) {
	var open []models.Invitation
	err := s.read(ctx, tenant, func(ctx context.Context) error {
		all, err := s.store.Invitations(ctx)
		open = slices.DeleteFunc(all, func(i models.Invitation) bool { return !s.open(i) })
		return err
	})
	return open, err
}

func (s *Service) open(i models.Invitation) bool {
	return i.AcceptedAt == 0 && i.RevokedAt == 0 && i.ExpiresAt > models.InstantOf(s.now())
}

// RevokeInvitation ends an invitation. It returns not_found for one that is not
// open any more.
func (s *Service) RevokeInvitation(ctx context.Context, tenant, id string) error {
	return s.write(ctx, tenant, func(ctx context.Context) error {
		revoked, err := s.store.RevokeInvitation(ctx, id, models.InstantOf(s.now()))
		if err == nil && !revoked {
			return models.NotFound()
		}
		return err
	})
}

// Invitation returns the open invitation of a link. Wrong, used, withdrawn and
// expired links are not_found alike, and so are those whose admin is none any
// more.
func (s *Service) Invitation(ctx context.Context, tenant, secret string) (models.Invitation, error) {
	if !tenancy.ValidTenant(tenant) {
		return models.Invitation{}, models.NotFound()
	}
	var found models.Invitation
	err := s.read(ctx, tenant, func(ctx context.Context) (err error) {
		found, err = s.invitation(ctx, tenant, secret)
		return err
	})
	return found, err
}

// invitation is Invitation in a unit of the tenant.
func (s *Service) invitation(ctx context.Context, tenant, secret string) (models.Invitation, error) {
	found, err := s.store.InvitationByToken(ctx, hashOf(secret))
	if err != nil {
		return found, err
	}
	if !s.open(found) {
		return models.Invitation{}, models.NotFound()
	}
	if found.InvitedBy == "" {
		return found, nil
	}
	inviter, err := s.membership(ctx, tenant, found.InvitedBy)
	if err != nil || inviter.Role != models.RoleAdmin {
		return models.Invitation{}, models.NotFound().Because(err)
	}
	return found, nil
}

// Join makes an account for a newcomer, and a member of them, and signs them in.
// It returns the cookie token. It returns validation_error with details.field,
// and what [Service.Invitation] returns.
func (s *Service) Join(ctx context.Context, tenant, secret string, n Newcomer, from Client) (string, error) {
	invitation, err := s.Invitation(ctx, tenant, secret)
	if err != nil {
		return "", err
	}
	user := models.User{
		ID: models.NewID(), Kind: models.UserPerson, Email: normalEmail(n.Email), Name: strings.TrimSpace(n.Name),
		CreatedAt: models.InstantOf(s.now()),
	}
	if err := checkPerson(user, invitation); err != nil {
		return "", err
	}
	password, err := s.newPassword(ctx, user, n.Password)
	if err != nil {
		return "", err
	}
	err = s.accept(ctx, tenant, secret, user.ID, func(ctx context.Context) error {
		err := s.store.CreateUser(ctx, user)
		if models.CodeOf(err) == models.CodeNameTaken {
			return invalid("email", "Somebody has an account with this address. If that is you, sign in first and open the link again.")
		}
		if err != nil {
			return err
		}
		return s.store.SavePassword(ctx, password)
	})
	if err != nil {
		return "", err
	}
	return s.begin(ctx, user.ID, from)
}

// JoinAs makes whoever is signed in a member. It returns validation_error for
// who is one already, and for an invitation that is for another address.
func (s *Service) JoinAs(ctx context.Context, tenant, secret string, scope tenancy.Scope) error {
	user, err := s.signedIn(ctx, scope)
	if err != nil {
		return err
	}
	invitation, err := s.Invitation(ctx, tenant, secret)
	if err != nil {
		return err
	}
	if invitation.Email != "" && invitation.Email != user.Email {
		return invalid("email", "This invitation is for another address than yours.")
	}
	return s.accept(ctx, tenant, secret, user.ID, func(context.Context) error { return nil })
}

// accept uses an invitation up for a user, in one unit with what else is stored.
func (s *Service) accept(ctx context.Context, tenant, secret, user string, also func(ctx context.Context) error) error {
	return s.write(ctx, tenant, func(ctx context.Context) error {
		if err := s.store.LockTenant(ctx, tenant); err != nil {
			return err
		}
		invitation, err := s.invitation(ctx, tenant, secret)
		if err != nil {
			return err
		}
		if _, err := s.store.Membership(ctx, tenant, user); !absent(err) {
			if err == nil {
				err = invalid("email", "You belong to this tenant already.")
			}
			return err
		}
		now := models.InstantOf(s.now())
		if err := also(ctx); err != nil {
			return err
		}
		accepted, err := s.store.AcceptInvitation(ctx, invitation.ID, user, now)
		if err != nil {
			return fmt.Errorf("use an invitation up: %w", err)
		}
		if !accepted {
			return models.NotFound()
		}
		return s.store.UpsertMembership(ctx, models.Membership{
			TenantID: tenant, UserID: user, Role: invitation.Role, Groups: invitation.Groups, CreatedAt: now,
		})
	})
}

func checkPerson(user models.User, invitation models.Invitation) error {
	if err := checkPersonName(user.Name); err != nil {
		return err
	}
	switch {
	case !validEmail(user.Email):
		return invalid("email", "Write your e-mail address, such as name@example.com.")
	case invitation.Email != "" && invitation.Email != user.Email:
		return invalid("email", "This invitation is for another address. Ask for one of your own.")
	}
	return nil
}

func checkPersonName(name string) error {
	if name == "" || utf8.RuneCountInString(name) > maxPersonName || !oneLine(name) {
		return invalid("name", "Write your name, in at most %d characters.", maxPersonName)
	}
	return nil
}

// checkMembership checks what a member is to be, and returns their groups sorted.
func checkMembership(role models.Role, groups []string) ([]string, error) {
	switch role {
	case models.RoleAdmin, models.RoleAuthor, models.RoleMember:
	default:
		return nil, invalid("role", "Choose a role.")
	}
	if len(groups) > maxMemberGroups {
		return nil, invalid("groups", "A member can be in %d groups at most.", maxMemberGroups)
	}
	once := append([]string{}, groups...)
	slices.Sort(once)
	for _, group := range once {
		if !tenancy.ValidGroup(group) || strings.TrimSpace(group) != group || !oneLine(group) {
			return nil, invalid("groups", "A group's name is one line of text.")
		}
	}
	return slices.Compact(once), nil
}

// validEmail reports one @ with something on both sides, and nothing that no
// address has. Whether mail arrives there, nobody knows.
func validEmail(email string) bool {
	name, host, ok := strings.Cut(email, "@")
	return ok && name != "" && host != "" && !strings.ContainsAny(email, " \t\r\n,;:<>()[]\\\"") && !strings.Contains(host, "@") &&
		utf8.RuneCountInString(email) <= maxEmail && oneLine(email)
}

func hashOf(secret string) []byte {
	digest := sha256.Sum256([]byte(secret))
	return digest[:]
}
