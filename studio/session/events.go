package session

import (
	"encoding/json"
	"fmt"

	"github.com/agentstudio/agentstudio/models"
)

// Payload is what an event of one kind tells. Each kind has one type.
type Payload interface{ Kind() models.EventKind }

// Message is something that the person or the agent said.
type Message struct {
	Text string `json:"text"`
	From string `json:"from"` // the person's name, or the agent's title
}

// Rules tells which rules a turn follows and which tools they bring.
type Rules struct {
	Considered int       `json:"considered"`
	Matched    []Matched `json:"matched"`
	Tools      []string  `json:"tools"`
	Took       int64     `json:"took_ms"`
}

// Matched is a rule in force, and why.
type Matched struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Why   string `json:"why"`
}

// Call tells of a proposed call, and later of its new state. The newest event
// of a call is what holds.
type Call struct {
	ID            string           `json:"id"`
	Step          int              `json:"step"`
	Name          string           `json:"name"`
	Slug          string           `json:"slug"`
	Method        string           `json:"method"`
	Write         bool             `json:"write"`
	Consequential bool             `json:"consequential"`
	Arguments     string           `json:"arguments"` // canonical, or as the model wrote them
	State         models.CallState `json:"state"`
	ApprovalID    string           `json:"approval_id,omitempty"`
	Result        json.RawMessage  `json:"result,omitempty"` // the envelope
	Took          int64            `json:"took_ms,omitempty"`
}

// Review tells a verdict on a step's calls.
type Review struct {
	Step       int      `json:"step"`
	Attempt    int      `json:"attempt"` // from 1
	Passed     bool     `json:"passed"`
	Reviewer   string   `json:"reviewer"`
	Calls      []string `json:"calls"` // what was proposed, in words
	Breaches   []string `json:"breaches,omitempty"`
	Rejected   string   `json:"rejected,omitempty"` // the reasoning that was rejected
	Correction string   `json:"correction,omitempty"`
	Todo       string   `json:"todo,omitempty"`
	Took       int64    `json:"took_ms"`
}

// Approval tells that a call waits for a person, or what became of that.
type Approval struct {
	ID        string               `json:"id"`
	CallID    string               `json:"call_id"`
	State     models.ApprovalState `json:"state"`
	By        string               `json:"by,omitempty"`
	Reason    string               `json:"reason,omitempty"`
	Outcome   models.Outcome       `json:"outcome,omitempty"`
	ExpiresAt models.Instant       `json:"expires_at,omitempty"`
	Verb      string               `json:"verb,omitempty"`
}

// Status tells that a turn changed state.
type Status struct {
	State   models.TurnState `json:"state"`
	Message string           `json:"message,omitempty"`
	Version int              `json:"version,omitempty"` // of the agent
}

// Kind returns the kind of event.
func (Message) Kind() models.EventKind { return models.EventMessage }

// Kind returns the kind of event.
func (Rules) Kind() models.EventKind { return models.EventRules }

// Kind returns the kind of event.
func (Call) Kind() models.EventKind { return models.EventCall }

// Kind returns the kind of event.
func (Review) Kind() models.EventKind { return models.EventReview }

// Kind returns the kind of event.
func (Approval) Kind() models.EventKind { return models.EventApproval }

// Kind returns the kind of event.
func (Status) Kind() models.EventKind { return models.EventStatus }

// Decode reads the payload of a stored event.
func Decode(e models.Event) (Payload, error) {
	switch e.Kind {
	case models.EventMessage:
		return decode[Message](e)
	case models.EventRules:
		return decode[Rules](e)
	case models.EventCall:
		return decode[Call](e)
	case models.EventReview:
		return decode[Review](e)
	case models.EventApproval:
		return decode[Approval](e)
	case models.EventStatus:
		return decode[Status](e)
	default:
		return nil, fmt.Errorf("event %d of session %s: unknown kind %q", e.Offset, e.SessionID, e.Kind)
	}
}

func decode[P Payload](e models.Event) (Payload, error) {
	var payload P
	if err := json.Unmarshal(e.Data, &payload); err != nil {
		return nil, fmt.Errorf("event %d of session %s: %w", e.Offset, e.SessionID, err)
	}
	return payload, nil
}
