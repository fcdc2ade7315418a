package e2e_test

import (
	"database/sql"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/agentstudio/agentstudio/e2e"
)

// noticedWithin is how long a running server may take to notice that its
// database is another than it must be.
const noticedWithin = 30 * time.Second

// TestDriftIsUnavailable changes the record of migrations under a running
// server: every route of the Studio then answers 503, nothing falls back, and
// the host's own pages go on. Set right, it serves again.
func TestDriftIsUnavailable(t *testing.T) {
	t.Parallel()
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		s := start(t)
		drift(t, s, "sqlite", "file:"+filepath.Join(s.Data, "studio.db")+"?_pragma=busy_timeout(5000)")
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		owner, serve := postgres(t)
		drift(t, e2e.Start(t, os.Getenv(programVariable), serve), "pgx", owner)
	})
}

func drift(t *testing.T, s *e2e.Server, driver, dsn string) {
	t.Helper()
	db, err := sql.Open(driver, dsn)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	admin, program := s.SignIn("admin@acme.test"), s.Program("acme", "admin@acme.test")
	export := func() e2e.Answer { return program.Call("/acme/tools/fs_export/execute", `{}`) }
	require.Equal(t, http.StatusOK, export().Status)

	change(t, db, `UPDATE agentstudio_ledger SET sha256 = 'x' || sha256 WHERE version = 2`)
	require.Eventually(t, func() bool { return export().Status == http.StatusServiceUnavailable }, noticedWithin, 100*time.Millisecond)
	require.Equal(t, "studio_storage_unavailable", export().JSON(t)["code"])
	for _, path := range []string{"", "/agents", "/approvals", "/agents/order-desk/chat", "/activity"} {
		require.Equal(t, http.StatusServiceUnavailable, admin.Get(admin.Home+path).Status, path)
	}
	require.Equal(t, http.StatusServiceUnavailable, admin.Get("/readyz").Status)
	require.Equal(t, http.StatusOK, admin.Get("/healthz").Status)
	require.Equal(t, http.StatusOK, admin.Get("/orders?tenant=acme").Status, "the host's own pages go on")

	change(t, db, `UPDATE agentstudio_ledger SET sha256 = substr(sha256, 2) WHERE version = 2`)
	require.Eventually(t, func() bool { return export().Status == http.StatusOK }, noticedWithin, 100*time.Millisecond)
}

func change(t *testing.T, db *sql.DB, statement string) {
	t.Helper()
	result, err := db.ExecContext(t.Context(), statement)
	require.NoError(t, err)
	rows, err := result.RowsAffected()
	require.NoError(t, err)
	require.EqualValues(t, 1, rows)
}
