package approval_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/approval"
)

// TestTheDatabaseClockDecides leaves a millisecond to decide.
func TestTheDatabaseClockDecides(t *testing.T) {
	t.Parallel()
	onBoth(t, func(c *approval.Config) { c.DecideWithin = 1e6 }, func(t *testing.T, b *bundle) {
		for way, decide := range both(b) {
			a := b.ask("turn-" + way)
			b.waitFor(a.ExpiresAt)
			require.Equal(t, models.ApprovalPending, b.stored(a.ID).State, "no job has run yet")
			for range 2 {
				_, err := decide(as(t, caller()), decision(a))
				require.Equal(t, models.CodeApprovalExpired, models.CodeOf(err), way)
			}
			require.NoError(t, b.Expire(t.Context(), b.partition(), a.ID), "the job comes late")
			require.Equal(t, models.ApprovalExpired, b.stored(a.ID).State)
			require.Equal(t, []models.AuditAction{models.AuditRequested, models.AuditExpired}, b.audited(a.ID))
			require.Equal(t, 1, b.told.advanced["turn-"+way], "the turn goes on, once")
		}
	})
}

func TestExpireLeavesWhatHasTime(t *testing.T) {
	t.Parallel()
	onBoth(t, nil, func(t *testing.T, b *bundle) {
		pending := b.ask("turn")
		approved, _ := b.approved()
		denied := b.ask("turn")
		_, err := b.Deny(as(t, caller()), decision(denied))
		require.NoError(t, err)
		for _, a := range []models.Approval{pending, approved, denied} {
			before, entries := b.stored(a.ID), b.audited(a.ID)
			require.NoError(t, b.Expire(t.Context(), b.partition(), a.ID))
			require.Equal(t, before, b.stored(a.ID))
			require.Equal(t, entries, b.audited(a.ID))
		}
		require.Contains(t, b.told.expiries, pending.ExpiresAt, "its end was enqueued with it")
	})
}

// TestCancelTurn cancels a turn that has approvals in many states.
func TestCancelTurn(t *testing.T) {
	t.Parallel()
	onBoth(t, nil, func(t *testing.T, b *bundle) {
		first, second, burned, denied, other := b.ask("turn"), b.ask("turn"), b.ask("turn"), b.ask("turn"), b.ask("other")
		_, err := b.Approve(as(t, caller()), decision(burned))
		require.NoError(t, err)
		_, err = b.Deny(as(t, caller()), decision(denied))
		require.NoError(t, err)
		advanced := b.told.advanced["turn"]
		for range 2 { // the second time there is nothing left
			b.write(func(ctx context.Context) error { return b.CancelTurn(ctx, "turn", "You stopped it.") })
		}
		for _, a := range []models.Approval{first, second} {
			stored := b.stored(a.ID)
			require.Equal(t, models.ApprovalCancelled, stored.State)
			require.Equal(t, "You stopped it.", stored.Reason)
			require.Equal(t, []models.AuditAction{models.AuditRequested, models.AuditCancelled}, b.audited(a.ID))
			_, err := b.Approve(as(t, caller()), decision(a))
			require.Equal(t, models.CodeApprovalDecided, models.CodeOf(err))
		}
		require.Equal(t, models.ApprovalConsumed, b.stored(burned.ID).State, "what is burned is not cancelled")
		require.Equal(t, models.ApprovalDenied, b.stored(denied.ID).State)
		require.Equal(t, models.ApprovalPending, b.stored(other.ID).State)
		require.Len(t, b.told.changes, 4, "a burn, a denial and two cancellations")
		require.Equal(t, advanced, b.told.advanced["turn"], "whoever cancels goes on themselves")
	})
}

// TestEnded says for every state why it cannot be decided.
func TestEnded(t *testing.T) {
	t.Parallel()
	for state, code := range map[models.ApprovalState]models.Code{
		models.ApprovalPending: "", models.ApprovalApproved: models.CodeApprovalDecided,
		models.ApprovalDenied: models.CodeApprovalDecided, models.ApprovalCancelled: models.CodeApprovalDecided,
		models.ApprovalExpired: models.CodeApprovalExpired, models.ApprovalStale: models.CodeApprovalStale,
		models.ApprovalConsumed: models.CodeApprovalConsumed,
	} {
		require.Equal(t, code, models.CodeOf(approval.Ended(models.Approval{State: state})), state)
	}
}
