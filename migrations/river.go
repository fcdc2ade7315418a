package migrations

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"strings"

	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverdatabasesql"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"
)

func upRiver(ctx context.Context, db *sql.DB, dialect Dialect) error {
	migrator, err := newRiverMigrator(db, dialect)
	if err != nil {
		return err
	}
	if _, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return fmt.Errorf("migrate the tables of background work: %w", err)
	}
	return nil
}

func verifyRiver(ctx context.Context, db *sql.DB, dialect Dialect) error {
	migrator, err := newRiverMigrator(db, dialect)
	if err != nil {
		return err
	}
	result, err := migrator.Validate(ctx, nil)
	if err != nil {
		return fmt.Errorf("verify the tables of background work: %w", err)
	}
	if !result.OK {
		return fmt.Errorf("%w (background work: %s)", ErrPending, strings.Join(result.Messages, "; "))
	}
	return nil
}

func newRiverMigrator(db *sql.DB, dialect Dialect) (*rivermigrate.Migrator[*sql.Tx], error) {
	var driver riverdriver.Driver[*sql.Tx]
	switch dialect {
	case SQLite:
		driver = riversqlite.New(db)
	case Postgres:
		driver = riverdatabasesql.New(db)
	default:
		return nil, unknown(dialect)
	}
	return rivermigrate.New(driver, &rivermigrate.Config{Logger: slog.New(slog.DiscardHandler)})
}
