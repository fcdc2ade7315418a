package identity_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/identity"
	"github.com/agentstudio/agentstudio/studio/store"
	"github.com/agentstudio/agentstudio/studio/store/storetest"
	"github.com/agentstudio/agentstudio/tenancy"
)

func TestMain(m *testing.M) { os.Exit(storetest.Main(m, migrate)) }

func migrate(ctx context.Context, dsn string) error {
	db, err := store.Open(ctx, store.Config{DSN: dsn})
	if err != nil {
		return err
	}
	return errors.Join(db.Migrate(ctx), db.Close())
}

const good = "seven green bottles and a wall"

// desk is the service over a real database, with a clock that a test moves.
type desk struct {
	*identity.Service
	db  *store.Store
	mu  sync.Mutex
	now time.Time
}

func (d *desk) clock() time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.now
}

func (d *desk) wait(by time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.now = d.now.Add(by)
}

func onBoth(t *testing.T, test func(t *testing.T, d *desk)) {
	t.Helper()
	for name, dsn := range map[string]func(testing.TB) string{"sqlite": storetest.SQLite, "postgres": storetest.Postgres} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at := dsn(t)
			if name == "sqlite" {
				require.NoError(t, migrate(t.Context(), at))
			}
			db, err := store.Open(t.Context(), store.Config{DSN: at})
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, db.Close()) })
			d := &desk{db: db, now: time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)}
			d.Service = identity.NewService(identity.Config{
				Store: db, Tokens: identity.NewTokens([32]byte{1}, d.clock), Now: d.clock, Cost: identity.Cost{Memory: 8, Passes: 1},
			})
			test(t, d)
		})
	}
}

// found makes a tenant with its first admin, and returns the admin's cookie.
func (d *desk) found(t *testing.T, tenant string) string {
	t.Helper()
	email := "boss@" + tenant + ".test"
	secret, err := d.CreateTenant(t.Context(), tenant, "Tenant "+tenant, email)
	require.NoError(t, err)
	cookie, err := d.Join(t.Context(), tenant, secret, identity.Newcomer{Name: "Boss", Email: email, Password: good}, identity.Client{})
	require.NoError(t, err)
	return cookie
}

// resolve resolves a request with a cookie.
func (d *desk) resolve(ctx context.Context, cookie string) (tenancy.Scope, error) {
	r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/", nil)
	r.AddCookie(&http.Cookie{Name: identity.CookieName, Value: cookie})
	return d.Resolve(ctx, r)
}

// scope resolves a cookie in acme.
func (d *desk) scope(t *testing.T, cookie string) tenancy.Scope {
	t.Helper()
	scope, err := d.resolve(tenancy.WithRequested(t.Context(), "acme"), cookie)
	require.NoError(t, err)
	return scope
}

// join invites somebody to acme and lets them join.
func (d *desk) join(t *testing.T, email string, role models.Role) tenancy.Scope {
	t.Helper()
	secret, _, err := d.Invite(t.Context(), "acme", identity.NewInvitation{Role: role, Groups: []string{"support"}})
	require.NoError(t, err)
	cookie, err := d.Join(t.Context(), "acme", secret, identity.Newcomer{Name: "Somebody", Email: email, Password: good}, identity.Client{})
	require.NoError(t, err)
	return d.scope(t, cookie)
}

func requireField(t *testing.T, want string, err error) {
	t.Helper()
	require.Equal(t, models.CodeValidation, models.CodeOf(err), "%v", err)
	var e *models.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, want, e.Details["field"], e.Message)
}

func TestTenantNames(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, d *desk) {
		for _, id := range []string{
			"", "*", "-", "a/b", "a:b", "..", ".", "Acme", "ACME", "ac me", "acmé", "аcme", "acme\n", "_x", strings.Repeat("a", 64), "%2e",
		} {
			_, err := d.CreateTenant(t.Context(), id, "Name", "boss@example.test")
			require.Equal(t, models.CodeInvalidName, models.CodeOf(err), "%q", id)
		}
		_, err := d.CreateTenant(t.Context(), "acme", "Na\u202eme", "boss@example.test")
		requireField(t, "name", err)
		_, err = d.CreateTenant(t.Context(), "acme", "Name", "nobody")
		requireField(t, "email", err)
		d.found(t, "acme")
		_, err = d.CreateTenant(t.Context(), "acme", "Again", "boss@example.test")
		require.Equal(t, models.CodeNameTaken, models.CodeOf(err))
		tenants, err := d.Tenants(t.Context())
		require.NoError(t, err)
		require.Len(t, tenants, 1)
	})
}

