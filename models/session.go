package models

import (
	"encoding/json"
	"errors"
)

// ChatSession is one conversation with an agent.
type ChatSession struct {
	TenantID   string `gorm:"primaryKey"`
	ID         string `gorm:"primaryKey"`
	AgentID    string
	Owner      string
	Title      string
	NextOffset int64   // offset of the next event
	CreatedAt  Instant `gorm:"autoCreateTime:false"`
	UpdatedAt  Instant `gorm:"autoUpdateTime:false"`
}

// EventKind says what an event of the session log tells.
type EventKind string

// The kinds of event.
const (
	EventMessage  EventKind = "message"  // somebody said something
	EventRules    EventKind = "rules"    // rules were matched and tools chosen
	EventCall     EventKind = "call"     // a call was proposed or changed state
	EventReview   EventKind = "review"   // a verdict on a step's calls
	EventApproval EventKind = "approval" // an approval was asked for or settled
	EventStatus   EventKind = "status"   // the turn changed state
)

// EventSource says who made an event.
type EventSource string

// The sources.
const (
	SourceCustomer EventSource = "customer"
	SourceAgent    EventSource = "ai_agent"
	SourceSystem   EventSource = "system"
)

// Event is one entry of a session's append-only log. Offsets grow by one.
type Event struct {
	TenantID  string `gorm:"primaryKey"`
	SessionID string `gorm:"primaryKey"`
	Offset    int64  `gorm:"primaryKey;column:log_offset;autoIncrement:false"`
	TurnID    string
	Kind      EventKind
	Source    EventSource
	Data      json.RawMessage `gorm:"type:text"`
	CreatedAt Instant         `gorm:"autoCreateTime:false"`
}

// TurnState is where a turn stands.
type TurnState string

// The states of a turn. The last three are final.
const (
	TurnQueued    TurnState = "queued"
	TurnRunning   TurnState = "running"
	TurnWaiting   TurnState = "waiting" // for a person
	TurnDone      TurnState = "done"
	TurnFailed    TurnState = "failed"
	TurnCancelled TurnState = "cancelled"
)

// Ended reports whether the state is final.
func (s TurnState) Ended() bool {
	return s == TurnDone || s == TurnFailed || s == TurnCancelled
}

// Turn is an answer to new input, and everything it needs to go on in another
// process: nothing of a waiting turn lives in memory.
type Turn struct {
	TenantID     string `gorm:"primaryKey"`
	ID           string `gorm:"primaryKey"`
	SessionID    string
	AgentID      string
	AgentVersion int
	Caller       string
	State        TurnState
	Memory       TurnMemory `gorm:"serializer:json"`
	Epoch        int64      // grows with each lease
	LeaseUntil   Instant
	CreatedAt    Instant `gorm:"autoCreateTime:false"`
	EndedAt      Instant
}

// TurnMemory is the working state of a turn between two steps.
type TurnMemory struct {
	Input      string   `json:"input"`      // what the person said
	Step       int      `json:"step"`       // the step being worked on, from 1
	Restarts   int      `json:"restarts"`   // rejected steps so far
	Correction string   `json:"correction"` // adjusted reasoning after a rejection
	Todo       string   `json:"todo"`
	Rules      []string `json:"rules"` // ids of matched rules, in order of matching
	Tools      []string `json:"tools"` // names offered
	GivingUp   string   `json:"giving_up"`
	Reply      string   `json:"reply"`    // what the agent said at the end
	Failures   int      `json:"failures"` // executions that an error ended
}

// CallState is where a proposed tool call stands.
type CallState string

// The states of a call. Settled calls have a result for the model.
const (
	CallProposed CallState = "proposed"
	CallWaiting  CallState = "waiting" // for a person
	CallSettled  CallState = "settled"
)

// Call is one tool call of a step.
type Call struct {
	TenantID   string `gorm:"primaryKey"`
	ID         string `gorm:"primaryKey"`
	TurnID     string
	SessionID  string
	Step       int
	Position   int    // order within the step
	ModelID    string // the id the model gave
	Name       string // the name the model used
	Raw        []byte // the arguments as the model wrote them
	Arguments  []byte // canonical bytes, nil when refused before stage 5 ended
	Reasoning  string // the step's reasoning, on its first call
	State      CallState
	ApprovalID string
	Result     []byte  // the envelope the model sees, once settled
	CreatedAt  Instant `gorm:"autoCreateTime:false"`
	SettledAt  Instant
}

// ErrLeaseLost says that a turn was taken over or ended by somebody else; what
// this execution still wanted to write does not count.
var ErrLeaseLost = errors.New("the turn's lease is lost")
