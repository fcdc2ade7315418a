package identity

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/tenancy"
)

const (
	ada = "admin@acme.test"
	sam = "support@acme.test"
	vic = "viewer@acme.test"
	gus = "admin@globex.test"
)

// bundle is the demo with a clock that a test can move.
type bundle struct {
	store   *memory
	service *Service
	now     time.Time
}

func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{store: newMemory(), now: noon()}
	clock := func() time.Time { return b.now }
	b.service = NewService(Config{Store: b.store, Tokens: NewTokens(seed(7), clock), Now: clock})
	require.NoError(t, SeedDemo(t.Context(), b.store, models.InstantOf(b.now)))
	return b
}

func (b *bundle) signIn(t *testing.T, email string) string {
	t.Helper()
	text, err := b.service.SignIn(t.Context(), email, Client{})
	require.NoError(t, err)
	return text
}

func (b *bundle) join(t *testing.T, tenant, email string, role models.Role) {
	t.Helper()
	require.NoError(t, b.store.UpsertMembership(t.Context(),
		models.Membership{TenantID: tenant, UserID: UserID(email), Role: role}))
}

// issue issues an API token that is not narrowed.
func (b *bundle) issue(tenant, email string, ttl time.Duration) (string, error) {
	text, _, err := b.service.IssueAPIToken(context.Background(), tenant, NewToken{
		User: UserID(email), Name: "a token", TTL: ttl, By: UserID(email),
	})
	return text, err
}

// resolve sends a request with a cookie and Authorization headers.
func (b *bundle) resolve(ctx context.Context, cookie string, authorization ...string) (tenancy.Scope, error) {
	r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/", nil)
	if cookie != "" {
		r.AddCookie(&http.Cookie{Name: CookieName, Value: cookie})
	}
	for _, value := range authorization {
		r.Header.Add("Authorization", value)
	}
	return b.service.Resolve(ctx, r)
}

func TestResolveCookie(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := tenancy.WithRequested(t.Context(), "acme")
	cases := map[string]tenancy.Scope{
		ada: {Name: "Ada Admin", MayAuthor: true, MayAdminister: true},
		sam: {Name: "Sam Support", MayAuthor: true, Groups: []string{"support"}},
		vic: {Name: "Vic Viewer"},
	}
	for email, want := range cases {
		got, err := b.resolve(ctx, b.signIn(t, email))
		require.NoError(t, err)
		require.Contains(t, b.store.sessions, got.Session)
		want.User, want.Tenant, want.StudioEnabled = UserID(email), "acme", true
		want.Via, want.AuthTime, want.Session = tenancy.ViaBrowser, noon(), got.Session
		require.Equal(t, want, got)
	}
}

func TestResolveCookieChoosesTheTenant(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.join(t, "globex", sam, models.RoleMember)
	b.join(t, "zeta", sam, models.RoleAdmin)
	b.store.leave("acme", vic)
	cases := map[string]struct{ email, url, want string }{
		"member of the URL's":          {sam, "globex", "globex"},
		"member of the URL's, last":    {sam, "zeta", "zeta"},
		"no URL tenant: the first":     {sam, "", "acme"},
		"not a member: the first":      {sam, "initech", "acme"},
		"not a member: the only one":   {ada, "globex", "acme"},
		"another case is another name": {ada, "Acme", "acme"},
		"every tenant":                 {ada, "*", "acme"},
		"no memberships":               {vic, "acme", ""},
		"no memberships, no URL":       {vic, "", ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cookie := b.signIn(t, c.email)
			scope, err := b.resolve(tenancy.WithRequested(t.Context(), c.url), cookie)
			require.NoError(t, err)
			require.Equal(t, c.want, scope.Tenant)
			require.Equal(t, c.want == "zeta" || c.email == ada, scope.MayAdminister, "rights are those of the chosen tenant")
		})
	}
}

func TestResolveRefusesCookies(t *testing.T) {
	t.Parallel()
	other := setup(t)
	cases := map[string]func(*bundle, string) string{
		"none":        func(*bundle, string) string { return "" },
		"not a token": func(*bundle, string) string { return "hello" },
		"another server's row": func(*bundle, string) string {
			return other.signIn(t, ada) // signed with the same key, but its row is elsewhere
		},
		"expired": func(b *bundle, cookie string) string {
			b.now = b.now.Add(SessionLifetime + leeway)
			return cookie
		},
		"expired by its row alone": func(b *bundle, cookie string) string {
			b.now = b.now.Add(SessionLifetime)
			return cookie
		},
		"revoked": func(b *bundle, cookie string) string {
			for id := range b.store.sessions {
				require.NoError(t, b.service.SignOut(context.Background(), id))
			}
			return cookie
		},
		"row of another user": func(b *bundle, cookie string) string {
			for id, s := range b.store.sessions {
				s.UserID = UserID(gus)
				b.store.sessions[id] = s
			}
			return cookie
		},
		"user removed": func(b *bundle, cookie string) string {
			delete(b.store.users, UserID(ada))
			return cookie
		},
		"API token": func(b *bundle, _ string) string {
			text, err := b.issue("acme", ada, 0)
			require.NoError(t, err)
			return text
		},
	}
	for name, spoil := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			cookie := b.signIn(t, ada)
			ctx := tenancy.WithRequested(t.Context(), "acme")
			_, err := b.resolve(ctx, cookie)
			require.NoError(t, err)

			scope, err := b.resolve(ctx, spoil(b, cookie))
			require.Equal(t, models.CodeUnauthenticated, models.CodeOf(err))
			require.Zero(t, scope)
		})
	}
}

