package sample

import (
	"context"
	"database/sql"
	"fmt"
)

type seedTenant struct {
	tenant, name, currency string
	orders                 []seedOrder
}

type seedOrder struct {
	id, customer, summary, status string
	cents                         int64
	placedOn, note                string
}

// row is the order as it is stored; what is refunded was refunded in full.
func (o seedOrder) row(currency string) orderRow {
	r := orderRow{
		ID: o.id, Customer: o.customer, Summary: o.summary, Status: o.status,
		AmountCents: o.cents, Currency: currency, PlacedOn: o.placedOn, Note: o.note,
	}
	if o.status == statusRefunded {
		r.RefundedCents = o.cents
	}
	return r
}

// seed adds the demo's tenants. Order numbers overlap on purpose: A-1002 is
// another order for each of them.
func seed(ctx context.Context, tx *sql.Tx) error {
	for _, t := range []seedTenant{acme(), globex()} {
		if _, err := tx.ExecContext(ctx, `INSERT INTO tenants (tenant, name) VALUES (?, ?)`, t.tenant, t.name); err != nil {
			return fmt.Errorf("add tenant %s: %w", t.tenant, err)
		}
		for _, o := range t.orders {
			if err := insert(ctx, tx, t.tenant, o.row(t.currency)); err != nil {
				return err
			}
		}
	}
	return nil
}

func acme() seedTenant {
	return seedTenant{tenant: "acme", name: "Acme Field Service", currency: "EUR", orders: []seedOrder{
		{"A-1001", "Hotel Lindenhof", "Heat pump, yearly service", statusDelivered, 24900, "2025-09-02", "Key is at the front desk."},
		{"A-1002", "Marta Weiss", "Boiler pressure valve, 2 pieces", statusPending, 8450, "2025-09-03", ""},
		{"A-1003", "Café Morgenrot", "Dishwasher drain pump", statusShipped, 13275, "2025-09-04", ""},
		{"A-1004", "Bäckerei Sommer", "Oven thermostat and fitting", statusPending, 31000, "2025-09-08", "Before 6:00 only."},
		{"A-1005", "Jonas Keller", "Radiator, three rooms", statusDelivered, 87940, "2025-09-09", ""},
		{"A-1006", "Praxis Dr. Aydin", "Air filter set", statusShipped, 4690, "2025-09-11", "Deliver to the back entrance."},
		{"A-1007", "Sofia Brandt", "Bathroom fan", statusCancelled, 6999, "2025-09-12", ""},
		{"A-1008", "Gemeinde Auhof", "Water softener, town hall", statusPending, 142000, "2025-09-15", "Purchase number 77-204."},
		{"A-1009", "Paul Novak", "Smart thermostat", statusRefunded, 11900, "2025-09-16", "Came damaged."},
		{"A-1010", "Hotel Lindenhof", "Spare parts for the heat pump", statusShipped, 18805, "2025-09-18", ""},
		{"A-1011", "Eva Lindt", "Leak inspection", statusDelivered, 9500, "2025-09-19", ""},
		{"A-1012", "Weingut Prell", "Cellar cooling, repair", statusPending, 56320, "2025-09-22", "Call first."},
	}}
}

func globex() seedTenant {
	return seedTenant{tenant: "globex", name: "Globex Field Service", currency: "USD", orders: []seedOrder{
		{"A-1001", "Harborview Cold Storage", "Dock lift inspection", statusPending, 42000, "2025-08-28", ""},
		{"A-1002", "Northside Clinic", "Backup generator, battery", statusShipped, 128450, "2025-08-29", "Loading bay 3."},
		{"A-1003", "Rivera & Sons", "Compressor belt", statusPending, 3820, "2025-09-01", ""},
		{"A-1004", "Maple Street School", "Gym ventilation, service", statusDelivered, 67500, "2025-09-03", "Not during classes."},
		{"A-1005", "Tom Okafor", "Garage door motor", statusCancelled, 29999, "2025-09-05", ""},
		{"A-1006", "Bluebird Diner", "Walk-in freezer seal", statusDelivered, 15640, "2025-09-06", ""},
		{"A-1007", "Lena Fischer", "Pool pump", statusShipped, 48900, "2025-09-10", ""},
		{"A-1008", "City Library", "Elevator sensor", statusRefunded, 22150, "2025-09-11", "Ordered twice."},
		{"A-1009", "Granite Works", "Dust extractor, filter change", statusPending, 7480, "2025-09-15", ""},
		{"A-1010", "Priya Raman", "Water heater element", statusPending, 11275, "2025-09-17", "Gate code changes monthly, call."},
		{"A-1011", "Summit Lodge", "Fireplace gas valve", statusShipped, 36400, "2025-09-18", ""},
		{"A-1012", "Oak Hill Dairy", "Milk tank agitator", statusDelivered, 214000, "2025-09-21", ""},
	}}
}
