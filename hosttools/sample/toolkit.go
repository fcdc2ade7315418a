package sample

import (
	"context"

	"github.com/agentstudio/agentstudio/hosttools"
)

// version goes up when the meaning of a tool changes.
const version = "1"

// OrdersConfig is what a tenant's people can set of fs_orders.
type OrdersConfig struct {
	MaxRows     int      `json:"max_rows,omitempty" jsonschema:"The most orders that a list returns." minimum:"1" maximum:"100" default:"100"`
	RefundLimit *float64 `json:"refund_limit,omitempty" jsonschema:"The largest refund that may be made, in the order's currency. No limit if absent." minimum:"0.01" maximum:"1000000" multipleOf:"0.01"`
}

// orders is an instance of fs_orders.
type orders struct {
	*Company

	config OrdersConfig
}

// ordersToolkit constructs fs_orders. It acquires nothing: the host's own pool
// is open as long as the host runs.
func (c *Company) ordersToolkit() (hosttools.Entry, error) {
	o := &orders{Company: c}
	return hosttools.Toolkit{
		Prefix:      "fs",
		Title:       "Orders",
		Description: "Look up the company's orders, cancel or refund one, and keep notes on them.",
		Version:     version,
		TenantBound: true,
		Config:      &o.config,
		Methods: []hosttools.Method{
			hosttools.NewMethod("list_orders",
				"List the company's orders, all of them or those of one status, sorted by order id.",
				o.listOrders, hosttools.Read(), hosttools.Verb("List orders")),
			hosttools.NewMethod("get_order",
				"Get one order by its id: customer, content, status, amount and note.",
				c.getOrder, hosttools.Read(), hosttools.Verb("Look up an order")),
			hosttools.NewMethod("cancel_order",
				"Cancel a pending order. Orders that are shipped or delivered cannot be cancelled.",
				c.cancelOrder, hosttools.Write(), hosttools.Consequential(), hosttools.Verb("Cancel an order")),
			hosttools.NewMethod("refund_order",
				"Refund a shipped or delivered order, once, with all or part of what was paid.",
				o.refundOrder, hosttools.Write(), hosttools.Consequential(), hosttools.Verb("Refund an order")),
			hosttools.NewMethod("set_note",
				"Replace the note on an order. An empty note removes it.",
				c.setNote, hosttools.Write(), hosttools.Verb("Change an order's note")),
		},
	}, nil
}

// ListIn is what list_orders takes.
type ListIn struct {
	Tenant hosttools.TenantID `json:"-"`
	Status string             `json:"status,omitempty" jsonschema:"only orders of this status; all orders if absent" enum:"pending,shipped,delivered,cancelled,refunded"`
	hosttools.Rows
}

// ListOut is what list_orders returns.
type ListOut struct {
	Orders    []Order `json:"orders" jsonschema:"the orders, sorted by id"`
	Count     int     `json:"count" jsonschema:"how many orders are in this answer"`
	Truncated bool    `json:"truncated" jsonschema:"true if there are more orders than were returned"`
}

func (o *orders) listOrders(ctx context.Context, in ListIn) (ListOut, error) {
	limit := in.Limit()
	if o.config.MaxRows > 0 {
		limit = min(limit, o.config.MaxRows)
	}
	rows, truncated, err := o.rows(ctx, string(in.Tenant), in.Status, limit)
	if err != nil {
		return ListOut{}, err
	}
	out := ListOut{Orders: make([]Order, len(rows)), Count: len(rows), Truncated: truncated}
	for i := range rows {
		out.Orders[i] = rows[i].order()
	}
	return out, nil
}

// GetIn is what get_order takes.
type GetIn struct {
	Tenant  hosttools.TenantID `json:"-"`
	OrderID string             `json:"order_id" jsonschema:"id of the order, such as A-1002" pattern:"^[A-Z]-\\d{4,}$"`
}

// OrderOut is one order, as it is after the call.
type OrderOut struct {
	Order Order `json:"order" jsonschema:"the order as it is now"`
}

func (c *Company) getOrder(ctx context.Context, in GetIn) (OrderOut, error) {
	found, err := row(ctx, c.statements.order, string(in.Tenant), in.OrderID)
	return OrderOut{Order: found.order()}, err
}