func TestSignInAndOut(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first, second := b.signIn(t, "  Admin@ACME.test "), b.signIn(t, ada)
	one, err := b.resolve(t.Context(), first)
	require.NoError(t, err)
	two, err := b.resolve(t.Context(), second)
	require.NoError(t, err)
	require.NotEqual(t, one.Session, two.Session, "each sign-in has a new id")

	b.now = b.now.Add(time.Minute)
	require.NoError(t, b.service.SignOut(t.Context(), one.Session))
	require.NoError(t, b.service.SignOut(t.Context(), one.Session))
	require.NoError(t, b.service.SignOut(t.Context(), "unknown"))
	_, err = b.resolve(t.Context(), first)
	require.Equal(t, models.CodeUnauthenticated, models.CodeOf(err))
	still, err := b.resolve(t.Context(), second)
	require.NoError(t, err, "other sign-ins go on")
	require.Equal(t, noon(), still.AuthTime, "using a sign-in does not renew it")

	for _, email := range []string{"", "*", "nobody@acme.test", "acme"} {
		_, err := b.service.SignIn(t.Context(), email, Client{})
		require.Equal(t, models.CodeUnauthenticated, models.CodeOf(err))
	}
}

func TestResolveBearer(t *testing.T) {
	t.Parallel()
	b := setup(t)
	text, err := b.issue("acme", sam, 0)
	require.NoError(t, err)
	want := tenancy.Scope{
		User: UserID(sam), Name: "Sam Support", Tenant: "acme", Groups: []string{"support"},
		MayAuthor: true, StudioEnabled: true, Via: tenancy.ViaAPI,
	}
	for _, scheme := range []string{"Bearer ", "bearer ", "BEARER "} {
		scope, err := b.resolve(tenancy.WithRequested(t.Context(), "globex"), "", scheme+text)
		require.NoError(t, err)
		require.Equal(t, want, scope, "the token's tenant, whatever the URL says")
	}
	scope, err := b.resolve(t.Context(), b.signIn(t, ada), "Bearer "+text)
	require.NoError(t, err)
	require.Equal(t, want, scope, "the bearer token wins")
}

func TestResolveRefusesAuthorization(t *testing.T) {
	t.Parallel()
	b := setup(t)
	text, err := b.issue("acme", ada, 0)
	require.NoError(t, err)
	cookie := b.signIn(t, ada)
	cases := map[string][]string{
		"empty":             {""},
		"no scheme":         {text},
		"no token":          {"Bearer"},
		"empty token":       {"Bearer "},
		"another scheme":    {"Basic " + text},
		"two spaces":        {"Bearer  " + text},
		"two tokens":        {"Bearer " + text + " " + text},
		"two in a list":     {"Bearer " + text + ",Bearer " + text},
		"two headers":       {"Bearer " + text, "Bearer " + text},
		"cookie token":      {"Bearer " + cookie},
		"not a token":       {"Bearer hello"},
		"tab for the space": {"Bearer\t" + text},
	}
	for name, headers := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// A valid cookie does not make up for it.
			scope, err := b.resolve(t.Context(), cookie, headers...)
			require.Equal(t, models.CodeUnauthenticated, models.CodeOf(err))
			require.Zero(t, scope)
		})
	}
}

func TestRightsAreReadEachTime(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := tenancy.WithRequested(t.Context(), "acme")
	cookie := b.signIn(t, ada)
	token, err := b.issue("acme", ada, 0)
	require.NoError(t, err)
	scopes := func() (scopes [3]tenancy.Scope, errs [3]error) {
		scopes[0], errs[0] = b.resolve(ctx, cookie)
		scopes[1], errs[1] = b.resolve(ctx, "", "Bearer "+token)
		scopes[2], errs[2] = b.service.Reload(ctx, "acme", UserID(ada))
		return scopes, errs
	}
	before, errs := scopes()
	for i := range before {
		require.NoError(t, errs[i])
		require.True(t, before[i].MayAuthor && before[i].MayAdminister)
	}

	b.join(t, "acme", ada, models.RoleMember)
	lowered, errs := scopes()
	for i := range lowered {
		require.NoError(t, errs[i])
		require.False(t, lowered[i].MayAuthor || lowered[i].MayAdminister)
	}

	b.store.leave("acme", ada)
	gone, errs := scopes()
	require.NoError(t, errs[0])
	require.Empty(t, gone[0].Tenant)
	require.Equal(t, models.CodeUnauthenticated, models.CodeOf(errs[1]))
	require.Equal(t, models.CodePermissionDenied, models.CodeOf(errs[2]))
	require.Equal(t, "membership_lost", models.ReasonOf(errs[2]))
	require.Equal(t, [2]tenancy.Scope{}, [2]tenancy.Scope(gone[1:]))
}

