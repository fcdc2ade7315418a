package studio_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/identity"
)

// A burned call was approved and promised: these tests end its turn in every
// way, and look that it runs once all the same.

// outcomeOf waits until an approval has ended and returns how.
func (b *bundle) outcomeOf(ctx context.Context, id string) models.Outcome {
	b.t.Helper()
	var a models.Approval
	require.Eventually(b.t, func() bool {
		var err error
		a, err = b.app.Approvals.Get(ctx, id)
		require.NoError(b.t, err)
		return a.Outcome != ""
	}, 20*time.Second, 10*time.Millisecond, "the approved call never ended")
	return a.Outcome
}

func TestStopRunsWhatWasApprovedBehindAWaitingCall(t *testing.T) {
	t.Parallel()
	b := setup(t, once(
		call("fs_cancel_order", args{"order_id": "A-1004", "reason": "customer left"}),
		call("fs_cancel_order", args{"order_id": "A-1002", "reason": "customer left"})))
	ctx := b.as("admin@acme.test")
	chat := b.desk(ctx, nil)
	turn := b.send(ctx, chat, "cancel orders A-1004 and A-1002", models.TurnWaiting)
	var second models.Approval
	for _, a := range b.pending(ctx) {
		if string(a.Arguments) == `{"order_id":"A-1002","reason":"customer left"}` {
			second = a
		}
	}
	_, err := b.app.Approvals.Approve(ctx, decision(second))
	require.NoError(t, err)
	b.reaches(ctx, turn.ID, models.TurnWaiting)
	require.NoError(t, b.app.Engine.Stop(ctx, chat))
	require.Equal(t, models.OutcomeSucceeded, b.outcomeOf(ctx, second.ID))
	require.Contains(t, b.order("acme", "A-1002"), "cancelled")
	require.Contains(t, b.order("acme", "A-1004"), "pending")
	b.reaches(ctx, turn.ID, models.TurnCancelled)
}

func TestFailedTurnRunsWhatWasApproved(t *testing.T) {
	t.Parallel()
	b := setup(t, once(call("fs_cancel_order", cancelA1002)))
	support, admin := b.as("support@acme.test"), b.as("admin@acme.test")
	b.desk(admin, nil)
	agent, err := b.app.Agents.Get(support, "desk")
	require.NoError(t, err)
	own, err := b.app.Sessions.Create(support, agent.Agent.ID)
	require.NoError(t, err)
	turn := b.send(support, own.ID, "cancel order A-1002", models.TurnWaiting)
	waiting := b.pending(support)[0]
	_, err = b.db.SQL().ExecContext(t.Context(), `UPDATE agents SET visibility = 'private' WHERE name = 'desk'`)
	require.NoError(t, err)
	_, err = b.app.Approvals.Approve(support, decision(waiting))
	require.NoError(t, err)
	require.Equal(t, models.OutcomeSucceeded, b.outcomeOf(support, waiting.ID), "the turn fails, the promise is kept")
	b.reaches(support, turn.ID, models.TurnFailed)
	require.Contains(t, b.order("acme", "A-1002"), "cancelled")
}

// TestEndIsNeverMisstated lets the database refuse to record an end for a
// while: what happened is recorded afterwards, and nothing else ever.
func TestEndIsNeverMisstated(t *testing.T) {
	t.Parallel()
	b := setup(t, once(call("fs_cancel_order", cancelA1002)))
	ctx := b.as("admin@acme.test")
	chat := b.desk(ctx, nil)
	turn := b.send(ctx, chat, "cancel order A-1002", models.TurnWaiting)
	waiting := b.pending(ctx)[0]
	_, err := b.db.SQL().ExecContext(ctx, `CREATE TRIGGER full BEFORE UPDATE OF outcome ON approvals
		WHEN new.outcome <> '' BEGIN SELECT raise(abort, 'disk full'); END`)
	require.NoError(t, err)
	_, err = b.app.Approvals.Approve(ctx, decision(waiting))
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		a, err := b.app.Approvals.Get(ctx, waiting.ID)
		require.NoError(t, err)
		require.Empty(t, a.Outcome, "no end is better than a false one")
		return strings.Contains(b.order("acme", "A-1002"), "cancelled")
	}, 10*time.Second, 5*time.Millisecond)
	_, err = b.db.SQL().ExecContext(ctx, `DROP TRIGGER full`)
	require.NoError(t, err)
	require.Equal(t, models.OutcomeSucceeded, b.outcomeOf(ctx, waiting.ID))
	b.reaches(ctx, turn.ID, models.TurnDone)
}

// TestLostMembershipStopsWhatWasApproved takes the right away between the
// decision and the run: each call is judged anew as it starts.
func TestLostMembershipStopsWhatWasApproved(t *testing.T) {
	t.Parallel()
	b := setup(t, once(
		call("fs_cancel_order", args{"order_id": "A-1004", "reason": "customer left"}),
		call("fs_cancel_order", cancelA1002)))
	support, admin := b.as("support@acme.test"), b.as("admin@acme.test")
	b.desk(admin, nil)
	agent, err := b.app.Agents.Get(support, "desk")
	require.NoError(t, err)
	own, err := b.app.Sessions.Create(support, agent.Agent.ID)
	require.NoError(t, err)
	turn := b.send(support, own.ID, "cancel orders A-1004 and A-1002", models.TurnWaiting)
	var second models.Approval
	for _, a := range b.pending(support) {
		if string(a.Arguments) == `{"order_id":"A-1002","reason":"changed their mind"}` {
			second = a
		}
	}
	_, err = b.app.Approvals.Approve(support, decision(second))
	require.NoError(t, err)
	b.reaches(support, turn.ID, models.TurnWaiting)
	_, err = b.db.SQL().ExecContext(t.Context(), `DELETE FROM memberships WHERE user_id = ?`, identity.UserID("support@acme.test"))
	require.NoError(t, err)
	require.NoError(t, b.app.Engine.Stop(support, own.ID))
	require.Equal(t, models.OutcomeFailed, b.outcomeOf(admin, second.ID), "rights lost meanwhile are lost, and that is recorded")
	require.Contains(t, b.order("acme", "A-1002"), "pending")
}
