// Package approvals shows the calls that wait for a person and those that were decided: the
// card, the page that holds one card, the list, and the dialog in which a card opens.
//
// The card is the screen on which a person decides. It shows every argument exactly: nothing is
// cut, digits are not rounded, and characters that would hide or reorder text are named. It
// works as plain forms; the script adds the dialog, the countdown, and the short moment in
// which Approve cannot be pressed by accident.
package approvals

import (
	"time"

	"github.com/agentstudio/agentstudio/views/layout"
	"github.com/agentstudio/agentstudio/views/ui"
)

// State is where an approval is in its life.
type State string

// The states of an approval.
const (
	Pending   State = "pending"
	Granted   State = "granted"  // decided, for the program that asked to run it
	Approved  State = "approved" // decided, not yet started or running
	Consumed  State = "consumed" // ran once; Outcome says how it ended
	Denied    State = "denied"
	Expired   State = "expired"
	Cancelled State = "cancelled"
	Stale     State = "stale"
)

// Outcome is how a consumed call ended.
type Outcome string

// The outcomes of a call that ran.
const (
	NoOutcome Outcome = ""
	Succeeded Outcome = "succeeded"
	Failed    Outcome = "failed"
	Unknown   Outcome = "outcome_unknown"
)

// Card is one stored call, as the person sees it.
type Card struct {
	Site          ui.Site
	ID            string
	Verb          string // headline from the host: "Cancel an order"
	Tool          string // "fs_orders · cancel_order"
	Consequential bool
	Agent         string // empty when a person or program asked directly
	AgentVersion  int
	Person        string // for whom
	Tenant        string
	Args          []Arg
	Filled        []Filled
	Why           Why
	Hash          string // full hash of the arguments, hexadecimal
	Nonce         string
	State         State
	Outcome       Outcome
	Requested     time.Time
	Expires       time.Time
	RedeemUntil   time.Time // for Granted: until when the program can run it
	Progress      string    // when several must agree: "1 of 2 people approved"
	CannotDecide  string    // why this person may not decide; empty when they may
	Error         string    // why the last attempt to decide was not accepted
	Decision      Decision
	Run           Run
}

// Arg is one argument of the call.
type Arg struct {
	Name  string
	Type  string // in words: "text", "number", "yes/no", "list", "object"
	Note  string // for example "default"
	Value Node
}

// Filled is one value the server supplies, which the agent can neither see nor change.
type Filled struct {
	Name  string
	Value string
	Note  string // what the value stands for, such as a person's name
}

// Why is what led to the call.
type Why struct {
	Words     string   // the person's own words
	Rules     []string // titles of the rules that applied
	Reasoning string   // the agent's reasoning for this step
	Verdict   ui.Mark  // the review's verdict, empty when none ran
	VerdictBy string   // who judged: "Offline checks", or the model's name
}

// Decision is who decided, when, and why.
type Decision struct {
	By     string
	At     time.Time
	Reason string
}

// Run is what happened when the call ran, or why it did not.
type Run struct {
	At       time.Time
	Sentence string // "Order A-1002 is cancelled."
	Result   string // JSON to expand; empty when there is none
}

// Single is the page that holds one card.
type Single struct {
	Shell layout.Shell
	Card  Card
}

// List is the inbox: what waits, or what was settled.
type List struct {
	Shell   layout.Shell
	Settled bool // which of the two tabs is shown
	Waiting int
	Rows    []Row
	More    string // says that not all are listed; empty when all are
}

// Row is one approval in a list.
type Row struct {
	ID            string
	Verb          string
	Tool          string
	Line          string // the arguments in one line
	Agent         string
	Person        string
	Consequential bool
	State         State
	Outcome       Outcome
	Requested     time.Time
	Expires       time.Time
	DecidedBy     string
	DecidedAt     time.Time
}

// shortHash is the first eight digits of a hash in two groups, for people to compare.
func shortHash(hash string) string {
	if len(hash) < 8 {
		return hash
	}
	return hash[:4] + " " + hash[4:8]
}

// mark names a state in words, with its tone.
func mark(state State, outcome Outcome) ui.Mark {
	switch {
	case state == Pending:
		return ui.Mark{Text: "Waits for a decision", Tone: ui.Warn}
	case state == Granted, state == Approved:
		return ui.Mark{Text: "Approved", Tone: ui.Accent}
	case state == Consumed && outcome == Succeeded:
		return ui.Mark{Text: "Ran once", Tone: ui.OK}
	case state == Consumed && outcome == Failed:
		return ui.Mark{Text: "Failed", Tone: ui.Danger}
	case state == Consumed:
		return ui.Mark{Text: "Outcome unknown", Tone: ui.Warn}
	case state == Denied:
		return ui.Mark{Text: "Denied", Tone: ui.Danger}
	case state == Expired:
		return ui.Mark{Text: "Expired", Tone: ui.Neutral}
	case state == Cancelled:
		return ui.Mark{Text: "Cancelled", Tone: ui.Neutral}
	default:
		return ui.Mark{Text: "Out of date", Tone: ui.Warn}
	}
}

// settledSentence says what became of a call that nobody needs to decide any more.
func (c Card) settledSentence() string {
	switch {
	case c.State == Approved:
		return "It runs once, exactly as shown."
	case c.State == Consumed && c.Outcome == Succeeded:
		return "It ran once and succeeded."
	case c.State == Consumed && c.Outcome == Failed:
		return "It did not succeed, and it will not be repeated."
	case c.State == Consumed:
		return "It started, and nobody knows whether it took effect. Check the data before asking again; it will not be repeated."
	case c.State == Denied:
		return "Nothing ran."
	case c.State == Expired && c.Decision.By != "":
		return "The program that asked did not run it in time. Nothing ran."
	case c.State == Expired:
		return "Nobody decided in time. Nothing ran."
	case c.State == Cancelled:
		return "The conversation moved on before a decision. Nothing ran."
	default:
		return "Something it depended on changed after it was asked. Nothing ran; ask again to see the new call."
	}
}
