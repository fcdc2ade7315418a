package toolexec

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/tenancy"
)

// TestBadToolkitsHurtOnlyTheirOwnCalls lets one toolkit panic, hang, end its
// goroutine, leak others and return 10 MB, many times at once, beside calls of
// the same toolkit that behave.
func TestBadToolkitsHurtOnlyTheirOwnCalls(t *testing.T) {
	t.Parallel()
	b := setup(t, Limits{Deadline: 10 * time.Second, ResultBytes: 10_000})
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	huge := strings.Repeat("x", 10<<20) // 10 MB
	bad := map[int64]func(context.Context) (out, error){
		1: func(context.Context) (out, error) { panic("boom") },
		2: func(context.Context) (out, error) { panic(errors.New("boom")) },
		3: func(context.Context) (out, error) { <-release; return out{}, nil },
		4: func(context.Context) (out, error) { go func() { <-release }(); return out{Count: 4}, nil },
		5: func(context.Context) (out, error) { return out{Items: []string{huge}}, nil },
	}
	codes := map[int64]string{1: "tool_failed", 2: "tool_failed", 3: "tool_timeout", 4: "", 5: "result_unreadable"}
	b.method = func(ctx context.Context, in in) (out, error) {
		if misbehave := bad[in.Count]; misbehave != nil {
			return misbehave(ctx)
		}
		return out{Tenant: string(in.Tenant), Count: in.Count}, nil
	}
	var calls sync.WaitGroup
	for i := range int64(60) {
		calls.Go(func() {
			kind := i % 12 // five of twelve are bad
			ctx := tenancy.WithScope(t.Context(), author())
			call, err := b.prepare(ctx, "x_read", `{"count":`+string(rune('0'+kind%10))+`}`)
			if err != nil {
				t.Error(err)
				return
			}
			envelope, err := b.runner.Read(ctx, call)
			if err != nil {
				t.Error(err)
				return
			}
			if want := codes[kind%10]; envelope.ErrorCode != want {
				t.Errorf("call of kind %d ended with %q, not %q", kind, envelope.ErrorCode, want)
			}
			if bad[kind%10] == nil && !strings.Contains(string(envelope.Result), `"tenant":"acme"`) {
				t.Errorf("a good call returned %s", envelope.Result)
			}
		})
	}
	calls.Wait()
	require.NotZero(t, b.constructed.Load())
}

// TestEveryLookAlikeIsRefused sends names that look like the declared ones.
func TestEveryLookAlikeIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t, DefaultLimits())
	ctx := tenancy.WithScope(t.Context(), author())
	for _, raw := range []string{
		`{"count":1,"Count":2}`, `{"Count":1}`, `{"count":1,"count\u0000":2}`, `{"count\u0000":1}`, `{"count":1,"ſtatus":1}`,
		`{"count":1,"kınd":"a"}`, `{"count":1,"count":2}`, `{"count":1,"Tenant":"globex"}`, `{"count":1,"TENANT_ID":"globex"}`,
		`{"count":1,"tenant\u0000":"globex"}`, `{"count":1," tenant":"globex"}`, `{"count":1,"ｔenant":"globex"}`,
	} {
		_, err := b.prepare(ctx, "x_read", raw)
		require.Error(t, err, raw)
	}
	require.Zero(t, b.ran.Load())
}
