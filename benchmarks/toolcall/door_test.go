package toolcall_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/benchmarks/orders"
	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/policy"
	"github.com/agentstudio/agentstudio/studio/toolexec"
	"github.com/agentstudio/agentstudio/tenancy"
)

// boundQuery is orders.Query with what a host adds: the caller's tenant, which
// the server fills, and the statuses there are.
type boundQuery struct {
	Tenant hosttools.TenantID `json:"-"`
	Status string             `json:"status" jsonschema:"only orders of this status" enum:"pending,shipped,delivered,cancelled,refunded"`
}

// boundEmpty is empty but for the caller's tenant.
type boundEmpty struct {
	Tenant hosttools.TenantID `json:"-"`
}

// noAudit has nothing to do: reads are not audited.
type noAudit struct{}

func (noAudit) WriteRefused(context.Context, *hosttools.Descriptor, error) error { return nil }

// viaDoor calls the tool as an agent's model does: by name, with raw arguments,
// through both halves of the door.
func viaDoor[In, Out any](tb testing.TB, fn function[In, Out]) call {
	tb.Helper()
	registry := hosttools.NewRegistry(hosttools.Host{Prefix: "fs_", Tools: map[string]hosttools.Constructor{
		"fs_orders": func() (hosttools.Entry, error) {
			return hosttools.Toolkit{
				Prefix: "fs", Title: "Orders", Version: "1", TenantBound: true,
				Methods: []hosttools.Method{hosttools.NewMethod(toolName, toolDescription, fn, hosttools.Read())},
			}, nil
		},
	}})
	require.Empty(tb, registry.Rejections())
	authorizer, err := policy.NewAuthorizer()
	require.NoError(tb, err)
	preparer, err := toolexec.NewPreparer(toolexec.Config{
		Registry: registry, Authorizer: authorizer, Auditor: noAudit{}, Build: "benchmark",
		Logger: slog.New(slog.DiscardHandler),
	})
	require.NoError(tb, err)
	runner := toolexec.NewRunner(preparer, nil, toolexec.DefaultLimits())
	tb.Cleanup(runner.Stop)
	return func(ctx context.Context, arguments string) ([]byte, error) {
		prepared, err := preparer.Prepare(ctx, toolexec.Request{
			Name: "fs_" + toolName, Raw: []byte(arguments), Channel: toolexec.ChannelChat,
		})
		if err != nil {
			return nil, err
		}
		envelope, err := runner.Read(ctx, prepared)
		if err == nil && envelope.Status != toolexec.StatusSuccess {
			err = errors.New(envelope.Message)
		}
		return envelope.Result, err
	}
}

// scoped returns a context with the scope of an author and of an agent.
func scoped(ctx context.Context) context.Context {
	ctx = tenancy.WithScope(ctx, tenancy.Scope{
		User: "user", Tenant: "acme", MayAuthor: true, StudioEnabled: true, Via: tenancy.ViaBrowser,
	})
	return tenancy.WithAgent(ctx, tenancy.Agent{ID: "agent", Version: 1, Tenant: "acme"})
}

// bound drops what the server filled, since the data in memory has one tenant.
func bound(memory *orders.Memory) function[boundQuery, orders.Page] {
	return func(ctx context.Context, in boundQuery) (orders.Page, error) {
		return memory.List(ctx, orders.Query{Status: in.Status})
	}
}
