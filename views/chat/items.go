package chat

import (
	"strconv"
	"time"

	"github.com/a-h/templ"

	"github.com/agentstudio/agentstudio/views/ui"
)

// Person is a message of the person.
type Person struct {
	ID   string
	Who  string
	Text string
	At   time.Time
}

// Reply is a message of the agent; while Streaming, pieces follow.
type Reply struct {
	ID        string
	Agent     string
	Text      string
	At        time.Time
	Streaming bool
}

// Piece is a part of a streaming reply. Number is unique within the reply.
type Piece struct {
	Reply  string // the Reply's ID
	Number int64
	Text   string
}

// RulesMatched says which rules apply to the turn.
type RulesMatched struct {
	ID    string
	Names []string
	Of    int // how many rules the agent has
	Took  time.Duration
}

// ToolsOffered says which tools the rules brought.
type ToolsOffered struct {
	ID    string
	Names []string
}

// Proposed is a call the agent wants to make.
type Proposed struct {
	Call      string // the call's id
	Tool      string // "fs_cancel_order"
	Line      string // arguments in one line
	Write     bool
	Withdrawn bool // a review rejected the step; the call did not run
}

// Verdict is what the review said about a step.
type Verdict struct {
	ID        string
	Passed    bool
	By        string   // "Offline checks", or the model's name
	Breaches  []string // what was wrong, one sentence each
	Struck    string   // the reasoning that was rejected
	Corrected string   // the reasoning that replaces it
	Todo      string   // what is left to do
	Took      time.Duration
}

// Waiting is an approval that waits for a person.
type Waiting struct {
	Site     ui.Site
	Approval string // the approval's id
	Tool     string
	Verb     string
	Expires  time.Time
}

// Decided is an approval that no longer waits. It takes the place of its Waiting.
type Decided struct {
	Site     ui.Site
	Approval string
	Tool     string
	Outcome  ui.Mark // "Approved", "Denied", "Expired", "Cancelled", "Out of date"
	By       string  // empty when nobody decided
	At       time.Time
	Reason   string
}

// Running is a call that has started.
type Running struct {
	Call string
	Tool string
}

// Result is the end of a call that ran. It takes the place of its Running.
type Result struct {
	Call    string
	Tool    string
	Mark    ui.Mark // OK, Danger for a failure, Warn for an unknown outcome
	Line    string  // the result in one line
	JSON    string  // the whole result, indented; empty when there is none
	Took    time.Duration
	Trimmed bool // the result was larger than what is kept
}

// Refused is a call that was stopped before it ran.
type Refused struct {
	Call   string
	Tool   string
	Reason string // a sentence
	Code   string // "confirmation_required"
}

// Ended is a turn that ended without a reply.
type Ended struct {
	ID        string
	Failed    bool // false when a person stopped it
	Text      string
	Code      string
	RequestID string
}

// Key identifies the message.
func (i Person) Key() string { return "message-" + i.ID }

// Key identifies the reply.
func (i Reply) Key() string { return replyKey(i.ID) }

// Key identifies the piece.
func (i Piece) Key() string { return "piece-" + i.Reply + "-" + strconv.FormatInt(i.Number, 10) }

// Key identifies the step.
func (i RulesMatched) Key() string { return "rules-" + i.ID }

// Key identifies the step.
func (i ToolsOffered) Key() string { return "tools-" + i.ID }

// Key identifies the proposed call.
func (i Proposed) Key() string { return "call-" + i.Call }

// Key identifies the verdict.
func (i Verdict) Key() string { return "verdict-" + i.ID }

// Key identifies the approval; Waiting and Decided share it.
func (i Waiting) Key() string { return "approval-" + i.Approval }

// Key identifies the approval; Waiting and Decided share it.
func (i Decided) Key() string { return "approval-" + i.Approval }

// Key identifies the run of a call; Running, Result and Refused share it.
func (i Running) Key() string { return "run-" + i.Call }

// Key identifies the run of a call; Running, Result and Refused share it.
func (i Result) Key() string { return "run-" + i.Call }

// Key identifies the run of a call; Running, Result and Refused share it.
func (i Refused) Key() string { return "run-" + i.Call }

// Key identifies the end of the turn.
func (i Ended) Key() string { return "end-" + i.ID }

// Fragment is the message.
func (i Person) Fragment() templ.Component { return person(i) }

// Fragment is the reply.
func (i Reply) Fragment() templ.Component { return reply(i) }

// Fragment is the piece, which belongs into its reply.
func (i Piece) Fragment() templ.Component { return piece(i) }

// Fragment is the step.
func (i RulesMatched) Fragment() templ.Component { return rulesMatched(i) }

// Fragment is the step.
func (i ToolsOffered) Fragment() templ.Component { return toolsOffered(i) }

// Fragment is the proposed call.
func (i Proposed) Fragment() templ.Component { return proposed(i) }

// Fragment is the verdict.
func (i Verdict) Fragment() templ.Component { return verdict(i) }

// Fragment is the waiting approval, with the way to its card.
func (i Waiting) Fragment() templ.Component { return waiting(i) }

// Fragment is the decision.
func (i Decided) Fragment() templ.Component { return decided(i) }

// Fragment is the call while it runs.
func (i Running) Fragment() templ.Component { return running(i) }

// Fragment is the result.
func (i Result) Fragment() templ.Component { return result(i) }

// Fragment is the refusal.
func (i Refused) Fragment() templ.Component { return refused(i) }

// Fragment is the end of the turn.
func (i Ended) Fragment() templ.Component { return ended(i) }

func replyKey(id string) string { return "reply-" + id }

// bodyID is the id of the element that a reply's pieces are appended to.
func bodyID(reply string) string { return "ev-" + replyKey(reply) + "-text" }

// took shows a duration as people read it; the zero duration shows nothing.
func took(d time.Duration) string {
	switch {
	case d <= 0:
		return ""
	case d < time.Second:
		return strconv.FormatInt(max(d.Milliseconds(), 1), 10) + " ms"
	default:
		return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + " s"
	}
}

// resultClass shapes the mark of a result by its tone.
func resultClass(tone ui.Tone) string {
	switch tone {
	case ui.OK:
		return "done"
	case ui.Danger:
		return "failed"
	default:
		return "unsure"
	}
}
