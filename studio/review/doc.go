// Package review judges the calls that a step proposes before any of them
// runs, apart from whatever proposed them.
//
// The offline [Checks] are deterministic: required arguments are present, ids
// were seen, and the person asked for such an action. They are labelled as
// what they are, never as a model's verdict.
package review
