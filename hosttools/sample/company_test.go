package sample_test

import (
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/hosttools/sample"
)

func TestHostDeclares(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	type row struct {
		access        hosttools.Access
		declared      bool
		consequential bool
		verb          string
	}
	got := map[string]row{}
	for _, group := range h.registry.Groups() {
		require.True(t, group.TenantBound, group.Slug)
		for _, d := range group.Methods {
			got[d.Slug+" "+d.Name] = row{d.Access, d.Declared, d.Consequential, d.Verb}
			require.NotContains(t, d.Input.Properties, "tenant", d.Name)
			for name, property := range d.Input.Properties {
				require.NotEmpty(t, property.Description, "%s of %s", name, d.Name)
			}
		}
	}
	require.Equal(t, map[string]row{
		"fs_orders fs_list_orders":  {hosttools.AccessRead, true, false, "List orders"},
		"fs_orders fs_get_order":    {hosttools.AccessRead, true, false, "Look up an order"},
		"fs_orders fs_cancel_order": {hosttools.AccessWrite, true, true, "Cancel an order"},
		"fs_orders fs_refund_order": {hosttools.AccessWrite, true, true, "Refund an order"},
		"fs_orders fs_set_note":     {hosttools.AccessWrite, true, false, "Change an order's note"},
		"fs_export fs_export":       {hosttools.AccessRead, true, false, "Export orders"},
		"fs_notify fs_notify":       {hosttools.AccessWrite, false, false, "Send a notice"},
	}, got)
}

func TestSchemasRefuse(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	for name, tc := range map[string]struct {
		tool  string
		value map[string]any
		good  bool
	}{
		"id":             {"fs_get_order", map[string]any{"order_id": "A-1002"}, true},
		"long id":        {"fs_get_order", map[string]any{"order_id": "Z-123456"}, true},
		"id in words":    {"fs_get_order", map[string]any{"order_id": "order A-1002"}, false},
		"short id":       {"fs_get_order", map[string]any{"order_id": "A-102"}, false},
		"no reason":      {"fs_cancel_order", map[string]any{"order_id": "A-1002"}, false},
		"empty reason":   {"fs_cancel_order", map[string]any{"order_id": "A-1002", "reason": ""}, false},
		"status":         {"fs_export", map[string]any{"status": "pending"}, true},
		"unknown status": {"fs_export", map[string]any{"status": "lost"}, false},
		"no rows":        {"fs_list_orders", map[string]any{"max_rows": int64(0)}, false},
		"rows":           {"fs_list_orders", map[string]any{"max_rows": int64(100)}, true},
		"too many rows":  {"fs_list_orders", map[string]any{"max_rows": int64(101)}, false},
		"a tenant":       {"fs_export", map[string]any{"tenant": "globex"}, false},
		"half a cent":    {"fs_refund_order", map[string]any{"order_id": "A-1001", "amount": 10.005, "reason": "x"}, false},
		"nothing back":   {"fs_refund_order", map[string]any{"order_id": "A-1001", "amount": 0.0, "reason": "x"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, ok := h.registry.Lookup(tc.tool)
			require.True(t, ok)
			resolved, err := d.Input.Resolve(nil)
			require.NoError(t, err)
			if err := resolved.Validate(tc.value); tc.good {
				require.NoError(t, err)
			} else {
				require.Error(t, err)
			}
		})
	}
}

func TestSeedHappensOnce(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	run[sample.OrderOut](t, h, "acme", "fs_cancel_order", `{"order_id":"A-1002","reason":"No longer needed"}`)
	again := hosttools.NewRegistry(open(t, h.path).Host())
	reopened := host{registry: again}
	require.Equal(t, "cancelled", order(t, reopened, "A-1002").Status)
	all := run[sample.ListOut](t, reopened, "acme", "fs_list_orders", `{}`)
	require.Equal(t, 12, all.Count)
}

func TestSeedIsTheSameEverywhere(t *testing.T) {
	t.Parallel()
	one, two := newHost(t), newHost(t)
	for _, tenant := range []string{"acme", "globex"} {
		require.Equal(t,
			run[sample.ListOut](t, one, tenant, "fs_list_orders", `{}`),
			run[sample.ListOut](t, two, tenant, "fs_list_orders", `{}`))
	}
	require.Equal(t, sample.Order{
		OrderID: "A-1002", Customer: "Marta Weiss", Summary: "Boiler pressure valve, 2 pieces",
		Status: "pending", Amount: 84.5, Currency: "EUR", PlacedOn: "2025-09-03",
	}, order(t, one, "A-1002"))
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	_, err := sample.Open(t.Context(), t.TempDir())
	require.ErrorContains(t, err, "create the company's tables")

	newer := filepath.Join(t.TempDir(), "newer.db")
	db, err := sql.Open("sqlite", newer)
	require.NoError(t, err)
	_, err = db.ExecContext(t.Context(), `PRAGMA user_version = 7`)
	require.NoError(t, err)
	require.NoError(t, db.Close())
	_, err = sample.Open(t.Context(), newer)
	require.ErrorContains(t, err, "version 7")
}
