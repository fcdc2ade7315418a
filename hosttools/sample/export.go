package sample

import (
	"context"
	"encoding/csv"
	"fmt"
	"strings"

	"github.com/agentstudio/agentstudio/hosttools"
)

// exportTool constructs fs_export.
func (c *Company) exportTool() (hosttools.Entry, error) {
	return hosttools.Tool{
		Title:       "Export",
		Version:     version,
		TenantBound: true,
		Method: hosttools.NewMethod("fs_export",
			"Export the company's orders as CSV text, all of them or those of one status, at most 100 rows.",
			c.exportOrders, hosttools.Read(), hosttools.Verb("Export orders")),
	}, nil
}

// ExportIn is what fs_export takes.
type ExportIn struct {
	Tenant hosttools.TenantID `json:"-"`
	Status string             `json:"status,omitempty" jsonschema:"only orders of this status; all orders if absent" enum:"pending,shipped,delivered,cancelled,refunded"`
}

// ExportOut is what fs_export returns.
type ExportOut struct {
	CSV       string `json:"csv" jsonschema:"a header line, then a line for each order"`
	Rows      int    `json:"rows" jsonschema:"how many orders are in the text"`
	Truncated bool   `json:"truncated" jsonschema:"true if there are more orders than were exported"`
}

func (c *Company) exportOrders(ctx context.Context, in ExportIn) (ExportOut, error) {
	return c.Export(ctx, string(in.Tenant), in.Status)
}

// Export writes at most 100 orders of a tenant as CSV, sorted by id. An empty
// status means all of them.
func (c *Company) Export(ctx context.Context, tenant, status string) (ExportOut, error) {
	rows, truncated, err := c.rows(ctx, tenant, status, maxRows)
	if err != nil {
		return ExportOut{}, err
	}
	var text strings.Builder
	w := csv.NewWriter(&text)
	lines := [][]string{{"order_id", "customer", "summary", "status", "amount", "currency", "placed_on", "note"}}
	for _, r := range rows {
		amount := fmt.Sprintf("%d.%02d", r.AmountCents/100, r.AmountCents%100)
		lines = append(lines, []string{r.ID, r.Customer, r.Summary, r.Status, amount, r.Currency, r.PlacedOn, r.Note})
	}
	if err := w.WriteAll(lines); err != nil {
		return ExportOut{}, fmt.Errorf("write the export: %w", err)
	}
	return ExportOut{CSV: text.String(), Rows: len(rows), Truncated: truncated}, nil
}
