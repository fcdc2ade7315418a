package store_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/store"
)

func TestIdentity(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		require.NoError(t, s.UpsertTenant(ctx, models.Tenant{ID: "beta", Name: "Beta"}))
		require.NoError(t, s.UpsertTenant(ctx, models.Tenant{ID: "alpha", Name: "Old"}))
		require.NoError(t, s.UpsertTenant(ctx, models.Tenant{ID: "alpha", Name: "Alpha"}))
		require.NoError(t, s.UpsertUser(ctx, models.User{ID: "u1", Email: "ann@example.org", Name: "Ann"}))
		require.NoError(t, s.UpsertUser(ctx, models.User{ID: "u2", Email: "bob@example.org", Name: "Bob"}))
		require.NoError(t, s.UpsertUser(ctx, models.User{ID: "u2", Email: "rob@example.org", Name: "Rob"}))
		taken := s.UpsertUser(ctx, models.User{ID: "u3", Email: "ann@example.org"})
		require.Equal(t, models.CodeNameTaken, models.CodeOf(taken))
		for _, m := range []models.Membership{
			{TenantID: "beta", UserID: "u1", Role: models.RoleMember},
			{TenantID: "alpha", UserID: "u2", Role: models.RoleMember},
			{TenantID: "alpha", UserID: "u1", Role: models.RoleMember},
			{TenantID: "alpha", UserID: "u1", Role: models.RoleAdmin, Groups: []string{"it"}},
		} {
			require.NoError(t, s.UpsertMembership(ctx, m))
		}

		tenants, err := s.Tenants(ctx)
		require.NoError(t, err)
		require.Equal(t, []string{"Alpha", "Beta"}, []string{tenants[0].Name, tenants[1].Name})
		user, err := s.UserByEmail(ctx, "rob@example.org")
		require.NoError(t, err)
		require.Equal(t, "u2", user.ID)
		users, err := s.UsersByID(ctx, []string{"u2", "absent", "u1"})
		require.NoError(t, err)
		require.Equal(t, []string{"Ann", "Rob"}, []string{users[0].Name, users[1].Name})
		member, err := s.Membership(ctx, "alpha", "u1")
		require.NoError(t, err)
		require.Equal(t, models.RoleAdmin, member.Role)
		require.Equal(t, []string{"it"}, member.Groups)
		known, again, err := s.Member(ctx, "alpha", "u1")
		require.NoError(t, err)
		require.Equal(t, member, again)
		require.Equal(t, users[0], known)
		_, _, err = s.Member(ctx, "alpha", "nobody")
		require.Equal(t, models.CodeNotFound, models.CodeOf(err))

		of, err := s.MembershipsOf(ctx, "u1")
		require.NoError(t, err)
		require.Equal(t, []string{"alpha", "beta"}, []string{of[0].TenantID, of[1].TenantID})
		members, err := s.MembersOf(ctx, "alpha")
		require.NoError(t, err)
		require.Equal(t, []string{"u1", "u2"}, []string{members[0].UserID, members[1].UserID})
	})
}

func TestAbsentIdentity(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		for _, err := range []error{
			second(s.Tenant(ctx, "x")), second(s.User(ctx, "x")), second(s.UserByEmail(ctx, "x")),
			second(s.Membership(ctx, "x", "y")), second(s.LoginSession(ctx, "x")),
		} {
			require.Equal(t, models.CodeNotFound, models.CodeOf(err))
		}
		users, err := s.UsersByID(ctx, nil)
		require.NoError(t, err)
		require.Empty(t, users)
	})
}

func TestLoginSessions(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		require.NoError(t, s.UpsertUser(ctx, models.User{ID: "u", Email: "u@example.org"}))
		session := models.LoginSession{ID: "cookie", UserID: "u", AuthTime: 1, ExpiresAt: 2}
		require.NoError(t, s.CreateLoginSession(ctx, session))
		require.NoError(t, s.RevokeLoginSession(ctx, "cookie", 5))
		require.NoError(t, s.RevokeLoginSession(ctx, "cookie", 6), "the first moment stays")
		require.NoError(t, s.RevokeLoginSession(ctx, "absent", 6))
		got, err := s.LoginSession(ctx, "cookie")
		require.NoError(t, err)
		session.RevokedAt = 5
		require.Equal(t, session, got)
	})
}

// TestIdentityJoinsAUnit would wait for itself forever on SQLite, which has one
// writer, if the methods without a partition did not join the unit they are in.
func TestIdentityJoinsAUnit(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		require.ErrorIs(t, s.Write(t.Context(), partition(t, "alpha"), func(ctx context.Context) error {
			require.NoError(t, s.UpsertTenant(ctx, models.Tenant{ID: "alpha"}))
			require.NoError(t, second(s.Tenant(ctx, "alpha")))
			return errTest
		}), errTest)
		require.Equal(t, models.CodeNotFound, models.CodeOf(second(s.Tenant(t.Context(), "alpha"))))
	})
}
