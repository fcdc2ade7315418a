package migrations

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// lockKey is the advisory lock under which replicas migrate.
const lockKey int64 = 0x6167656e74737475 // "agentstu"

// lock makes replicas that start together migrate one after the other. SQLite
// needs none: its file belongs to one process.
func lock(ctx context.Context, db *sql.DB, dialect Dialect) (unlock func() error, err error) {
	if dialect != Postgres {
		return func() error { return nil }, nil
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("connect to migrate: %w", err)
	}
	if _, err := conn.ExecContext(ctx, "SELECT pg_advisory_lock($1)", lockKey); err != nil {
		return nil, errors.Join(fmt.Errorf("wait for other migrations: %w", err), conn.Close())
	}
	return func() error {
		// The lock belongs to the connection, which goes back to the pool, so
		// it is given back even when ctx has ended.
		_, err := conn.ExecContext(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock($1)", lockKey)
		return errors.Join(err, conn.Close())
	}, nil
}
