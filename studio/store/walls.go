package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/agentstudio/agentstudio/migrations"
)

// ErrWrongRole says that row security would not hold for the role that serves:
// it is a superuser, bypasses row security, or owns our tables.
var ErrWrongRole = errors.New("the database role that serves must be one that owns nothing and that row security binds: " +
	"make one with \"CREATE ROLE studio_app LOGIN PASSWORD '…'\", give it its rights with " +
	"\"agentstudio migrate up --app-role studio_app\" as the owner, and serve with its URL")

// ErrUnprotected says that row security is off for a table, or has other
// policies than ours.
var ErrUnprotected = errors.New("row security is not in force: enable and force it, with the one policy in_partition")

// rolesQuery asks whether the session is, or can become, a role that policies
// do not bind.
const rolesQuery = `SELECT coalesce(bool_or(rolsuper), false), coalesce(bool_or(rolbypassrls), false) FROM pg_roles
	WHERE rolname IN (current_user, session_user) OR pg_has_role(session_user, oid, 'MEMBER')`

// wallsQuery asks for each table whether it is protected, and whether the
// session could change that.
const wallsQuery = `SELECT c.relname, pg_has_role(session_user, c.relowner, 'MEMBER'),
	c.relrowsecurity AND c.relforcerowsecurity AND
	(SELECT count(*) FILTER (WHERE p.polname = 'in_partition') = 1 AND count(*) = 1 FROM pg_policy p WHERE p.polrelid = c.oid)
	FROM unnest($1::text[]) AS t (name) JOIN pg_class c ON c.oid = to_regclass(t.name) ORDER BY c.relname`

// walls returns an error when PostgreSQL would not hold the second wall: the
// role that serves is none that it binds, or a table is not protected. SQLite
// has no second wall.
func (s *Store) walls(ctx context.Context) error {
	if s.dialect.name != migrations.Postgres {
		return nil
	}
	if err := s.checkRole(ctx); err != nil {
		return err
	}
	return s.checkTables(ctx)
}

func (s *Store) checkRole(ctx context.Context) error {
	var super, bypasses bool
	if err := s.reads.QueryRowContext(ctx, rolesQuery).Scan(&super, &bypasses); err != nil {
		return fmt.Errorf("read the rights of the database role: %w", err)
	}
	switch {
	case super:
		return fmt.Errorf("%w (this one is a superuser)", ErrWrongRole)
	case bypasses:
		return fmt.Errorf("%w (this one bypasses row security)", ErrWrongRole)
	}
	return nil
}

func (s *Store) checkTables(ctx context.Context) error {
	tables, err := migrations.Tables()
	if err != nil {
		return err
	}
	rows, err := s.reads.QueryContext(ctx, wallsQuery, tables)
	if err != nil {
		return fmt.Errorf("read the protection of tables: %w", err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var table string
		var owned, protected bool
		if err := rows.Scan(&table, &owned, &protected); err != nil {
			return fmt.Errorf("read the protection of tables: %w", err)
		}
		if owned {
			return fmt.Errorf("%w (this one owns the table %s)", ErrWrongRole, table)
		}
		if !protected && !isGlobal(table) {
			return fmt.Errorf("%w (table %s)", ErrUnprotected, table)
		}
	}
	return rows.Err()
}
