// Package agents holds what tenants build: agents, and their versions. Every
// save is a new, numbered version that never changes again; expected_version
// keeps two people from overwriting each other.
package agents
