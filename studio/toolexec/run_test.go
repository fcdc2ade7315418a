package toolexec

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"net/http"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/policy"
	"github.com/agentstudio/agentstudio/tenancy"
)

// members is a resolver whose only member is the author.
type members struct{}

func (members) Resolve(context.Context, *http.Request) (tenancy.Scope, error) {
	return tenancy.Scope{}, errors.New("nobody calls")
}

func (members) Reload(_ context.Context, _, user string) (tenancy.Scope, error) {
	scope := author()
	scope.User, scope.Via = user, tenancy.ViaJob
	return scope, nil
}

// ledger is a scripted Approvals.
type ledger struct {
	burnErr   error
	start     Start
	settleErr []error // of one attempt after the other
	commitErr error   // of a transaction that did all it should
	settled   []Ending
	attempts  int
}

// Atomic keeps what f settled only if it commits.
func (l *ledger) Atomic(ctx context.Context, _ models.Approval, f func(context.Context) error) error {
	before := slices.Clone(l.settled)
	err := f(hosttools.WithTx(ctx, &sql.Tx{}))
	if err == nil {
		err = l.commitErr
	}
	if err != nil {
		l.settled = before
	}
	return err
}

func (l *ledger) Burn(context.Context, models.Approval) (models.Intent, error) {
	return models.Intent{ID: "intent", State: models.IntentBurned}, l.burnErr
}

func (l *ledger) Start(context.Context, models.Approval, models.Intent, time.Duration) (Start, error) {
	return l.start, nil
}

func (l *ledger) Settle(_ context.Context, _ models.Approval, _ models.Intent, end Ending) error {
	l.attempts++
	if l.attempts <= len(l.settleErr) && l.settleErr[l.attempts-1] != nil {
		return l.settleErr[l.attempts-1]
	}
	l.settled = append(l.settled, end)
	return nil
}

// write is a door over one write, and counts of its instances.
type write struct {
	runner         *Runner
	preparer       *Preparer
	opened, closed atomic.Int64
	method         func(context.Context, in) (out, error)
}

func setupWrite(t *testing.T, l *ledger) (*write, models.Approval) {
	t.Helper()
	return setupWriteOf(t, l, false)
}

func setupWriteOf(t *testing.T, l *ledger, transactional bool) (*write, models.Approval) {
	t.Helper()
	w := &write{method: func(context.Context, in) (out, error) { return out{Count: 1}, nil }}
	registry := hosttools.NewRegistry(hosttools.Host{Prefix: "x_", Tools: map[string]hosttools.Constructor{
		"x_write": func() (hosttools.Entry, error) {
			return hosttools.Tool{
				Title: "Write", Version: "1", Transactional: transactional,
				Method: hosttools.NewMethod("x_write", "Writes.", func(ctx context.Context, in in) (out, error) { return w.method(ctx, in) }),
				Open:   func(context.Context) error { w.opened.Add(1); return nil },
				Close:  func(context.Context) error { w.closed.Add(1); return nil },
			}, nil
		},
	}})
	require.Empty(t, registry.Rejections())
	authorizer, err := policy.NewAuthorizer()
	require.NoError(t, err)
	w.preparer, err = NewPreparer(Config{
		Registry: registry, Authorizer: authorizer, Resolver: members{}, Auditor: &bundle{}, Logger: slog.New(slog.DiscardHandler),
	})
	require.NoError(t, err)
	w.runner = NewRunner(w.preparer, l, Limits{Deadline: 2 * time.Second, Atomic: 2 * time.Second, ResultBytes: 1 << 10})
	t.Cleanup(w.runner.Stop)
	call, err := w.preparer.Prepare(tenancy.WithScope(t.Context(), author()), Request{
		Name: "x_write", Raw: []byte(`{"count":1}`), Channel: ChannelREST, HasToken: true,
	})
	require.NoError(t, err)
	return w, models.Approval{
		TenantID: "acme", ID: "approval", Caller: "u", Slug: "x_write", Method: "x_write", State: models.ApprovalApproved,
		ToolkitVersion: "1", SchemaHash: call.Tool.SchemaHash[:], Fingerprint: call.Fingerprint[:], Filled: call.FilledBytes,
		Arguments: call.Arguments, ArgumentsHash: call.ArgumentsHash[:],
	}
}

