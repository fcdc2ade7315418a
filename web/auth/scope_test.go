package auth_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/tenancy"
	"github.com/agentstudio/agentstudio/web/auth"
)

// resolver answers as a function does.
type resolver func(ctx context.Context) (tenancy.Scope, error)

func (r resolver) Resolve(ctx context.Context, _ *http.Request) (tenancy.Scope, error) { return r(ctx) }

func (resolver) Reload(context.Context, string, string) (tenancy.Scope, error) {
	return tenancy.Scope{}, errors.New("a request resolves")
}

// ask sends a request for acme through the middleware, and returns what its
// handler was given, if it was called.
func ask(t *testing.T, r tenancy.Resolver) (handled *http.Request, err error) {
	t.Helper()
	request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/studio/t/acme", nil)
	c := echo.New().NewContext(request, httptest.NewRecorder())
	c.SetParamNames(auth.TenantParam)
	c.SetParamValues("acme")
	err = auth.Scope(r)(func(c echo.Context) error { handled = c.Request(); return nil })(c)
	return handled, err
}

func whole() tenancy.Scope {
	return tenancy.Scope{User: "u", Tenant: "acme", StudioEnabled: true, Via: tenancy.ViaBrowser, Groups: []string{"g"}}
}

// TestScopeAnswersInOrder gives scopes in which several things are wrong.
func TestScopeAnswersInOrder(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		scope tenancy.Scope
		want  models.Code
	}{
		"nothing is known":                   {tenancy.Scope{}, models.CodeUnauthenticated},
		"nobody, of another tenant":          {tenancy.Scope{Tenant: "globex"}, models.CodeUnauthenticated},
		"nobody, and all else is fine":       {tenancy.Scope{Tenant: "acme", StudioEnabled: true}, models.CodeUnauthenticated},
		"no tenant, and it is off":           {tenancy.Scope{User: "u"}, models.CodeTenantRequired},
		"no tenant's name":                   {tenancy.Scope{User: "u", Tenant: "../acme"}, models.CodeTenantRequired},
		"GLOBAL as it is stored":             {tenancy.Scope{User: "u", Tenant: "*", StudioEnabled: true}, models.CodeTenantRequired},
		"the tenant in big case":             {tenancy.Scope{User: "u", Tenant: "ACME", StudioEnabled: true}, models.CodeTenantRequired},
		"a superuser of no tenant":           {tenancy.Scope{User: "u", Superuser: true, StudioEnabled: true}, models.CodeTenantRequired},
		"another tenant, and it is off":      {tenancy.Scope{User: "u", Tenant: "globex"}, models.CodeTenantMismatch},
		"another tenant":                     {tenancy.Scope{User: "u", Tenant: "globex", StudioEnabled: true}, models.CodeTenantMismatch},
		"a superuser of another tenant":      {tenancy.Scope{User: "u", Tenant: "globex", Superuser: true, StudioEnabled: true}, models.CodeTenantMismatch},
		"it is off":                          {tenancy.Scope{User: "u", Tenant: "acme"}, models.CodeStudioDisabled},
		"it is off, for an admin":            {tenancy.Scope{User: "u", Tenant: "acme", MayAdminister: true}, models.CodeStudioDisabled},
		"everything is fine":                 {whole(), ""},
		"everything is fine, without rights": {tenancy.Scope{User: "u", Tenant: "acme", StudioEnabled: true}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			handled, err := ask(t, resolver(func(context.Context) (tenancy.Scope, error) { return c.scope, nil }))
			require.Equal(t, c.want, models.CodeOf(err))
			require.Equal(t, c.want == "", handled != nil, "a refusal goes no further")
			if handled != nil {
				bound, ok := tenancy.FromContext(handled.Context())
				require.True(t, ok)
				require.Equal(t, c.scope, bound)
			}
		})
	}
}

