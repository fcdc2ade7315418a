package sample_test

import (
	"context"
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/hosttools/sample"
	"github.com/agentstudio/agentstudio/tenancy"
)

// host is a company on a file of its own, and its registry.
type host struct {
	company  *sample.Company
	registry *hosttools.Registry
	path     string
	config   string // of the toolkit that is called next
}

func newHost(t *testing.T) host {
	t.Helper()
	h := host{path: filepath.Join(t.TempDir(), "company.db")}
	h.company = open(t, h.path)
	h.registry = hosttools.NewRegistry(h.company.Host())
	require.Empty(t, h.registry.Rejections())
	return h
}

func open(t *testing.T, path string) *sample.Company {
	t.Helper()
	company, err := sample.Open(t.Context(), path)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, company.Close()) })
	return company
}

// call runs a method as the Studio does after its gates: by slug and method,
// for a tenant, as the caller ada.
func (h host) call(ctx context.Context, tenant, name, args string) ([]byte, error) {
	d, ok := h.registry.Lookup(name)
	if !ok {
		return nil, hosttools.Errorf("no_method", "There is no method %s.", name)
	}
	found, ok := h.registry.Find(d.Slug, d.Method)
	if !ok {
		return nil, hosttools.Errorf("no_method", "There is no method %s of %s.", d.Method, d.Slug)
	}
	instance, err := found.Construct([]byte(h.config))
	if err != nil {
		return nil, err
	}
	ctx = tenancy.WithScope(ctx, tenancy.Scope{User: "ada@example.test", Tenant: tenant})
	filled := map[string]string{"tenant": tenant, "caller": "ada@example.test"}
	return instance.Call(ctx, found.Method, []byte(args), filled)
}

// run calls a method that must succeed and decodes its result.
func run[Out any](t *testing.T, h host, tenant, name, args string) Out {
	t.Helper()
	encoded, err := h.call(t.Context(), tenant, name, args)
	require.NoError(t, err)
	var out Out
	require.NoError(t, json.Unmarshal(encoded, &out))
	return out
}

// refused calls a method that must refuse, with a code and a sentence.
func refused(t *testing.T, h host, tenant, name, args string) *hosttools.Error {
	t.Helper()
	_, err := h.call(t.Context(), tenant, name, args)
	var refusal *hosttools.Error
	require.ErrorAs(t, err, &refusal)
	return refusal
}

// order returns an order of the tenant acme.
func order(t *testing.T, h host, id string) sample.Order {
	t.Helper()
	return run[sample.OrderOut](t, h, "acme", "fs_get_order", `{"order_id":"`+id+`"}`).Order
}
