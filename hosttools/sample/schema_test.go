package sample

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func opened(t *testing.T, name string) *Company {
	t.Helper()
	c, err := Open(t.Context(), filepath.Join(t.TempDir(), name))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Close()) })
	return c
}

func TestEveryConnectionHasTheSettings(t *testing.T) {
	t.Parallel()
	c := opened(t, "company.db")
	for range 3 {
		conn, err := c.db.Conn(t.Context())
		require.NoError(t, err)
		defer func() { require.NoError(t, conn.Close()) }() // kept, so that the next one is another
		for pragma, want := range map[string]string{
			"journal_mode": "wal", "busy_timeout": "10000", "synchronous": "2", "foreign_keys": "1",
		} {
			var got string
			require.NoError(t, conn.QueryRowContext(t.Context(), `PRAGMA `+pragma).Scan(&got))
			require.Equal(t, want, got, pragma)
		}
	}
}

func TestOpenTakesAnyFileName(t *testing.T) {
	t.Parallel()
	const name = "a company's #1?%41&mode=ro file.db"
	var file string
	c := opened(t, name)
	require.NoError(t, c.db.QueryRowContext(t.Context(),
		`SELECT file FROM pragma_database_list WHERE name = 'main'`).Scan(&file))
	require.Equal(t, name, filepath.Base(file))
}

// TestQueriesUseAnIndex asks SQLite for the plan of every query: none may read
// a whole table, or sort.
func TestQueriesUseAnIndex(t *testing.T) {
	t.Parallel()
	c := opened(t, "company.db")
	for query, args := range map[string][]any{
		queryOrders:   {"acme", 5},
		queryByStatus: {"acme", "pending", 5},
		queryOrder:    {"acme", "A-1002"},
		queryHistory:  {"acme", 5},
		queryNotices:  {"acme", 5},
		queryChannels: {"acme"},
	} {
		require.Regexp(t, `^SEARCH [^;]*;$`, plan(t, c, query, args), query)
	}
}

// plan returns the steps of a query's plan, each with a semicolon.
func plan(t *testing.T, c *Company, query string, args []any) string {
	t.Helper()
	rows, err := c.db.QueryContext(t.Context(), `EXPLAIN QUERY PLAN `+query, args...)
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	steps := ""
	for rows.Next() {
		var id, parent, unused int
		var step string
		require.NoError(t, rows.Scan(&id, &parent, &unused, &step))
		steps += step + ";"
	}
	require.NoError(t, rows.Err())
	return steps
}

// TestFilesOfTheFirstVersionGetChannels goes back to the first version, with a
// notice in it.
func TestFilesOfTheFirstVersionGetChannels(t *testing.T) {
	t.Parallel()
	c := opened(t, "company.db")
	for _, statement := range []string{
		`DROP TABLE channels`, `ALTER TABLE notices DROP COLUMN channel`, `ALTER TABLE notices DROP COLUMN sender`,
		`ALTER TABLE notices DROP COLUMN signature`, `PRAGMA user_version = 1`,
		`INSERT INTO notices (tenant, recipient, message, caller) VALUES ('acme', 'Bob', 'Hello', 'ada')`,
	} {
		_, err := c.db.ExecContext(t.Context(), statement)
		require.NoError(t, err)
	}
	require.NoError(t, c.create(t.Context()))
	require.NoError(t, c.create(t.Context()), "again changes nothing")
	notices, err := c.notices(t.Context(), "acme")
	require.NoError(t, err)
	require.Len(t, notices, 1)
	_, err = c.db.ExecContext(t.Context(), `PRAGMA user_version = 3`)
	require.NoError(t, err)
	require.ErrorContains(t, c.create(t.Context()), "version 3")
}
