package tenancy_test

import (
	"context"
	"errors"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/tenancy"
)

// says is a resolver that says one thing, whoever is asked for.
type says func() (tenancy.Scope, error)

func (s says) Resolve(context.Context, *http.Request) (tenancy.Scope, error) { return s() }

func (s says) Reload(context.Context, string, string) (tenancy.Scope, error) { return s() }

func ann() tenancy.Scope {
	return tenancy.Scope{
		User: "ann", Name: "Ann", Tenant: "acme", Groups: []string{"it"}, StudioEnabled: true,
		Via: tenancy.ViaBrowser, Session: "s",
	}
}

// TestNonsenseIsRefused holds that what no careful resolver says is no scope.
func TestNonsenseIsRefused(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*tenancy.Scope){
		"no user":              func(s *tenancy.Scope) { s.User = "" },
		"a user that is none":  func(s *tenancy.Scope) { s.User = "\xff" },
		"a user in two lines":  func(s *tenancy.Scope) { s.User = "ann\nbob" },
		"a user with NUL":      func(s *tenancy.Scope) { s.User = "ann\x00" },
		"an endless user":      func(s *tenancy.Scope) { s.User = strings.Repeat("a", 257) },
		"an endless name":      func(s *tenancy.Scope) { s.Name = strings.Repeat("a", 257) },
		"no way":               func(s *tenancy.Scope) { s.Via = "" },
		"a way that is none":   func(s *tenancy.Scope) { s.Via = "trust me" },
		"an empty group":       func(s *tenancy.Scope) { s.Groups = []string{"it", ""} },
		"a group that is none": func(s *tenancy.Scope) { s.Groups = []string{"\x1b[31m"} },
		"too many groups":      func(s *tenancy.Scope) { s.Groups = slices.Repeat([]string{"g"}, 10_000) },
	} {
		scope := ann()
		change(&scope)
		r := tenancy.Guarded(says(func() (tenancy.Scope, error) { return scope, nil }))
		_, err := r.Resolve(t.Context(), nil)
		require.Equal(t, models.CodeUnauthenticated, models.CodeOf(err), name)
		_, err = r.Reload(t.Context(), "acme", scope.User)
		require.Error(t, err, name)
	}
	good := tenancy.Guarded(says(func() (tenancy.Scope, error) { return ann(), nil }))
	scope, err := good.Resolve(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, ann(), scope)
}

// TestReloadTellsOfWhoWasAskedFor holds that a job never acts as another.
func TestReloadTellsOfWhoWasAskedFor(t *testing.T) {
	t.Parallel()
	r := tenancy.Guarded(says(func() (tenancy.Scope, error) { return ann(), nil }))
	scope, err := r.Reload(t.Context(), "acme", "ann")
	require.NoError(t, err)
	require.Equal(t, tenancy.ViaJob, scope.Via)
	require.Empty(t, scope.Session, "a reloaded scope decides nothing")
	for _, asked := range [][2]string{{"globex", "ann"}, {"acme", "bob"}, {"", "ann"}, {"acme", ""}} {
		_, err := r.Reload(t.Context(), asked[0], asked[1])
		require.Error(t, err, asked)
	}
}

func TestReloadThatFailsIsARefusal(t *testing.T) {
	t.Parallel()
	for name, resolver := range map[string]says{
		"an error beside a scope": func() (tenancy.Scope, error) { return ann(), errors.New("x") },
		"a panic":                 func() (tenancy.Scope, error) { panic("boom") },
		"an exit":                 func() (tenancy.Scope, error) { runtime.Goexit(); return ann(), nil },
	} {
		scope, err := tenancy.Guarded(resolver).Reload(t.Context(), "acme", "ann")
		require.Error(t, err, name)
		require.Zero(t, scope, name)
	}
	synctest.Test(t, func(t *testing.T) {
		_, err := tenancy.Guarded(says(func() (tenancy.Scope, error) { time.Sleep(time.Hour); return ann(), nil })).
			Reload(t.Context(), "acme", "ann")
		require.ErrorIs(t, err, context.DeadlineExceeded)
		time.Sleep(time.Hour)
	})
}

// steady is a resolver that can be compared.
type steady struct{ says }

func TestGuardingTwiceIsGuardingOnce(t *testing.T) {
	t.Parallel()
	once := tenancy.Guarded(&steady{})
	require.Equal(t, once, tenancy.Guarded(once))
}

// TestNoResolverReloadsWhatIsNobodys has a resolver that says back whatever it is
// asked: rows that a host without tenants left behind stay nobody's.
func TestNoResolverReloadsWhatIsNobodys(t *testing.T) {
	t.Parallel()
	for _, tenant := range []string{tenancy.Global().Stored(), "", "-", "..", "ACME", "a/b"} {
		echoing := ann()
		echoing.Tenant = tenant
		_, err := tenancy.Guarded(says(func() (tenancy.Scope, error) { return echoing, nil })).Reload(t.Context(), tenant, "ann")
		require.Equal(t, models.CodeTenantRequired, models.CodeOf(err), "%q", tenant)
	}
}
