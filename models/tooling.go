package models

// ToolkitSettings is how a toolkit is configured for an agent.
type ToolkitSettings struct {
	TenantID string `gorm:"primaryKey"`
	AgentID  string `gorm:"primaryKey"`
	Slug     string `gorm:"primaryKey"`
	// Params is a JSON object in canonical form: the values that are not secret.
	Params  string
	Secrets map[string]SealedSecret `gorm:"serializer:json"` // by the name of the param
	// UserOverridable names the params that each user may set for themselves.
	UserOverridable []string `gorm:"serializer:json"`
	Revision        int      // 1 when first saved, one more with each change; the store counts
	UpdatedAt       Instant  `gorm:"autoUpdateTime:false"`
	UpdatedBy       string
}

// TableName returns agent_tooling.
func (ToolkitSettings) TableName() string { return "agent_tooling" }

// ToolkitOverride is what a user has set for their own calls, instead of what
// the [ToolkitSettings] of the same agent and slug say. It ends with them.
type ToolkitOverride struct {
	TenantID  string                  `gorm:"primaryKey"`
	AgentID   string                  `gorm:"primaryKey"`
	Slug      string                  `gorm:"primaryKey"`
	UserID    string                  `gorm:"primaryKey"`
	Params    string                  // as in ToolkitSettings
	Secrets   map[string]SealedSecret `gorm:"serializer:json"`
	Revision  int                     // as in ToolkitSettings
	UpdatedAt Instant                 `gorm:"autoUpdateTime:false"`
	UpdatedBy string
}

// SealedSecret is a secret value that only the server's key can open.
type SealedSecret struct {
	// ID is a UUIDv7, new whenever the value is: the version of the credential.
	ID string `json:"id"`
	// Box is the value, sealed for the place it is stored in (see studio/vault).
	Box []byte `json:"box"`
}
