package identity

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/policy"
	"github.com/agentstudio/agentstudio/tenancy"
)

func TestTokensAreChecked(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for field, changes := range map[string][]func(*NewToken){
		"name": {
			func(n *NewToken) { n.Name = " " },
			func(n *NewToken) { n.Name = strings.Repeat("é", 81) },
			func(n *NewToken) { n.Name = "a\u202eb" },
			func(n *NewToken) { n.Name = "a\nb" },
		},
		"days": {
			func(n *NewToken) { n.TTL = -1 },
			func(n *NewToken) { n.TTL = MaxAPITokenLifetime + 1 },
		},
		"permissions": {
			func(n *NewToken) { n.Permissions = []string{} },
			func(n *NewToken) { n.Permissions = []string{"*"} },
			func(n *NewToken) { n.Permissions = []string{"tools.execute", "Tools.execute"} },
			func(n *NewToken) { n.Permissions = []string{string(policy.ApprovalsDecide)} },
			func(n *NewToken) { n.Permissions = []string{string(policy.AgentsAdminister)} },
		},
	} {
		for _, change := range changes {
			n := NewToken{User: UserID(ada), Name: "Reports"}
			change(&n)
			_, _, err := b.service.IssueAPIToken(t.Context(), "acme", n)
			require.Equal(t, models.CodeValidation, models.CodeOf(err), n)
			var e *models.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, field, e.Details["field"])
		}
	}
	require.Empty(t, b.store.tokens)
}

// TestTokenIsNothingWithoutItsRow takes away, one after the other, what a token
// needs besides its text.
func TestTokenIsNothingWithoutItsRow(t *testing.T) {
	t.Parallel()
	change := func(change func(*models.APIToken)) func(*bundle, models.APIToken) {
		return func(b *bundle, token models.APIToken) {
			change(&token)
			b.store.tokens[token.ID] = token
		}
	}
	for name, spoil := range map[string]func(*bundle, models.APIToken){
		"revoked": func(b *bundle, token models.APIToken) {
			require.NoError(t, b.service.RevokeAPIToken(t.Context(), "acme", UserID(sam), token.ID))
		},
		"revoked by an admin": func(b *bundle, token models.APIToken) {
			require.NoError(t, b.service.RevokeAPIToken(t.Context(), "acme", "", token.ID))
		},
		"its row is gone":           func(b *bundle, token models.APIToken) { delete(b.store.tokens, token.ID) },
		"its row is another user's": change(func(token *models.APIToken) { token.UserID = UserID(ada) }),
		"its row is elsewhere":      change(func(token *models.APIToken) { token.TenantID = "globex" }),
		"its row ends now":          change(func(token *models.APIToken) { token.ExpiresAt = models.InstantOf(noon()) }),
		"its user left":             func(b *bundle, _ models.APIToken) { b.store.leave("acme", sam) },
		"its user is gone":          func(b *bundle, _ models.APIToken) { delete(b.store.users, UserID(sam)) },
		"it expired":                func(b *bundle, _ models.APIToken) { b.now = b.now.Add(APITokenLifetime) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			text, token, err := b.service.IssueAPIToken(t.Context(), "acme", NewToken{User: UserID(sam), Name: "x"})
			require.NoError(t, err)
			_, err = b.resolve(t.Context(), "", "Bearer "+text)
			require.NoError(t, err)
			spoil(b, token)
			scope, err := b.resolve(t.Context(), "", "Bearer "+text)
			require.Equal(t, models.CodeUnauthenticated, models.CodeOf(err))
			require.Zero(t, scope)
		})
	}
}

func TestRevokingIsForItsOwner(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, token, err := b.service.IssueAPIToken(t.Context(), "acme", NewToken{User: UserID(sam), Name: "x"})
	require.NoError(t, err)
	for tenant, user := range map[string]string{"acme": UserID(ada), "globex": ""} {
		err := b.service.RevokeAPIToken(t.Context(), tenant, user, token.ID)
		require.Equal(t, models.CodeNotFound, models.CodeOf(err))
	}
	require.Zero(t, b.store.tokens[token.ID].RevokedAt)
}

