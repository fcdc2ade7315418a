package identity

import (
	"context"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/tenancy"
)

// Store keeps the records of identity. Those that are read before a tenant is
// known are outside the tenant filter. Look-ups of one record return an error
// with code not_found when it is absent.
type Store interface {
	User(ctx context.Context, id string) (models.User, error)
	UserByEmail(ctx context.Context, email string) (models.User, error)
	// UsersByID returns the users that exist among ids, in any order.
	UsersByID(ctx context.Context, ids []string) ([]models.User, error)

	Tenant(ctx context.Context, id string) (models.Tenant, error)
	Membership(ctx context.Context, tenant, user string) (models.Membership, error)
	// Member returns a user with their membership in a tenant. Every request of a
	// program asks, so it is one look-up.
	Member(ctx context.Context, tenant, user string) (models.User, models.Membership, error)
	// MembershipsOf returns the memberships of a user, in any order.
	MembershipsOf(ctx context.Context, user string) ([]models.Membership, error)
	// MembersOf returns the memberships in a tenant, in any order.
	MembersOf(ctx context.Context, tenant string) ([]models.Membership, error)

	CreateTenant(ctx context.Context, tenant models.Tenant) error
	Tenants(ctx context.Context) ([]models.Tenant, error)
	// CreateUser and UpdateUser return name_taken where another user has the address.
	CreateUser(ctx context.Context, user models.User) error
	UpdateUser(ctx context.Context, user models.User) (bool, error)
	// CountAdmins counts the admins of a tenant, but for one.
	CountAdmins(ctx context.Context, tenant, except string) (int64, error)
	DeleteMembership(ctx context.Context, tenant, user string) (bool, error)
	// LockTenant makes others that lock the same tenant wait for the end of the unit.
	LockTenant(ctx context.Context, id string) error

	LoginSession(ctx context.Context, id string) (models.LoginSession, error)
	CreateLoginSession(ctx context.Context, session models.LoginSession) error
	// RevokeLoginSession sets when a session was revoked, unless it was already.
	RevokeLoginSession(ctx context.Context, id string, at models.Instant) error

	// LoginSessionsOf returns a user's live sign-ins, the newest first.
	LoginSessionsOf(ctx context.Context, user string, at models.Instant) ([]models.LoginSession, error)
	RevokeLoginSessionsOf(ctx context.Context, user, except string, at models.Instant) error
	// ReplaceLoginSession reports false when the old one had ended.
	ReplaceLoginSession(ctx context.Context, old string, next models.LoginSession, at models.Instant) (bool, error)
	TouchLoginSession(ctx context.Context, id string, before, at models.Instant) error

	UserByIdentity(ctx context.Context, issuer, subject string) (models.User, error)
	LinkIdentity(ctx context.Context, link models.UserIdentity) error
	// CreateLinkedUser returns name_taken when the address or the account is.
	CreateLinkedUser(ctx context.Context, u models.User, link models.UserIdentity) error
	// MapMemberships replaces the memberships that follow the groups of a source.
	MapMemberships(ctx context.Context, user, source string, memberships []models.Membership) error

	Passwords
	Seeder

	// What follows is of one tenant, and needs a unit of its partition.

	Read(ctx context.Context, p tenancy.Partition, fn func(ctx context.Context) error) error
	Write(ctx context.Context, p tenancy.Partition, fn func(ctx context.Context) error) error

	CreateAPIToken(ctx context.Context, token models.APIToken) error
	APIToken(ctx context.Context, id string) (models.APIToken, error)
	APITokens(ctx context.Context) ([]models.APIToken, error)
	APITokensOf(ctx context.Context, user string) ([]models.APIToken, error)
	// TokenMember returns a token with its user and their membership, in one look-up:
	// every request of a program asks.
	TokenMember(ctx context.Context, id string) (models.TokenMember, error)
	TouchAPIToken(ctx context.Context, id string, before, at models.Instant) (bool, error)
	RevokeAPIToken(ctx context.Context, id string, at models.Instant) (bool, error)
	RevokeAPITokensOf(ctx context.Context, user string, at models.Instant) (bool, error)

	CreateInvitation(ctx context.Context, i models.Invitation) error
	Invitations(ctx context.Context) ([]models.Invitation, error)
	InvitationByToken(ctx context.Context, hash []byte) (models.Invitation, error)
	// AcceptInvitation reports whether the invitation was still open.
	AcceptInvitation(ctx context.Context, id, user string, at models.Instant) (bool, error)
	RevokeInvitation(ctx context.Context, id string, at models.Instant) (bool, error)

	Groups(ctx context.Context) ([]models.Group, error)
	SaveGroup(ctx context.Context, g models.Group) error
	DeleteGroup(ctx context.Context, name string) (bool, error)
}

// Passwords keeps how people prove who they are, and how often that went wrong.
type Passwords interface {
	Password(ctx context.Context, user string) (models.Password, error)
	SavePassword(ctx context.Context, p models.Password) error
	// RehashPassword replaces a hash that is still the old one.
	RehashPassword(ctx context.Context, user, old, hash string) (bool, error)
	// TakeLoginAttempt counts an attempt and reports whether it may be made.
	TakeLoginAttempt(ctx context.Context, id string, rule models.AttemptRule) (bool, error)
	ReturnLoginAttempt(ctx context.Context, id string) error
	ForgetLoginAttempts(ctx context.Context, id string) error
}

// Seeder writes the records of identity. Writing a record that is there
// replaces it, except for when it was created.
type Seeder interface {
	UpsertTenant(ctx context.Context, tenant models.Tenant) error
	UpsertUser(ctx context.Context, user models.User) error
	UpsertMembership(ctx context.Context, membership models.Membership) error
}
