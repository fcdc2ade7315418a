// Package chat shows a conversation with an agent and what the agent did, live.
//
// # Live updates
//
// The log is a flat list of items. Every item is one HTML fragment whose root element has an id,
// "ev-" and the item's key, and the id of the element it belongs into as data-target. The page
// renders the items so far; the stream sends the same fragments as they happen. The rule, here
// in Fold and in the browser in app.js, is one: an element with the same id is replaced in
// place, otherwise the fragment is appended to its target. Replaying any part of the stream is
// therefore harmless, and a page loaded afresh equals one that was watched.
//
// The page's list names the stream's address in data-stream. The script opens it with the
// browser's own EventSource, which reconnects by itself and sends Last-Event-ID. Each event has
// an id (the offset in the session's log), a kind, and a fragment as its data:
//
//   - "log": an Item's Fragment. A Waiting that arrives this way opens its card in the dialog.
//   - "state": a StateLine, which replaces the line above the composer.
//   - "card": a CardSignal, which opens the card of an approval.
//
// Without a script the page shows the log as of now, a link to reload it, and every form works.
package chat

import (
	"strconv"
	"time"

	"github.com/a-h/templ"

	"github.com/agentstudio/agentstudio/views/agents"
	"github.com/agentstudio/agentstudio/views/layout"
)

// View is the page of one conversation. Session is empty when none was started or chosen.
type View struct {
	Shell    layout.Shell
	Agent    agents.Agent
	Sessions []Session
	Session  string
	Items    []Item // as Fold returns them
	After    int64  // offset of the last event in Items; the stream continues behind it
	State    State
	Composer Composer
}

// Session is one conversation in the list.
type Session struct {
	ID      string
	Title   string // the first words
	Updated time.Time
	Waiting bool // a call of it waits for a decision
}

// State is the line that says what happens right now, with the way to stop it.
type State struct {
	StopURL string // form action; see StopURL
	Working bool   // a turn runs or is suspended, and can be stopped
	Waiting bool   // it is suspended because a call waits for a person
	Text    string // "Reviewing the proposed call"; empty when nothing happens
}

// Composer is the form in which the person writes.
type Composer struct {
	SendURL string // form action: …/sessions/{id}/messages
	Text    string // kept when the message was refused
	Error   string // why it was refused
	Waiting bool   // a call waits; sending another message cancels it
}

// Item is one line of the log. Items with equal keys are the same line at different times.
type Item interface {
	// Key is unique in the session; it becomes part of the element's id.
	Key() string
	// Fragment is the item's HTML, for the page and for the stream.
	Fragment() templ.Component
}

// Fold turns items in the order of the log into the lines to show: a later item replaces an
// earlier one of the same key in its place, and the pieces of a reply are joined.
func Fold(items []Item) []Item {
	var lines []Item
	at := map[string]int{}
	for _, item := range items {
		if piece, ok := item.(Piece); ok {
			lines = appendPiece(lines, at, piece)
			continue
		}
		if i, ok := at[item.Key()]; ok {
			lines[i] = item
			continue
		}
		at[item.Key()] = len(lines)
		lines = append(lines, item)
	}
	return lines
}

// appendPiece adds a piece to the reply it belongs to. A piece of a reply that is not shown, or
// that is already complete, is dropped, as the browser does.
func appendPiece(lines []Item, at map[string]int, piece Piece) []Item {
	i, ok := at[replyKey(piece.Reply)]
	if !ok {
		return lines
	}
	if reply, ok := lines[i].(Reply); ok && reply.Streaming {
		reply.Text += piece.Text
		lines[i] = reply
	}
	return lines
}

// elementID is the id of an item's root element.
func elementID(i Item) string { return "ev-" + i.Key() }

// logID is the id of the list, and thus the data-target of its items.
const logID = "log"

func (v View) stream() string {
	return v.Shell.Site.URL("sessions", v.Session, "events") + "?after=" + strconv.FormatInt(v.After, 10)
}

func (v View) page() string {
	return v.Shell.Site.URL("agents", v.Agent.ID, "chat", v.Session)
}