// TestTokensAreNarrowed says that a token's scope holds what it is for, and that
// nothing else is allowed to it.
func TestTokensAreNarrowed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	authorizer, err := policy.NewAuthorizer()
	require.NoError(t, err)
	for _, only := range append(Permissions(), "") {
		n := NewToken{User: UserID(ada), Name: "x", Permissions: []string{string(only)}}
		if only == "" {
			n.Permissions = nil
		}
		text, _, err := b.service.IssueAPIToken(t.Context(), "acme", n)
		require.NoError(t, err)
		scope, err := b.resolve(t.Context(), "", "Bearer "+text)
		require.NoError(t, err)
		require.Equal(t, n.Permissions, scope.Permissions)
		require.Equal(t, tenancy.ViaAPI, scope.Via)
		for _, action := range policy.Actions() {
			require.Equal(t, only == "" || action == only, authorizer.Allow(scope, "acme", action), "%s with %q", action, only)
		}
	}
}

func TestTokensAreBounded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var last models.APIToken
	for i := range maxTokens {
		_, token, err := b.service.IssueAPIToken(t.Context(), "acme", NewToken{User: UserID(ada), Name: fmt.Sprint(i)})
		require.NoError(t, err)
		last = token
	}
	issue := func() error {
		_, _, err := b.service.IssueAPIToken(t.Context(), "acme", NewToken{User: UserID(ada), Name: "more"})
		return err
	}
	require.Equal(t, models.CodeValidation, models.CodeOf(issue()))
	require.NoError(t, b.service.RevokeAPIToken(t.Context(), "acme", "", last.ID))
	require.NoError(t, issue(), "those that have ended do not count")
}

func TestLastUseIsKeptToTheMinute(t *testing.T) {
	t.Parallel()
	b := setup(t)
	text, token, err := b.service.IssueAPIToken(t.Context(), "acme", NewToken{User: UserID(ada), Name: "x"})
	require.NoError(t, err)
	require.Zero(t, token.LastUsedAt)
	for _, c := range []struct {
		after time.Duration
		want  time.Time
	}{{0, noon()}, {59 * time.Second, noon()}, {time.Second, noon().Add(time.Minute)}} {
		b.now = b.now.Add(c.after)
		_, err := b.resolve(t.Context(), "", "Bearer "+text)
		require.NoError(t, err)
		require.Equal(t, models.InstantOf(c.want), b.store.tokens[token.ID].LastUsedAt)
	}
}

func TestServiceAccounts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, n := range []NewAccount{
		{Name: "", Role: models.RoleAuthor},
		{Name: "a\u202eb", Role: models.RoleAuthor},
		{Name: "Robot", Role: models.RoleAdmin},
		{Name: "Robot"},
	} {
		_, err := b.service.CreateServiceAccount(t.Context(), "acme", n)
		require.Equal(t, models.CodeValidation, models.CodeOf(err), n)
	}
	robot, err := b.service.CreateServiceAccount(t.Context(), "acme", NewAccount{
		Name: "Robot", Role: models.RoleAuthor, Groups: []string{"support"},
	})
	require.NoError(t, err)
	_, err = b.service.SignIn(t.Context(), robot.Email, Client{})
	require.Equal(t, models.CodeUnauthenticated, models.CodeOf(err), "it can never sign in")
	text, _, err := b.service.IssueAPIToken(t.Context(), "acme", NewToken{User: robot.ID, Name: "x", By: UserID(ada)})
	require.NoError(t, err)
	scope, err := b.resolve(t.Context(), "", "Bearer "+text)
	require.NoError(t, err)
	require.Equal(t, tenancy.Scope{
		User: robot.ID, Name: "Robot", Tenant: "acme", Groups: []string{"support"}, MayAuthor: true, StudioEnabled: true, Via: tenancy.ViaAPI,
	}, scope)

	require.Equal(t, models.CodeNotFound, models.CodeOf(b.service.RemoveServiceAccount(t.Context(), "globex", robot.ID)))
	require.Equal(t, models.CodeNotFound, models.CodeOf(b.service.RemoveServiceAccount(t.Context(), "acme", UserID(sam))), "a person is none")
	require.NoError(t, b.service.RemoveServiceAccount(t.Context(), "acme", robot.ID))
	_, err = b.resolve(t.Context(), "", "Bearer "+text)
	require.Equal(t, models.CodeUnauthenticated, models.CodeOf(err))
	accounts, err := b.service.ServiceAccounts(t.Context(), "acme")
	require.NoError(t, err)
	require.Empty(t, accounts)
}
