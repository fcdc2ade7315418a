package identity

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"github.com/agentstudio/agentstudio/models"
)

// DemoPerson is somebody who can sign in to the demo.
type DemoPerson struct {
	Email  string
	Name   string
	Tenant string
	Role   models.Role
	Groups []string
}

// DemoTenants returns the demo's tenants.
func DemoTenants() []models.Tenant {
	return []models.Tenant{
		{ID: "acme", Name: "Acme Field Service"},
		{ID: "globex", Name: "Globex Field Service"},
	}
}

// DemoPeople returns who can sign in to the demo, with every role between them.
func DemoPeople() []DemoPerson {
	return []DemoPerson{
		{Email: "admin@acme.test", Name: "Ada Admin", Tenant: "acme", Role: models.RoleAdmin},
		{Email: "support@acme.test", Name: "Sam Support", Tenant: "acme", Role: models.RoleAuthor, Groups: []string{"support"}},
		{Email: "viewer@acme.test", Name: "Vic Viewer", Tenant: "acme", Role: models.RoleMember},
		{Email: "admin@globex.test", Name: "Gus Globex", Tenant: "globex", Role: models.RoleAdmin},
	}
}

// SeedDemo writes the demo's tenants and people. It may run any number of
// times: a person's id follows from their address.
func SeedDemo(ctx context.Context, store Seeder, at models.Instant) error {
	for _, tenant := range DemoTenants() {
		tenant.CreatedAt = at
		if err := store.UpsertTenant(ctx, tenant); err != nil {
			return fmt.Errorf("seed tenant %s: %w", tenant.ID, err)
		}
	}
	for _, p := range DemoPeople() {
		user := models.User{ID: UserID(p.Email), Email: p.Email, Name: p.Name, CreatedAt: at}
		if err := store.UpsertUser(ctx, user); err != nil {
			return fmt.Errorf("seed user %s: %w", p.Email, err)
		}
		membership := models.Membership{
			TenantID: p.Tenant, UserID: user.ID, Role: p.Role, Groups: p.Groups, CreatedAt: at,
		}
		if err := store.UpsertMembership(ctx, membership); err != nil {
			return fmt.Errorf("seed the membership of %s: %w", p.Email, err)
		}
	}
	return nil
}

// UserID returns the id of the user with an address, the same one in every
// installation.
func UserID(email string) string {
	return uuid.NewSHA1(uuid.NameSpaceURL, []byte("mailto:"+normalEmail(email))).String()
}
