package store_test

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/migrations"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/store"
)

func TestOpenSQLite(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, dsn := range map[string]string{
		"plain.db":         filepath.Join(dir, "plain.db"),
		"a b?c%20#d.db":    filepath.Join(dir, "a b?c%20#d.db"),
		"url.db":           "file:" + filepath.Join(dir, "url.db"),
		"url with more.db": "file:" + filepath.Join(dir, "url%20with%20more.db") + "?cache=private",
	} {
		require.NoError(t, migrate(t.Context(), dsn), name)
		require.FileExists(t, filepath.Join(dir, name))
		s := open(t, dsn)
		require.Equal(t, migrations.SQLite, s.Dialect())
		for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1"} {
			var got string
			require.NoError(t, s.SQL().QueryRowContext(t.Context(), "PRAGMA "+pragma).Scan(&got))
			require.Equal(t, want, got, pragma)
		}
		pool, err := s.ListenPool(t.Context())
		require.NoError(t, err)
		require.Nil(t, pool)
	}
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	missing := filepath.Join(t.TempDir(), "no", "such", "folder", "x.db")
	for _, dsn := range []string{
		"", ":memory:", "file::memory:", "file:x?mode=memory", "file:x?%zz", missing,
		"postgres://localhost:notaport/x", "postgres:///x?host=" + t.TempDir(),
	} {
		_, err := store.Open(t.Context(), store.Config{DSN: dsn})
		require.Error(t, err, dsn)
	}
	_, err := os.Stat(missing)
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestVerifyRefusesAnEmptyDatabase(t *testing.T) {
	t.Parallel()
	s := open(t, filepath.Join(t.TempDir(), "empty.db"))
	require.ErrorIs(t, s.Verify(t.Context()), migrations.ErrPending)
}

func TestReadyAfterClose(t *testing.T) {
	t.Parallel()
	s, err := store.Open(t.Context(), store.Config{DSN: filepath.Join(t.TempDir(), "x.db")})
	require.NoError(t, err)
	require.Equal(t, models.CodeStorageUnavailable, models.CodeOf(s.Ready(t.Context())), "it is not migrated yet")
	require.NoError(t, s.Migrate(t.Context()))
	require.NoError(t, s.Ready(t.Context()))
	require.NoError(t, s.Close())
	require.Error(t, s.Ready(t.Context()))
	err = s.Write(t.Context(), partition(t, "alpha"), func(context.Context) error { return nil })
	require.Equal(t, models.CodeStorageUnavailable, models.CodeOf(err))
}

func TestStatementsAreLoggedWithoutValues(t *testing.T) {
	t.Parallel()
	dsn := filepath.Join(t.TempDir(), "x.db")
	require.NoError(t, migrate(t.Context(), dsn))
	var log bytes.Buffer
	s, err := store.Open(t.Context(), store.Config{
		DSN: dsn, Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	require.NoError(t, err)
	write(t, s, "alpha", func(ctx context.Context) error { return addAgent(ctx, s, "secret-name") })
	require.NoError(t, s.Close())
	require.Contains(t, log.String(), "INSERT INTO `agents`")
	require.NotContains(t, log.String(), "secret-name")
}