func TestReload(t *testing.T) {
	t.Parallel()
	b := setup(t)
	scope, err := b.service.Reload(t.Context(), "globex", UserID(gus))
	require.NoError(t, err)
	require.Equal(t, tenancy.Scope{
		User: UserID(gus), Name: "Gus Globex", Tenant: "globex",
		MayAuthor: true, MayAdminister: true, StudioEnabled: true, Via: tenancy.ViaJob,
	}, scope)
	for _, c := range [][2]string{
		{"acme", UserID(gus)}, {"", UserID(gus)}, {"globex", ""}, {"", ""}, {"*", UserID(gus)}, {"GLOBEX", UserID(gus)},
	} {
		scope, err := b.service.Reload(t.Context(), c[0], c[1])
		require.Equal(t, models.CodePermissionDenied, models.CodeOf(err), c)
		require.Zero(t, scope)
	}
	delete(b.store.users, UserID(gus))
	_, err = b.service.Reload(t.Context(), "globex", UserID(gus))
	require.Equal(t, "membership_lost", models.ReasonOf(err))
}

func TestScopesShareNoGroups(t *testing.T) {
	t.Parallel()
	b := setup(t)
	scope, err := b.service.Reload(t.Context(), "acme", UserID(sam))
	require.NoError(t, err)
	scope.Groups[0] = "admins"
	again, err := b.service.Reload(t.Context(), "acme", UserID(sam))
	require.NoError(t, err)
	require.Equal(t, []string{"support"}, again.Groups)
}

func TestIssueAPIToken(t *testing.T) {
	t.Parallel()
	b := setup(t)
	cases := map[string]struct {
		tenant, email string
		ttl           time.Duration
		want          models.Code
	}{
		"default":        {"acme", ada, 0, ""},
		"another case":   {"acme", "ADMIN@acme.test", time.Hour, ""},
		"longest":        {"acme", ada, MaxAPITokenLifetime, ""},
		"too long":       {"acme", ada, MaxAPITokenLifetime + 1, models.CodeValidation},
		"negative":       {"acme", ada, -1, models.CodeValidation},
		"another tenant": {"globex", ada, 0, models.CodePermissionDenied},
		"no tenant":      {"", ada, 0, models.CodePermissionDenied},
		"unknown user":   {"acme", "nobody@acme.test", 0, models.CodePermissionDenied},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, err := b.issue(c.tenant, c.email, c.ttl)
			require.Equal(t, c.want, models.CodeOf(err))
			if c.want != "" {
				require.Empty(t, text)
				return
			}
			token, err := b.service.tokens.VerifyAPI(text)
			require.NoError(t, err)
			ttl := c.ttl
			if ttl == 0 {
				ttl = APITokenLifetime
			}
			require.NotEmpty(t, token.ID)
			require.Equal(t, APIToken{ID: token.ID, User: UserID(ada), Tenant: "acme", ExpiresAt: noon().Add(ttl)}, token)
		})
	}
}

func TestExpiredAPIToken(t *testing.T) {
	t.Parallel()
	b := setup(t)
	text, err := b.issue("acme", ada, time.Hour)
	require.NoError(t, err)
	b.now = b.now.Add(time.Hour + leeway)
	_, err = b.resolve(t.Context(), "", "Bearer "+text)
	require.Equal(t, models.CodeUnauthenticated, models.CodeOf(err))
}

func TestBrokenStoreIsNobodysFault(t *testing.T) {
	t.Parallel()
	b := setup(t)
	cookie := b.signIn(t, ada)
	token, err := b.issue("acme", ada, 0)
	require.NoError(t, err)
	down := errors.New("disk on fire")
	b.store.broken = down
	ctx := t.Context()
	calls := map[string]func() error{
		"cookie":      func() error { _, err := b.resolve(ctx, cookie); return err },
		"bearer":      func() error { _, err := b.resolve(ctx, "", "Bearer "+token); return err },
		"reload":      func() error { _, err := b.service.Reload(ctx, "acme", UserID(ada)); return err },
		"sign in":     func() error { _, err := b.service.SignIn(ctx, ada, Client{}); return err },
		"sign out":    func() error { return b.service.SignOut(ctx, "s") },
		"API token":   func() error { _, err := b.issue("acme", ada, 0); return err },
		"memberships": func() error { _, err := b.service.Memberships(ctx, UserID(ada)); return err },
		"people":      func() error { _, err := b.service.People(ctx, "acme"); return err },
		"names":       func() error { _, err := b.service.Names(ctx, "acme", nil); return err },
		"demo":        func() error { return SeedDemo(ctx, b.store, 1) },
	}
	for name, call := range calls {
		err := call()
		require.ErrorIs(t, err, down, name)
		require.Equal(t, models.CodeInternal, models.CodeOf(err), name)
	}
}
