package identity_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/identity"
)

// TestNobodyVouchesForTheFuture has a provider say that somebody proves who they
// are tomorrow.
func TestNobodyVouchesForTheFuture(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, d *desk) {
		d.found(t, "acme")
		cookie, err := d.Arrive(t.Context(), identity.Visitor{
			Issuer: "https://id.example.test", Subject: "vera", Email: "vera@example.test", EmailVerified: true, Name: "Vera",
			AuthTime:    models.InstantOf(d.now.Add(24 * time.Hour)),
			Memberships: identity.Mapped([]string{"staff"}, []identity.GroupRule{{Group: "staff", Tenant: "acme", Role: models.RoleAuthor}}),
		}, identity.Client{})
		require.NoError(t, err)
		require.True(t, d.Fresh(d.scope(t, cookie), identity.FreshFor))
		d.wait(identity.FreshFor)
		require.False(t, d.Fresh(d.scope(t, cookie), identity.FreshFor))
	})
}

func TestGroupsGiveTheHighestRole(t *testing.T) {
	t.Parallel()
	rules := []identity.GroupRule{
		{Group: "staff", Tenant: "acme", Role: models.RoleAuthor, Groups: []string{"support"}},
		{Group: "bosses", Tenant: "acme", Role: models.RoleAdmin, Groups: []string{"night", "support"}},
		{Group: "all", Tenant: "acme", Role: models.RoleMember},
		{Group: "all", Tenant: "globex", Role: models.RoleMember},
	}
	require.Empty(t, identity.Mapped([]string{"Staff", ""}, rules))
	require.Equal(t, []models.Membership{
		{TenantID: "acme", Role: models.RoleAdmin, Groups: []string{"night", "support"}},
		{TenantID: "globex", Role: models.RoleMember, Groups: []string{}},
	}, identity.Mapped([]string{"all", "bosses", "staff"}, rules))
}
