package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/store"
	"github.com/agentstudio/agentstudio/studio/store/storetest"
)

// TestOnlyTheSetPartitionIsVisible goes past the store: without a partition, or
// with an empty one, nothing is seen and nothing can be added.
func TestOnlyTheSetPartitionIsVisible(t *testing.T) {
	t.Parallel()
	s := open(t, storetest.Postgres(t))
	seedBoth(t, s)
	for name, setting := range map[string]string{"unset": "", "empty": "SELECT set_config('app.tenant', '', true)"} {
		tx, err := s.SQL().BeginTx(t.Context(), nil)
		require.NoError(t, err)
		if setting != "" {
			_, err := tx.ExecContext(t.Context(), setting)
			require.NoError(t, err)
		}
		for _, table := range partitionedTables() {
			var rows int
			require.NoError(t, tx.QueryRowContext(t.Context(), "SELECT count(*) FROM "+table).Scan(&rows))
			require.Zero(t, rows, "%s, %s", name, table)
		}
		_, err = tx.ExecContext(t.Context(), `INSERT INTO audit_entries SELECT (r).* FROM (SELECT NULL::audit_entries AS r) x`)
		require.Error(t, err, name)
		require.NoError(t, tx.Rollback())
	}
	past(t, s, "alpha", func(tx *sql.Tx) {
		for _, table := range partitionedTables() {
			var foreign int
			require.NoError(t, tx.QueryRowContext(t.Context(), "SELECT count(*) FROM "+table+" WHERE tenant_id <> 'alpha'").Scan(&foreign))
			require.Zero(t, foreign, table)
			result, err := tx.ExecContext(t.Context(), "UPDATE "+table+" SET tenant_id = tenant_id WHERE tenant_id = 'beta'")
			require.NoError(t, err)
			changed, err := result.RowsAffected()
			require.NoError(t, err)
			require.Zero(t, changed, table)
		}
		_, err := tx.ExecContext(t.Context(), "UPDATE agents SET tenant_id = 'beta', id = 'moved', name = 'moved'")
		require.ErrorContains(t, err, "row-level security", "a row cannot be moved to another tenant")
		_, err = tx.ExecContext(t.Context(), "ROLLBACK; BEGIN")
		require.NoError(t, err)
	})
}

// TestRolesThatRowSecurityDoesNotBind holds that the store serves for none of
// them, unless it is told to.
func TestRolesThatRowSecurityDoesNotBind(t *testing.T) {
	t.Parallel()
	database := storetest.PostgresDatabase(t)
	for name, dsn := range map[string]string{"the owner": database.Owner, "a superuser": database.Super} {
		s, err := store.Open(t.Context(), store.Config{DSN: dsn})
		require.NoError(t, err, "a host starts nevertheless")
		require.ErrorIs(t, s.Usable(t.Context()), store.ErrWrongRole, name)
		err = s.Read(t.Context(), partition(t, "alpha"), func(context.Context) error { return nil })
		require.Equal(t, models.CodeStorageUnavailable, models.CodeOf(err), name)
		_, err = s.Tenants(t.Context())
		require.Equal(t, models.CodeStorageUnavailable, models.CodeOf(err), name)
		require.NoError(t, s.Close())

		s, err = store.Open(t.Context(), store.Config{DSN: dsn, AllowOwner: true})
		require.NoError(t, err)
		require.NoError(t, s.Usable(t.Context()), name)
		require.NoError(t, s.Close())
	}
}

// TestWallsThatComeDownAreNoticed switches the protection of one table off under
// an open store, and on again.
func TestWallsThatComeDownAreNoticed(t *testing.T) {
	t.Parallel()
	database := storetest.PostgresDatabase(t)
	s, err := store.Open(t.Context(), store.Config{DSN: database.App, CheckEvery: time.Nanosecond})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	owner, err := sql.Open("pgx", database.Owner)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, owner.Close()) })
	for down, up := range map[string]string{
		"ALTER TABLE approvals NO FORCE ROW LEVEL SECURITY":                             "ALTER TABLE approvals FORCE ROW LEVEL SECURITY",
		"CREATE POLICY everything ON agents USING (true)":                               "DROP POLICY everything ON agents",
		"UPDATE agentstudio_ledger SET sha256 = 'x' || sha256":                          "UPDATE agentstudio_ledger SET sha256 = substr(sha256, 2)",
		"INSERT INTO agentstudio_migrations (version_id, is_applied) VALUES (99, true)": "DELETE FROM agentstudio_migrations WHERE version_id = 99",
	} {
		require.NoError(t, s.Usable(t.Context()), "before: %s", down)
		_, err := owner.ExecContext(t.Context(), down)
		require.NoError(t, err)
		require.Equal(t, models.CodeStorageUnavailable, models.CodeOf(s.Usable(t.Context())), down)
		require.Error(t, s.Write(t.Context(), partition(t, "alpha"), func(context.Context) error {
			t.Error("a unit began: " + down)
			return nil
		}))
		_, err = owner.ExecContext(t.Context(), up)
		require.NoError(t, err)
	}
	require.NoError(t, s.Usable(t.Context()), "set right, it serves again")
}

// TestOneConnectionKeepsTenantsApart interleaves ten thousand units of work of
// fifty tenants on one connection, many of which panic or are cancelled.
func TestOneConnectionKeepsTenantsApart(t *testing.T) {
	t.Parallel()
	const tenants, units, workers = 50, 10_000, 8
	s := open(t, storetest.Postgres(t))
	for i := range tenants {
		name := fmt.Sprintf("tenant-%d", i)
		write(t, s, name, func(ctx context.Context) error {
			return s.CreateAgent(ctx, models.Agent{
				ID: agentID, Name: name, Owner: name, Visibility: models.VisibilityPrivate, Version: 1,
			}, models.AgentVersion{Author: name})
		})
	}
	s.SQL().SetMaxOpenConns(1)
	s.SQL().SetMaxIdleConns(1)
	var group sync.WaitGroup
	for worker := range workers {
		group.Go(func() {
			random := rand.New(rand.NewPCG(uint64(worker), 1))
			for range units / workers {
				unitOf(t, s, fmt.Sprintf("tenant-%d", random.IntN(tenants)), random.IntN(4))
			}
		})
	}
	group.Wait()
	var setting string
	require.NoError(t, s.SQL().QueryRowContext(t.Context(), "SELECT coalesce(current_setting('app.tenant', true), '')").Scan(&setting))
	require.Empty(t, setting, "the connection carries no partition to the next unit")
}

// unitOf does one unit of work of a tenant, which ends in one of four ways, and
// sees the tenant's own agent and no other.
func unitOf(t *testing.T, s *store.Store, tenant string, end int) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	defer func() { _ = recover() }() // of the unit that panics
	_ = s.Write(ctx, partition(t, tenant), func(ctx context.Context) error {
		found, err := s.ListAgents(ctx)
		if err != nil {
			t.Error(err)
		}
		if len(found) != 1 || found[0].Name != tenant {
			t.Errorf("%s sees %v", tenant, found)
		}
		switch end {
		case 0:
			panic("boom")
		case 1:
			cancel()
		case 2:
			return errors.New("no")
		}
		return nil
	})
}
