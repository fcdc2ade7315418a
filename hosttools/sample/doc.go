// Package sample is a complete, small host: "Brightline Field Service", an
// application that keeps the orders of two field-service companies in its own
// tables in its own SQLite file, shows them on its own page, and offers them to
// the Studio as tools.
//
// It is what the demo runs on, and it reads as a host's code should: typed
// inputs and results, the tenant taken from a server-managed field and never
// from the arguments, one conditional UPDATE for each change, lists that are
// capped and say so.
package sample
