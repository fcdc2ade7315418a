package toolexec

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/policy"
	"github.com/agentstudio/agentstudio/tenancy"
)

// stateful is a toolkit that keeps what it should not: who called it.
type stateful struct {
	mu     sync.Mutex
	seen   []string // by this instance
	opened []tenancy.Scope
}

func (s *stateful) look(_ context.Context, in in) (out, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if in.Count == 13 {
		panic("boom")
	}
	s.seen = append(s.seen, string(in.Tenant))
	return out{Items: append([]string(nil), s.seen...)}, nil
}

// setupStateful returns a door over such a toolkit, and its instances.
func setupStateful(t *testing.T) (*bundle, *[]*stateful) {
	t.Helper()
	made := &[]*stateful{}
	registry := hosttools.MustRegistry(hosttools.Host{Prefix: "x_", Tools: map[string]hosttools.Constructor{
		"x_kit": func() (hosttools.Entry, error) {
			s := &stateful{}
			return hosttools.Toolkit{
				Prefix: "x", Title: "Kit",
				Methods: []hosttools.Method{hosttools.NewMethod("look", "Looks.", s.look, hosttools.Read())},
				Open: func(ctx context.Context) error {
					scope, _ := tenancy.FromContext(ctx)
					s.opened = append(s.opened, scope)
					*made = append(*made, s)
					return nil
				},
			}, nil
		},
	}})
	authorizer, err := policy.NewAuthorizer()
	require.NoError(t, err)
	b := &bundle{}
	b.preparer, err = NewPreparer(Config{
		Registry: registry, Authorizer: authorizer, Auditor: b, Logger: slog.New(slog.DiscardHandler),
	})
	require.NoError(t, err)
	b.runner = NewRunner(b.preparer, nil, Limits{Deadline: 10 * time.Second})
	t.Cleanup(b.runner.Stop)
	return b, made
}

func (b *bundle) look(t *testing.T, tenant, raw string) Envelope {
	t.Helper()
	scope := author()
	scope.Tenant = tenant
	ctx := tenancy.WithScope(t.Context(), scope)
	call, err := b.prepare(ctx, "x_look", raw)
	require.NoError(t, err)
	envelope, err := b.runner.Read(ctx, call)
	require.NoError(t, err)
	return envelope
}

// TestInstancesNeverServeTwoTenants holds that even a toolkit that keeps state
// shows no tenant another's, and that what is opened for all callers sees none
// of them.
func TestInstancesNeverServeTwoTenants(t *testing.T) {
	t.Parallel()
	b, made := setupStateful(t)
	for range 3 {
		require.NotContains(t, string(b.look(t, "acme", `{"count":1}`).Result), "globex")
		require.NotContains(t, string(b.look(t, "globex", `{"count":1}`).Result), "acme")
	}
	require.Len(t, *made, 2, "each tenant's calls share one")
	for _, s := range *made {
		require.Len(t, s.opened, 1)
		require.NotEmpty(t, s.opened[0].Tenant)
		require.Empty(t, s.opened[0].User)
		require.False(t, s.opened[0].MayAuthor)
	}
}

// TestAPanicEndsTheInstance holds that what a panic left half done serves nobody
// again.
func TestAPanicEndsTheInstance(t *testing.T) {
	t.Parallel()
	b, made := setupStateful(t)
	b.look(t, "acme", `{"count":1}`)
	require.Equal(t, "tool_failed", b.look(t, "acme", `{"count":13}`).ErrorCode)
	require.JSONEq(t, `{"tenant":"","count":0,"kind":"","items":["acme"]}`, string(b.look(t, "acme", `{"count":1}`).Result),
		"the state of the first is gone")
	require.Len(t, *made, 2)
}
