package storetest

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// statementTimeout bounds one administrative statement. Copying a database
// takes a tenth of a second on an idle machine.
const statementTimeout = time.Minute

// Postgres returns the URL of a fresh database that belongs to this test alone
// and is dropped when the test ends, whoever is still connected. The role in
// the URL is the one that serves: it owns nothing that was prepared, and row
// security binds it. [PostgresDatabase] has the URLs of others.
//
// The test fails, and is never skipped, where there is no server.
func Postgres(t testing.TB) (dsn string) {
	t.Helper()
	return newDatabase(t).App
}

func newDatabase(t testing.TB) Database {
	t.Helper()
	e, err := fromEnvironment(os.Getenv)
	if err != nil {
		t.Fatal("storetest:", err)
	}
	name := uniqueName("test")
	urls, err := e.urls(name)
	if err != nil {
		t.Fatal("storetest:", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), statementTimeout)
	defer cancel()
	if err := e.copyTemplate(ctx, name); err != nil {
		t.Fatal("storetest:", err)
	}
	t.Cleanup(func() {
		if err := dropDatabase(e.server, name); err != nil {
			t.Error("storetest:", err)
		}
	})
	return urls
}

// environment is what [Main] published.
type environment struct{ server, template, owner, app string }

// fromEnvironment returns it, or why there is nothing.
func fromEnvironment(getenv func(string) string) (environment, error) {
	if problem := getenv(envProblem); problem != "" {
		return environment{}, errors.New(problem)
	}
	e := environment{getenv(envServer), getenv(envTemplate), getenv(envOwner), getenv(envApp)}
	if e.server == "" || e.template == "" || e.owner == "" || e.app == "" {
		return environment{}, errors.New("no PostgreSQL server was started: " +
			"call storetest.Main from TestMain, as its package comment shows")
	}
	return e, nil
}

// copyTemplate creates a database for a test.
func (e environment) copyTemplate(ctx context.Context, name string) error {
	owner, _, _ := strings.Cut(e.owner, ":")
	return execute(ctx, e.server, "CREATE DATABASE "+name+" TEMPLATE "+e.template+" OWNER "+owner)
}

// urls returns the URLs of a database.
func (e environment) urls(name string) (Database, error) {
	super, err := withDatabase(e.server, name)
	if err != nil {
		return Database{}, err
	}
	app, errApp := as(userinfo(e.app), super)
	owner, errOwner := as(userinfo(e.owner), super)
	return Database{App: app, Owner: owner, Super: super}, errors.Join(errApp, errOwner)
}

// userinfo reads credentials that need no escapes.
func userinfo(credentials string) *url.Userinfo {
	name, password, _ := strings.Cut(credentials, ":")
	return url.UserPassword(name, password)
}

// uniqueName returns a database name that no other test on the server has. It
// consists of lower-case letters, digits and underscores: it needs no quotes.
func uniqueName(kind string) string {
	return "agentstudio_" + kind + "_" + strings.ReplaceAll(uuid.NewString(), "-", "")
}

// withDatabase returns the URL server with its database replaced by name.
func withDatabase(server, name string) (string, error) {
	u, err := url.Parse(server)
	if err != nil || (u.Scheme != "postgres" && u.Scheme != "postgresql") {
		// The parser's own error would repeat the URL, and with it a password.
		return "", fmt.Errorf("%s must be a URL like postgres://user@host/database", envServer)
	}
	u.Path = "/" + name
	return u.String(), nil
}

// dropDatabase drops the database name, ending every connection to it. It has
// its own deadline, because it runs when the context of the test is over.
func dropDatabase(server, name string) error {
	ctx, cancel := context.WithTimeout(context.Background(), statementTimeout)
	defer cancel()
	return execute(ctx, server, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)")
}

// execute runs one statement on a connection of its own.
func execute(ctx context.Context, dsn, statement string) error {
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return fmt.Errorf("connect to the PostgreSQL server for tests: %w", err)
	}
	if _, err := conn.Exec(ctx, statement); err != nil {
		return withCleanup(fmt.Errorf("%s: %w", statement, err), func() error { return conn.Close(ctx) })
	}
	return conn.Close(ctx)
}

// withCleanup returns err together with what goes wrong in cleanup.
func withCleanup(err error, cleanup func() error) error {
	return errors.Join(err, cleanup())
}
