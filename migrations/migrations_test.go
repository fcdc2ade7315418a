package migrations_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite"

	"github.com/agentstudio/agentstudio/migrations"
	"github.com/agentstudio/agentstudio/studio/store/storetest"
)

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }

// onBoth runs a test on both databases, each time on an empty one. On PostgreSQL
// it works as the superuser, so that row security is in no test's way.
func onBoth(t *testing.T, test func(t *testing.T, db *sql.DB, dialect migrations.Dialect)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		db := open(t, "sqlite", "file:"+storetest.SQLite(t)+"?_pragma=foreign_keys(1)")
		db.SetMaxOpenConns(1)
		test(t, db, migrations.SQLite)
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		test(t, open(t, "pgx", storetest.PostgresDatabase(t).Super), migrations.Postgres)
	})
}

func open(t *testing.T, driver, dsn string) *sql.DB {
	t.Helper()
	db, err := sql.Open(driver, dsn)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db
}

func TestUp(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB, dialect migrations.Dialect) {
		ctx := t.Context()
		require.ErrorIs(t, migrations.Verify(ctx, db, dialect), migrations.ErrPending)
		list, err := migrations.Status(ctx, db, dialect)
		require.NoError(t, err)
		require.NotEmpty(t, list)
		require.Equal(t, migrations.StatePending, list[0].State)

		require.NoError(t, migrations.Up(ctx, db, dialect))
		require.NoError(t, migrations.Up(ctx, db, dialect), "again")
		require.NoError(t, migrations.Verify(ctx, db, dialect))
		list, err = migrations.Status(ctx, db, dialect)
		require.NoError(t, err)
		for i, m := range list {
			require.Equal(t, migrations.StateApplied, m.State, m.Name)
			require.True(t, m.Checked, m.Name)
			require.False(t, m.AppliedAt.IsZero(), m.Name)
			require.NotEmpty(t, m.AppliedBy, m.Name)
			require.Equal(t, int64(i+1), m.Version)
		}
	})
}

// TestRowsOfEveryOlderSchemaAreKept migrates databases that older builds have
// filled, one of each version.
func TestRowsOfEveryOlderSchemaAreKept(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB, dialect migrations.Dialect) {
		require.NoError(t, migrations.Up(t.Context(), db, dialect))
		list, err := migrations.Status(t.Context(), db, dialect)
		require.NoError(t, err)
		require.Greater(t, len(list), 1)
		for version := int64(1); version < int64(len(list)); version++ {
			t.Run(fmt.Sprintf("from version %d", version), func(t *testing.T) {
				t.Parallel()
				older := another(t, dialect)
				upTo(t, older, dialect, version)
				if version > 2 {
					copyLedger(t, db, older, version)
				}
				keepsRows(t, older, dialect, version)
			})
		}
	})
}

// another returns an empty database.
func another(t *testing.T, dialect migrations.Dialect) *sql.DB {
	t.Helper()
	if dialect == migrations.Postgres {
		return open(t, "pgx", storetest.PostgresDatabase(t).Super)
	}
	db := open(t, "sqlite", "file:"+storetest.SQLite(t)+"?_pragma=foreign_keys(1)")
	db.SetMaxOpenConns(1)
	return db
}

// copyLedger gives a database the ledger that its build, which knew no more than
// a version, has written.
func copyLedger(t *testing.T, from, to *sql.DB, version int64) {
	t.Helper()
	execute(t, to, "CREATE TABLE agentstudio_ledger (version bigint PRIMARY KEY, name text NOT NULL, sha256 text NOT NULL, "+
		"applied_at bigint NOT NULL, applied_by text NOT NULL)")
	for v := int64(1); v <= version; v++ {
		var name, sum string
		require.NoError(t, from.QueryRowContext(t.Context(),
			fmt.Sprintf("SELECT name, sha256 FROM agentstudio_ledger WHERE version = %d", v)).Scan(&name, &sum))
		execute(t, to, fmt.Sprintf("INSERT INTO agentstudio_ledger VALUES (%d, '%s', '%s', 1, 'an older build')", v, name, sum))
	}
}

