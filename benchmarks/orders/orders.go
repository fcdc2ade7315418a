// Package orders is the data that the benchmarks read: orders of a company, and
// the types of the tool that lists them.
package orders

import (
	"context"
	"fmt"
)

// Limit is how many orders one list returns.
const Limit = 20

// Pending is the status that the benchmarks ask for.
const Pending = "pending"

// Order is one order.
type Order struct {
	OrderID  string  `json:"order_id" jsonschema:"id of the order"`
	Customer string  `json:"customer" jsonschema:"who ordered"`
	Summary  string  `json:"summary" jsonschema:"what was ordered"`
	Status   string  `json:"status" jsonschema:"where the order stands"`
	Amount   float64 `json:"amount" jsonschema:"price in the currency"`
	Currency string  `json:"currency" jsonschema:"ISO 4217 code"`
	PlacedOn string  `json:"placed_on" jsonschema:"day of the order"`
}

// Query is what the list takes.
type Query struct {
	Status string `json:"status" jsonschema:"only orders of this status"`
}

// Page is what the list returns.
type Page struct {
	Orders []Order `json:"orders" jsonschema:"the orders sorted by id"`
	Count  int     `json:"count" jsonschema:"how many orders are in this answer"`
}

// Statuses returns the statuses of orders. Order i has the status i modulo
// their number.
func Statuses() []string { return []string{Pending, "shipped", "delivered", "cancelled", "refunded"} }

// Generate returns n orders, the same ones every time.
func Generate(n int) []Order {
	statuses := Statuses()
	all := make([]Order, 0, n)
	for i := range n {
		all = append(all, Order{
			OrderID: fmt.Sprintf("A-%06d", 1001+i), Customer: fmt.Sprintf("Customer %d", i%97),
			Summary: fmt.Sprintf("Heat pump, service visit %d", i), Status: statuses[i%len(statuses)],
			Amount: float64(100+i%50) + 0.25, Currency: "EUR", PlacedOn: fmt.Sprintf("2025-09-%02d", 1+i%28),
		})
	}
	return all
}

// Memory holds orders in memory. It may be used from any goroutine.
type Memory struct{ all []Order }

// NewMemory returns n generated orders in memory.
func NewMemory(n int) *Memory { return &Memory{all: Generate(n)} }

// List returns the first [Limit] orders of a status.
func (m *Memory) List(_ context.Context, q Query) (Page, error) {
	found := make([]Order, 0, Limit)
	for i := range m.all {
		if m.all[i].Status != q.Status {
			continue
		}
		if found = append(found, m.all[i]); len(found) == Limit {
			break
		}
	}
	return Page{Orders: found, Count: len(found)}, nil
}
