package hosttoolstest_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/hosttools/hosttoolstest"
	"github.com/agentstudio/agentstudio/hosttools/sample"
)

// demo returns the registry of the demo host, on a file of its own.
func demo(t *testing.T) *hosttools.Registry {
	t.Helper()
	company, err := sample.Open(t.Context(), filepath.Join(t.TempDir(), "company.db"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, company.Close()) })
	return hosttools.NewRegistry(company.Host())
}

// ofDemo returns arguments that fit the demo's orders.
func ofDemo() []hosttoolstest.Option {
	return []hosttoolstest.Option{
		hosttoolstest.Args("fs_get_order", map[string]any{"order_id": "A-1002"}),
		hosttoolstest.Args("fs_cancel_order", map[string]any{"order_id": "A-1004", "reason": "Ordered twice."}),
		hosttoolstest.Args("fs_refund_order", map[string]any{"order_id": "A-1003", "amount": 10, "reason": "Came late."}),
		hosttoolstest.Args("fs_set_note", map[string]any{"order_id": "A-1005", "note": "Ring twice."}),
	}
}

// TestDemoHostConforms is also what a host's own test looks like.
func TestDemoHostConforms(t *testing.T) {
	hosttoolstest.Run(t, demo(t), ofDemo()...)
}

func TestDemoHostsWritesConform(t *testing.T) {
	hosttoolstest.Run(t, demo(t), append(ofDemo(), hosttoolstest.Writes())...)
}
