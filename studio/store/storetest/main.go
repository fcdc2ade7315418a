package storetest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"
)

// The process environment carries what Main prepared to Postgres.
const (
	// envServer holds the URL of the server. A person may set it as well.
	envServer = "AGENTSTUDIO_TEST_POSTGRES"
	// envTemplate holds the name of the database that new ones are copied from.
	envTemplate = "AGENTSTUDIO_TEST_POSTGRES_TEMPLATE"
	// envOwner and envApp hold the credentials of the two roles, as they stand in
	// a URL.
	envOwner = "AGENTSTUDIO_TEST_POSTGRES_OWNER"
	envApp   = "AGENTSTUDIO_TEST_POSTGRES_APP"
	// envProblem says why there is no server.
	envProblem = "AGENTSTUDIO_TEST_POSTGRES_PROBLEM"
)

// startTimeout bounds everything Main does before the tests: initdb, the start
// of the server and the preparation of the template.
const startTimeout = 2 * time.Minute

// Prepare brings the database at dsn into the state in which every test wants
// to find its own, by running the migrations for example. The role in dsn owns
// the database. It must close every connection it opens: a database in use
// cannot be copied.
type Prepare func(ctx context.Context, dsn string) error

// Main runs the tests of a package with a PostgreSQL server beside them, and
// returns the exit code for os.Exit. The prepare functions run once, in order,
// on a template; every database that [Postgres] returns is a copy of it.
//
// Without a server the tests run nevertheless, and those that call Postgres
// fail with the reason: the others are worth their result.
func Main(m interface{ Run() int }, prepare ...Prepare) int {
	// Linux ends the server with the thread that started it, so the thread
	// has to last as long as the tests do.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()

	stop, err := setUp(prepare)
	if err != nil {
		if err := os.Setenv(envProblem, err.Error()); err != nil {
			fmt.Fprintln(os.Stderr, "storetest:", err)
			return 1
		}
		return m.Run()
	}
	code := m.Run()
	if err := stop(); err != nil {
		fmt.Fprintln(os.Stderr, "storetest:", err)
		return max(code, 1)
	}
	return code
}

// setUp finds or starts a server, makes the template on it, and publishes both
// in the environment. The returned function undoes all of it.
func setUp(prepare []Prepare) (stop func() error, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()

	server, err := connectOrStart(ctx)
	if err != nil {
		return nil, err
	}
	r, err := makeRoles(ctx, server.dsn)
	if err != nil {
		return nil, withCleanup(err, server.stop)
	}
	template, err := makeTemplate(ctx, server.dsn, r, prepare)
	if err != nil {
		return nil, withCleanup(err, func() error { return tearDown(server, r, template) })
	}
	stop = func() error { return tearDown(server, r, template) }
	for name, value := range map[string]string{
		envServer: server.dsn, envTemplate: template, envOwner: r.owner.String(), envApp: r.app.String(),
	} {
		if err := os.Setenv(name, value); err != nil {
			return nil, withCleanup(err, stop)
		}
	}
	return stop, nil
}

// connectOrStart returns the server that a person named, or else a new one.
func connectOrStart(ctx context.Context) (*server, error) {
	if dsn := os.Getenv(envServer); dsn != "" {
		return &server{dsn: dsn}, nil
	}
	return start(ctx)
}

// makeTemplate creates and prepares the template, and closes it to
// connections, so that no test can change what the next one is given.
func makeTemplate(ctx context.Context, server string, r roles, prepare []Prepare) (name string, err error) {
	name = uniqueName("template")
	dsn, err := withDatabase(server, name)
	if err != nil {
		return name, err
	}
	if dsn, err = as(r.owner, dsn); err != nil {
		return name, err
	}
	if err := execute(ctx, server, "CREATE DATABASE "+name+" OWNER "+r.owner.Username()); err != nil {
		return name, err
	}
	for _, step := range append(prepare[:len(prepare):len(prepare)], r.grantApp) {
		if err := step(ctx, dsn); err != nil {
			return name, fmt.Errorf("prepare the template database: %w", err)
		}
	}
	return name, execute(ctx, server, "ALTER DATABASE "+name+" ALLOW_CONNECTIONS false")
}

// tearDown removes what Main made on a server that is not ours, and ends ours.
func tearDown(s *server, r roles, template string) error {
	if s.started() {
		return s.stop()
	}
	ctx, cancel := context.WithTimeout(context.Background(), statementTimeout)
	defer cancel()
	return errors.Join(dropDatabase(s.dsn, template), r.drop(ctx, s.dsn))
}
