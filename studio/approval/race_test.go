package approval_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/approval"
)

// TestOneOutcome has two hundred goroutines approve, deny, expire and cancel
// the same approval, while its time is long, over, and about to be over.
func TestOneOutcome(t *testing.T) {
	t.Parallel()
	for name, within := range map[string]time.Duration{
		"long": time.Hour, "over": time.Millisecond, "about to be over": 50 * time.Millisecond,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			onBoth(t, func(c *approval.Config) { c.DecideWithin = within }, func(t *testing.T, b *bundle) {
				a := b.ask("turn")
				requireOneOutcome(t, b, a, race(t, b, a))
			})
		})
	}
}

// race lets fifty goroutines of each kind go at once, and returns how many
// decisions were accepted, by the state that they ask for.
func race(t *testing.T, b *bundle, a models.Approval) map[models.ApprovalState]int {
	t.Helper()
	start, accepted := make(chan struct{}), make(chan models.ApprovalState, 200)
	var all sync.WaitGroup
	run := func(state models.ApprovalState, do func() error) {
		for range 50 {
			all.Go(func() {
				<-start
				err := do()
				if err == nil {
					accepted <- state
				} else if models.CodeOf(err) == models.CodeInternal {
					t.Errorf("%s: %v", state, err)
				}
			})
		}
	}
	ctx := as(t, caller())
	run(models.ApprovalConsumed, func() error { _, err := b.Approve(ctx, decision(a)); return err })
	run(models.ApprovalDenied, func() error { _, err := b.Deny(ctx, decision(a)); return err })
	run(models.ApprovalExpired, func() error { return b.Expire(ctx, b.partition(), a.ID) })
	run(models.ApprovalCancelled, func() error {
		return b.db.Write(ctx, b.partition(), func(ctx context.Context) error { return b.CancelTurn(ctx, "turn", "stopped") })
	})
	close(start)
	all.Wait()
	close(accepted)
	count := map[models.ApprovalState]int{}
	for state := range accepted {
		count[state]++
	}
	return count
}

// requireOneOutcome compares everything that tells of an outcome.
func requireOneOutcome(t *testing.T, b *bundle, a models.Approval, accepted map[models.ApprovalState]int) {
	t.Helper()
	action := map[models.ApprovalState]models.AuditAction{
		models.ApprovalConsumed: models.AuditApproved, models.ApprovalDenied: models.AuditDenied,
		models.ApprovalExpired: models.AuditExpired, models.ApprovalCancelled: models.AuditCancelled,
	}
	state := b.stored(a.ID).State
	require.Contains(t, action, state)
	require.Equal(t, []models.AuditAction{models.AuditRequested, action[state]}, b.audited(a.ID))
	_, burned := b.intentOf(a.ID)
	require.Equal(t, state == models.ApprovalConsumed, burned)
	for _, decided := range []models.ApprovalState{models.ApprovalConsumed, models.ApprovalDenied} {
		require.Equal(t, state == decided, accepted[decided] > 0, "%s was answered, and it is %s", decided, state)
	}
	require.Len(t, b.told.changes, 1, "the conversation is told once")
	require.Equal(t, state, b.told.changes[0].State)
}

// TestOneBurn has many redeem the same token at once.
func TestOneBurn(t *testing.T) {
	t.Parallel()
	onBoth(t, nil, func(t *testing.T, b *bundle) {
		a, _ := b.approved()
		codes := make([]models.Code, 50)
		var all sync.WaitGroup
		for i := range codes {
			all.Go(func() {
				_, err := b.Burn(t.Context(), a)
				codes[i] = models.CodeOf(err)
			})
		}
		all.Wait()
		slices.Sort(codes)
		require.Equal(t, []models.Code{"", models.CodeApprovalConsumed}, slices.Compact(slices.Clone(codes)))
		require.Equal(t, models.CodeApprovalConsumed, codes[1], "one of them won")
	})
}
