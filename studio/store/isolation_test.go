package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/migrations"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/store"
)

// isolationCase calls one method of the store with the ids of the seeded
// records and returns what it found or whether it changed something.
type isolationCase struct {
	call    func(ctx context.Context, s *store.Store) (any, error)
	creates bool
}

// unpartitioned lists the methods that need no unit: those of the database
// itself, of the tables without a partition, and the two that look across.
func unpartitioned() []string {
	return []string{
		"Read", "Write", "AfterCommit", "Tx", "Now",
		"Migrate", "Verify", "Usable", "Ready", "Close", "SQL", "Dialect", "ListenPool",
		"OpenTurns", "ReleaseLeases", "VaultTenants",
		"Tenant", "Tenants", "UpsertTenant", "User", "UserByEmail", "UsersByID", "UpsertUser",
		"Membership", "Member", "MembershipsOf", "MembersOf", "UpsertMembership",
		"CreateTenant", "RenameTenant", "LockTenant", "CreateUser", "UpdateUser", "CountAdmins", "DeleteMembership",
		"UserByIdentity", "LinkIdentity", "CreateLinkedUser", "Password", "SavePassword", "RehashPassword",
		"LoginSession", "LoginSessionsOf", "CreateLoginSession", "RevokeLoginSession", "RevokeLoginSessionsOf",
		"ReplaceLoginSession", "TouchLoginSession", "MapMemberships",
		"TakeLoginAttempt", "ReturnLoginAttempt", "ForgetLoginAttempts", "PruneLoginAttempts",
	}
}

func vaultCases() map[string]isolationCase {
	return map[string]isolationCase{
		"CurrentDataKey": finds(func(ctx context.Context, s *store.Store) (any, error) {
			key, _, err := s.CurrentDataKey(ctx)
			return key, err
		}),
		"DataKey":  finds(func(ctx context.Context, s *store.Store) (any, error) { return s.DataKey(ctx, dataKeyID) }),
		"DataKeys": finds(func(ctx context.Context, s *store.Store) (any, error) { return s.DataKeys(ctx) }),
		"CreateDataKey": creates(func(ctx context.Context, s *store.Store) error {
			return s.CreateDataKey(ctx, models.DataKey{TenantID: "beta", ID: "new", Number: 9, Wrapped: []byte{1}, Master: "m", RetiredAt: 1})
		}),
		"RetireDataKey": finds(func(ctx context.Context, s *store.Store) (any, error) { return s.RetireDataKey(ctx, dataKeyID) }),
		"DeleteDataKey": finds(func(ctx context.Context, s *store.Store) (any, error) { return s.DeleteDataKey(ctx, retiredKeyID) }),
		"SealedRows":    finds(func(ctx context.Context, s *store.Store) (any, error) { return s.SealedRows(ctx) }),
		"ResealRow": finds(func(ctx context.Context, s *store.Store) (any, error) {
			return s.ResealRow(ctx, models.SealedRow{
				TenantID: "beta", AgentID: agentID, Slug: toolkitSlug, UserID: userID, Secrets: sealedSecrets,
			}, `{}`)
		}),
	}
}

func isolationCases() map[string]isolationCase {
	all := map[string]isolationCase{}
	for _, group := range []map[string]isolationCase{agentCases(), sessionCases(), turnCases(), approvalCases(), recordCases(), toolkitCases(), peopleCases(), vaultCases()} {
		maps.Copy(all, group)
	}
	return all
}

func finds(call func(ctx context.Context, s *store.Store) (any, error)) isolationCase {
	return isolationCase{call: call}
}

func changes(call func(ctx context.Context, s *store.Store) error) isolationCase {
	return isolationCase{call: func(ctx context.Context, s *store.Store) (any, error) {
		err := call(ctx, s)
		return err == nil, err
	}}
}

func creates(call func(ctx context.Context, s *store.Store) error) isolationCase {
	c := changes(call)
	c.creates = true
	return c
}