// TestInvitations lets one person in by a link, once, and nobody by any other.
func TestInvitations(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, d *desk) {
		boss := d.scope(t, d.found(t, "acme"))
		require.True(t, boss.MayAdminister)
		d.found(t, "globex")
		secret, made, err := d.Invite(t.Context(), "acme", identity.NewInvitation{
			Role: models.RoleAuthor, Groups: []string{"night", "day", "night"}, Email: "Sam@Example.test", By: boss.User,
		})
		require.NoError(t, err)
		require.NotContains(t, string(made.TokenHash), secret)
		sam := identity.Newcomer{Name: "Sam", Email: "sam@example.test", Password: good}
		for name, tenant := range map[string]string{"another tenant": "globex", "no tenant": "none", "no tenant's name": "../acme"} {
			_, err := d.Join(t.Context(), tenant, secret, sam, identity.Client{})
			require.Equal(t, models.CodeNotFound, models.CodeOf(err), name)
		}
		_, err = d.Join(t.Context(), "acme", secret+"A", sam, identity.Client{})
		require.Equal(t, models.CodeNotFound, models.CodeOf(err))
		for field, n := range map[string]identity.Newcomer{
			"name":     {Name: " ", Email: "sam@example.test", Password: good},
			"email":    {Name: "Sam", Email: "eve@example.test", Password: good},
			"password": {Name: "Sam", Email: "sam@example.test", Password: "password1234"},
		} {
			_, err := d.Join(t.Context(), "acme", secret, n, identity.Client{})
			requireField(t, field, err)
		}
		joined := 0
		var all sync.WaitGroup
		var mu sync.Mutex
		for range 8 {
			all.Go(func() {
				if _, err := d.Join(context.Background(), "acme", secret, sam, identity.Client{}); err == nil {
					mu.Lock()
					joined++
					mu.Unlock()
				}
			})
		}
		all.Wait()
		require.Equal(t, 1, joined, "a link is for one person, once")
		cookie, err := d.SignInWithPassword(t.Context(), " SAM@example.test", good, identity.Client{Address: "192.0.2.1"})
		require.NoError(t, err)
		scope := d.scope(t, cookie)
		require.True(t, scope.MayAuthor)
		require.False(t, scope.MayAdminister)
		require.Equal(t, []string{"day", "night"}, scope.Groups)

		second, _, err := d.Invite(t.Context(), "globex", identity.NewInvitation{Role: models.RoleMember})
		require.NoError(t, err)
		require.NoError(t, d.JoinAs(t.Context(), "globex", second, scope), "one person, two tenants")
		require.Equal(t, models.CodeNotFound, models.CodeOf(d.JoinAs(t.Context(), "globex", second, scope)))
		places, err := d.Memberships(t.Context(), scope.User)
		require.NoError(t, err)
		require.Len(t, places, 2)
	})
}

// TestInvitationsEnd withdraws one, lets one expire, and takes an admin's role
// after they invited.
func TestInvitationsEnd(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, d *desk) {
		boss := d.scope(t, d.found(t, "acme"))
		other := d.join(t, "other@acme.test", models.RoleAdmin)
		invite := func() (string, models.Invitation) {
			secret, made, err := d.Invite(t.Context(), "acme", identity.NewInvitation{Role: models.RoleAdmin, By: other.User})
			require.NoError(t, err)
			return secret, made
		}
		gone := func(secret string) {
			t.Helper()
			_, err := d.Invitation(t.Context(), "acme", secret)
			require.Equal(t, models.CodeNotFound, models.CodeOf(err))
			_, err = d.Join(t.Context(), "acme", secret, identity.Newcomer{Name: "Eve", Email: "eve@example.test", Password: good}, identity.Client{})
			require.Equal(t, models.CodeNotFound, models.CodeOf(err))
		}
		secret, made := invite()
		require.Equal(t, models.CodeNotFound, models.CodeOf(d.RevokeInvitation(t.Context(), "globex", made.ID)))
		require.NoError(t, d.RevokeInvitation(t.Context(), "acme", made.ID))
		require.Equal(t, models.CodeNotFound, models.CodeOf(d.RevokeInvitation(t.Context(), "acme", made.ID)))
		gone(secret)
		secret, _ = invite()
		d.wait(identity.InvitationLifetime)
		gone(secret)
		secret, _ = invite()
		open, err := d.Invitations(t.Context(), "acme")
		require.NoError(t, err)
		require.Len(t, open, 1)
		require.NoError(t, d.ChangeMember(t.Context(), "acme", boss.User, identity.Change{User: other.User, Role: models.RoleMember}))
		gone(secret)
	})
}

