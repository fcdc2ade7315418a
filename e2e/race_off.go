//go:build !race

package e2e

// raceFlags are added when the program is built.
func raceFlags() []string { return nil }
