package store_test

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/store"
	"github.com/agentstudio/agentstudio/studio/store/storetest"
	"github.com/agentstudio/agentstudio/tenancy"
)

func TestMain(m *testing.M) { os.Exit(storetest.Main(m, migrate)) }

// migrate brings the database at dsn up to date.
func migrate(ctx context.Context, dsn string) error {
	s, err := store.Open(ctx, store.Config{DSN: dsn})
	if err != nil {
		return err
	}
	return errors.Join(s.Migrate(ctx), s.Close())
}

// onBoth runs a test on both databases, each time on an empty one.
func onBoth(t *testing.T, test func(t *testing.T, s *store.Store)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		dsn := storetest.SQLite(t)
		require.NoError(t, migrate(t.Context(), dsn))
		test(t, open(t, dsn))
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		test(t, open(t, storetest.Postgres(t)))
	})
}

func open(t *testing.T, dsn string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), store.Config{DSN: dsn})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// partition returns the partition of a tenant.
func partition(t *testing.T, tenant string) tenancy.Partition {
	t.Helper()
	p, err := tenancy.PartitionOf(tenant)
	require.NoError(t, err)
	return p
}

// write runs fn in a Write of a tenant, which must succeed.
func write(t *testing.T, s *store.Store, tenant string, fn func(ctx context.Context) error) {
	t.Helper()
	require.NoError(t, s.Write(t.Context(), partition(t, tenant), fn))
}

// read runs fn in a Read of alpha, which must succeed.
func read(t *testing.T, s *store.Store, fn func(ctx context.Context) error) {
	t.Helper()
	require.NoError(t, s.Read(t.Context(), partition(t, "alpha"), fn))
}

// Ids of the seeded records. They are the same in every tenant, so that only
// the partition tells the records apart.
const (
	agentID      = "agent"
	sessionID    = "session"
	turnID       = "turn"
	callID       = "call"
	pendingID    = "approval-pending"
	approvedID   = "approval-approved"
	burnedID     = "approval-burned"
	intentID     = "intent"
	auditID      = "audit"
	toolkitSlug  = "fs_orders"
	dataKeyID    = "data-key"
	retiredKeyID = "retired-key"
	// sealedSecrets is what the seeded override holds.
	sealedSecrets = `{"key":{"id":"1","box":"AQ=="}}`
	userID        = "user"
)

// seed adds one record of each kind to a tenant. Every record names its tenant
// in some text, so that one that leaks is recognised.
func seed(t *testing.T, s *store.Store, tenant string) {
	t.Helper()
	now, err := s.Now(t.Context())
	require.NoError(t, err)
	require.NoError(t, errors.Join(
		s.UpsertTenant(t.Context(), models.Tenant{ID: tenant, Name: tenant}),
		s.UpsertUser(t.Context(), models.User{ID: userID, Email: "user@example.test"}),
		s.UpsertMembership(t.Context(), models.Membership{TenantID: tenant, UserID: userID, Role: models.RoleMember}),
	))
	write(t, s, tenant, func(ctx context.Context) error {
		return errors.Join(
			s.CreateAgent(ctx,
				models.Agent{ID: agentID, Name: "helper", Owner: tenant, Visibility: models.VisibilityPrivate, Version: 1},
				models.AgentVersion{Author: tenant}),
			s.CreateSession(ctx, models.ChatSession{ID: sessionID, AgentID: agentID, Owner: "owner", Title: tenant}),
			s.CreateTurn(ctx, newTurn(turnID, tenant)),
			s.CreateCalls(ctx, []models.Call{{
				ID: callID, TurnID: turnID, SessionID: sessionID, Name: tenant, State: models.CallProposed,
			}}),
			s.CreateApproval(ctx, newApproval(pendingID, tenant, models.ApprovalPending, now)),
			s.CreateApproval(ctx, newApproval(approvedID, tenant, models.ApprovalApproved, now)),
			s.CreateApproval(ctx, newApproval(burnedID, tenant, models.ApprovalConsumed, now)),
			s.CreateIntent(ctx, models.Intent{ID: intentID, ApprovalID: burnedID, State: models.IntentBurned}),
			s.AppendAudit(ctx, models.AuditEntry{ID: auditID, Action: models.AuditRan, Actor: tenant, ApprovalID: burnedID}),
			second(s.AppendEvents(ctx, sessionID, []models.Event{{Kind: models.EventMessage, Data: []byte(`"` + tenant + `"`)}})),
			s.SaveToolkitSettings(ctx, models.ToolkitSettings{
				AgentID: agentID, Slug: toolkitSlug, Params: `{"of":"` + tenant + `"}`, UpdatedBy: tenant,
			}),
			s.SaveToolkitOverride(ctx, models.ToolkitOverride{
				AgentID: agentID, Slug: toolkitSlug, UserID: userID, Params: `{"of":"` + tenant + `"}`, UpdatedBy: tenant,
				Secrets: map[string]models.SealedSecret{"key": {ID: "1", Box: []byte{1}}},
			}),
			s.CreateDataKey(ctx, models.DataKey{ID: retiredKeyID, Number: 1, Wrapped: []byte{1}, Master: tenant, RetiredAt: 1}),
			s.CreateDataKey(ctx, models.DataKey{ID: dataKeyID, Number: 2, Wrapped: []byte{1}, Master: tenant}),
			s.CreateInvitation(ctx, newInvitation(invitationID, tenant)),
			s.CreateAPIToken(ctx, models.APIToken{ID: tokenID, UserID: userID, Name: tenant}),
			s.SaveGroup(ctx, models.Group{Name: groupName, About: tenant}),
		)
	})
}

func newTurn(id, caller string) models.Turn {
	return models.Turn{
		ID: id, SessionID: sessionID, AgentID: agentID, AgentVersion: 1, Caller: caller, State: models.TurnQueued,
	}
}

// newApproval returns an approval that can be decided and redeemed for an hour.
func newApproval(id, caller string, state models.ApprovalState, now models.Instant) models.Approval {
	return models.Approval{
		ID: id, Caller: caller, TurnID: turnID, Nonce: "nonce", State: state,
		IssuedAt: now, ExpiresAt: now + 3_600_000, RedeemExpiresAt: now + 3_600_000,
		Binding: []byte("binding"), Seal: []byte("seal"), DecisionSeal: []byte("decision"),
		TokenHash: []byte("token of " + id),
	}
}

func second[T any](_ T, err error) error { return err }
