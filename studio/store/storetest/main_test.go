package storetest

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// tests stands in for the tests of a package.
type tests func() int

func (run tests) Run() int { return run() }

// withoutServer hides the server of this test binary from Main.
func withoutServer(t *testing.T) {
	t.Helper()
	for _, name := range []string{envServer, envTemplate, envOwner, envApp, envProblem} {
		t.Setenv(name, "")
	}
}

func TestMainStopsWhatItStarted(t *testing.T) {
	withoutServer(t)
	var server string
	code := Main(tests(func() int {
		server = os.Getenv(envServer)
		require.NoError(t, execute(t.Context(), server, "SELECT 1"))
		return 3
	}))
	require.Equal(t, 3, code, "the exit code of the tests")

	_, err := pgx.Connect(t.Context(), server)
	require.Error(t, err)
	config, err := pgx.ParseConfig(server)
	require.NoError(t, err)
	require.NoDirExists(t, config.Host)
}

func TestMainUsesTheNamedServer(t *testing.T) {
	// The server of this test binary is one that somebody else started.
	server, outer := os.Getenv(envServer), os.Getenv(envTemplate)
	for _, name := range []string{envTemplate, envOwner, envApp} {
		t.Setenv(name, os.Getenv(name)) // Restores what Main overwrites.
	}
	var inner string
	code := Main(tests(func() int {
		require.Equal(t, server, os.Getenv(envServer))
		inner = os.Getenv(envTemplate)
		return 0
	}))
	require.Zero(t, code)
	require.NotEqual(t, outer, inner)

	require.NoError(t, execute(t.Context(), server, "SELECT 1"), "it goes on running")
	dsn, err := withDatabase(server, inner)
	require.NoError(t, err)
	require.ErrorContains(t, execute(t.Context(), dsn, "SELECT 1"), "does not exist")
}

func TestMainPublishesTheReasonAndRunsTheTests(t *testing.T) {
	server := os.Getenv(envServer)
	t.Setenv(envProblem, "")
	broken := errors.New("no such table")
	code := Main(tests(func() int {
		_, err := fromEnvironment(os.Getenv)
		require.ErrorContains(t, err, "prepare the template database: no such table")
		return 4
	}), func(context.Context, string) error { return broken })
	require.Equal(t, 4, code)
	require.NoError(t, execute(t.Context(), server, "SELECT 1"))
}

func TestMainReportsAServerThatDoesNotAnswer(t *testing.T) {
	withoutServer(t)
	t.Setenv(envServer, "postgres://user:secret@/db?host="+t.TempDir())
	Main(tests(func() int {
		_, err := fromEnvironment(os.Getenv)
		require.ErrorContains(t, err, "connect to the PostgreSQL server for tests")
		require.NotContains(t, err.Error(), "secret")
		return 0
	}))
}

func TestFromEnvironmentNamesTheMissingMain(t *testing.T) {
	t.Parallel()
	_, err := fromEnvironment(func(string) string { return "" })
	require.ErrorContains(t, err, "call storetest.Main from TestMain")
}

func TestWithDatabase(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ server, want string }{
		"network": {"postgres://u:p@db:5433/postgres?sslmode=disable", "postgres://u:p@db:5433/x?sslmode=disable"},
		"socket":  {"postgresql://u@/postgres?host=%2Frun", "postgresql://u@/x?host=%2Frun"},
		"bare":    {"postgres://db", "postgres://db/x"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := withDatabase(c.server, "x")
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
	for _, server := range []string{"host=db password=secret", "postgres://u:secret@[", "mysql://u:secret@db"} {
		_, err := withDatabase(server, "x")
		require.ErrorContains(t, err, "must be a URL")
		require.NotContains(t, err.Error(), "secret")
	}
}
