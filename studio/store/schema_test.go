package store_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"gorm.io/gorm/schema"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/store"
)

// records lists one value of each stored model.
func records() []any {
	return []any{
		models.Agent{},
		models.AgentVersion{},
		models.ChatSession{},
		models.Event{},
		models.Turn{},
		models.Call{},
		models.Approval{},
		models.Intent{},
		models.AuditEntry{},
		models.ToolkitSettings{},
		models.ToolkitOverride{},
		models.Tenant{},
		models.User{},
		models.Membership{},
		models.LoginSession{},
		models.Password{},
		models.UserIdentity{},
		models.LoginAttempts{},
		models.Invitation{},
		models.APIToken{},
		models.Group{},
		models.DataKey{},
		models.VaultTenant{},
	}
}

func TestTablesHaveTheColumnsOfTheModels(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		for _, record := range records() {
			parsed, err := schema.Parse(record, &sync.Map{}, schema.NamingStrategy{})
			require.NoError(t, err)
			require.ElementsMatch(t, parsed.DBNames, columnsOf(t, s, parsed.Table), parsed.Table)
		}
	})
}

func columnsOf(t *testing.T, s *store.Store, table string) []string {
	t.Helper()
	rows, err := s.SQL().QueryContext(t.Context(), "SELECT * FROM "+table+" WHERE 1 = 0")
	require.NoError(t, err)
	defer func() { require.NoError(t, errors.Join(rows.Err(), rows.Close())) }()
	columns, err := rows.Columns()
	require.NoError(t, err)
	return columns
}

// TestEveryStateCanBeStored holds the schema's lists of states to the models'.
func TestEveryStateCanBeStored(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		seed(t, s, "alpha")
		write(t, s, "alpha", func(ctx context.Context) error {
			for _, state := range []models.CallState{
				models.CallProposed, models.CallWaiting, models.CallSettled,
			} {
				call := models.Call{ID: string(state), TurnID: turnID, SessionID: sessionID, State: state}
				require.NoError(t, s.CreateCalls(ctx, []models.Call{call}), state)
			}
			for _, state := range []models.ApprovalState{
				models.ApprovalPending, models.ApprovalApproved, models.ApprovalDenied, models.ApprovalExpired,
				models.ApprovalCancelled, models.ApprovalStale, models.ApprovalConsumed,
			} {
				require.NoError(t, s.CreateApproval(ctx, newApproval(string(state), "ann", state, 1)), state)
			}
			for _, outcome := range []models.Outcome{
				models.OutcomeSucceeded, models.OutcomeFailed, models.OutcomeUnknown,
			} {
				a := newApproval(string(outcome), "ann", models.ApprovalConsumed, 1)
				a.Outcome = outcome
				require.NoError(t, s.CreateApproval(ctx, a), outcome)
			}
			for _, visibility := range []models.Visibility{
				models.VisibilityPrivate, models.VisibilityTenant, models.VisibilityGroups,
			} {
				require.NoError(t, s.CreateAgent(ctx,
					models.Agent{ID: string(visibility), Name: string(visibility), Visibility: visibility, Version: 1},
					models.AgentVersion{}), visibility)
			}
			return nil
		})
		for _, state := range []models.TurnState{
			models.TurnQueued, models.TurnRunning, models.TurnWaiting, models.TurnDone, models.TurnFailed, models.TurnCancelled,
		} {
			write(t, s, "alpha", func(ctx context.Context) error {
				open, _, err := s.OpenTurn(ctx, sessionID)
				require.NoError(t, err)
				require.NoError(t, second(s.CancelTurn(ctx, open.ID)))
				turn := newTurn("turn-"+string(state), "ann")
				turn.State = state
				return s.CreateTurn(ctx, turn)
			})
		}
	})
}
