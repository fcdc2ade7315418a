package storetest

import (
	"path/filepath"
	"testing"
)

// SQLite returns the path of a database file that does not exist yet, in a
// directory that is removed when the test ends.
func SQLite(t testing.TB) (dsn string) {
	t.Helper()
	return filepath.Join(t.TempDir(), "studio.db")
}
