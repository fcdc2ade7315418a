package migrations_test

import (
	"database/sql"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/migrations"
	"github.com/agentstudio/agentstudio/studio/store/storetest"
)

// TestDriftIsFoundAndLeftAlone changes what the database records of its
// migrations, in every way that no migration does.
func TestDriftIsFoundAndLeftAlone(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		statement string
		want      error
		state     migrations.State
		version   int64
	}{
		"a changed body":       {"UPDATE agentstudio_ledger SET sha256 = 'x' WHERE version = 2", migrations.ErrDrifted, migrations.StateChanged, 2},
		"another name":         {"UPDATE agentstudio_ledger SET name = 'x' WHERE version = 2", migrations.ErrDrifted, migrations.StateChanged, 2},
		"a lost entry":         {"DELETE FROM agentstudio_ledger WHERE version = 2", migrations.ErrDrifted, migrations.StateUnrecorded, 2},
		"a lost ledger":        {"DROP TABLE agentstudio_ledger", migrations.ErrDrifted, migrations.StateUnrecorded, 1},
		"an invented entry":    {"INSERT INTO agentstudio_ledger (version, name, sha256, applied_at, applied_by) VALUES (99, 'x', 'x', 1, 'x')", migrations.ErrDrifted, migrations.StateUnknown, 99},
		"a gap":                {"DELETE FROM agentstudio_migrations WHERE version_id = 2", migrations.ErrDrifted, migrations.StateUnknown, 2},
		"a newer build's":      {"INSERT INTO agentstudio_migrations (version_id, is_applied) VALUES (99, true)", migrations.ErrTooNew, migrations.StateNewer, 99},
		"nothing of its start": {"DELETE FROM agentstudio_migrations WHERE version_id = 1", migrations.ErrDrifted, migrations.StateUnknown, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			onBoth(t, func(t *testing.T, db *sql.DB, dialect migrations.Dialect) {
				ctx := t.Context()
				require.NoError(t, migrations.Up(ctx, db, dialect))
				execute(t, db, c.statement)
				require.ErrorIs(t, migrations.Verify(ctx, db, dialect), c.want)
				require.ErrorIs(t, migrations.Up(ctx, db, dialect), c.want, "nothing repairs it by itself")
				require.ErrorIs(t, migrations.Verify(ctx, db, dialect), c.want)
				list, err := migrations.Status(ctx, db, dialect)
				require.NoError(t, err)
				states := map[int64]migrations.State{}
				for _, m := range list {
					states[m.Version] = m.State
				}
				require.Equal(t, c.state, states[c.version])
			})
		})
	}
}

// TestADatabaseWithoutALedgerGetsOne upgrades what the last build without one
// has left.
func TestADatabaseWithoutALedgerGetsOne(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB, dialect migrations.Dialect) {
		ctx := t.Context()
		upTo(t, db, dialect, 2)
		require.ErrorIs(t, migrations.Verify(ctx, db, dialect), migrations.ErrPending)
		require.NotErrorIs(t, migrations.Verify(ctx, db, dialect), migrations.ErrDrifted)
		require.NoError(t, migrations.Up(ctx, db, dialect))
		require.NoError(t, migrations.Verify(ctx, db, dialect))
		var entries int
		require.NoError(t, db.QueryRowContext(ctx, "SELECT count(*) FROM agentstudio_ledger").Scan(&entries))
		list, err := migrations.Status(ctx, db, dialect)
		require.NoError(t, err)
		require.Len(t, list, entries)
	})
}

// TestTheAppRole holds what the role that serves may do, and what it may not.
func TestTheAppRole(t *testing.T) {
	t.Parallel()
	database := storetest.PostgresDatabase(t)
	owner, app := open(t, "pgx", database.Owner), open(t, "pgx", database.App)
	app.SetMaxOpenConns(1)
	ctx := t.Context()
	require.NoError(t, migrations.Up(ctx, owner, migrations.Postgres))
	role, err := url.Parse(database.App)
	require.NoError(t, err)
	_, err = app.ExecContext(ctx, "SELECT 1 FROM agents")
	require.ErrorContains(t, err, "permission denied", "before the grant")
	for range 2 {
		require.NoError(t, migrations.Grant(ctx, owner, role.User.Username()))
	}
	require.NoError(t, migrations.Verify(ctx, app, migrations.Postgres), "it can see that all is well")
	execute(t, app, "SELECT set_config('app.tenant', 'alpha', false)")
	execute(t, app, agent("'alpha'", "'1'", "'private'"))
	for _, forbidden := range []string{
		"ALTER TABLE agents DISABLE ROW LEVEL SECURITY", "ALTER TABLE agents NO FORCE ROW LEVEL SECURITY",
		"DROP POLICY in_partition ON agents", "CREATE POLICY x ON agents USING (true)", "DROP TABLE agents", "TRUNCATE agents",
		"UPDATE agentstudio_ledger SET sha256 = ''", "DELETE FROM agentstudio_migrations", "UPDATE river_migration SET version = 1",
		"SET ROLE " + roleOf(t, database.Owner), agent("'beta'", "'2'", "'private'"),
	} {
		_, err := app.ExecContext(ctx, forbidden)
		require.Error(t, err, forbidden)
	}
	require.Error(t, migrations.Grant(ctx, owner, roleOf(t, database.Owner)), "the owner is no app role")
	require.Error(t, migrations.Grant(ctx, owner, "nobody_of_that_name"))
}

func roleOf(t *testing.T, dsn string) string {
	t.Helper()
	u, err := url.Parse(dsn)
	require.NoError(t, err)
	return u.User.Username()
}

// TestEveryTableIsProtected compares what the migrations make with what
// PostgreSQL protects: all but the few that are read before a tenant is known.
func TestEveryTableIsProtected(t *testing.T) {
	t.Parallel()
	db := open(t, "pgx", storetest.PostgresDatabase(t).Super)
	require.NoError(t, migrations.Up(t.Context(), db, migrations.Postgres))
	tables, err := migrations.Tables()
	require.NoError(t, err)
	var open []string
	for _, table := range tables {
		var forced bool
		var policies string
		require.NoError(t, db.QueryRowContext(t.Context(), `SELECT c.relrowsecurity AND c.relforcerowsecurity,
			coalesce((SELECT string_agg(p.polname || ' ' || pg_get_expr(p.polqual, p.polrelid) || ' ' || pg_get_expr(p.polwithcheck, p.polrelid), ';')
				FROM pg_policy p WHERE p.polrelid = c.oid), '') FROM pg_class c WHERE c.oid = to_regclass($1)`, table).Scan(&forced, &policies))
		if !forced {
			open = append(open, table)
			continue
		}
		const rule = "(tenant_id = NULLIF(current_setting('app.tenant'::text, true), ''::text))"
		require.Equal(t, "in_partition "+rule+" "+rule, policies, table)
	}
	require.ElementsMatch(t, []string{
		"tenants", "users", "memberships", "passwords", "user_identities", "login_sessions", "login_attempts", "open_turns", "vault_tenants",
	}, open)
}
