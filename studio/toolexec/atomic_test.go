package toolexec

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
)

// TestTransactionalWritesEndWithTheirTransaction holds that a transactional
// write never has an unknown outcome: what did not commit did not happen.
func TestTransactionalWritesEndWithTheirTransaction(t *testing.T) {
	t.Parallel()
	hang := make(chan struct{})
	t.Cleanup(func() { close(hang) })
	ok := func(ctx context.Context, _ in) (out, error) {
		if _, ok := hosttools.Tx(ctx); !ok {
			return out{}, errors.New("no transaction")
		}
		return out{Count: 1}, nil
	}
	for name, c := range map[string]struct {
		ledger  ledger
		method  func(context.Context, in) (out, error)
		outcome models.Outcome // "" when nothing is to be recorded
		code    string
	}{
		"success":       {method: ok, outcome: models.OutcomeSucceeded},
		"own error":     {method: func(context.Context, in) (out, error) { return out{}, hosttools.Errorf("no", "No.") }, outcome: models.OutcomeFailed, code: "no"},
		"any error":     {method: func(context.Context, in) (out, error) { return out{}, errors.New("x") }, outcome: models.OutcomeFailed, code: "tool_failed"},
		"panic":         {method: func(context.Context, in) (out, error) { panic("x") }, outcome: models.OutcomeFailed, code: "tool_failed"},
		"hang":          {method: func(context.Context, in) (out, error) { <-hang; return out{}, nil }, outcome: models.OutcomeFailed, code: "tool_timeout"},
		"failed commit": {ledger: ledger{commitErr: errors.New("gone")}, method: ok, outcome: models.OutcomeFailed, code: "tool_failed"},
		"elsewhere":     {ledger: ledger{start: StartRunning}, method: ok},
		"burn refused":  {ledger: ledger{burnErr: models.Errorf(models.CodeApprovalStale, "Stale.")}, method: ok},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := c.ledger
			w, approval := setupWriteOf(t, &l, true)
			w.method = c.method
			envelope, err := w.runner.Approved(t.Context(), approval)
			if c.outcome == "" {
				require.Error(t, err)
				require.Empty(t, l.settled)
				return
			}
			require.NoError(t, err)
			require.Len(t, l.settled, 1)
			require.Equal(t, c.outcome, l.settled[0].Outcome)
			require.Equal(t, c.code, envelope.ErrorCode)
		})
	}
}

func TestOnlyTransactionalWritesSeeATransaction(t *testing.T) {
	t.Parallel()
	w, approval := setupWrite(t, &ledger{})
	seen := true
	w.method = func(ctx context.Context, _ in) (out, error) {
		_, seen = hosttools.Tx(ctx)
		return out{}, nil
	}
	_, err := w.runner.Approved(t.Context(), approval)
	require.NoError(t, err)
	require.False(t, seen)
}