// TestAnAdminIsLeft has two admins take each other's role at the same time.
func TestAnAdminIsLeft(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, d *desk) {
		boss := d.scope(t, d.found(t, "acme"))
		member := d.join(t, "m@acme.test", models.RoleMember)
		requireField(t, "role", d.RemoveMember(t.Context(), "acme", boss.User, boss.User))
		requireField(t, "role", d.ChangeMember(t.Context(), "acme", boss.User, identity.Change{User: boss.User, Role: models.RoleAuthor}))
		require.Equal(t, models.CodePermissionDenied, models.CodeOf(d.RemoveMember(t.Context(), "acme", member.User, boss.User)))
		require.Equal(t, models.CodeNotFound, models.CodeOf(d.RemoveMember(t.Context(), "acme", boss.User, "nobody")))
		for range 5 {
			other := d.join(t, models.NewID()+"@acme.test", models.RoleAdmin)
			var both sync.WaitGroup
			for by, user := range map[string]string{boss.User: other.User, other.User: boss.User} {
				both.Go(func() { _ = d.RemoveMember(context.Background(), "acme", by, user) })
			}
			both.Wait()
			people, err := d.People(t.Context(), "acme")
			require.NoError(t, err)
			admins := 0
			for _, p := range people {
				if p.Membership.Role == models.RoleAdmin {
					admins++
					boss.User = p.User.ID
				}
			}
			require.Equal(t, 1, admins)
		}
	})
}

// TestRemovalIsInForceAtOnce takes a member's cookie, reload and tokens away.
func TestRemovalIsInForceAtOnce(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, d *desk) {
		boss := d.scope(t, d.found(t, "acme"))
		member := d.join(t, "m@acme.test", models.RoleAuthor)
		_, token, err := d.IssueAPIToken(t.Context(), "acme", identity.NewToken{User: member.User, Name: "x"})
		require.NoError(t, err)
		require.NoError(t, d.RemoveMember(t.Context(), "acme", boss.User, member.User))
		_, err = d.Reload(t.Context(), "acme", member.User)
		require.Equal(t, models.CodePermissionDenied, models.CodeOf(err))
		tokens, err := d.APITokens(t.Context(), "acme", member.User)
		require.NoError(t, err)
		require.Equal(t, token.ID, tokens[0].ID)
		require.NotZero(t, tokens[0].RevokedAt, "who comes back needs new tokens")
	})
}

func TestGroups(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, d *desk) {
		boss := d.scope(t, d.found(t, "acme"))
		member := d.join(t, "m@acme.test", models.RoleMember)
		for _, name := range []string{"", " x", "a\nb", strings.Repeat("x", 129), "a\u202eb"} {
			requireField(t, "name", d.SaveGroup(t.Context(), "acme", boss.User, name, ""))
		}
		require.Equal(t, models.CodePermissionDenied, models.CodeOf(d.SaveGroup(t.Context(), "acme", member.User, "night", "")))
		require.NoError(t, d.SaveGroup(t.Context(), "acme", boss.User, "night", "Who works at night"))
		names, err := d.GroupNames(t.Context(), "acme")
		require.NoError(t, err)
		require.Equal(t, []string{"night", "support"}, names)
		require.NoError(t, d.DeleteGroup(t.Context(), "acme", boss.User, "support"))
		scope, err := d.Reload(t.Context(), "acme", member.User)
		require.NoError(t, err)
		require.Empty(t, scope.Groups)
	})
}

