package store_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/store"
)

func TestOneUnfinishedTurnInASession(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		seed(t, s, "alpha")
		write(t, s, "alpha", func(ctx context.Context) error { return second(s.CancelTurn(ctx, turnID)) })
		refused := race(t, s, 10, func(ctx context.Context, _ int) error {
			return s.CreateTurn(ctx, newTurn(models.NewID(), "ann"))
		})
		require.Len(t, refused, 9)
		for _, err := range refused {
			require.Equal(t, models.CodeTurnRunning, models.CodeOf(err), err)
		}
		read(t, s, func(ctx context.Context) error {
			turns, err := s.TurnsOf(ctx, sessionID)
			require.NoError(t, err)
			require.Len(t, turns, 2)
			require.Equal(t, turnID, turns[0].ID)
			open, found, err := s.OpenTurn(ctx, sessionID)
			require.True(t, found)
			require.Equal(t, turns[1], open)
			return err
		})
	})
}

func TestLeaseRace(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		seed(t, s, "alpha")
		var leased atomic.Int64
		require.Empty(t, race(t, s, 50, func(ctx context.Context, _ int) error {
			turn, ok, err := s.LeaseTurn(ctx, turnID, time.Hour)
			if ok {
				leased.Add(1)
				assert.Equal(t, int64(1), turn.Epoch)
				assert.Equal(t, models.TurnRunning, turn.State)
				assert.Equal(t, "alpha", turn.Caller)
			}
			return err
		}))
		require.Equal(t, int64(1), leased.Load())
	})
}

// lease leases the seeded turn for an hour and returns it.
func lease(t *testing.T, s *store.Store) models.Turn {
	t.Helper()
	var turn models.Turn
	write(t, s, "alpha", func(ctx context.Context) error {
		leased, ok, err := s.LeaseTurn(ctx, turnID, time.Hour)
		require.True(t, ok)
		turn = leased
		return err
	})
	return turn
}

func TestSaveTurn(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		seed(t, s, "alpha")
		turn := lease(t, s)
		turn.State, turn.LeaseUntil = models.TurnWaiting, 0
		turn.Memory = models.TurnMemory{Input: "héllo", Step: 2, Rules: []string{"a"}, Tools: []string{}}
		write(t, s, "alpha", func(ctx context.Context) error { return s.SaveTurn(ctx, turn) })
		read(t, s, func(ctx context.Context) error {
			saved, err := s.Turn(ctx, turnID)
			require.Equal(t, turn, saved)
			return err
		})

		again := lease(t, s)
		require.Equal(t, turn.Epoch+1, again.Epoch)
		save := func(turn models.Turn) error {
			return s.Write(t.Context(), partition(t, "alpha"), func(ctx context.Context) error { return s.SaveTurn(ctx, turn) })
		}
		require.ErrorIs(t, save(turn), models.ErrLeaseLost, "an older lease saves nothing")
		again.State = models.TurnDone
		require.NoError(t, save(again))
		require.ErrorIs(t, save(again), models.ErrLeaseLost, "what has ended does not change")
		read(t, s, func(ctx context.Context) error {
			ended, err := s.Turn(ctx, turnID)
			require.NotZero(t, ended.EndedAt)
			_, found, err2 := s.OpenTurn(ctx, sessionID)
			require.NoError(t, err2)
			require.False(t, found)
			return err
		})
	})
}

func TestCancelTurnTakesTheLease(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		seed(t, s, "alpha")
		turn := lease(t, s)
		write(t, s, "alpha", func(ctx context.Context) error {
			cancelled, err := s.CancelTurn(ctx, turnID)
			require.True(t, cancelled)
			require.NoError(t, err)
			cancelled, err = s.CancelTurn(ctx, turnID)
			require.False(t, cancelled)
			require.NoError(t, err)
			require.ErrorIs(t, s.SaveTurn(ctx, turn), models.ErrLeaseLost)
			_, leased, err := s.LeaseTurn(ctx, turnID, time.Hour)
			require.False(t, leased)
			return err
		})
	})
}

func TestOpenTurnsOfAllTenants(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		for _, tenant := range []string{"alpha", "beta", "gamma"} {
			seed(t, s, tenant)
		}
		write(t, s, "beta", func(ctx context.Context) error { return second(s.CancelTurn(ctx, turnID)) })
		open, err := s.OpenTurns(t.Context())
		require.NoError(t, err)
		require.ElementsMatch(t, []store.TurnRef{{Tenant: "alpha", ID: turnID}, {Tenant: "gamma", ID: turnID}}, open)
	})
}

// TestReleaseLeases lets a new process take up what a dead one held, at once.
func TestReleaseLeases(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		seed(t, s, "alpha")
		dead := lease(t, s)
		require.NoError(t, s.ReleaseLeases(t.Context()))
		taken := lease(t, s)
		require.Greater(t, taken.Epoch, dead.Epoch)
		err := s.Write(t.Context(), partition(t, "alpha"), func(ctx context.Context) error { return s.SaveTurn(ctx, dead) })
		require.ErrorIs(t, err, models.ErrLeaseLost, "who held it before may write nothing any more")
	})
}

func TestCalls(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		seed(t, s, "alpha")
		call := models.Call{ID: "b", TurnID: turnID, SessionID: sessionID, Step: 2, State: models.CallProposed, Raw: []byte("{")}
		write(t, s, "alpha", func(ctx context.Context) error {
			earlier := call
			earlier.ID, earlier.Step, earlier.Position = "z", 1, 4
			require.NoError(t, s.CreateCalls(ctx, []models.Call{call, earlier}))

			call.State, call.Arguments, call.ApprovalID = models.CallWaiting, []byte("{}"), "approval"
			moved, err := s.UpdateCall(ctx, call, models.CallProposed)
			require.True(t, moved)
			require.NoError(t, err)
			moved, err = s.UpdateCall(ctx, call, models.CallProposed)
			require.False(t, moved)
			require.NoError(t, err)
			call.State, call.Result = models.CallSettled, []byte(`{"status":"success"}`)
			moved, err = s.UpdateCall(ctx, call, models.CallWaiting)
			require.True(t, moved)
			return err
		})
		read(t, s, func(ctx context.Context) error {
			got, err := s.Call(ctx, "b")
			require.NoError(t, err)
			require.NotZero(t, got.SettledAt)
			call.TenantID, call.CreatedAt, call.SettledAt = "alpha", got.CreatedAt, got.SettledAt
			require.Equal(t, call, got)
			calls, err := s.CallsOf(ctx, turnID)
			require.Equal(t, []string{callID, "z", "b"}, []string{calls[0].ID, calls[1].ID, calls[2].ID})
			return err
		})
	})
}
