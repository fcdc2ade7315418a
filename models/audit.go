package models

// AuditAction is what an audit entry tells.
type AuditAction string

// The actions. Reads are counted and traced, not audited.
const (
	AuditRequested AuditAction = "approval_requested"
	AuditApproved  AuditAction = "approved"
	AuditDenied    AuditAction = "denied"
	AuditExpired   AuditAction = "expired"
	AuditCancelled AuditAction = "cancelled"
	AuditStale     AuditAction = "stale"
	AuditRan       AuditAction = "ran"
	AuditRefused   AuditAction = "write_refused"
)

// AuditEntry is one line of a tenant's audit. Entries are only ever added, in
// the transaction of what they tell.
type AuditEntry struct {
	TenantID      string `gorm:"primaryKey"`
	ID            string `gorm:"primaryKey"`
	At            Instant
	Action        AuditAction
	Actor         string // who did this
	Requester     string // for whom the call was asked
	AgentID       string
	AgentVersion  int
	ApprovalID    string
	Slug          string
	Method        string
	ArgumentsHash []byte
	Outcome       string
	Reason        string
	Via           string
}

// AuditFilter says which audit entries of a tenant to list. Zero fields do not
// restrict.
type AuditFilter struct {
	Action     AuditAction
	ApprovalID string
	Before     string // only entries older than the one with this id
	Limit      int    // at most this many
}
