package sample

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/agentstudio/agentstudio/hosttools"
)

// The statuses of an order. Orders start as pending; only pending ones are
// cancelled, only shipped and delivered ones (which are paid) are refunded.
const (
	statusPending   = "pending"
	statusShipped   = "shipped"
	statusDelivered = "delivered"
	statusCancelled = "cancelled"
	statusRefunded  = "refunded"
)

// maxRows is the most rows that a list or an export has.
const maxRows = 100

// Order is an order as tools return it.
type Order struct {
	OrderID  string  `json:"order_id" jsonschema:"id of the order, such as A-1002"`
	Customer string  `json:"customer" jsonschema:"who ordered"`
	Summary  string  `json:"summary" jsonschema:"what was ordered"`
	Status   string  `json:"status" jsonschema:"pending, shipped, delivered, cancelled or refunded"`
	Amount   float64 `json:"amount" jsonschema:"price in the currency, with at most two decimals"`
	Refunded float64 `json:"refunded" jsonschema:"what was paid back, in the currency"`
	Currency string  `json:"currency" jsonschema:"ISO 4217 code, such as EUR"`
	PlacedOn string  `json:"placed_on" jsonschema:"day of the order, YYYY-MM-DD"`
	Note     string  `json:"note" jsonschema:"the company's own note on the order; may be empty"`
}

// orderRow is an order as it is stored.
type orderRow struct {
	ID, Customer, Summary, Status string
	AmountCents, RefundedCents    int64
	Currency, PlacedOn, Note      string
}

func (r *orderRow) scan(scan func(...any) error) error {
	return scan(&r.ID, &r.Customer, &r.Summary, &r.Status, &r.AmountCents, &r.RefundedCents,
		&r.Currency, &r.PlacedOn, &r.Note)
}

func (r *orderRow) order() Order {
	return Order{
		OrderID: r.ID, Customer: r.Customer, Summary: r.Summary, Status: r.Status,
		Amount: fromCents(r.AmountCents), Refunded: fromCents(r.RefundedCents),
		Currency: r.Currency, PlacedOn: r.PlacedOn, Note: r.Note,
	}
}

// rows returns at most limit orders of a tenant in the order of their ids, and
// whether there are more. An empty status means all of them.
func (c *Company) rows(ctx context.Context, tenant, status string, limit int) ([]orderRow, bool, error) {
	statement, args := c.statements.orders, []any{tenant, limit + 1}
	if status != "" {
		statement, args = c.statements.byStatus, []any{tenant, status, limit + 1}
	}
	result, err := statement.QueryContext(ctx, args...)
	if err != nil {
		return nil, false, fmt.Errorf("list orders: %w", err)
	}
	defer func() { _ = result.Close() }()
	var found []orderRow
	for result.Next() {
		var row orderRow
		if err := row.scan(result.Scan); err != nil {
			return nil, false, fmt.Errorf("read an order: %w", err)
		}
		found = append(found, row)
	}
	if err := result.Err(); err != nil {
		return nil, false, fmt.Errorf("list orders: %w", err)
	}
	if len(found) > limit {
		return found[:limit], true, nil
	}
	return found, false, nil
}

// row returns one order of a tenant, an order_not_found error when it has none
// of that id. In a transaction, pass its statement.
func row(ctx context.Context, get *sql.Stmt, tenant, id string) (orderRow, error) {
	var found orderRow
	err := found.scan(get.QueryRowContext(ctx, tenant, id).Scan)
	if errors.Is(err, sql.ErrNoRows) {
		return orderRow{}, hosttools.Errorf("order_not_found", "There is no order %s.", id)
	}
	if err != nil {
		return orderRow{}, fmt.Errorf("read order %s: %w", id, err)
	}
	return found, nil
}

// Import adds orders to a tenant, all of them or none: an order id that the
// tenant has already, an unknown status or an inexact amount stops it.
func (c *Company) Import(ctx context.Context, tenant string, orders []Order) error {
	return c.inTx(ctx, func(tx *sql.Tx) error {
		for _, o := range orders {
			cents, err := toCents(o.Amount)
			if err != nil {
				return err
			}
			if err := insert(ctx, tx, tenant, orderRow{
				ID: o.OrderID, Customer: o.Customer, Summary: o.Summary, Status: o.Status,
				AmountCents: cents, Currency: o.Currency, PlacedOn: o.PlacedOn, Note: o.Note,
			}); err != nil {
				return err
			}
		}
		return nil
	})
}

func insert(ctx context.Context, tx *sql.Tx, tenant string, r orderRow) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO orders (tenant, order_id, customer, summary, status,
		amount_cents, refunded_cents, currency, placed_on, note) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		tenant, r.ID, r.Customer, r.Summary, r.Status, r.AmountCents, r.RefundedCents, r.Currency, r.PlacedOn, r.Note)
	if err != nil {
		return fmt.Errorf("add order %s of %s: %w", r.ID, tenant, err)
	}
	return nil
}