func agentCases() map[string]isolationCase {
	return map[string]isolationCase{
		"ListAgents":  finds(func(ctx context.Context, s *store.Store) (any, error) { return s.ListAgents(ctx) }),
		"AgentByName": finds(func(ctx context.Context, s *store.Store) (any, error) { return s.AgentByName(ctx, "helper") }),
		"AgentByID":   finds(func(ctx context.Context, s *store.Store) (any, error) { return s.AgentByID(ctx, agentID) }),
		"AgentVersion": finds(func(ctx context.Context, s *store.Store) (any, error) {
			return s.AgentVersion(ctx, agentID, 1)
		}),
		"AgentVersions": finds(func(ctx context.Context, s *store.Store) (any, error) {
			return s.AgentVersions(ctx, agentID)
		}),
		"LiveVersions": finds(func(ctx context.Context, s *store.Store) (any, error) {
			return s.LiveVersions(ctx, []models.Agent{{ID: agentID, Version: 1}})
		}),
		"CreateAgent": creates(func(ctx context.Context, s *store.Store) error {
			return s.CreateAgent(ctx,
				models.Agent{TenantID: "beta", ID: "new", Name: "new", Visibility: models.VisibilityPrivate, Version: 1},
				models.AgentVersion{TenantID: "beta"})
		}),
		"ShareAgent": changes(func(ctx context.Context, s *store.Store) error {
			return s.ShareAgent(ctx, agentID, models.VisibilityTenant, nil)
		}),
		"DeleteAgent": changes(func(ctx context.Context, s *store.Store) error { return s.DeleteAgent(ctx, agentID) }),
		"SaveAgentVersion": changes(func(ctx context.Context, s *store.Store) error {
			return s.SaveAgentVersion(ctx, agentID, 1, models.AgentVersion{TenantID: "beta"})
		}),
	}
}

func sessionCases() map[string]isolationCase {
	return map[string]isolationCase{
		"Session": finds(func(ctx context.Context, s *store.Store) (any, error) { return s.Session(ctx, sessionID) }),
		"SessionsOf": finds(func(ctx context.Context, s *store.Store) (any, error) {
			return s.SessionsOf(ctx, agentID, "owner", 10)
		}),
		"CreateSession": creates(func(ctx context.Context, s *store.Store) error {
			return s.CreateSession(ctx, models.ChatSession{TenantID: "beta", ID: "new", AgentID: agentID})
		}),
		"RenameSession": changes(func(ctx context.Context, s *store.Store) error {
			return s.RenameSession(ctx, sessionID, "renamed")
		}),
		"AppendEvents": finds(func(ctx context.Context, s *store.Store) (any, error) {
			return s.AppendEvents(ctx, sessionID, []models.Event{{TenantID: "beta", Kind: models.EventStatus}})
		}),
		"Events": finds(func(ctx context.Context, s *store.Store) (any, error) { return s.Events(ctx, sessionID, 0, 10) }),
	}
}

func turnCases() map[string]isolationCase {
	return map[string]isolationCase{
		"Turn": finds(func(ctx context.Context, s *store.Store) (any, error) { return s.Turn(ctx, turnID) }),
		"OpenTurn": finds(func(ctx context.Context, s *store.Store) (any, error) {
			turn, _, err := s.OpenTurn(ctx, sessionID)
			return turn, err
		}),
		"OpenTurnsOf": finds(func(ctx context.Context, s *store.Store) (any, error) { return s.OpenTurnsOf(ctx, agentID) }),
		"TurnsOf":     finds(func(ctx context.Context, s *store.Store) (any, error) { return s.TurnsOf(ctx, sessionID) }),
		"CreateTurn": creates(func(ctx context.Context, s *store.Store) error {
			t := newTurn("new", "caller")
			t.TenantID, t.State = "beta", models.TurnDone
			return s.CreateTurn(ctx, t)
		}),
		"RenewTurn": finds(func(ctx context.Context, s *store.Store) (any, error) {
			leased, _, err := s.LeaseTurn(ctx, turnID, time.Minute)
			if err != nil {
				return false, err
			}
			return s.RenewTurn(ctx, turnID, max(leased.Epoch, 1), time.Hour)
		}),
		"LeaseTurn": finds(func(ctx context.Context, s *store.Store) (any, error) {
			turn, _, err := s.LeaseTurn(ctx, turnID, time.Minute)
			return turn, err
		}),
		"SaveTurn": changes(func(ctx context.Context, s *store.Store) error {
			return s.SaveTurn(ctx, models.Turn{TenantID: "beta", ID: turnID, State: models.TurnDone})
		}),
		"CancelTurn": finds(func(ctx context.Context, s *store.Store) (any, error) { return s.CancelTurn(ctx, turnID) }),

		"CreateCalls": creates(func(ctx context.Context, s *store.Store) error {
			return s.CreateCalls(ctx, []models.Call{
				{TenantID: "beta", ID: "new-1", TurnID: turnID, SessionID: sessionID, State: models.CallProposed},
				{TenantID: "beta", ID: "new-2", TurnID: turnID, SessionID: sessionID, State: models.CallProposed},
			})
		}),
		"Call":    finds(func(ctx context.Context, s *store.Store) (any, error) { return s.Call(ctx, callID) }),
		"CallsOf": finds(func(ctx context.Context, s *store.Store) (any, error) { return s.CallsOf(ctx, turnID) }),
		"CallsOfSession": finds(func(ctx context.Context, s *store.Store) (any, error) {
			return s.CallsOfSession(ctx, sessionID)
		}),
		"UpdateCall": finds(func(ctx context.Context, s *store.Store) (any, error) {
			return s.UpdateCall(ctx, models.Call{TenantID: "beta", ID: callID, State: models.CallSettled}, models.CallProposed)
		}),
	}
}

