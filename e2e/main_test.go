package e2e_test

import (
	"fmt"
	"net/url"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/e2e"
	"github.com/agentstudio/agentstudio/studio/store/storetest"
)

// programVariable carries the path of the built program to the tests.
const programVariable = "AGENTSTUDIO_E2E_PROGRAM"

// withProgram runs the tests with the program built once for all of them.
type withProgram struct{ m *testing.M }

// Run builds, runs the tests, and cleans up.
func (w withProgram) Run() int {
	folder, err := os.MkdirTemp("", "agentstudio-e2e-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(folder) //nolint:errcheck // A temporary folder.
	program, err := e2e.Build(folder)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if err := os.Setenv(programVariable, program); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return w.m.Run()
}

func TestMain(m *testing.M) { os.Exit(storetest.Main(withProgram{m})) }

// start runs the program on SQLite.
func start(t *testing.T) *e2e.Server {
	t.Helper()
	return e2e.Start(t, os.Getenv(programVariable))
}

// onBoth runs a test on SQLite and on PostgreSQL.
func onBoth(t *testing.T, test func(t *testing.T, s *e2e.Server)) {
	t.Helper()
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		test(t, start(t))
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		_, serve := postgres(t)
		test(t, e2e.Start(t, os.Getenv(programVariable), serve))
	})
}

// postgres migrates a new database as its owner, as whoever runs a server does,
// and returns its URL for the owner, and the setting with which the program
// serves on it.
func postgres(t *testing.T) (owner, serve string) {
	t.Helper()
	database := storetest.PostgresDatabase(t)
	app, err := url.Parse(database.App)
	require.NoError(t, err)
	e2e.Migrate(t, os.Getenv(programVariable), app.User.Username(), "AGENTSTUDIO_MIGRATE_DATABASE_URL="+database.Owner)
	return database.Owner, "AGENTSTUDIO_DATABASE_URL=" + database.App
}