// TestScopeRefusesWhereTheResolverFails says that no failure is a sign-in.
func TestScopeRefusesWhereTheResolverFails(t *testing.T) {
	t.Parallel()
	var nilMap map[string]int
	for name, c := range map[string]struct {
		resolve resolver
		want    models.Code
	}{
		"an error":                {func(context.Context) (tenancy.Scope, error) { return tenancy.Scope{}, errors.New("x") }, models.CodeUnauthenticated},
		"an error beside a scope": {func(context.Context) (tenancy.Scope, error) { return whole(), errors.New("x") }, models.CodeUnauthenticated},
		"one of our errors": {func(context.Context) (tenancy.Scope, error) {
			return whole(), fmt.Errorf("x: %w", models.Errorf(models.CodeStorageUnavailable, "Later."))
		}, models.CodeStorageUnavailable},
		"a panic":           {func(context.Context) (tenancy.Scope, error) { panic("secret") }, models.CodeUnauthenticated},
		"a panic of nil":    {func(context.Context) (tenancy.Scope, error) { panic(nil) }, models.CodeUnauthenticated},
		"a runtime panic":   {func(context.Context) (tenancy.Scope, error) { nilMap["a"] = 1; return whole(), nil }, models.CodeUnauthenticated},
		"an exit":           {func(context.Context) (tenancy.Scope, error) { runtime.Goexit(); return whole(), nil }, models.CodeUnauthenticated},
		"a canceled lookup": {func(context.Context) (tenancy.Scope, error) { return whole(), context.Canceled }, models.CodeUnauthenticated},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			handled, err := ask(t, c.resolve)
			require.Equal(t, c.want, models.CodeOf(err))
			require.Nil(t, handled)
			var e *models.Error
			require.ErrorAs(t, err, &e)
			require.NotContains(t, e.Message, "secret")
		})
	}
}

// TestScopeRefusesAResolverThatHangs has one that does not heed its context.
func TestScopeRefusesAResolverThatHangs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		handled, err := ask(t, resolver(func(context.Context) (tenancy.Scope, error) {
			time.Sleep(time.Hour)
			return whole(), nil
		}))
		require.Equal(t, models.CodeUnauthenticated, models.CodeOf(err))
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Nil(t, handled)
		time.Sleep(time.Hour) // until it answers, to nobody
		synctest.Wait()
	})
}

// TestResolverKnowsWhatIsAsked looks at what the resolver and the handler get.
func TestResolverKnowsWhatIsAsked(t *testing.T) {
	t.Parallel()
	asked := 0
	handled, err := ask(t, resolver(func(ctx context.Context) (tenancy.Scope, error) {
		asked++
		require.Equal(t, "acme", tenancy.Requested(ctx))
		_, bound := ctx.Deadline()
		require.True(t, bound)
		_, ok := tenancy.FromContext(ctx)
		require.False(t, ok, "nobody is signed in yet")
		return whole(), nil
	}))
	require.NoError(t, err)
	require.Equal(t, 1, asked)
	_, bound := handled.Context().Deadline()
	require.False(t, bound, "the resolver's time is not the handler's")
	require.NoError(t, handled.Context().Err())
}

// TestMeAnswersWhereTheStudioIsOff lets a program ask why everything else is
// not there.
func TestMeAnswersWhereTheStudioIsOff(t *testing.T) {
	t.Parallel()
	off := whole()
	off.StudioEnabled = false
	e := echo.New()
	g := e.Group("/api/v1/:"+auth.TenantParam, auth.Scope(resolver(func(context.Context) (tenancy.Scope, error) { return off, nil })))
	for _, path := range []string{"/me", "/tools/me"} {
		g.GET(path, func(c echo.Context) error { return c.NoContent(http.StatusNoContent) })
	}
	for path, want := range map[string]int{"/me": http.StatusNoContent, "/tools/me": http.StatusInternalServerError} {
		answer := httptest.NewRecorder()
		e.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/v1/acme"+path, nil))
		require.Equal(t, want, answer.Code, path)
	}
}