func approvalCases() map[string]isolationCase {
	return map[string]isolationCase{
		"Approval": finds(func(ctx context.Context, s *store.Store) (any, error) { return s.Approval(ctx, pendingID) }),
		"ApprovalByToken": finds(func(ctx context.Context, s *store.Store) (any, error) {
			return s.ApprovalByToken(ctx, []byte("token of "+pendingID))
		}),
		"Approvals": finds(func(ctx context.Context, s *store.Store) (any, error) {
			return s.Approvals(ctx, models.ApprovalFilter{})
		}),
		"CountApprovals": finds(func(ctx context.Context, s *store.Store) (any, error) { return s.CountApprovals(ctx) }),
		"CreateApproval": creates(func(ctx context.Context, s *store.Store) error {
			a := newApproval("new", "caller", models.ApprovalPending, 1)
			a.TenantID = "beta"
			return s.CreateApproval(ctx, a)
		}),
		"DecideApproval": finds(func(ctx context.Context, s *store.Store) (any, error) {
			return s.DecideApproval(ctx, newApproval(pendingID, "", models.ApprovalApproved, 1))
		}),
		"BurnApproval": finds(func(ctx context.Context, s *store.Store) (any, error) {
			return s.BurnApproval(ctx, newApproval(approvedID, "", models.ApprovalApproved, 1))
		}),
		"CloseApproval": finds(func(ctx context.Context, s *store.Store) (any, error) {
			return s.CloseApproval(ctx, pendingID,
				[]models.ApprovalState{models.ApprovalPending}, models.ApprovalStale, "stale")
		}),
		"ExpireApproval": finds(func(ctx context.Context, s *store.Store) (any, error) {
			return s.ExpireApproval(ctx, "approval-expired")
		}),
		"CancelApprovals": finds(func(ctx context.Context, s *store.Store) (any, error) {
			return s.CancelApprovals(ctx, turnID, "stopped")
		}),
		"SettleApproval": finds(func(ctx context.Context, s *store.Store) (any, error) {
			return s.SettleApproval(ctx, burnedID, models.OutcomeSucceeded, []byte("{}"))
		}),
	}
}

func recordCases() map[string]isolationCase {
	return map[string]isolationCase{
		"IntentOf": finds(func(ctx context.Context, s *store.Store) (any, error) { return s.IntentOf(ctx, burnedID) }),
		"CreateIntent": creates(func(ctx context.Context, s *store.Store) error {
			return s.CreateIntent(ctx,
				models.Intent{TenantID: "beta", ID: "new", ApprovalID: approvedID, State: models.IntentBurned})
		}),
		"StartIntent":  finds(func(ctx context.Context, s *store.Store) (any, error) { return s.StartIntent(ctx, intentID) }),
		"SettleIntent": finds(func(ctx context.Context, s *store.Store) (any, error) { return s.SettleIntent(ctx, intentID) }),
		"AppendAudit": creates(func(ctx context.Context, s *store.Store) error {
			return s.AppendAudit(ctx, models.AuditEntry{TenantID: "beta", ID: "new", Action: models.AuditRan})
		}),
		"AuditEntries": finds(func(ctx context.Context, s *store.Store) (any, error) {
			return s.AuditEntries(ctx, models.AuditFilter{})
		}),
	}
}

func TestEveryMethodHasAnIsolationCase(t *testing.T) {
	t.Parallel()
	var methods []string
	for method := range reflect.TypeFor[*store.Store]().Methods() {
		methods = append(methods, method.Name)
	}
	known := append(unpartitioned(), slices.Collect(maps.Keys(isolationCases()))...)
	require.ElementsMatch(t, methods, known)
}

func TestMethodsNeedAUnit(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		for name, c := range isolationCases() {
			_, err := c.call(t.Context(), s)
			require.ErrorIs(t, err, store.ErrNoUnit, name)
		}
	})
}

func TestReadRefusesChanges(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		seedBoth(t, s)
		for name, c := range isolationCases() {
			if c.creates {
				err := s.Read(t.Context(), partition(t, "alpha"), func(ctx context.Context) error {
					return second(c.call(ctx, s))
				})
				require.ErrorIs(t, err, store.ErrReadOnly, name)
			}
		}
	})
}

// TestNothingOfAnotherTenant calls every method in a tenant without records
// while another tenant has them: nothing is found, nothing changes.
func TestNothingOfAnotherTenant(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		seedWithExpired(t, s, "beta")
		before := rowsOf(t, s, "beta")
		for name, c := range isolationCases() {
			found, err := inAlpha(t, s, c)
			require.Equal(t, before, rowsOf(t, s, "beta"), name)
			if c.creates {
				remove(t, s, "alpha")
				continue
			}
			require.True(t, nothing(found), "%s found %+v", name, found)
			if err != nil {
				require.NotErrorIs(t, err, store.ErrUnscoped, name)
			}
		}
	})
}

