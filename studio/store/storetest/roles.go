package storetest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	_ "github.com/jackc/pgx/v5/stdlib" // The driver through which rights are granted.

	"github.com/agentstudio/agentstudio/migrations"
)

// Database is one fresh PostgreSQL database, by the URLs of those who use it.
type Database struct {
	// App is the role that serves: it owns nothing of what was prepared, and row
	// security binds it. It may create tables of its own, as a host's role may.
	App string
	// Owner is the role that prepared the database and owns everything in it. It
	// is no superuser either.
	Owner string
	// Super is the server's own role, for which no rule holds.
	Super string
}

// PostgresDatabase returns a database as [Postgres] does, for all roles.
func PostgresDatabase(t testing.TB) Database {
	t.Helper()
	return newDatabase(t)
}

// roles are the two that a test binary works with. They are the server's, not a
// database's, so they are made once and have names of their own.
type roles struct{ owner, app *url.Userinfo }

// makeRoles creates the roles on a server.
func makeRoles(ctx context.Context, server string) (roles, error) {
	r := roles{
		owner: url.UserPassword(uniqueName("owner"), uuid.NewString()),
		app:   url.UserPassword(uniqueName("app"), uuid.NewString()),
	}
	for _, user := range []*url.Userinfo{r.owner, r.app} {
		password, _ := user.Password()
		create := "CREATE ROLE " + user.Username() + " LOGIN NOSUPERUSER NOBYPASSRLS PASSWORD '" + password + "'"
		if err := execute(ctx, server, create); err != nil {
			return roles{}, err
		}
	}
	return r, nil
}

// drop removes the roles, whose databases are gone.
func (r roles) drop(ctx context.Context, server string) error {
	return errors.Join(
		execute(ctx, server, "DROP ROLE IF EXISTS "+r.app.Username()),
		execute(ctx, server, "DROP ROLE IF EXISTS "+r.owner.Username()))
}

// as returns the URL of a database for a role.
func as(user *url.Userinfo, dsn string) (string, error) {
	u, err := url.Parse(dsn)
	if err != nil {
		return "", errors.New("the database URL cannot be read")
	}
	u.User = user
	return u.String(), nil
}

// grantApp gives the app role its rights in a database that belongs to the
// owner: those that the migrate command gives, and that of making own tables.
func (r roles) grantApp(ctx context.Context, owner string) (err error) {
	app := pgx.Identifier{r.app.Username()}.Sanitize()
	if err := execute(ctx, owner, "GRANT USAGE, CREATE ON SCHEMA public TO "+app); err != nil {
		return err
	}
	db, err := sql.Open("pgx", owner)
	if err != nil {
		return fmt.Errorf("open the template database: %w", err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var migrated bool
	err = db.QueryRowContext(ctx, "SELECT to_regclass('agentstudio_ledger') IS NOT NULL").Scan(&migrated)
	if err != nil || !migrated {
		return err
	}
	return migrations.Grant(ctx, db, r.app.Username())
}
