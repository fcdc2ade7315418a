package store

// isGlobal reports whether a table is read before a partition is known, so that
// it has none, and no row security: who may sign in, and what the sweep after a
// restart and the rotation of keys look at. It is the one list of them; all other tables have a
// partition.
func isGlobal(table string) bool {
	switch table {
	case "tenants", "users", "memberships", "passwords", "user_identities", "login_sessions", "login_attempts",
		"open_turns", "vault_tenants":
		return true
	default:
		return false
	}
}