// TestNothingOfATwin calls every method in a tenant whose records have the same
// ids and names as those of another tenant: only its own are found and changed.
func TestNothingOfATwin(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		seedBoth(t, s)
		for name, c := range isolationCases() {
			before, own := rowsOf(t, s, "beta"), rowsOf(t, s, "alpha")
			found, err := inAlpha(t, s, c)
			require.NoError(t, err, name)
			require.False(t, nothing(found), "%s found nothing, so this case shows nothing", name)
			require.NotContains(t, fmt.Sprintf("%s", found), "beta", name)
			require.Equal(t, before, rowsOf(t, s, "beta"), name)
			if c.creates {
				require.Greater(t, len(rowsOf(t, s, "alpha")), len(own), name)
			}
			remove(t, s, "alpha")
			seedWithExpired(t, s, "alpha")
		}
	})
}

func seedBoth(t *testing.T, s *store.Store) {
	t.Helper()
	seedWithExpired(t, s, "alpha")
	seedWithExpired(t, s, "beta")
}

func seedWithExpired(t *testing.T, s *store.Store, tenant string) {
	t.Helper()
	seed(t, s, tenant)
	write(t, s, tenant, func(ctx context.Context) error {
		return s.CreateApproval(ctx, newApproval("approval-expired", tenant, models.ApprovalPending, 1))
	})
}

// remove deletes every row of a tenant, past the store.
func remove(t *testing.T, s *store.Store, tenant string) {
	t.Helper()
	past(t, s, tenant, func(tx *sql.Tx) {
		for _, table := range slices.Backward(partitionedTables()) {
			_, err := tx.ExecContext(t.Context(), "DELETE FROM "+table+" WHERE tenant_id = '"+tenant+"'")
			require.NoError(t, err)
		}
	})
}

// past runs fn past the store, in a transaction that sees a tenant's rows.
func past(t *testing.T, s *store.Store, tenant string, fn func(tx *sql.Tx)) {
	t.Helper()
	tx, err := s.SQL().BeginTx(t.Context(), nil)
	require.NoError(t, err)
	if s.Dialect() == migrations.Postgres {
		_, err := tx.ExecContext(t.Context(), "SELECT set_config('app.tenant', $1, true)", tenant)
		require.NoError(t, err)
	}
	fn(tx)
	require.NoError(t, tx.Commit())
}

func inAlpha(t *testing.T, s *store.Store, c isolationCase) (found any, err error) {
	t.Helper()
	err = s.Write(t.Context(), partition(t, "alpha"), func(ctx context.Context) error {
		var err error
		found, err = c.call(ctx, s)
		return err
	})
	return found, err
}

func nothing(found any) bool {
	v := reflect.ValueOf(found)
	if kind := v.Kind(); kind == reflect.Slice || kind == reflect.Map {
		return v.Len() == 0
	}
	return v.IsZero()
}

// partitionedTables lists the tables with a partition, each after those that
// it refers to.
func partitionedTables() []string {
	return []string{
		"agents", "agent_versions", "chat_sessions", "events", "turns", "calls", "approvals", "intents", "audit_entries",
		"agent_tooling", "toolkit_overrides", "invitations", "api_tokens", "member_groups", "data_keys",
	}
}

// rowsOf returns every row of a tenant as text, read past the store.
func rowsOf(t *testing.T, s *store.Store, tenant string) []string {
	t.Helper()
	var lines []string
	past(t, s, tenant, func(tx *sql.Tx) {
		for _, table := range partitionedTables() {
			lines = append(lines, rowsIn(t, tx, table, tenant)...)
		}
	})
	slices.Sort(lines)
	return lines
}

func rowsIn(t *testing.T, tx *sql.Tx, table, tenant string) []string {
	t.Helper()
	rows, err := tx.QueryContext(t.Context(), "SELECT * FROM "+table+" WHERE tenant_id = '"+tenant+"'")
	require.NoError(t, err)
	defer func() { require.NoError(t, errors.Join(rows.Err(), rows.Close())) }()
	columns, err := rows.Columns()
	require.NoError(t, err)
	var lines []string
	for rows.Next() {
		values := make([]any, len(columns))
		for i := range values {
			values[i] = new(any)
		}
		require.NoError(t, rows.Scan(values...))
		line := []string{table}
		for _, value := range values {
			line = append(line, fmt.Sprint(*value.(*any)))
		}
		lines = append(lines, strings.Join(line, "|"))
	}
	return lines
}
