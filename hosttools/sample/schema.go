package sample

import (
	"context"
	"database/sql"
	_ "embed"
	"fmt"
)

//go:embed schema.sql
var schema string

//go:embed channels.sql
var channels string

// schemaVersion is stored in the file's user_version once everything is in
// place.
const schemaVersion = 2

// create brings the file up to date in one transaction: tables and demo orders
// for a new one, channels for one of an earlier version.
func (c *Company) create(ctx context.Context) error {
	return c.inTx(ctx, func(tx *sql.Tx) error {
		var version int
		if err := tx.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&version); err != nil {
			return fmt.Errorf("read the version: %w", err)
		}
		if version < 0 || version > schemaVersion {
			return fmt.Errorf("the file has version %d and this program knows %d", version, schemaVersion)
		}
		if version < 1 {
			if _, err := tx.ExecContext(ctx, schema); err != nil {
				return fmt.Errorf("create tables: %w", err)
			}
			if err := seed(ctx, tx); err != nil {
				return fmt.Errorf("add the demo orders: %w", err)
			}
		}
		if version < 2 {
			if _, err := tx.ExecContext(ctx, channels); err != nil {
				return fmt.Errorf("add channels: %w", err)
			}
		}
		_, err := tx.ExecContext(ctx, fmt.Sprintf(`PRAGMA user_version = %d`, schemaVersion))
		return err
	})
}

// Every query starts from the tenant, and an index leads it to its rows.
const (
	selectOrder = `SELECT order_id, customer, summary, status, amount_cents, refunded_cents,
  currency, placed_on, note FROM orders `

	queryOrders   = selectOrder + `WHERE tenant = ? ORDER BY order_id LIMIT ?`
	queryByStatus = selectOrder + `WHERE tenant = ? AND status = ? ORDER BY order_id LIMIT ?`
	queryOrder    = selectOrder + `WHERE tenant = ? AND order_id = ?`
	queryHistory  = `SELECT order_id, change, caller, reason, at FROM history WHERE tenant = ? ORDER BY id DESC LIMIT ?`
	queryNotices  = `SELECT id, recipient, message, caller, at, channel FROM notices WHERE tenant = ? ORDER BY id DESC LIMIT ?`
	queryChannels = `SELECT name, label FROM channels WHERE tenant = ? ORDER BY name`
)

// statements are the queries that tools run often, prepared once. The database
// closes them.
type statements struct {
	orders, byStatus, order *sql.Stmt
}

func prepareStatements(ctx context.Context, db *sql.DB) (s statements, err error) {
	if s.orders, err = db.PrepareContext(ctx, queryOrders); err != nil {
		return statements{}, err
	}
	if s.byStatus, err = db.PrepareContext(ctx, queryByStatus); err != nil {
		return statements{}, err
	}
	s.order, err = db.PrepareContext(ctx, queryOrder)
	return s, err
}
