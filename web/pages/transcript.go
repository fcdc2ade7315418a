package pages

import (
	"context"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/session"
	"github.com/agentstudio/agentstudio/views/chat"
	"github.com/agentstudio/agentstudio/views/ui"
)

// transcript turns the events of a conversation's log, in their order, into the
// lines that people see, and knows how the conversation stands after them. A
// page and a stream use the same one, so that both show the same.
type transcript struct {
	site     ui.Site
	registry *hosttools.Registry
	people   func(ctx context.Context, ids []string) (func(id string) string, error)
	logger   *slog.Logger

	tools   map[string]string // names of the calls so far, by call
	pending []waitingCall     // oldest first
	state   models.TurnState
	doing   string // what happens now, in words
}

// waitingCall is an approval that nobody has decided yet.
type waitingCall struct {
	approval string
	offset   int64 // of the event that asked
}

// add takes up events and returns their lines.
func (t *transcript) add(ctx context.Context, events []models.Event) ([]chat.Item, error) {
	payloads := make([]session.Payload, len(events))
	var ids []string
	for i, e := range events {
		payload, err := session.Decode(e)
		if err != nil {
			t.logger.ErrorContext(ctx, "an event of a conversation cannot be read", "session", e.SessionID, "error", err)
			continue
		}
		payloads[i] = payload
		if decided, ok := payload.(session.Approval); ok {
			ids = append(ids, decided.By)
		}
	}
	names, err := t.people(ctx, ids)
	if err != nil {
		return nil, err
	}
	var items []chat.Item
	for i, e := range events {
		items = append(items, t.one(e, payloads[i], names)...)
	}
	return items, nil
}

// one returns the lines of one event; an unreadable one has none.
func (t *transcript) one(e models.Event, payload session.Payload, names func(string) string) []chat.Item {
	id := strconv.FormatInt(e.Offset, 10)
	switch p := payload.(type) {
	case session.Message:
		return []chat.Item{message(id, e, p)}
	case session.Rules:
		t.doing = "Choosing the next step"
		return matched(id, p)
	case session.Review:
		return t.review(id, p)
	case session.Call:
		return t.call(p)
	case session.Approval:
		return t.approval(e, p, names)
	case session.Status:
		return t.status(id, p)
	}
	return nil
}

func message(id string, e models.Event, p session.Message) chat.Item {
	if e.Source == models.SourceCustomer {
		return chat.Person{ID: id, Who: p.From, Text: p.Text, At: e.CreatedAt.Time()}
	}
	return chat.Reply{ID: id, Agent: p.From, Text: p.Text, At: e.CreatedAt.Time()}
}

func matched(id string, p session.Rules) []chat.Item {
	var names []string
	for _, rule := range p.Matched {
		names = append(names, rule.Title)
	}
	return []chat.Item{
		chat.RulesMatched{ID: id, Names: names, Of: p.Considered, Took: milliseconds(p.Took)},
		chat.ToolsOffered{ID: id, Names: p.Tools},
	}
}

// review returns a verdict. The calls of a rejected step are told by nothing
// else, so they are shown here, as withdrawn.
func (t *transcript) review(id string, p session.Review) []chat.Item {
	verdict := chat.Verdict{
		ID: id, Passed: p.Passed, By: p.Reviewer, Breaches: p.Breaches, Struck: p.Rejected, Corrected: p.Correction, Todo: p.Todo,
		Took: milliseconds(p.Took),
	}
	if p.Passed {
		t.doing = "Going on after the review"
		return []chat.Item{verdict}
	}
	t.doing = "Starting the step again after the review"
	var items []chat.Item
	for i, words := range p.Calls {
		name, args, _ := strings.Cut(words, " ")
		items = append(items, chat.Proposed{
			Call: id + "-" + strconv.Itoa(i), Tool: name, Line: line([]byte(args)), Write: t.writes(name), Withdrawn: true,
		})
	}
	return append(items, verdict)
}

