package models

// Visibility says who besides the owner and the admins sees a record.
type Visibility string

// The visibilities. Sharing means see and test, never edit.
const (
	VisibilityPrivate Visibility = "private"
	VisibilityTenant  Visibility = "tenant"
	VisibilityGroups  Visibility = "groups"
)

// Agent is the identity of an agent. What it does is in its versions.
type Agent struct {
	TenantID      string `gorm:"primaryKey"`
	ID            string `gorm:"primaryKey"`
	Name          string // ^[a-z0-9_-]{1,64}$, unique in the tenant
	Owner         string // a scope's user
	Visibility    Visibility
	AllowedGroups []string `gorm:"serializer:json"`
	Version       int      // the newest version, which is the live one
	CreatedAt     Instant  `gorm:"autoCreateTime:false"`
	UpdatedAt     Instant  `gorm:"autoUpdateTime:false"`
	// DeletedAt is when the agent was deleted, 0 while it is there. Its row stays
	// for what was said and done with it; its name is free again.
	DeletedAt Instant
}

// AgentVersion is one saved state of an agent. It never changes; a turn names
// the version it ran on.
type AgentVersion struct {
	TenantID   string     `gorm:"primaryKey"`
	AgentID    string     `gorm:"primaryKey"`
	Number     int        `gorm:"primaryKey"`
	Definition Definition `gorm:"serializer:json"`
	Author     string
	Note       string  // what changed, in a few words
	CreatedAt  Instant `gorm:"autoCreateTime:false"`
}

// Definition is what an agent is told and given.
type Definition struct {
	Title        string   `json:"title"`
	Description  string   `json:"description"`
	Instructions string   `json:"instructions"`
	Model        string   `json:"model"`
	Effort       Effort   `json:"effort"`
	ToolReview   bool     `json:"tool_review"` // review every proposed call set
	Toolkits     []string `json:"toolkits"`    // assigned slugs
	Rules        []Rule   `json:"rules"`
}

// Effort decides how much model work a turn gets.
type Effort string

// The efforts, from least to most.
const (
	EffortMin    Effort = "MIN"
	EffortLow    Effort = "LOW"
	EffortMedium Effort = "MEDIUM"
	EffortHigh   Effort = "HIGH"
	EffortMax    Effort = "MAX"
)

// Efforts lists the efforts in rising order.
func Efforts() []Effort {
	return []Effort{EffortMin, EffortLow, EffortMedium, EffortHigh, EffortMax}
}

// RuleKind tells policies from observations.
type RuleKind string

// The kinds of rule.
const (
	RulePolicy      RuleKind = "policy"      // says what to do
	RuleObservation RuleKind = "observation" // names a situation
)

// Weight says how much a rule matters.
type Weight string

// The weights.
const (
	WeightLow    Weight = "LOW"
	WeightMedium Weight = "MEDIUM"
	WeightHigh   Weight = "HIGH"
)

// Rule is a policy or an observation of an agent version. Its inclusion in a
// turn is the only thing that brings tools.
type Rule struct {
	ID                string   `json:"id"`
	Kind              RuleKind `json:"kind"`
	Title             string   `json:"title"`
	Content           string   `json:"content,omitempty"`
	Condition         string   `json:"condition,omitempty"`
	Always            bool     `json:"always,omitempty"`
	Tools             []string `json:"tools,omitempty"` // names the model sees
	Weight            Weight   `json:"weight"`
	TriggerToolReview bool     `json:"trigger_tool_review,omitempty"`
	// Toolkit is the slug whose assignment made this rule, or "".
	Toolkit string `json:"toolkit,omitempty"`
}
