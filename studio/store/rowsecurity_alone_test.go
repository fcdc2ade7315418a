//go:build nofilter

package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/studio/store/storetest"
)

// TestRowSecurityAlone runs in a build whose own filter does nothing: whatever
// the store reads or changes, row security keeps it in its partition.
func TestRowSecurityAlone(t *testing.T) {
	t.Parallel()
	s := open(t, storetest.Postgres(t))
	seedWithExpired(t, s, "beta")
	before := rowsOf(t, s, "beta")
	for name, c := range isolationCases() {
		found, _ := inAlpha(t, s, c)
		require.Equal(t, before, rowsOf(t, s, "beta"), name)
		if c.creates {
			remove(t, s, "alpha")
			continue
		}
		require.True(t, nothing(found), "%s found %+v", name, found)
	}
}

// TestTheFilterIsOff shows that the build is what it says: SQLite has no row
// security, so there everything is seen.
func TestTheFilterIsOff(t *testing.T) {
	t.Parallel()
	dsn := storetest.SQLite(t)
	require.NoError(t, migrate(t.Context(), dsn))
	s := open(t, dsn)
	seed(t, s, "beta")
	found, err := inAlpha(t, s, isolationCases()["ListAgents"])
	require.NoError(t, err)
	require.False(t, nothing(found))
}