func (t *transcript) writes(name string) bool {
	d, ok := t.registry.Lookup(name)
	return ok && d.Access != hosttools.AccessRead
}

// call returns a call as it is proposed, as it runs, or as it ended. One that
// is settled from its first event on was refused before anything ran.
func (t *transcript) call(p session.Call) []chat.Item {
	_, known := t.tools[p.ID]
	t.tools[p.ID] = p.Name
	proposed := chat.Proposed{Call: p.ID, Tool: p.Name, Line: line([]byte(p.Arguments)), Write: p.Write}
	switch {
	case p.State == models.CallWaiting:
		t.doing = "Asking for a decision"
		return []chat.Item{proposed}
	case p.State != models.CallSettled:
		t.doing = "Running " + p.Name
		return []chat.Item{proposed}
	case !known:
		return []chat.Item{proposed, ending(p, false)}
	}
	t.doing = "Reading what " + p.Name + " answered"
	return []chat.Item{ending(p, true)}
}

// approval returns a call that waits for a person, or what became of that. A
// call that is approved runs at once.
func (t *transcript) approval(e models.Event, p session.Approval, names func(string) string) []chat.Item {
	tool := t.tools[p.CallID]
	if p.State == models.ApprovalPending {
		t.pending = append(t.pending, waitingCall{approval: p.ID, offset: e.Offset})
		return []chat.Item{chat.Waiting{Site: t.site, Approval: p.ID, Tool: tool, Verb: p.Verb, Expires: p.ExpiresAt.Time()}}
	}
	t.pending = slices.DeleteFunc(t.pending, func(w waitingCall) bool { return w.approval == p.ID })
	if t.state == models.TurnWaiting && len(t.pending) == 0 {
		t.state = models.TurnRunning
	}
	if p.Outcome != "" {
		return nil // its decision is shown, and its call tells how it ended
	}
	decided := chat.Decided{
		Site: t.site, Approval: p.ID, Tool: tool, Outcome: decisionMark(p.State), By: names(p.By),
		At: e.CreatedAt.Time(), Reason: p.Reason,
	}
	if p.State != models.ApprovalConsumed {
		t.doing = "Going on without " + tool
		return []chat.Item{decided}
	}
	t.doing = "Running " + tool
	return []chat.Item{decided, chat.Running{Call: p.CallID, Tool: tool}}
}

func decisionMark(state models.ApprovalState) ui.Mark {
	switch state {
	case models.ApprovalApproved, models.ApprovalConsumed:
		return ui.Mark{Text: "Approved", Tone: ui.OK}
	case models.ApprovalDenied:
		return ui.Mark{Text: "Denied", Tone: ui.Danger}
	case models.ApprovalExpired:
		return ui.Mark{Text: "Expired"}
	case models.ApprovalCancelled:
		return ui.Mark{Text: "Cancelled"}
	default:
		return ui.Mark{Text: "Out of date", Tone: ui.Warn}
	}
}

// status takes up a new state of the turn. An end without a reply is a line of
// its own.
func (t *transcript) status(id string, p session.Status) []chat.Item {
	t.state, t.doing = p.State, ""
	switch p.State {
	case models.TurnQueued:
		t.doing = "Starting"
	case models.TurnRunning:
		t.doing = "Thinking"
	case models.TurnFailed, models.TurnCancelled:
		return []chat.Item{chat.Ended{ID: id, Failed: p.State == models.TurnFailed, Text: p.Message}}
	}
	return nil
}

// stateLine returns the line above the composer.
func (t *transcript) stateLine(stopURL string) chat.State {
	state := chat.State{StopURL: stopURL}
	if t.state == "" || t.state.Ended() {
		return state
	}
	state.Working, state.Text = true, t.doing
	if t.state == models.TurnWaiting {
		state.Waiting, state.Text = true, counted(len(t.pending), "call")+" waiting for a decision"
	}
	return state
}

func milliseconds(n int64) time.Duration { return time.Duration(n) * time.Millisecond }
