package storetest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/studio/store/storetest"
)

// TestRolesAreBound holds that tests work as a role for which all rules hold.
func TestRolesAreBound(t *testing.T) {
	t.Parallel()
	db := storetest.PostgresDatabase(t)
	for name, c := range map[string]struct {
		dsn        string
		super, own bool
	}{
		"app": {db.App, false, false}, "owner": {db.Owner, false, true}, "super": {db.Super, true, false},
	} {
		var super, bypasses, own bool
		require.NoError(t, connect(t, c.dsn).QueryRow(t.Context(), `SELECT rolsuper, rolbypassrls,
			(SELECT relowner = r.oid FROM pg_class WHERE relname = 'orders')
			FROM pg_roles r WHERE rolname = current_user`).Scan(&super, &bypasses, &own), name)
		require.Equal(t, c.super, super, name)
		require.Equal(t, c.super, bypasses, name)
		require.Equal(t, c.own, own, name)
	}
}
