package sample_test

import (
	"encoding/csv"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/hosttools/sample"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/tenancy"
)

func TestListOrders(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	for name, tc := range map[string]struct {
		args      string
		want      int
		truncated bool
	}{
		"all":           {`{}`, 12, false},
		"status":        {`{"status":"pending"}`, 4, false},
		"capped":        {`{"max_rows":5}`, 5, true},
		"exactly":       {`{"max_rows":12}`, 12, false},
		"status, cap":   {`{"status":"pending","max_rows":3}`, 3, true},
		"beyond schema": {`{"max_rows":100000}`, 12, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out := run[sample.ListOut](t, h, "acme", "fs_list_orders", tc.args)
			require.Len(t, out.Orders, tc.want)
			require.Equal(t, tc.want, out.Count)
			require.Equal(t, tc.truncated, out.Truncated)
			for i := 1; i < len(out.Orders); i++ {
				require.Less(t, out.Orders[i-1].OrderID, out.Orders[i].OrderID)
			}
		})
	}
	require.NotNil(t, run[sample.ListOut](t, h, "nobody", "fs_list_orders", `{}`).Orders)
}

func TestListsAreCapped(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	more := make([]sample.Order, 101)
	for i := range more {
		more[i] = sample.Order{
			OrderID: fmt.Sprintf("B-%04d", i), Customer: "Somebody", Summary: "Something",
			Status: "shipped", Amount: 10.01, Currency: "EUR", PlacedOn: "2025-10-01",
		}
	}
	require.NoError(t, h.company.Import(t.Context(), "initech", more))
	require.Error(t, h.company.Import(t.Context(), "initech", more[:1]), "the order is there already")

	list := run[sample.ListOut](t, h, "initech", "fs_list_orders", `{"max_rows":100000}`)
	require.Equal(t, 100, list.Count)
	require.True(t, list.Truncated)
	list = run[sample.ListOut](t, h, "initech", "fs_list_orders", `{}`)
	require.Equal(t, 20, list.Count)
	require.True(t, list.Truncated)
	export := run[sample.ExportOut](t, h, "initech", "fs_export", `{"status":"shipped"}`)
	require.Equal(t, 100, export.Rows)
	require.True(t, export.Truncated)
}

func TestImportIsAllOrNothing(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	good := sample.Order{OrderID: "B-0001", Customer: "C", Summary: "S", Status: "pending", Amount: 1, Currency: "EUR"}
	for name, spoil := range map[string]func(*sample.Order){
		"same id":        func(*sample.Order) {},
		"unknown status": func(o *sample.Order) { o.OrderID, o.Status = "B-0002", "lost" },
		"inexact amount": func(o *sample.Order) { o.OrderID, o.Amount = "B-0002", 1.001 },
	} {
		bad := good
		spoil(&bad)
		require.Error(t, h.company.Import(t.Context(), "acme", []sample.Order{good, bad}), name)
		require.Equal(t, "order_not_found", refused(t, h, "acme", "fs_get_order", `{"order_id":"B-0001"}`).Code, name)
	}
}

func TestGetOrder(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	require.Equal(t, "Café Morgenrot", order(t, h, "A-1003").Customer)
	refusal := refused(t, h, "acme", "fs_get_order", `{"order_id":"A-9999"}`)
	require.Equal(t, hosttools.Errorf("order_not_found", "There is no order A-9999."), refusal)
}

func TestCancelOrder(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	out := run[sample.OrderOut](t, h, "acme", "fs_cancel_order", `{"order_id":"A-1002","reason":"No longer needed"}`)
	require.Equal(t, "cancelled", out.Order.Status)
	require.Equal(t, out.Order, order(t, h, "A-1002"))

	for args, want := range map[string]*hosttools.Error{
		`{"order_id":"A-1002","reason":"again"}`: hosttools.Errorf("not_pending", "Only pending orders can be cancelled; A-1002 is cancelled."),
		`{"order_id":"A-1003","reason":"x"}`:     hosttools.Errorf("not_pending", "Only pending orders can be cancelled; A-1003 is shipped."),
		`{"order_id":"A-9999","reason":"x"}`:     hosttools.Errorf("order_not_found", "There is no order A-9999."),
	} {
		require.Equal(t, want, refused(t, h, "acme", "fs_cancel_order", args))
	}
	require.Equal(t, "shipped", order(t, h, "A-1003").Status)
}

