//go:build race

package e2e

// raceFlags build the program with the race detector too, so that a race in it
// fails the test that provoked it.
func raceFlags() []string { return []string{"-race"} }