func keepsRows(t *testing.T, db *sql.DB, dialect migrations.Dialect, version int64) {
	t.Helper()
	ctx := t.Context()
	execute(t, db, agent("'alpha'", "'1'", "'private'"))
	execute(t, db, "INSERT INTO users (id, email, name, created_at) VALUES ('ann', 'ann@example.test', 'Ann', 1)")
	execute(t, db, "INSERT INTO login_sessions (id, user_id, auth_time, expires_at, revoked_at) VALUES ('s', 'ann', 7, 9, 0)")
	if version >= 4 {
		execute(t, db, "UPDATE login_sessions SET created_at = 7, last_seen_at = 7")
	}
	if version >= 2 {
		execute(t, db, settings("'alpha'", "'1'", "'{}'", "1"))
	}
	require.ErrorIs(t, migrations.Verify(ctx, db, dialect), migrations.ErrPending)

	require.NoError(t, migrations.Up(ctx, db, dialect))
	require.NoError(t, migrations.Verify(ctx, db, dialect))
	for query, want := range map[string]string{
		"SELECT owner FROM agents WHERE tenant_id = 'alpha' AND id = '1'":                  "ann",
		"SELECT deleted_at || ' deleted' FROM agents WHERE id = '1'":                       "0 deleted",
		"SELECT kind || ' ' || name FROM users WHERE id = 'ann'":                           "person Ann",
		"SELECT created_at || ' ' || last_seen_at || ' ' || auth_time FROM login_sessions": "7 7 7",
		"SELECT count(*) || ' set up' FROM agent_tooling WHERE tenant_id = 'alpha'":        fmt.Sprintf("%d set up", min(version-1, 1)),
	} {
		var got string
		require.NoError(t, db.QueryRowContext(ctx, query).Scan(&got), query)
		require.Equal(t, want, got)
	}
	if version == 1 {
		execute(t, db, settings("'alpha'", "'1'", "'{}'", "1"))
	}
}

// upTo applies ours up to a version, as a build did that knew no newer one.
func upTo(t *testing.T, db *sql.DB, dialect migrations.Dialect, version int64) {
	t.Helper()
	speaks := map[migrations.Dialect]goose.Dialect{
		migrations.SQLite: goose.DialectSQLite3, migrations.Postgres: goose.DialectPostgres,
	}
	provider, err := goose.NewProvider(speaks[dialect], db, os.DirFS(string(dialect)),
		goose.WithDisableGlobalRegistry(true), goose.WithTableName("agentstudio_migrations"))
	require.NoError(t, err)
	_, err = provider.UpTo(t.Context(), version)
	require.NoError(t, err)
}

func TestReplicasMigrateTogether(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB, dialect migrations.Dialect) {
		if dialect == migrations.SQLite {
			require.NoError(t, migrations.Up(t.Context(), db, dialect)) // one process, one migration
			return
		}
		errs := make([]error, 4)
		var group sync.WaitGroup
		for i := range errs {
			group.Go(func() { errs[i] = migrations.Up(t.Context(), db, dialect) })
		}
		group.Wait()
		require.NoError(t, errors.Join(errs...))
		require.NoError(t, migrations.Verify(t.Context(), db, dialect))
	})
}

func TestVerifyTellsWhatIsWrong(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB, dialect migrations.Dialect) {
		ctx := t.Context()
		require.NoError(t, migrations.Up(ctx, db, dialect))
		execute(t, db, "DELETE FROM river_migration WHERE version = (SELECT max(version) FROM river_migration)")
		require.ErrorIs(t, migrations.Verify(ctx, db, dialect), migrations.ErrPending)
		execute(t, db, "INSERT INTO agentstudio_migrations (version_id, is_applied) VALUES (9999, true)")
		require.ErrorIs(t, migrations.Verify(ctx, db, dialect), migrations.ErrTooNew)
	})
}

