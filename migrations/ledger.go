package migrations

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/pressly/goose/v3/database"
)

// ledgerTable records what was applied, and by whom. It says more than goose's
// table of versions: a migration whose body was changed afterwards, or a row
// that somebody added or removed in one of the two, is found.
const ledgerTable = "agentstudio_ledger"

// lastWithoutLedger is the newest version that builds without a ledger had.
// A database up to it is given one; a newer database without one has lost it.
const lastWithoutLedger = 2

// recorder writes the ledger's row in the transaction in which goose notes the
// version and in which the migration itself ran: there is all of it or nothing.
type recorder struct {
	database.Store
	dialect Dialect
	known   []file
}

// Insert notes that a version is applied.
func (r recorder) Insert(ctx context.Context, db database.DBTxConn, request database.InsertRequest) error {
	if err := r.Store.Insert(ctx, db, request); err != nil {
		return err
	}
	for _, f := range r.known {
		if f.version == request.Version {
			return record(ctx, db, r.dialect, f)
		}
	}
	return nil // goose's own version 0
}

// TableExists reports whether goose has its table.
func (r recorder) TableExists(ctx context.Context, db database.DBTxConn) (bool, error) {
	return tableExists(ctx, db, r.dialect, versionTable)
}

func record(ctx context.Context, db database.DBTxConn, dialect Dialect, f file) error {
	values := "($1, $2, $3, $4, $5)"
	if dialect == SQLite {
		values = "(?, ?, ?, ?, ?)"
	}
	_, err := db.ExecContext(ctx, "INSERT INTO "+ledgerTable+
		" (version, name, sha256, applied_at, applied_by) VALUES "+values,
		f.version, f.name, f.sum, time.Now().UnixMilli(), build())
	if err != nil {
		return fmt.Errorf("write the ledger of migrations: %w", err)
	}
	return nil
}

// build names this build by its version and VCS revision.
func build() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	name := info.Main.Version
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" {
			name += " " + setting.Value
		}
	}
	return name
}

// openLedger makes the ledger where there is none. A database of a build
// without ledgers is adopted: what its table of versions says is believed, this
// once, if it is the beginning of what this build knows.
func openLedger(ctx context.Context, db *sql.DB, dialect Dialect, known []file) error {
	exists, err := tableExists(ctx, db, dialect, ledgerTable)
	if err != nil || exists {
		return err
	}
	found, err := entries(ctx, db, dialect)
	if err != nil {
		return err
	}
	if err := adoptable(found, known); err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("make the ledger of migrations: %w", err)
	}
	if err := makeLedger(ctx, tx, dialect, known[:len(found)]); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

func adoptable(found []entry, known []file) error {
	for i, e := range found {
		if e.version > lastWithoutLedger {
			return fmt.Errorf("%w (the ledger of migrations is gone, and the database is past version %d)",
				ErrDrifted, lastWithoutLedger)
		}
		if i >= len(known) || e.version != known[i].version {
			return fmt.Errorf("%w (version %d is applied, which is not the next one)", ErrDrifted, e.version)
		}
	}
	return nil
}

func makeLedger(ctx context.Context, tx *sql.Tx, dialect Dialect, applied []file) error {
	_, err := tx.ExecContext(ctx, `CREATE TABLE `+ledgerTable+` (
    version    bigint PRIMARY KEY,
    name       text NOT NULL,
    sha256     text NOT NULL,
    applied_at bigint NOT NULL,
    applied_by text NOT NULL
)`)
	if err != nil {
		return fmt.Errorf("make the ledger of migrations: %w", err)
	}
	for _, f := range applied {
		if err := record(ctx, tx, dialect, f); err != nil {
			return err
		}
	}
	return nil
}

// entry is what the database says about one version.
type entry struct {
	version   int64
	applied   bool // goose's table has it
	recorded  bool // the ledger has it
	name, sum string
	at        time.Time
	by        string
}

// entries reads goose's table and the ledger, as far as they exist, with one
// statement, so that a migration that runs meanwhile is seen in both or in
// neither.
func entries(ctx context.Context, db *sql.DB, dialect Dialect) ([]entry, error) {
	query, err := entriesQuery(ctx, db, dialect)
	if err != nil {
		return nil, err
	}
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return nil, fmt.Errorf("read the state of migrations: %w", err)
	}
	defer func() { _ = rows.Close() }()
	var list []entry
	for rows.Next() {
		var e entry
		var at int64
		if err := rows.Scan(&e.version, &e.applied, &e.recorded, &e.name, &e.sum, &at, &e.by); err != nil {
			return nil, fmt.Errorf("read the state of migrations: %w", err)
		}
		if e.recorded {
			e.at = time.UnixMilli(at)
		}
		list = append(list, e)
	}
	return list, rows.Err()
}

func entriesQuery(ctx context.Context, db *sql.DB, dialect Dialect) (string, error) {
	versions, err := tableExists(ctx, db, dialect, versionTable)
	if err != nil {
		return "", err
	}
	ledger, err := tableExists(ctx, db, dialect, ledgerTable)
	if err != nil {
		return "", err
	}
	applied := "SELECT DISTINCT version_id AS version FROM " + versionTable + " WHERE is_applied AND version_id > 0"
	if !versions {
		applied = "SELECT 0 AS version WHERE 1 = 0"
	}
	recorded := "SELECT version, name, sha256, applied_at, applied_by FROM " + ledgerTable
	if !ledger {
		recorded = "SELECT 0 AS version, '' AS name, '' AS sha256, 0 AS applied_at, '' AS applied_by WHERE 1 = 0"
	}
	return "SELECT coalesce(a.version, l.version) AS v, a.version IS NOT NULL, l.version IS NOT NULL, " +
		"coalesce(l.name, ''), coalesce(l.sha256, ''), coalesce(l.applied_at, 0), coalesce(l.applied_by, '') " +
		"FROM (" + applied + ") a FULL JOIN (" + recorded + ") l ON l.version = a.version ORDER BY v", nil
}

func tableExists(ctx context.Context, db database.DBTxConn, dialect Dialect, table string) (exists bool, err error) {
	query := "SELECT to_regclass('" + table + "') IS NOT NULL"
	if dialect == SQLite {
		query = "SELECT count(*) > 0 FROM sqlite_master WHERE type = 'table' AND name = '" + table + "'"
	}
	if err := db.QueryRowContext(ctx, query).Scan(&exists); err != nil {
		return false, fmt.Errorf("look for the table %s: %w", table, err)
	}
	return exists, nil
}
