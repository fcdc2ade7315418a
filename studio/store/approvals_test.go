package store_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/store"
)

// TestOneOfManyBurns is the promise that an approved call runs once.
func TestOneOfManyBurns(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		seed(t, s, "alpha")
		var burned atomic.Int64
		require.Empty(t, race(t, s, 500, func(ctx context.Context, _ int) error {
			won, err := s.BurnApproval(ctx, newApproval(approvedID, "alpha", models.ApprovalApproved, 0))
			if won {
				burned.Add(1)
				err = s.CreateIntent(ctx, models.Intent{ID: models.NewID(), ApprovalID: approvedID, State: models.IntentBurned})
			}
			return err
		}))
		require.Equal(t, int64(1), burned.Load())
		require.Equal(t, models.ApprovalConsumed, stateOf(t, s, approvedID))
	})
}

func stateOf(t *testing.T, s *store.Store, id string) models.ApprovalState {
	t.Helper()
	var state models.ApprovalState
	read(t, s, func(ctx context.Context) error {
		a, err := s.Approval(ctx, id)
		state = a.State
		return err
	})
	return state
}

// transition runs one transition and reports whether it happened.
func transition(t *testing.T, s *store.Store, fn func(ctx context.Context) (bool, error)) bool {
	t.Helper()
	var done bool
	write(t, s, "alpha", func(ctx context.Context) error {
		var err error
		done, err = fn(ctx)
		return err
	})
	return done
}

func TestApprovalRoundTrip(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		a := newApproval("whole", "ann", models.ApprovalPending, 12345)
		a.SchemaHash, a.Fingerprint, a.Filled = []byte{0, 255}, []byte{1}, []byte(`{}`)
		a.Arguments, a.ArgumentsHash = []byte(`{"n":9007199254740993}`), []byte{2}
		a.Why = models.ApprovalWhy{Words: "please", Rules: []string{"one"}, Verdict: "clean"}
		a.DecisionSeal, a.TokenHash = nil, nil
		write(t, s, "alpha", func(ctx context.Context) error { return s.CreateApproval(ctx, a) })
		read(t, s, func(ctx context.Context) error {
			got, err := s.Approval(ctx, "whole")
			a.TenantID = "alpha"
			require.Equal(t, a, got)
			_, missing := s.ApprovalByToken(ctx, nil)
			require.Equal(t, models.CodeNotFound, models.CodeOf(missing), "no token is not a token")
			return err
		})
	})
}

func TestDecideNeedsEverything(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		seed(t, s, "alpha")
		now, err := s.Now(t.Context())
		require.NoError(t, err)
		late := newApproval("late", "ann", models.ApprovalPending, now)
		late.ExpiresAt = now
		write(t, s, "alpha", func(ctx context.Context) error { return s.CreateApproval(ctx, late) })

		decide := func(id string, change func(a *models.Approval)) bool {
			a := newApproval(id, "", models.ApprovalApproved, now)
			a.DecidedBy, a.DecidedAt, a.Reason = "bob", now, "fine"
			a.DecisionSession, a.DecisionAuth = "cookie", now-1
			change(&a)
			return transition(t, s, func(ctx context.Context) (bool, error) { return s.DecideApproval(ctx, a) })
		}
		same := func(*models.Approval) {}
		require.False(t, decide("late", same), "expired")
		require.False(t, decide(burnedID, same), "not pending")
		require.False(t, decide(pendingID, func(a *models.Approval) { a.Binding = []byte("other") }))
		require.False(t, decide(pendingID, func(a *models.Approval) { a.Binding = nil }))
		require.True(t, decide(pendingID, same))
		require.False(t, decide(pendingID, same), "decided already")

		read(t, s, func(ctx context.Context) error {
			got, err := s.Approval(ctx, pendingID)
			require.Equal(t, models.ApprovalApproved, got.State)
			require.Equal(t, "bob", got.DecidedBy)
			require.Equal(t, "alpha", got.Caller, "the decision changes nothing that is bound")
			require.Equal(t, []byte("decision"), got.DecisionSeal)
			return err
		})
	})
}

func TestBurnNeedsEverything(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		seed(t, s, "alpha")
		now, err := s.Now(t.Context())
		require.NoError(t, err)
		late, plain := newApproval("late", "ann", models.ApprovalApproved, now), newApproval("plain", "ann", models.ApprovalApproved, now)
		late.RedeemExpiresAt, plain.TokenHash = now, nil
		write(t, s, "alpha", func(ctx context.Context) error {
			require.NoError(t, s.CreateApproval(ctx, late))
			return s.CreateApproval(ctx, plain)
		})
		burn := func(id string, change func(a *models.Approval)) bool {
			a := newApproval(id, "", models.ApprovalApproved, now)
			change(&a)
			return transition(t, s, func(ctx context.Context) (bool, error) { return s.BurnApproval(ctx, a) })
		}
		for why, change := range map[string]func(a *models.Approval){
			"binding":       func(a *models.Approval) { a.Binding = []byte("other") },
			"no binding":    func(a *models.Approval) { a.Binding = nil },
			"decision seal": func(a *models.Approval) { a.DecisionSeal = []byte("other") },
			"no seal":       func(a *models.Approval) { a.DecisionSeal = nil },
			"token":         func(a *models.Approval) { a.TokenHash = []byte("other") },
			"no token":      func(a *models.Approval) { a.TokenHash = nil },
		} {
			require.False(t, burn(approvedID, change), why)
		}
		same := func(*models.Approval) {}
		require.False(t, burn("late", same), "expired")
		require.False(t, burn(pendingID, same), "not approved")
		require.False(t, burn("plain", same), "a token where there is none")
		require.True(t, burn("plain", func(a *models.Approval) { a.TokenHash = nil }))
		require.True(t, burn(approvedID, same))
		require.False(t, burn(approvedID, same), "burned already")
	})
}

