// Package approval holds a person's decision on one stored call: what was
// shown is what runs, once.
//
// An approval stores the canonical arguments and a sealed binding over
// everything that makes the call this call and no other. A decision is sealed
// too. Both seals are verified when the approval is burned, so that writing to
// the database mints nothing. Each change of state is one conditional UPDATE
// under the database's clock.
//
// The package resumes nothing itself; it enqueues.
package approval
