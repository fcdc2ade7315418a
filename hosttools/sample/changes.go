package sample

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/agentstudio/agentstudio/hosttools"
)

// CancelIn is what cancel_order takes.
type CancelIn struct {
	Tenant  hosttools.TenantID `json:"-"`
	Caller  hosttools.CallerID `json:"-"`
	OrderID string             `json:"order_id" jsonschema:"id of the order, such as A-1002" pattern:"^[A-Z]-\\d{4,}$"`
	Reason  string             `json:"reason" jsonschema:"why the order is cancelled, in a few words" minLength:"1" maxLength:"500"`
}

func (c *Company) cancelOrder(ctx context.Context, in CancelIn) (OrderOut, error) {
	return c.change(ctx, change{
		tenant: string(in.Tenant), orderID: in.OrderID,
		update: `UPDATE orders SET status = 'cancelled' WHERE tenant = ? AND order_id = ? AND status = 'pending'`,
		refuse: func(o orderRow) error {
			return hosttools.Errorf("not_pending", "Only pending orders can be cancelled; %s is %s.", o.ID, o.Status)
		},
		entry: entry{Change: "Cancelled", Caller: string(in.Caller), Reason: in.Reason},
	})
}

// RefundIn is what refund_order takes.
type RefundIn struct {
	Tenant  hosttools.TenantID `json:"-"`
	Caller  hosttools.CallerID `json:"-"`
	OrderID string             `json:"order_id" jsonschema:"id of the order, such as A-1002" pattern:"^[A-Z]-\\d{4,}$"`
	Amount  float64            `json:"amount" jsonschema:"how much to pay back, in the order's currency, with at most two decimals" minimum:"0.01" maximum:"1000000" multipleOf:"0.01"`
	Reason  string             `json:"reason" jsonschema:"why the money is paid back, in a few words" minLength:"1" maxLength:"500"`
}

func (o *orders) refundOrder(ctx context.Context, in RefundIn) (OrderOut, error) {
	cents, err := toCents(in.Amount)
	if err != nil {
		return OrderOut{}, err
	}
	if limit := o.config.RefundLimit; limit != nil && in.Amount > *limit {
		return OrderOut{}, hosttools.Errorf("over_limit", "Refunds of more than %.2f are not made here. The limit is in the toolkit's settings.", *limit)
	}
	return o.change(ctx, change{
		tenant: string(in.Tenant), orderID: in.OrderID,
		update: `UPDATE orders SET status = 'refunded', refunded_cents = ?3 WHERE tenant = ?1 AND order_id = ?2
			AND status IN ('shipped', 'delivered') AND amount_cents >= ?3`,
		values: []any{cents},
		refuse: func(o orderRow) error { return refuseRefund(o, cents) },
		entry:  entry{Change: "Refunded", Caller: string(in.Caller), Reason: in.Reason},
	})
}

// refuseRefund says why an order did not take a refund.
func refuseRefund(o orderRow, cents int64) error {
	switch o.Status {
	case statusRefunded:
		return hosttools.Errorf("already_refunded", "%s was refunded before, with %s.",
			o.ID, money(o.RefundedCents, o.Currency))
	case statusPending, statusCancelled:
		return hosttools.Errorf("not_paid", "Only shipped and delivered orders are paid; %s is %s.", o.ID, o.Status)
	default:
		return hosttools.Errorf("amount_too_large", "%s was paid with %s, which is less than %s.",
			o.ID, money(o.AmountCents, o.Currency), money(cents, o.Currency))
	}
}

// NoteIn is what set_note takes.
type NoteIn struct {
	Tenant  hosttools.TenantID `json:"-"`
	Caller  hosttools.CallerID `json:"-"`
	OrderID string             `json:"order_id" jsonschema:"id of the order, such as A-1002" pattern:"^[A-Z]-\\d{4,}$"`
	Note    string             `json:"note" jsonschema:"the new note; replaces the old one" maxLength:"500"`
}

func (c *Company) setNote(ctx context.Context, in NoteIn) (OrderOut, error) {
	return c.change(ctx, change{
		tenant: string(in.Tenant), orderID: in.OrderID,
		update: `UPDATE orders SET note = ?3 WHERE tenant = ?1 AND order_id = ?2`,
		values: []any{in.Note},
		entry:  entry{Change: "Note changed", Caller: string(in.Caller)},
	})
}

// change is one conditional UPDATE of one order, with its line in the history.
type change struct {
	tenant, orderID string
	update          string // ?1 is the tenant, ?2 the order, the values follow
	values          []any
	refuse          func(orderRow) error // why an order that exists was not updated
	entry           entry
}

// entry is a line of an order's history.
type entry struct {
	Change, Caller, Reason, At string
}

// change runs the UPDATE and writes the history in one transaction. The
// condition is part of the UPDATE, so of many calls at once one at most
// changes the order.
func (c *Company) change(ctx context.Context, ch change) (OrderOut, error) {
	var out OrderOut
	err := c.inTx(ctx, func(tx *sql.Tx) error {
		result, err := tx.ExecContext(ctx, ch.update, append([]any{ch.tenant, ch.orderID}, ch.values...)...)
		if err != nil {
			return fmt.Errorf("change order %s: %w", ch.orderID, err)
		}
		changed, err := result.RowsAffected()
		if err != nil {
			return fmt.Errorf("change order %s: %w", ch.orderID, err)
		}
		now, err := row(ctx, tx.StmtContext(ctx, c.statements.order), ch.tenant, ch.orderID)
		if err != nil {
			return err
		}
		if changed == 0 {
			return ch.refuse(now)
		}
		out.Order = now.order()
		return record(ctx, tx, ch)
	})
	if err != nil {
		return OrderOut{}, err
	}
	return out, nil
}

func record(ctx context.Context, tx *sql.Tx, ch change) error {
	_, err := tx.ExecContext(ctx,
		`INSERT INTO history (tenant, order_id, change, caller, reason) VALUES (?, ?, ?, ?, ?)`,
		ch.tenant, ch.orderID, ch.entry.Change, ch.entry.Caller, ch.entry.Reason)
	if err != nil {
		return fmt.Errorf("record the change of %s: %w", ch.orderID, err)
	}
	return nil
}
