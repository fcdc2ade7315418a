package migrations

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"
)

// Dialect is the SQL that a database speaks.
type Dialect string

// The dialects.
const (
	SQLite   Dialect = "sqlite"
	Postgres Dialect = "postgres"
)

// ErrPending says that the database lacks migrations. Up applies them.
var ErrPending = errors.New(`the database lacks migrations: run "agentstudio migrate up" first`)

// ErrTooNew says that the database was migrated by a newer build than this
// one, whose schema this build does not know.
var ErrTooNew = errors.New("the database was migrated by a newer version of this program: " +
	"run that version, or restore the backup from before its migration")

// ErrDrifted says that what the database records of its migrations is not what
// this build would have done. Nothing repairs that by itself.
var ErrDrifted = errors.New("the database's record of its migrations does not agree with this program: " +
	"restore the database from a backup, or run the program that migrated it")

//go:embed sqlite/*.sql postgres/*.sql
var embedded embed.FS

// versionTable records which of our migrations are applied. It is named after
// the product because a host may keep its own tables in the same database.
const versionTable = "agentstudio_migrations"

// Up applies every migration that is not applied yet, ours first, and gives the
// roles that may use our tables the same rights on the new ones. It may be
// called again and by several replicas at once: on PostgreSQL they take turns.
// A database that has drifted or is too new is left as it is, with an error
// that wraps [ErrDrifted] or [ErrTooNew].
func Up(ctx context.Context, db *sql.DB, dialect Dialect) (err error) {
	unlock, err := lock(ctx, db, dialect)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()

	known, err := filesOf(dialect)
	if err != nil {
		return err
	}
	if err := openLedger(ctx, db, dialect, known); err != nil {
		return err
	}
	if err := unrepairable(ctx, db, dialect); err != nil {
		return err
	}
	provider, err := newProvider(db, dialect, known)
	if err != nil {
		return err
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("migrate the database: %w", err)
	}
	if err := upRiver(ctx, db, dialect); err != nil {
		return err
	}
	return renewGrants(ctx, db, dialect)
}

// newProvider returns goose with a store that writes our ledger beside its own
// table.
func newProvider(db *sql.DB, dialect Dialect, known []file) (*goose.Provider, error) {
	speaks := database.DialectPostgres
	if dialect == SQLite {
		speaks = database.DialectSQLite3
	}
	versions, err := database.NewStore(speaks, versionTable)
	if err != nil {
		return nil, fmt.Errorf("open the table of versions: %w", err)
	}
	sub, err := fs.Sub(embedded, string(dialect))
	if err != nil {
		return nil, fmt.Errorf("open the migrations: %w", err)
	}
	return goose.NewProvider("", db, sub,
		goose.WithDisableGlobalRegistry(true),
		goose.WithStore(recorder{Store: versions, dialect: dialect, known: known}),
		goose.WithLogger(goose.NopLogger()))
}

func unknown(dialect Dialect) error {
	return fmt.Errorf("migrations: unknown dialect %q", dialect)
}