func TestExpireApproval(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		seed(t, s, "alpha")
		now, err := s.Now(t.Context())
		require.NoError(t, err)
		expire := func(id string) bool {
			return transition(t, s, func(ctx context.Context) (bool, error) { return s.ExpireApproval(ctx, id) })
		}
		undecided := newApproval("undecided", "ann", models.ApprovalPending, now)
		undecided.ExpiresAt = now
		unredeemed := newApproval("unredeemed", "ann", models.ApprovalApproved, now)
		unredeemed.RedeemExpiresAt = now
		decided := newApproval("decided", "ann", models.ApprovalApproved, now)
		decided.ExpiresAt = now // the time to decide does not matter any more
		write(t, s, "alpha", func(ctx context.Context) error {
			for _, a := range []models.Approval{undecided, unredeemed, decided} {
				require.NoError(t, s.CreateApproval(ctx, a))
			}
			return nil
		})
		for id, want := range map[string]bool{
			"undecided": true, "unredeemed": true, "decided": false, pendingID: false, approvedID: false, burnedID: false,
		} {
			require.Equal(t, want, expire(id), id)
			require.Equal(t, want, stateOf(t, s, id) == models.ApprovalExpired, id)
		}
	})
}

func TestCancelApprovals(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		seed(t, s, "alpha")
		other := newApproval("other-turn", "ann", models.ApprovalPending, 1)
		other.TurnID = "other"
		write(t, s, "alpha", func(ctx context.Context) error {
			require.NoError(t, s.CreateApproval(ctx, other))
			cancelled, err := s.CancelApprovals(ctx, turnID, "You stopped.")
			require.Len(t, cancelled, 2)
			require.Equal(t, approvedID, cancelled[0].ID)
			require.Equal(t, pendingID, cancelled[1].ID)
			require.Equal(t, models.ApprovalCancelled, cancelled[0].State)
			require.Equal(t, "You stopped.", cancelled[1].Reason)
			require.Equal(t, "alpha", cancelled[1].Caller)
			return err
		})
		require.Equal(t, models.ApprovalConsumed, stateOf(t, s, burnedID), "what is burned is not cancelled")
		require.Equal(t, models.ApprovalPending, stateOf(t, s, "other-turn"))
	})
}

func TestSettleOnce(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		seed(t, s, "alpha")
		settle := func(id string, outcome models.Outcome) bool {
			return transition(t, s, func(ctx context.Context) (bool, error) {
				return s.SettleApproval(ctx, id, outcome, []byte("{}"))
			})
		}
		require.False(t, settle(approvedID, models.OutcomeSucceeded), "not burned")
		require.True(t, settle(burnedID, models.OutcomeFailed))
		require.False(t, settle(burnedID, models.OutcomeSucceeded), "settled already")

		start := func(ctx context.Context) (bool, error) { return s.StartIntent(ctx, intentID) }
		end := func(ctx context.Context) (bool, error) { return s.SettleIntent(ctx, intentID) }
		require.True(t, transition(t, s, start))
		require.False(t, transition(t, s, start))
		require.True(t, transition(t, s, end))
		require.False(t, transition(t, s, end))
		require.False(t, transition(t, s, start))
		read(t, s, func(ctx context.Context) error {
			a, err := s.Approval(ctx, burnedID)
			require.NoError(t, err)
			require.Equal(t, models.OutcomeFailed, a.Outcome)
			require.NotZero(t, a.SettledAt)
			intent, err := s.IntentOf(ctx, burnedID)
			require.NotZero(t, intent.StartedAt)
			require.NotZero(t, intent.SettledAt)
			return err
		})
		err := s.Write(t.Context(), partition(t, "alpha"), func(ctx context.Context) error {
			return s.CreateIntent(ctx, models.Intent{ID: "again", ApprovalID: burnedID, State: models.IntentBurned})
		})
		require.Equal(t, models.CodeApprovalConsumed, models.CodeOf(err))
	})
}

func TestApprovalLists(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		write(t, s, "alpha", func(ctx context.Context) error {
			for i, id := range []string{"a", "b", "c"} {
				a := newApproval(id, "ann", models.ApprovalPending, models.Instant(i))
				if id == "b" {
					a.Caller, a.State, a.TurnID = "bob", models.ApprovalDenied, "other"
				}
				require.NoError(t, s.CreateApproval(ctx, a))
			}
			return nil
		})
		for want, filter := range map[string]models.ApprovalFilter{
			"cba": {},
			"ca":  {States: []models.ApprovalState{models.ApprovalPending, models.ApprovalStale}},
			"b":   {Caller: "bob"},
			"cb":  {Limit: 2},
			"c":   {TurnID: turnID, Limit: 1},
		} {
			read(t, s, func(ctx context.Context) error {
				found, err := s.Approvals(ctx, filter)
				got := ""
				for _, a := range found {
					got += a.ID
				}
				require.Equal(t, want, got)
				return err
			})
		}
		read(t, s, func(ctx context.Context) error {
			counts, err := s.CountApprovals(ctx)
			require.Equal(t, map[models.ApprovalState]int{models.ApprovalPending: 2, models.ApprovalDenied: 1}, counts)
			return err
		})
	})
}
