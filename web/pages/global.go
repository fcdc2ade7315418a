package pages

import (
	"context"

	"github.com/agentstudio/agentstudio/views/ui"
)

// WithoutTenants returns a directory for a Studio without tenants. It asks people's
// names of known; without that, and where known has none, their ids stand for them.
func WithoutTenants(known Directory) Directory { return withoutTenants{known} }

type withoutTenants struct{ known Directory }

// Names returns a name for each id.
func (w withoutTenants) Names(ctx context.Context, tenant string, ids []string) (map[string]string, error) {
	names := make(map[string]string, len(ids))
	for _, id := range ids {
		names[id] = id
	}
	if w.known == nil {
		return names, nil
	}
	found, err := w.known.Names(ctx, tenant, ids)
	for id, name := range found {
		if name != "" {
			names[id] = name
		}
	}
	return names, err
}

// TenantName names the one place where everybody works.
func (withoutTenants) TenantName(context.Context, string) (string, error) { return "Everybody", nil }

// outsideTenants stands on every page of a Studio without tenants.
func outsideTenants() ui.Notice {
	return ui.Notice{
		Tone: ui.Warn, Title: "This Studio works without tenants (GLOBAL).",
		Text: "Everybody who can sign in sees every agent here, no tenant policy applies, and tools that belong to a tenant refuse.",
	}
}
