package store_test

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/store"
)

const (
	invitationID = "invitation"
	tokenID      = "token"
	groupName    = "desk"

	// later is after everything.
	later = models.Instant(math.MaxInt64)
)

func newInvitation(id, inviter string) models.Invitation {
	return models.Invitation{
		ID: id, TokenHash: []byte("link of " + id), Role: models.RoleMember, InvitedBy: inviter, ExpiresAt: later,
	}
}

func peopleCases() map[string]isolationCase {
	return map[string]isolationCase{
		"CreateInvitation": creates(func(ctx context.Context, s *store.Store) error {
			i := newInvitation("new", "caller")
			i.TenantID = "beta"
			return s.CreateInvitation(ctx, i)
		}),
		"Invitations": finds(func(ctx context.Context, s *store.Store) (any, error) { return s.Invitations(ctx) }),
		"InvitationByToken": finds(func(ctx context.Context, s *store.Store) (any, error) {
			return s.InvitationByToken(ctx, []byte("link of "+invitationID))
		}),
		"AcceptInvitation": finds(func(ctx context.Context, s *store.Store) (any, error) {
			return s.AcceptInvitation(ctx, invitationID, userID, 1)
		}),
		"RevokeInvitation": finds(func(ctx context.Context, s *store.Store) (any, error) {
			return s.RevokeInvitation(ctx, invitationID, 1)
		}),
		"CreateAPIToken": creates(func(ctx context.Context, s *store.Store) error {
			return s.CreateAPIToken(ctx, models.APIToken{TenantID: "beta", ID: "new", UserID: userID})
		}),
		"APIToken":    finds(func(ctx context.Context, s *store.Store) (any, error) { return s.APIToken(ctx, tokenID) }),
		"APITokens":   finds(func(ctx context.Context, s *store.Store) (any, error) { return s.APITokens(ctx) }),
		"APITokensOf": finds(func(ctx context.Context, s *store.Store) (any, error) { return s.APITokensOf(ctx, userID) }),
		"TokenMember": finds(func(ctx context.Context, s *store.Store) (any, error) { return s.TokenMember(ctx, tokenID) }),
		"TouchAPIToken": finds(func(ctx context.Context, s *store.Store) (any, error) {
			return s.TouchAPIToken(ctx, tokenID, 1, 2)
		}),
		"RevokeAPIToken": finds(func(ctx context.Context, s *store.Store) (any, error) {
			return s.RevokeAPIToken(ctx, tokenID, 1)
		}),
		"RevokeAPITokensOf": finds(func(ctx context.Context, s *store.Store) (any, error) {
			return s.RevokeAPITokensOf(ctx, userID, 1)
		}),
		"Groups": finds(func(ctx context.Context, s *store.Store) (any, error) { return s.Groups(ctx) }),
		"SaveGroup": creates(func(ctx context.Context, s *store.Store) error {
			return s.SaveGroup(ctx, models.Group{TenantID: "beta", Name: "new"})
		}),
		"DeleteGroup": finds(func(ctx context.Context, s *store.Store) (any, error) { return s.DeleteGroup(ctx, groupName) }),
	}
}

func TestAnInvitationIsAcceptedOnce(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		seed(t, s, "alpha")
		write(t, s, "alpha", func(ctx context.Context) error {
			expired := newInvitation("expired", "ann")
			expired.ExpiresAt = 5
			require.NoError(t, s.CreateInvitation(ctx, expired))
			require.NoError(t, s.CreateInvitation(ctx, newInvitation("revoked", "ann")))
			for _, step := range []struct {
				what string
				do   func() (bool, error)
				want bool
			}{
				{"accept", func() (bool, error) { return s.AcceptInvitation(ctx, invitationID, userID, 5) }, true},
				{"accept again", func() (bool, error) { return s.AcceptInvitation(ctx, invitationID, userID, 5) }, false},
				{"revoke what was accepted", func() (bool, error) { return s.RevokeInvitation(ctx, invitationID, 5) }, false},
				{"accept when it ends", func() (bool, error) { return s.AcceptInvitation(ctx, "expired", userID, 5) }, false},
				{"accept just before", func() (bool, error) { return s.AcceptInvitation(ctx, "expired", userID, 4) }, true},
				{"revoke", func() (bool, error) { return s.RevokeInvitation(ctx, "revoked", 5) }, true},
				{"accept what was revoked", func() (bool, error) { return s.AcceptInvitation(ctx, "revoked", userID, 5) }, false},
			} {
				done, err := step.do()
				require.NoError(t, err, step.what)
				require.Equal(t, step.want, done, step.what)
			}
			return nil
		})
	})
}

