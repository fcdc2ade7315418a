package approval_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/toolexec"
	"github.com/agentstudio/agentstudio/tenancy"
)

// TestBurnOnlyWhatIsApproved tries every state that was never approved.
func TestBurnOnlyWhatIsApproved(t *testing.T) {
	t.Parallel()
	onBoth(t, nil, func(t *testing.T, b *bundle) {
		pending := b.ask("turn")
		request, _ := b.request()
		denied := b.ask("turn")
		_, err := b.Deny(as(t, caller()), decision(denied))
		require.NoError(t, err)
		unknown := pending
		unknown.ID = models.NewID()
		elsewhere := pending
		elsewhere.TenantID = "globex"
		claimed := pending
		claimed.State = models.ApprovalApproved // what is handed in does not count
		for name, c := range map[string]struct {
			a    models.Approval
			code models.Code
		}{
			"pending":                {pending, models.CodeApprovalPending},
			"pending, for a program": {request, models.CodeApprovalPending},
			"said to be approved":    {claimed, models.CodeApprovalPending},
			"denied":                 {denied, models.CodeApprovalDecided},
			"unknown":                {unknown, models.CodeNotFound},
			"in another tenant":      {elsewhere, models.CodeNotFound},
			"in no tenant":           {models.Approval{ID: pending.ID}, models.CodeTenantRequired},
		} {
			intent, err := b.Burn(t.Context(), c.a)
			require.Equal(t, c.code, models.CodeOf(err), name)
			require.Zero(t, intent, name)
			_, burned := b.intentOf(c.a.ID)
			require.False(t, burned, name)
		}
	})
}

// TestBurnStartSettle takes one program's call from its approval to its end.
func TestBurnStartSettle(t *testing.T) {
	t.Parallel()
	onBoth(t, nil, func(t *testing.T, b *bundle) {
		ctx := t.Context()
		a, _ := b.approved()
		intent, err := b.Burn(ctx, a)
		require.NoError(t, err)
		require.Equal(t, models.ApprovalConsumed, b.stored(a.ID).State)
		_, err = b.Burn(ctx, a)
		require.Equal(t, models.CodeApprovalConsumed, models.CodeOf(err), "it is burned once")

		start, err := b.Start(ctx, a, intent, time.Hour)
		require.NoError(t, err)
		require.Equal(t, toolexec.StartFirst, start)
		start, err = b.Start(ctx, a, intent, time.Hour)
		require.NoError(t, err)
		require.Equal(t, toolexec.StartRunning, start, "the other one has an hour")
		start, err = b.Start(ctx, a, intent, 0)
		require.NoError(t, err)
		require.Equal(t, toolexec.StartAbandoned, start, "the other one's time is over")

		require.NoError(t, b.Settle(ctx, a, intent, toolexec.Ending{Outcome: models.OutcomeSucceeded, Envelope: []byte(`{"a":1}`)}))
		require.NoError(t, b.Settle(ctx, a, intent, toolexec.Ending{Outcome: models.OutcomeFailed, Envelope: []byte(`{}`)}))
		stored := b.stored(a.ID)
		require.Equal(t, models.OutcomeSucceeded, stored.Outcome, "the first end counts")
		require.JSONEq(t, `{"a":1}`, string(stored.Result))
		require.NotZero(t, stored.SettledAt)
		settled, _ := b.intentOf(a.ID)
		require.Equal(t, models.IntentSettled, settled.State)
		start, err = b.Start(ctx, a, intent, time.Hour)
		require.NoError(t, err)
		require.NotEqual(t, toolexec.StartFirst, start, "what has ended does not start again")
		require.Equal(t, []models.AuditAction{models.AuditRequested, models.AuditApproved, models.AuditRan}, b.audited(a.ID))
		require.Empty(t, b.told.changes, "no conversation waits for it")
	})
}

// TestBurnedAtItsDecision is a call of a conversation, which burns at once.
func TestBurnedAtItsDecision(t *testing.T) {
	t.Parallel()
	onBoth(t, nil, func(t *testing.T, b *bundle) {
		a, err := b.Approve(as(t, caller()), decision(b.ask("turn")))
		require.NoError(t, err)
		stored, _ := b.intentOf(a.ID)
		for range 2 {
			intent, err := b.Burn(t.Context(), a)
			require.NoError(t, err, "it is verified only")
			require.Equal(t, stored, intent)
		}
		require.NoError(t, b.Settle(t.Context(), a, stored, toolexec.Ending{Outcome: models.OutcomeUnknown, Envelope: []byte(`{}`)}))
		last := b.told.changes[len(b.told.changes)-1]
		require.Equal(t, models.OutcomeUnknown, last.Outcome, "the conversation is told")
	})
}

// TestWhoDecidedMustStillMay takes rights away between decision and run.
func TestWhoDecidedMustStillMay(t *testing.T) {
	t.Parallel()
	onBoth(t, nil, func(t *testing.T, b *bundle) {
		for name, c := range map[string]struct {
			by     tenancy.Scope
			change func(*tenancy.Scope) // of who decided; nil: they left
			stale  bool
		}{
			"the caller left":               {caller(), nil, true},
			"the caller moved":              {caller(), func(s *tenancy.Scope) { s.Tenant = "globex" }, true},
			"the caller may build no more":  {caller(), func(s *tenancy.Scope) { s.MayAuthor = false }, false},
			"the admin left":                {admin(), nil, true},
			"the admin is an admin no more": {admin(), func(s *tenancy.Scope) { s.MayAdminister = false }, true},
			"the admin is a superuser":      {admin(), func(s *tenancy.Scope) { s.MayAdminister, s.Superuser = false, true }, false},
		} {
			inTurn, err := b.Approve(as(t, c.by), decision(b.ask("turn")))
			require.NoError(t, err)
			request, _ := b.request()
			request, err = b.Approve(as(t, c.by), decision(request))
			require.NoError(t, err)
			b.people.change(c.by.User, c.change)

			intent, err := b.Burn(t.Context(), inTurn)
			require.NotEmpty(t, intent.ID, "its end can be recorded")
			require.Equal(t, c.stale, models.CodeOf(err) == models.CodeApprovalStale, "%s: %v", name, err)
			_, err = b.Burn(t.Context(), request)
			require.Equal(t, c.stale, models.CodeOf(err) == models.CodeApprovalStale, "%s: %v", name, err)
			want := models.ApprovalConsumed
			if c.stale {
				want = models.ApprovalStale
			}
			require.Equal(t, want, b.stored(request.ID).State, name)
			b.people.change(c.by.User, func(s *tenancy.Scope) { *s = c.by })
		}
	})
}
