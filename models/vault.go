package models

// DataKey is a key that secrets of one tenant are sealed with, itself sealed by
// a master key.
type DataKey struct {
	TenantID  string  `gorm:"primaryKey"`
	ID        string  `gorm:"primaryKey"` // a UUIDv7
	Number    int     // 1 for the tenant's first, one more with each
	Wrapped   []byte  // the key, which only its master key unwraps (see studio/vault)
	Master    string  // which master key that is
	CreatedAt Instant `gorm:"autoCreateTime:false"`
	RetiredAt Instant // 0 for the current one
}

// TableName returns data_keys.
func (DataKey) TableName() string { return "data_keys" }

// VaultTenant names a tenant that has secrets.
type VaultTenant struct {
	ID string `gorm:"primaryKey"` // as stored
}

// TableName returns vault_tenants.
func (VaultTenant) TableName() string { return "vault_tenants" }

// SealedRow is a record with secrets, as far as they are concerned.
type SealedRow struct {
	TenantID string
	AgentID  string
	Slug     string
	UserID   string // "" in the settings of an agent
	Secrets  string // the column as it is stored: JSON of name to [SealedSecret]
}