func TestUnknownDialect(t *testing.T) {
	t.Parallel()
	db := open(t, "sqlite", "file:"+storetest.SQLite(t))
	require.ErrorContains(t, migrations.Up(t.Context(), db, "mysql"), "mysql")
	require.ErrorContains(t, migrations.Verify(t.Context(), db, "mysql"), "mysql")
	_, err := migrations.Status(t.Context(), db, "mysql")
	require.ErrorContains(t, err, "mysql")
}

func TestUpReportsADatabaseThatIsGone(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB, dialect migrations.Dialect) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		require.ErrorIs(t, migrations.Up(ctx, db, dialect), context.Canceled)
	})
}

// TestRowsThatAreRefused holds both schemas to the same rules.
func TestRowsThatAreRefused(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB, dialect migrations.Dialect) {
		require.NoError(t, migrations.Up(t.Context(), db, dialect))
		const insert = "INSERT INTO intents (tenant_id, id, approval_id, state, burned_at, started_at, settled_at) VALUES "
		for _, statement := range []string{
			agent("''", "'1'", "'private'"),
			agent("'alpha'", "'1'", "'public'"),
			agent("'alpha'", "NULL", "'private'"),
			insert + "('alpha', '1', '1', 'half', 0, 0, 0)",
		} {
			_, err := db.ExecContext(t.Context(), statement)
			require.Error(t, err, statement)
		}
		execute(t, db, agent("'alpha'", "'1'", "'private'"))
		execute(t, db, agent("'beta'", "'1'", "'private'"))
		_, err := db.ExecContext(t.Context(), agent("'alpha'", "'2'", "'private'"))
		require.Error(t, err, "a name is unique in its tenant")
	})
}

// TestToolkitRowsThatAreRefused does the same for how toolkits are configured.
func TestToolkitRowsThatAreRefused(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB, dialect migrations.Dialect) {
		require.NoError(t, migrations.Up(t.Context(), db, dialect))
		execute(t, db, agent("'alpha'", "'1'", "'private'"))
		execute(t, db, agent("'beta'", "'2'", "'private'"))
		execute(t, db, settings("'alpha'", "'1'", "'{}'", "1"))
		execute(t, db, override("'alpha'", "'1'", "'ann'"))
		for _, statement := range []string{
			settings("'alpha'", "'1'", "'{}'", "2"),
			settings("'alpha'", "'2'", "'{}'", "1"),
			settings("'beta'", "'2'", "''", "1"),
			settings("'beta'", "'2'", "'{}'", "0"),
			override("'alpha'", "'1'", "'ann'"),
			override("'alpha'", "'1'", "''"),
			override("'beta'", "'2'", "'ann'"),
		} {
			_, err := db.ExecContext(t.Context(), statement)
			require.Error(t, err, statement)
		}
	})
}

func agent(tenant, id, visibility string) string {
	return "INSERT INTO agents (tenant_id, id, name, owner, visibility, version, created_at, updated_at) VALUES (" +
		strings.Join([]string{tenant, id, "'a'", "'ann'", visibility, "1", "0", "0"}, ", ") + ")"
}

func settings(tenant, agentID, params, revision string) string {
	return "INSERT INTO agent_tooling (tenant_id, agent_id, slug, params, revision, updated_at, updated_by) VALUES (" +
		strings.Join([]string{tenant, agentID, "'fs_orders'", params, revision, "0", "'ann'"}, ", ") + ")"
}

func override(tenant, agentID, user string) string {
	return "INSERT INTO toolkit_overrides (tenant_id, agent_id, slug, user_id, params, revision, updated_at, updated_by) VALUES (" +
		strings.Join([]string{tenant, agentID, "'fs_orders'", user, "'{}'", "1", "0", "'ann'"}, ", ") + ")"
}

func execute(t *testing.T, db *sql.DB, statement string) {
	t.Helper()
	_, err := db.ExecContext(t.Context(), statement)
	require.NoError(t, err, statement)
}
