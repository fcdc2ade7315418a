package models

// Tenant is one customer of the standalone server. Hosts that bring their own
// resolver keep their tenants themselves.
type Tenant struct {
	ID        string `gorm:"primaryKey"` // ^[a-z0-9][a-z0-9_-]{0,62}$
	Name      string
	CreatedAt Instant `gorm:"autoCreateTime:false"`
}

// User is a person who can sign in to the standalone server.
type User struct {
	ID        string `gorm:"primaryKey"`
	Email     string
	Name      string
	CreatedAt Instant `gorm:"autoCreateTime:false"`
}

// Role is what a member may do in a tenant. A role includes the ones below it.
type Role string

// The roles.
const (
	RoleAdmin  Role = "admin"
	RoleAuthor Role = "author"
	RoleMember Role = "member"
)

// Membership says that a user belongs to a tenant, with a role and groups.
type Membership struct {
	TenantID  string `gorm:"primaryKey"`
	UserID    string `gorm:"primaryKey"`
	Role      Role
	Groups    []string `gorm:"serializer:json"`
	CreatedAt Instant  `gorm:"autoCreateTime:false"`
}

// LoginSession is a browser's live sign-in. A cookie is worth nothing without
// its row, so that signing out works at once and everywhere.
type LoginSession struct {
	ID        string `gorm:"primaryKey"`
	UserID    string
	AuthTime  Instant // when the person proved who they are
	ExpiresAt Instant
	RevokedAt Instant
}
