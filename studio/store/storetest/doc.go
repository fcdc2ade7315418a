// Package storetest gives tests real databases: a fresh SQLite file, or a fresh
// database on a PostgreSQL server that lives as long as the test binary.
//
// SQLite needs nothing. A package whose tests use PostgreSQL starts the server
// from its TestMain, and then takes a database per test:
//
//	func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }
//
//	func TestOrders(t *testing.T) {
//		dsn := storetest.Postgres(t)
//		// …
//	}
//
// The server is started from the installed binaries, listens on a socket in a
// directory of its own and on no network port, so that test binaries run beside
// each other without competing for one. It is told apart from a real server by
// nothing but its settings: durability is off, and everything it holds is
// deleted in the end. On Linux it also ends when the test binary is killed.
//
// What Main starts is handed to Postgres through the process environment. That
// keeps the package free of mutable variables, and lets a person put a server
// of their own in that place: where AGENTSTUDIO_TEST_POSTGRES holds the URL of
// a server, that one is used, and nothing is started. Its role must be a
// superuser.
//
// What Main prepares belongs to one role, and tests work as another, which owns
// nothing of it: every test that uses PostgreSQL shows that its subject works
// under row security.
package storetest