func TestEveryExitClosesOnceAndTellsTheTruth(t *testing.T) {
	t.Parallel()
	hang := make(chan struct{})
	t.Cleanup(func() { close(hang) })
	for name, c := range map[string]struct {
		ledger  ledger
		method  func(context.Context, in) (out, error)
		outcome models.Outcome // "" when nothing is to be recorded
		opened  int64
		closed  int64
	}{
		"success":   {outcome: models.OutcomeSucceeded, opened: 1, closed: 1},
		"own error": {method: func(context.Context, in) (out, error) { return out{}, hosttools.Errorf("no", "No.") }, outcome: models.OutcomeFailed, opened: 1, closed: 1},
		"any error": {method: func(context.Context, in) (out, error) { return out{}, errors.New("x") }, outcome: models.OutcomeUnknown, opened: 1, closed: 1},
		"panic":     {method: func(context.Context, in) (out, error) { panic("x") }, outcome: models.OutcomeUnknown, opened: 1, closed: 1},
		"left behind, and so left open": {
			method:  func(context.Context, in) (out, error) { <-hang; return out{}, nil },
			outcome: models.OutcomeUnknown, opened: 1, closed: 0,
		},
		"end of its goroutine":        {method: func(context.Context, in) (out, error) { runtime.Goexit(); return out{}, nil }, outcome: models.OutcomeUnknown, opened: 1, closed: 1},
		"burn refused after the burn": {ledger: ledger{burnErr: models.Errorf(models.CodeApprovalStale, "Stale.")}, outcome: models.OutcomeFailed},
		"running elsewhere":           {ledger: ledger{start: StartRunning}, opened: 1, closed: 1},
		"abandoned":                   {ledger: ledger{start: StartAbandoned}, outcome: models.OutcomeUnknown, opened: 1, closed: 1},
		"recorded at the third try": {
			ledger: ledger{settleErr: []error{errors.New("full"), errors.New("full")}}, outcome: models.OutcomeSucceeded, opened: 1, closed: 1,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := c.ledger
			w, approval := setupWrite(t, &l)
			if c.method != nil {
				w.method = c.method
			}
			_, err := w.runner.Approved(t.Context(), approval)
			if c.outcome == "" {
				require.ErrorIs(t, err, ErrRunning)
				require.Empty(t, l.settled)
			} else {
				require.NoError(t, err)
				require.Len(t, l.settled, 1)
				require.Equal(t, c.outcome, l.settled[0].Outcome)
			}
			w.runner.Stop()
			require.Equal(t, c.opened, w.opened.Load())
			require.Equal(t, c.closed, w.closed.Load())
		})
	}
}

func TestEndThatCannotBeRecordedIsAnError(t *testing.T) {
	t.Parallel()
	full := errors.New("full")
	l := ledger{settleErr: slices.Repeat([]error{full}, recordAttempts)}
	w, approval := setupWrite(t, &l)
	_, err := w.runner.Approved(t.Context(), approval)
	require.ErrorIs(t, err, full)
	require.Empty(t, l.settled, "no other end is recorded in its place")
	require.Equal(t, recordAttempts, l.attempts)
}

func TestRejudgeNoticesEveryChange(t *testing.T) {
	t.Parallel()
	w, good := setupWrite(t, &ledger{})
	_, err := w.preparer.Rejudge(t.Context(), good)
	require.NoError(t, err)
	for name, change := range map[string]func(*models.Approval){
		"version":     func(a *models.Approval) { a.ToolkitVersion = "2" },
		"schema":      func(a *models.Approval) { a.SchemaHash = []byte("x") },
		"fingerprint": func(a *models.Approval) { a.Fingerprint = []byte("x") },
		"filled":      func(a *models.Approval) { a.Filled = []byte(`{"tenant":"globex"}`) },
		"arguments":   func(a *models.Approval) { a.Arguments = []byte(`{"count":1.0}`) },
		"hash":        func(a *models.Approval) { a.ArgumentsHash = []byte("x") },
		"tool gone":   func(a *models.Approval) { a.Method = "gone" },
		"tenant":      func(a *models.Approval) { a.AgentID, a.TenantID = "agent", "globex" },
	} {
		changed := good
		change(&changed)
		_, err := w.preparer.Rejudge(t.Context(), changed)
		require.Equal(t, models.CodeApprovalStale, models.CodeOf(err), name)
	}
}
