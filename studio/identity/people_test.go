package identity

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/models"
)

func TestMemberships(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.join(t, "globex", sam, models.RoleMember)
	places, err := b.service.Memberships(t.Context(), UserID(sam))
	require.NoError(t, err)
	require.Len(t, places, 2)
	require.Equal(t, "Acme Field Service", places[0].Tenant.Name)
	require.Equal(t, models.RoleAuthor, places[0].Membership.Role)
	require.Equal(t, "Globex Field Service", places[1].Tenant.Name)
	require.Equal(t, models.RoleMember, places[1].Membership.Role)

	places, err = b.service.Memberships(t.Context(), "nobody")
	require.NoError(t, err)
	require.Empty(t, places)
}

func TestPeople(t *testing.T) {
	t.Parallel()
	b := setup(t)
	people, err := b.service.People(t.Context(), "acme")
	require.NoError(t, err)
	var names []string
	for _, p := range people {
		names = append(names, p.User.Name)
		require.Equal(t, p.User.ID, p.Membership.UserID)
		require.Equal(t, "acme", p.Membership.TenantID)
	}
	require.Equal(t, []string{"Ada Admin", "Sam Support", "Vic Viewer"}, names)

	people, err = b.service.People(t.Context(), "")
	require.NoError(t, err)
	require.Empty(t, people)
}

func TestNamesAreThoseOfMembers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ids := []string{UserID(ada), UserID(gus), "nobody", ""}
	names, err := b.service.Names(t.Context(), "acme", ids)
	require.NoError(t, err)
	require.Equal(t, map[string]string{UserID(ada): "Ada Admin"}, names)

	names, err = b.service.Names(t.Context(), "globex", ids)
	require.NoError(t, err)
	require.Equal(t, map[string]string{UserID(gus): "Gus Globex"}, names)
}

func TestSeedDemoIsIdempotent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	users, memberships := maps.Clone(b.store.users), maps.Clone(b.store.memberships)
	require.Len(t, users, 4)
	require.Len(t, memberships, 4)
	require.Len(t, b.store.tenants, 2)
	require.NoError(t, SeedDemo(t.Context(), b.store, models.InstantOf(noon())))
	require.Equal(t, users, b.store.users)
	require.Equal(t, memberships, b.store.memberships)
}

func TestUserID(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, p := range DemoPeople() {
		id := UserID(p.Email)
		require.True(t, models.ValidID(id))
		require.Empty(t, seen[id])
		seen[id] = p.Email
	}
	require.Equal(t, UserID("a@b.test"), UserID(" A@B.test"))
	require.Equal(t, "d46829e0-8cb7-551b-8962-5f57f3873534", UserID("admin@acme.test"), "ids are kept in databases and must not change")
}
