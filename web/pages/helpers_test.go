package pages

import (
	"context"
	"encoding/json"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/session"
	"github.com/agentstudio/agentstudio/views/ui"
)

type cancelIn struct {
	Tenant  hosttools.TenantID `json:"-"`
	OrderID string             `json:"order_id"`
	Account int64              `json:"account"`
	Refund  float64            `json:"refund"`
	Notify  bool               `json:"notify"`
	Tags    []string           `json:"tags"`
}

type getIn struct {
	OrderID string `json:"order_id"`
}

type out struct {
	Status string `json:"status"`
}

func testRegistry(t *testing.T) *hosttools.Registry {
	t.Helper()
	registry := hosttools.NewRegistry(hosttools.Host{
		Prefix: "fs_",
		Tools: map[string]hosttools.Constructor{"fs_orders": func() (hosttools.Entry, error) {
			return hosttools.Toolkit{
				Prefix: "fs", Title: "Orders", Description: "Look at orders and change them.",
				Methods: []hosttools.Method{
					hosttools.NewMethod("cancel_order", "Cancel a pending order.",
						func(context.Context, cancelIn) (out, error) { return out{}, nil },
						hosttools.Consequential(), hosttools.Verb("Cancel an order")),
					hosttools.NewMethod("get_order", "Look at one order.",
						func(context.Context, getIn) (out, error) { return out{}, nil }, hosttools.Read()),
				},
			}, nil
		}},
	})
	require.Empty(t, registry.Rejections())
	return registry
}

func testSite() ui.Site { return ui.Site{Prefix: "/studio", Tenant: "acme"} }

func testNames(id string) string {
	return map[string]string{"u-ada": "Ada Admin", "u-max": "Max Member"}[id]
}

func testTranscript(t *testing.T) *transcript {
	t.Helper()
	return &transcript{
		site: testSite(), registry: testRegistry(t), tools: map[string]string{}, logger: slog.New(slog.DiscardHandler),
		people: func(context.Context, []string) (func(string) string, error) { return testNames, nil },
	}
}

// logOf returns payloads as stored events, from offset 0 on.
func logOf(t *testing.T, payloads ...session.Payload) []models.Event {
	t.Helper()
	var events []models.Event
	for i, payload := range payloads {
		data, err := json.Marshal(payload)
		require.NoError(t, err)
		events = append(events, models.Event{
			SessionID: "s", Offset: int64(i), Kind: payload.Kind(), Source: models.SourceCustomer, Data: data,
			CreatedAt: models.Instant(1_000 * (i + 1)),
		})
	}
	return events
}
