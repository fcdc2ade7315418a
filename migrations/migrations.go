package migrations

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
)

// Dialect is the SQL that a database speaks.
type Dialect string

// The dialects.
const (
	SQLite   Dialect = "sqlite"
	Postgres Dialect = "postgres"
)

// ErrPending says that the database lacks migrations. Up applies them.
var ErrPending = errors.New("the database lacks migrations: run the migrate command first")

// ErrTooNew says that the database was migrated by a newer build than this
// one, whose schema this build does not know.
var ErrTooNew = errors.New("the database was migrated by a newer version of this program")

// Migration is one step of the schema.
type Migration struct {
	Version int64
	Name    string // file name
	Applied bool
}

//go:embed sqlite/*.sql postgres/*.sql
var files embed.FS

// versionTable records which of our migrations are applied. It is named after
// the product because a host may keep its own tables in the same database.
const versionTable = "agentstudio_migrations"

// Up applies every migration that is not applied yet, ours first. It may be
// called again and by several replicas at once: on PostgreSQL they take turns.
func Up(ctx context.Context, db *sql.DB, dialect Dialect) (err error) {
	unlock, err := lock(ctx, db, dialect)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()

	provider, err := newProvider(db, dialect)
	if err != nil {
		return err
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("migrate the database: %w", err)
	}
	return upRiver(ctx, db, dialect)
}

// Status lists our migrations in order, without River's.
func Status(ctx context.Context, db *sql.DB, dialect Dialect) ([]Migration, error) {
	provider, err := newProvider(db, dialect)
	if err != nil {
		return nil, err
	}
	found, err := provider.Status(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the state of migrations: %w", err)
	}
	list := make([]Migration, 0, len(found))
	for _, m := range found {
		list = append(list, Migration{
			Version: m.Source.Version,
			Name:    m.Source.Path,
			Applied: m.State == goose.StateApplied,
		})
	}
	return list, nil
}

// Verify returns nil when exactly the migrations that this build knows are
// applied, River's included, and otherwise an error that wraps [ErrPending] or
// [ErrTooNew].
func Verify(ctx context.Context, db *sql.DB, dialect Dialect) error {
	provider, err := newProvider(db, dialect)
	if err != nil {
		return err
	}
	current, target, err := provider.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("read the version of the database: %w", err)
	}
	switch {
	case current < target:
		return fmt.Errorf("%w (it is at version %d of %d)", ErrPending, current, target)
	case current > target:
		return fmt.Errorf("%w (it is at version %d, this knows %d)", ErrTooNew, current, target)
	}
	return verifyRiver(ctx, db, dialect)
}

func newProvider(db *sql.DB, dialect Dialect) (*goose.Provider, error) {
	var speaks goose.Dialect
	switch dialect {
	case SQLite:
		speaks = goose.DialectSQLite3
	case Postgres:
		speaks = goose.DialectPostgres
	default:
		return nil, unknown(dialect)
	}
	sub, err := fs.Sub(files, string(dialect))
	if err != nil {
		return nil, fmt.Errorf("open the migrations: %w", err)
	}
	return goose.NewProvider(speaks, db, sub,
		goose.WithDisableGlobalRegistry(true),
		goose.WithTableName(versionTable),
		goose.WithLogger(goose.NopLogger()))
}

func unknown(dialect Dialect) error {
	return fmt.Errorf("migrations: unknown dialect %q", dialect)
}