func TestAttemptsLock(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		at := func(now models.Instant) models.AttemptRule {
			return models.AttemptRule{Limit: 3, Now: now, Since: now - 100, LockUntil: now + 50}
		}
		take := func(now models.Instant, want bool) {
			t.Helper()
			taken, err := s.TakeLoginAttempt(ctx, "account", at(now))
			require.NoError(t, err)
			require.Equal(t, want, taken)
		}
		take(1000, true)
		take(1001, true)
		require.NoError(t, s.ReturnLoginAttempt(ctx, "account"))
		take(1002, true)
		take(1003, true) // the third that counts: locked until 1053
		take(1004, false)
		take(1052, false)
		take(1053, true) // still over the limit: locked anew
		take(1054, false)
		take(1200, true) // the count began too long ago
		take(1201, true)
		require.NoError(t, s.ForgetLoginAttempts(ctx, "account"))
		take(1202, true)
		take(1203, true)
		take(1204, true)
		take(1205, false)
		require.NoError(t, s.PruneLoginAttempts(ctx, 9999))
		take(1205, true)
	})
}

func TestEverySignInOfAUserEnds(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		for _, user := range []string{"ann", "bob"} {
			require.NoError(t, s.CreateUser(ctx, models.User{ID: user, Email: user + "@example.test"}))
			for _, id := range []string{"1", "2", "3"} {
				require.NoError(t, s.CreateLoginSession(ctx, models.LoginSession{ID: user + id, UserID: user, ExpiresAt: 100}))
			}
		}
		require.NoError(t, s.RevokeLoginSessionsOf(ctx, "ann", "ann2", 7))
		require.Equal(t, []string{"ann2"}, sessionsOf(t, s, "ann", 9))
		require.Equal(t, []string{"bob3", "bob2", "bob1"}, sessionsOf(t, s, "bob", 9))
		require.Empty(t, sessionsOf(t, s, "bob", 100), "expired")

		next := models.LoginSession{ID: "ann4", UserID: "ann", ExpiresAt: 100}
		for _, old := range []string{"ann1", "bob1", "nobody"} {
			replaced, err := s.ReplaceLoginSession(ctx, old, next, 8)
			require.NoError(t, err)
			require.False(t, replaced, old)
		}
		replaced, err := s.ReplaceLoginSession(ctx, "ann2", next, 8)
		require.NoError(t, err)
		require.True(t, replaced)
		require.Equal(t, []string{"ann4"}, sessionsOf(t, s, "ann", 9))
	})
}

func sessionsOf(t *testing.T, s *store.Store, user string, at models.Instant) []string {
	t.Helper()
	found, err := s.LoginSessionsOf(t.Context(), user, at)
	require.NoError(t, err)
	ids := []string{}
	for _, session := range found {
		ids = append(ids, session.ID)
	}
	return ids
}

func TestALinkedUserIsMadeWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		link := models.UserIdentity{Issuer: "https://id.example.test", Subject: "42"}
		require.NoError(t, s.CreateLinkedUser(ctx, models.User{ID: "ann", Email: "ann@example.test"}, link))
		err := s.CreateLinkedUser(ctx, models.User{ID: "bob", Email: "bob@example.test"}, link)
		require.Equal(t, models.CodeNameTaken, models.CodeOf(err))
		_, err = s.User(ctx, "bob")
		require.Equal(t, models.CodeNotFound, models.CodeOf(err))
		found, err := s.UserByIdentity(ctx, link.Issuer, link.Subject)
		require.NoError(t, err)
		require.Equal(t, "ann", found.ID)
		_, err = s.UserByIdentity(ctx, link.Issuer, "43")
		require.Equal(t, models.CodeNotFound, models.CodeOf(err))
	})
}

func TestAdminsAreCounted(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		for _, tenant := range []string{"alpha", "beta"} {
			require.NoError(t, s.CreateTenant(ctx, models.Tenant{ID: tenant, Name: tenant}))
		}
		for user, m := range map[string]models.Membership{
			"ann": {TenantID: "alpha", Role: models.RoleAdmin}, "bob": {TenantID: "alpha", Role: models.RoleAdmin},
			"cid": {TenantID: "alpha", Role: models.RoleAuthor}, "robot": {TenantID: "alpha", Role: models.RoleAdmin},
			"eve": {TenantID: "beta", Role: models.RoleAdmin},
		} {
			kind := models.UserPerson
			if user == "robot" {
				kind = models.UserService
			}
			require.NoError(t, s.CreateUser(ctx, models.User{ID: user, Kind: kind, Email: user}))
			m.UserID = user
			require.NoError(t, s.UpsertMembership(ctx, m))
		}
		count, err := s.CountAdmins(ctx, "alpha", "ann")
		require.NoError(t, err)
		require.Equal(t, int64(1), count, "bob; a service account administers nothing that a person needs")
		ended, err := s.DeleteMembership(ctx, "alpha", "bob")
		require.NoError(t, err)
		require.True(t, ended)
		count, err = s.CountAdmins(ctx, "alpha", "ann")
		require.NoError(t, err)
		require.Zero(t, count)
	})
}
