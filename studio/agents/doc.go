// Package agents holds what tenants build: agents, and their versions. Every
// save is a new, numbered version that never changes again; expected_version
// keeps two people from overwriting each other.
//
// It also holds how an agent's toolkits are set up. That is not part of a
// version, since it has secrets, which are sealed for the record they are in
// and leave it only for the toolkit; the versions say who changed which
// parameter when. What a toolkit works with is made of layers, of which the last
// that says something counts: the defaults of its type, those of the host, what
// the agent's people set, and what the caller set of the parameters that are
// left to each user.
package agents
