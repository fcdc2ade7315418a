package sample

import (
	"context"
	"database/sql"
	"fmt"
)

// The page shows the newest of what grows without end.
const (
	shownHistory = 200 // of a tenant
	shownEntries = 3   // of an order
	shownNotices = 10
)

type pageView struct {
	Studio    string
	Tenants   []tenantView
	Tenant    tenantView
	Counts    []countView
	Orders    []orderView
	Truncated bool
	Notices   []noticeView
}

// callers returns where the view names who changed something.
func (v *pageView) callers() []*string {
	var found []*string
	for i := range v.Orders {
		for j := range v.Orders[i].History {
			found = append(found, &v.Orders[i].History[j].Caller)
		}
	}
	for i := range v.Notices {
		found = append(found, &v.Notices[i].Caller)
	}
	return found
}

type tenantView struct {
	ID, Name string
	Current  bool
}

type countView struct {
	Status string
	Orders int
}

type orderView struct {
	orderRow
	History []entry // newest first
}

// Price returns the order's amount for people.
func (o orderView) Price() string { return money(o.AmountCents, o.Currency) }

// Refund returns what was paid back, for people, and "" for nothing.
func (o orderView) Refund() string {
	if o.RefundedCents == 0 {
		return ""
	}
	return money(o.RefundedCents, o.Currency)
}

type noticeView struct {
	ID                             int64
	Recipient, Message, Caller, At string
	Channel                        string
}

// fill reads the orders, their history and the notices of the view's tenant.
func (c *Company) fill(ctx context.Context, view *pageView) error {
	rows, truncated, err := c.rows(ctx, view.Tenant.ID, "", maxRows)
	if err != nil {
		return err
	}
	history, err := c.history(ctx, view.Tenant.ID)
	if err != nil {
		return err
	}
	view.Truncated = truncated
	for _, r := range rows {
		view.Orders = append(view.Orders, orderView{orderRow: r, History: history[r.ID]})
	}
	view.Counts = counts(rows)
	view.Notices, err = c.notices(ctx, view.Tenant.ID)
	return err
}

// counts says how many orders have each status, in the order of an order's
// life.
func counts(rows []orderRow) []countView {
	byStatus := map[string]int{}
	for _, r := range rows {
		byStatus[r.Status]++
	}
	var all []countView
	for _, status := range []string{statusPending, statusShipped, statusDelivered, statusCancelled, statusRefunded} {
		all = append(all, countView{Status: status, Orders: byStatus[status]})
	}
	return all
}

func (c *Company) tenants(ctx context.Context) ([]tenantView, error) {
	return query(ctx, c.db, func(scan func(...any) error) (t tenantView, err error) {
		return t, scan(&t.ID, &t.Name)
	}, `SELECT tenant, name FROM tenants ORDER BY tenant`)
}

// history returns the newest entries of each of a tenant's orders.
func (c *Company) history(ctx context.Context, tenant string) (map[string][]entry, error) {
	type line struct {
		orderID string
		entry
	}
	lines, err := query(ctx, c.db, func(scan func(...any) error) (l line, err error) {
		return l, scan(&l.orderID, &l.Change, &l.Caller, &l.Reason, &l.At)
	}, queryHistory, tenant, shownHistory)
	if err != nil {
		return nil, err
	}
	byOrder := map[string][]entry{}
	for _, l := range lines {
		if len(byOrder[l.orderID]) < shownEntries {
			byOrder[l.orderID] = append(byOrder[l.orderID], l.entry)
		}
	}
	return byOrder, nil
}

func (c *Company) notices(ctx context.Context, tenant string) ([]noticeView, error) {
	return query(ctx, c.db, func(scan func(...any) error) (n noticeView, err error) {
		return n, scan(&n.ID, &n.Recipient, &n.Message, &n.Caller, &n.At, &n.Channel)
	}, queryNotices, tenant, shownNotices)
}

// query collects the rows of a SELECT.
func query[T any](
	ctx context.Context, db *sql.DB, read func(scan func(...any) error) (T, error), text string, args ...any,
) ([]T, error) {
	rows, err := db.QueryContext(ctx, text, args...)
	if err != nil {
		return nil, fmt.Errorf("query: %w", err)
	}
	defer func() { _ = rows.Close() }()
	var found []T
	for rows.Next() {
		item, err := read(rows.Scan)
		if err != nil {
			return nil, fmt.Errorf("read a row: %w", err)
		}
		found = append(found, item)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("query: %w", err)
	}
	return found, nil
}
