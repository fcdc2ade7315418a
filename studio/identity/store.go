package identity

import (
	"context"

	"github.com/agentstudio/agentstudio/models"
)

// Store keeps the records of identity. They are read before a tenant is known,
// so its tables are outside the tenant filter. Look-ups of one record return
// an error with code not_found when it is absent.
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

	LoginSession(ctx context.Context, id string) (models.LoginSession, error)
	CreateLoginSession(ctx context.Context, session models.LoginSession) error
	// RevokeLoginSession sets when a session was revoked, unless it was already.
	RevokeLoginSession(ctx context.Context, id string, at models.Instant) error

	Seeder
}

// Seeder writes the records of identity. Writing a record that is there
// replaces it, except for when it was created.
type Seeder interface {
	UpsertTenant(ctx context.Context, tenant models.Tenant) error
	UpsertUser(ctx context.Context, user models.User) error
	UpsertMembership(ctx context.Context, membership models.Membership) error
}
