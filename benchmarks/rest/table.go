package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/agentstudio/agentstudio/benchmarks/orders"
)

// maxConnections bounds the pool, as the demo host bounds its own.
const maxConnections = 8

const schema = `CREATE TABLE orders (
  tenant TEXT NOT NULL, order_id TEXT NOT NULL, customer TEXT NOT NULL, summary TEXT NOT NULL,
  status TEXT NOT NULL, amount REAL NOT NULL, currency TEXT NOT NULL, placed_on TEXT NOT NULL,
  PRIMARY KEY (tenant, order_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX orders_by_status ON orders (tenant, status, order_id);`

const selectByStatus = `SELECT order_id, customer, summary, status, amount, currency, placed_on
  FROM orders WHERE tenant = ? AND status = ? ORDER BY order_id LIMIT ?`

// table holds orders in a SQLite file, with an index that leads to those of one
// status. It may be used from any goroutine.
type table struct {
	db       *sql.DB
	byStatus *sql.Stmt
}

// createTable creates a SQLite file with n generated orders of one tenant. The
// file must not exist yet.
func createTable(ctx context.Context, path, tenant string, n int) (*table, error) {
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=journal_mode(WAL)&_pragma=busy_timeout(10000)")
	if err != nil {
		return nil, fmt.Errorf("open the orders: %w", err)
	}
	db.SetMaxOpenConns(maxConnections)
	db.SetMaxIdleConns(maxConnections)
	t := &table{db: db}
	if err := t.fill(ctx, tenant, n); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	if t.byStatus, err = db.PrepareContext(ctx, selectByStatus); err != nil {
		return nil, errors.Join(fmt.Errorf("prepare the list: %w", err), db.Close())
	}
	return t, nil
}

func (t *table) fill(ctx context.Context, tenant string, n int) error {
	if _, err := t.db.ExecContext(ctx, schema); err != nil {
		return fmt.Errorf("create the orders: %w", err)
	}
	tx, err := t.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	for _, o := range orders.Generate(n) {
		_, err := tx.ExecContext(ctx, `INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
			tenant, o.OrderID, o.Customer, o.Summary, o.Status, o.Amount, o.Currency, o.PlacedOn)
		if err != nil {
			return errors.Join(fmt.Errorf("add order %s: %w", o.OrderID, err), tx.Rollback())
		}
	}
	return tx.Commit()
}

// close closes the file.
func (t *table) close() error { return t.db.Close() }

// list returns the first [orders.Limit] orders of a tenant that have a status.
func (t *table) list(ctx context.Context, tenant, status string) (orders.Page, error) {
	rows, err := t.byStatus.QueryContext(ctx, tenant, status, orders.Limit)
	if err != nil {
		return orders.Page{}, fmt.Errorf("list orders: %w", err)
	}
	defer func() { _ = rows.Close() }()
	found := make([]orders.Order, 0, orders.Limit)
	for rows.Next() {
		var o orders.Order
		if err := rows.Scan(&o.OrderID, &o.Customer, &o.Summary, &o.Status, &o.Amount, &o.Currency, &o.PlacedOn); err != nil {
			return orders.Page{}, fmt.Errorf("read an order: %w", err)
		}
		found = append(found, o)
	}
	return orders.Page{Orders: found, Count: len(found)}, rows.Err()
}