// TestPasswords signs in with good ones and with bad ones, until that is too much.
func TestPasswords(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, d *desk) {
		cookie := d.found(t, "acme")
		from := identity.Client{Address: "192.0.2.1"}
		sign := func(email, password string) models.Code {
			_, err := d.SignInWithPassword(t.Context(), email, password, from)
			return models.CodeOf(err)
		}
		for range 9 {
			require.Equal(t, models.CodeUnauthenticated, sign("boss@acme.test", "wrong"))
		}
		require.Empty(t, sign("boss@acme.test", good), "the right one forgets the wrong ones")
		_, wrong := d.SignInWithPassword(t.Context(), "boss@acme.test", "wrong", from)
		_, unknown := d.SignInWithPassword(t.Context(), "nobody@acme.test", good, from)
		require.Equal(t, wrong.Error(), unknown.Error(), "nobody learns who has an account")
		for range 10 {
			sign("boss@acme.test", "wrong")
		}
		require.Equal(t, models.CodeTooManyAttempts, sign("boss@acme.test", good))
		d.wait(16 * time.Minute)
		require.Empty(t, sign("boss@acme.test", good))
		require.Equal(t, models.CodeUnauthenticated, sign("boss@acme.test", strings.Repeat("x", 1<<20)))

		second, err := d.SignInWithPassword(t.Context(), "boss@acme.test", good, from)
		require.NoError(t, err)
		scope := d.scope(t, second)
		requireField(t, "current", d.ChangePassword(t.Context(), scope, "wrong", "another fine long secret", from))
		requireField(t, "password", d.ChangePassword(t.Context(), scope, good, "short", from))
		require.NoError(t, d.ChangePassword(t.Context(), scope, good, "another fine long secret", from))
		_, err = d.resolve(t.Context(), cookie)
		require.Equal(t, models.CodeUnauthenticated, models.CodeOf(err), "other sign-ins end")
		require.Equal(t, models.CodeUnauthenticated, sign("boss@acme.test", good))
		require.Empty(t, sign("boss@acme.test", "another fine long secret"))
	})
}

// TestStepUp has a sign-in grow old, and proves again.
func TestStepUp(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, d *desk) {
		cookie := d.found(t, "acme")
		old := d.scope(t, cookie)
		require.True(t, d.Fresh(old, identity.FreshFor))
		d.wait(identity.FreshFor)
		require.False(t, d.Fresh(d.scope(t, cookie), identity.FreshFor))
		require.False(t, d.Fresh(tenancy.Scope{}, identity.FreshFor), "who never proved anything")
		_, err := d.Confirm(t.Context(), old, "wrong", identity.Client{})
		requireField(t, "current", err)
		next, err := d.Confirm(t.Context(), old, good, identity.Client{})
		require.NoError(t, err)
		renewed := d.scope(t, next)
		require.True(t, d.Fresh(renewed, identity.FreshFor))
		require.NotEqual(t, old.Session, renewed.Session, "the old cookie is worth nothing")
		_, err = d.resolve(t.Context(), cookie)
		require.Equal(t, models.CodeUnauthenticated, models.CodeOf(err))
	})
}

func TestSignInsEnd(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, d *desk) {
		d.found(t, "acme")
		other := d.join(t, "m@acme.test", models.RoleMember)
		cookie, err := d.SignInWithPassword(t.Context(), "boss@acme.test", good, identity.Client{Device: "Firefox on Linux"})
		require.NoError(t, err)
		scope := d.scope(t, cookie)
		live, err := d.SignIns(t.Context(), scope.User)
		require.NoError(t, err)
		require.Len(t, live, 2)
		require.Equal(t, models.CodeNotFound, models.CodeOf(d.EndSignIn(t.Context(), other.User, scope.Session)), "another's")
		require.NoError(t, d.EndOtherSignIns(t.Context(), scope))
		live, err = d.SignIns(t.Context(), scope.User)
		require.NoError(t, err)
		require.Len(t, live, 1)
		require.Equal(t, "Firefox on Linux", live[0].Device)
		require.NoError(t, d.EndSignIn(t.Context(), scope.User, scope.Session))
		_, err = d.resolve(t.Context(), cookie)
		require.Equal(t, models.CodeUnauthenticated, models.CodeOf(err))
		d.scope(t, func() string {
			c, err := d.SignInWithPassword(t.Context(), "m@acme.test", good, identity.Client{})
			require.NoError(t, err)
			return c
		}())
	})
}

// TestAUsedSignInIsSeen notes the use of a sign-in to the minute.
func TestAUsedSignInIsSeen(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, d *desk) {
		cookie := d.found(t, "acme")
		began := d.now
		for _, c := range []struct{ after, seen time.Duration }{{59 * time.Second, 0}, {time.Second, time.Minute}, {time.Hour, 61 * time.Minute}} {
			d.wait(c.after)
			live, err := d.SignIns(t.Context(), d.scope(t, cookie).User)
			require.NoError(t, err)
			require.Equal(t, began.Add(c.seen), live[0].LastSeenAt.Time())
		}
	})
}
