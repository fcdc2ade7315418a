package models

// ApprovalState is where an approval stands.
type ApprovalState string

// The states. From pending: approved, denied, expired, cancelled, stale. From
// approved: consumed, expired, cancelled, stale. All others are final.
const (
	ApprovalPending   ApprovalState = "pending"
	ApprovalApproved  ApprovalState = "approved"
	ApprovalDenied    ApprovalState = "denied"
	ApprovalExpired   ApprovalState = "expired"
	ApprovalCancelled ApprovalState = "cancelled"
	ApprovalStale     ApprovalState = "stale"
	ApprovalConsumed  ApprovalState = "consumed"
)

// Outcome is what became of a burned call.
type Outcome string

// The outcomes.
const (
	OutcomeSucceeded Outcome = "succeeded"
	OutcomeFailed    Outcome = "failed"
	OutcomeUnknown   Outcome = "outcome_unknown"
)

// Approval is a person's decision on one stored call. Binding covers every
// field above it; Seal is its MAC, so that a row changed by hand is worthless.
type Approval struct {
	TenantID string `gorm:"primaryKey"`
	ID       string `gorm:"primaryKey"`

	Caller         string
	AgentID        string // "" when no agent asked
	AgentVersion   int
	SessionID      string
	TurnID         string
	CallID         string
	Slug           string
	Method         string
	ToolkitVersion string
	SchemaHash     []byte
	Fingerprint    []byte
	Filled         []byte // canonical bytes of the server-filled values
	Arguments      []byte // canonical bytes: shown, hashed and run
	ArgumentsHash  []byte
	Deciders       string // who may decide
	IssuedAt       Instant
	ExpiresAt      Instant
	Nonce          string

	Binding []byte
	Seal    []byte

	State ApprovalState
	Why   ApprovalWhy `gorm:"serializer:json"` // shown on the card, and bound

	TokenHash       []byte
	RedeemExpiresAt Instant
	DecidedBy       string
	DecidedAt       Instant
	DecisionSession string
	DecisionAuth    Instant // when the decider had signed in
	Reason          string  // the decider's words, or why it became stale
	DecisionSeal    []byte

	Outcome    Outcome
	Result     []byte // the envelope of the run, for the card
	ConsumedAt Instant
	SettledAt  Instant
}

// ApprovalWhy is what led to a call, in words for the card.
type ApprovalWhy struct {
	Words     string   `json:"words"`     // what the person wrote
	Rules     []string `json:"rules"`     // titles of the rules in force
	Reasoning string   `json:"reasoning"` // of the step that proposed the call
	Verdict   string   `json:"verdict"`   // what the review said
}

// IntentState is how far a burned call has come.
type IntentState string

// The states of an intent. Once started, a call is never started again.
const (
	IntentBurned  IntentState = "burned"
	IntentStarted IntentState = "started"
	IntentSettled IntentState = "settled"
)

// Intent is the promise to run one burned approval, written with the burn.
// There is at most one for each approval.
type Intent struct {
	TenantID   string `gorm:"primaryKey"`
	ID         string `gorm:"primaryKey"`
	ApprovalID string
	State      IntentState
	BurnedAt   Instant
	StartedAt  Instant
	SettledAt  Instant
}

// ApprovalFilter says which approvals of a tenant to list. Zero fields do not
// restrict.
type ApprovalFilter struct {
	States []ApprovalState // any of these
	Caller string
	TurnID string
	Limit  int // at most this many
}
