package api

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCallable(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][2]string{
		"fs_export":         {"fs_export", ""},
		"fs_orders.cancel":  {"fs_orders", "cancel"},
		"fs_orders.cancel.": {"fs_orders", "cancel."},
		"fs_export.":        {"fs_export.", ""},
		".":                 {".", ""},
	} {
		slug, method := callable(name)
		require.Equal(t, want, [2]string{slug, method}, name)
	}
}
