// Package migrations holds the database schema as versioned SQL, one set for
// each dialect, and applies it. Migrations only go forward: a wrong one is
// corrected by the next.
//
// The tables of background work are River's and come from River's own
// migrations, which are applied and verified together with ours.
package migrations