func TestOfManyCancelsOneSucceeds(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	var done, notPending atomic.Int32
	var group sync.WaitGroup
	for range 50 {
		group.Go(func() {
			_, err := h.call(t.Context(), "acme", "fs_cancel_order", `{"order_id":"A-1002","reason":"race"}`)
			var refusal *hosttools.Error
			switch {
			case err == nil:
				done.Add(1)
			case errors.As(err, &refusal) && refusal.Code == "not_pending":
				notPending.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	group.Wait()
	require.Equal(t, int32(1), done.Load())
	require.Equal(t, int32(49), notPending.Load())
	require.Equal(t, 1, strings.Count(body(t, h, "/orders?tenant=acme"), "race"), "one line in the history")
}

func TestRefundOrder(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		args, code, message string
	}{
		"pending":        {`{"order_id":"A-1002","amount":84.5,"reason":"x"}`, "not_paid", "Only shipped and delivered orders are paid; A-1002 is pending."},
		"cancelled":      {`{"order_id":"A-1007","amount":1,"reason":"x"}`, "not_paid", "Only shipped and delivered orders are paid; A-1007 is cancelled."},
		"refunded":       {`{"order_id":"A-1009","amount":1,"reason":"x"}`, "already_refunded", "A-1009 was refunded before, with 119.00 EUR."},
		"a cent more":    {`{"order_id":"A-1003","amount":132.76,"reason":"x"}`, "amount_too_large", "A-1003 was paid with 132.75 EUR, which is less than 132.76 EUR."},
		"three decimals": {`{"order_id":"A-1003","amount":1.005,"reason":"x"}`, "invalid_amount", "The amount 1.005 has more than two decimals."},
		"nothing":        {`{"order_id":"A-1003","amount":0,"reason":"x"}`, "invalid_amount", "The amount must be more than 0 and at most 1000000."},
		"negative":       {`{"order_id":"A-1003","amount":-5,"reason":"x"}`, "invalid_amount", "The amount must be more than 0 and at most 1000000."},
		"unknown":        {`{"order_id":"A-9999","amount":5,"reason":"x"}`, "order_not_found", "There is no order A-9999."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHost(t)
			before := run[sample.ListOut](t, h, "acme", "fs_list_orders", `{}`)
			require.Equal(t, &hosttools.Error{Code: tc.code, Message: tc.message},
				refused(t, h, "acme", "fs_refund_order", tc.args))
			require.Equal(t, before, run[sample.ListOut](t, h, "acme", "fs_list_orders", `{}`))
		})
	}
	t.Run("all of it, then again", func(t *testing.T) {
		t.Parallel()
		h := newHost(t)
		args := `{"order_id":"A-1003","amount":132.75,"reason":"Broken"}`
		out := run[sample.OrderOut](t, h, "acme", "fs_refund_order", args)
		require.Equal(t, "refunded", out.Order.Status)
		require.InDelta(t, 132.75, out.Order.Refunded, 0)
		require.Equal(t, "already_refunded", refused(t, h, "acme", "fs_refund_order", args).Code)
	})
	t.Run("a part of it", func(t *testing.T) {
		t.Parallel()
		h := newHost(t)
		out := run[sample.OrderOut](t, h, "acme", "fs_refund_order", `{"order_id":"A-1001","amount":0.01,"reason":"Late"}`)
		require.InDelta(t, 0.01, out.Order.Refunded, 0)
		require.InDelta(t, 249, out.Order.Amount, 0)
	})
}

func TestSetNote(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	for _, note := range []string{"Ring twice.", ""} {
		out := run[sample.OrderOut](t, h, "acme", "fs_set_note", fmt.Sprintf(`{"order_id":"A-1004","note":%q}`, note))
		require.Equal(t, note, out.Order.Note)
		require.Equal(t, note, order(t, h, "A-1004").Note)
	}
	require.Equal(t, "order_not_found", refused(t, h, "acme", "fs_set_note", `{"order_id":"A-9999","note":"x"}`).Code)
}

func TestExport(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	run[sample.OrderOut](t, h, "acme", "fs_set_note", `{"order_id":"A-1002","note":"two \"lines\",\nreally"}`)
	out := run[sample.ExportOut](t, h, "acme", "fs_export", `{"status":"pending"}`)
	require.Equal(t, 4, out.Rows)
	require.False(t, out.Truncated)
	lines, err := csv.NewReader(strings.NewReader(out.CSV)).ReadAll()
	require.NoError(t, err)
	require.Len(t, lines, 5)
	require.Equal(t, []string{"order_id", "customer", "summary", "status", "amount", "currency", "placed_on", "note"}, lines[0])
	require.Equal(t, []string{
		"A-1002", "Marta Weiss", "Boiler pressure valve, 2 pieces", "pending", "84.50", "EUR",
		"2025-09-03", "two \"lines\",\nreally",
	}, lines[1])

	direct, err := h.company.Export(t.Context(), "acme", "pending")
	require.NoError(t, err)
	require.Equal(t, out, direct)
	require.Equal(t, 12, run[sample.ExportOut](t, h, "acme", "fs_export", `{}`).Rows)
}

func TestNotify(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	first := run[sample.NotifyOut](t, h, "acme", "fs_notify", `{"message":"Van is back."}`)
	require.Equal(t, "everyone", first.Recipient)
	second := run[sample.NotifyOut](t, h, "acme", "fs_notify", `{"message":"Call me.","recipient":"Nina"}`)
	require.Equal(t, "Nina", second.Recipient)
	require.NotEqual(t, first.NoticeID, second.NoticeID)
	page := body(t, h, "/orders?tenant=acme")
	require.Contains(t, page, "Van is back.")
	require.Contains(t, page, "Call me.")
	require.NotContains(t, body(t, h, "/orders?tenant=globex"), "Van is back.")
}

func TestTenantsAreDisjoint(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	before := run[sample.ListOut](t, h, "globex", "fs_list_orders", `{}`)
	acme := run[sample.ListOut](t, h, "acme", "fs_list_orders", `{}`)
	require.Equal(t, before.Count, acme.Count)
	for i := range acme.Orders {
		require.Equal(t, before.Orders[i].OrderID, acme.Orders[i].OrderID, "the numbers overlap")
		require.NotEqual(t, before.Orders[i].Customer, acme.Orders[i].Customer)
	}
	for name, args := range map[string]string{
		"fs_cancel_order": `{"order_id":"A-1002","reason":"x"}`,
		"fs_refund_order": `{"order_id":"A-1001","amount":1,"reason":"x"}`,
		"fs_set_note":     `{"order_id":"A-1003","note":"changed"}`,
		"fs_notify":       `{"message":"x"}`,
	} {
		_, err := h.call(t.Context(), "acme", name, args)
		require.NoError(t, err)
	}
	require.Equal(t, before, run[sample.ListOut](t, h, "globex", "fs_list_orders", `{}`))
	_, err := h.call(t.Context(), "", "fs_list_orders", `{}`)
	require.Equal(t, models.CodeToolScopeUnavailable, models.CodeOf(err))
	for _, nobody := range []string{"ACME", "acme ", "initech", "%"} {
		require.Empty(t, run[sample.ListOut](t, h, nobody, "fs_list_orders", `{}`).Orders, nobody)
		require.Equal(t, "order_not_found", refused(t, h, nobody, "fs_get_order", `{"order_id":"A-1001"}`).Code, nobody)
	}
}

func TestOrdersAsConfigured(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	h.config = `{"max_rows":3,"refund_limit":100.00}`
	all := run[sample.ListOut](t, h, "acme", "fs_list_orders", `{"max_rows":50}`)
	require.Equal(t, 3, all.Count)
	require.True(t, all.Truncated)
	refusal := refused(t, h, "acme", "fs_refund_order", `{"order_id":"A-1001","amount":100.01,"reason":"x"}`)
	require.Equal(t, "over_limit", refusal.Code)
	run[sample.OrderOut](t, h, "acme", "fs_refund_order", `{"order_id":"A-1001","amount":100,"reason":"x"}`)
}

func TestNoticesAsConfigured(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	h.config = `{"channel":"office","sender":"Ada","signing_key":"correct horse"}`
	out, err := h.call(t.Context(), "acme", "fs_notify", `{"message":"Hello"}`)
	require.NoError(t, err)
	require.NotContains(t, string(out), "correct horse")
}

func TestChannelsAreTheTenants(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	d, ok := h.registry.Lookup("fs_notify")
	require.True(t, ok)
	instance, err := d.Construct([]byte(`{}`))
	require.NoError(t, err)
	_, err = instance.ConfigOptions(t.Context(), "channel")
	require.Error(t, err, "outside of a scope there are no choices")
	seen := map[string][]hosttools.Option{}
	for _, tenant := range []string{"acme", "globex"} {
		ctx := tenancy.WithScope(t.Context(), tenancy.Scope{User: "ada", Tenant: tenant})
		seen[tenant], err = instance.ConfigOptions(ctx, "channel")
		require.NoError(t, err)
		require.NotEmpty(t, seen[tenant])
	}
	for _, option := range seen["acme"] {
		require.NotContains(t, seen["globex"], option)
	}
}
