package migrations

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Grant gives a PostgreSQL role what a server needs: to read and write the rows
// of our tables and of River's, and to read which migrations are applied. It
// must be called by the owner of the tables. The role must exist and owns
// nothing; row security holds for it. What a later Up adds is granted then.
func Grant(ctx context.Context, db *sql.DB, role string) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("grant to the app role: %w", err)
	}
	if err := grant(ctx, tx, role); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

func grant(ctx context.Context, tx *sql.Tx, role string) error {
	var schema, owner string
	err := tx.QueryRowContext(ctx, "SELECT current_schema(), current_user").Scan(&schema, &owner)
	if err != nil {
		return fmt.Errorf("grant to the app role: %w", err)
	}
	if role == owner {
		return fmt.Errorf("the app role %q is the one that migrates: create another, which owns nothing, with CREATE ROLE", role)
	}
	tables, err := grantable(ctx, tx)
	if err != nil {
		return err
	}
	sequences, err := names(ctx, tx, sequencesOf, tables)
	if err != nil {
		return err
	}
	to := " TO " + pgx.Identifier{role}.Sanitize()
	statements := []string{
		"GRANT USAGE ON SCHEMA " + pgx.Identifier{schema}.Sanitize() + to,
		"GRANT SELECT, INSERT, UPDATE, DELETE ON " + list(tables) + to,
		"GRANT SELECT ON " + list([]string{ledgerTable, versionTable, "river_migration"}) + to,
	}
	if len(sequences) > 0 {
		statements = append(statements, "GRANT USAGE ON SEQUENCE "+list(sequences)+to)
	}
	for _, statement := range statements {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("grant to the app role %q (create it first with CREATE ROLE … LOGIN): %w", role, err)
		}
	}
	return nil
}

// riversTables finds the tables of background work, but for the one that says
// which of River's migrations are applied.
const riversTables = `SELECT relname FROM pg_class
	WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
	AND relname LIKE 'river\_%' AND relname <> 'river_migration' ORDER BY relname`

const sequencesOf = `SELECT s.relname FROM pg_class s
	JOIN pg_depend d ON d.objid = s.oid AND d.classid = 'pg_class'::regclass AND d.deptype = 'a'
	JOIN pg_class t ON t.oid = d.refobjid
	WHERE s.relkind = 'S' AND s.relnamespace = current_schema()::regnamespace AND t.relname = ANY($1) ORDER BY 1`

// grantable returns the tables whose rows a server reads and writes.
func grantable(ctx context.Context, tx *sql.Tx) ([]string, error) {
	ours, err := Tables()
	if err != nil {
		return nil, err
	}
	rivers, err := names(ctx, tx, riversTables)
	return append(ours, rivers...), err
}

func names(ctx context.Context, tx *sql.Tx, query string, args ...any) ([]string, error) {
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("list what the app role needs: %w", err)
	}
	defer func() { _ = rows.Close() }()
	var found []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, fmt.Errorf("list what the app role needs: %w", err)
		}
		found = append(found, name)
	}
	return found, rows.Err()
}

func list(identifiers []string) string {
	quoted := make([]string, 0, len(identifiers))
	for _, name := range identifiers {
		quoted = append(quoted, pgx.Identifier{name}.Sanitize())
	}
	return strings.Join(quoted, ", ")
}

// granted finds the roles that were given the right to read the ledger.
const granted = `SELECT DISTINCT r.rolname FROM pg_class c, aclexplode(c.relacl) a
	JOIN pg_roles r ON r.oid = a.grantee
	WHERE c.oid = '` + ledgerTable + `'::regclass AND a.grantee <> c.relowner AND r.rolname <> current_user`

// renewGrants gives the roles that were granted our tables before what was
// added since.
func renewGrants(ctx context.Context, db *sql.DB, dialect Dialect) error {
	if dialect != Postgres {
		return nil
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("renew the grants: %w", err)
	}
	roles, err := names(ctx, tx, granted)
	for _, role := range roles {
		err = errors.Join(err, grant(ctx, tx, role))
	}
	if err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}
