package models

// Tenant is one customer of the standalone server. Hosts that bring their own
// resolver keep their tenants themselves.
type Tenant struct {
	ID        string `gorm:"primaryKey"` // ^[a-z0-9][a-z0-9_-]{0,62}$
	Name      string
	CreatedAt Instant `gorm:"autoCreateTime:false"`
}

// UserKind says what a user is.
type UserKind string

// The kinds of users.
const (
	// UserPerson can sign in.
	UserPerson UserKind = "person"
	// UserService is a program's account in one tenant: it has API tokens and
	// can never sign in.
	UserService UserKind = "service"
)

// User is a person who can sign in to the standalone server, or a service
// account.
type User struct {
	ID        string `gorm:"primaryKey"`
	Kind      UserKind
	Email     string // lower case; of a service account, what is no address
	Name      string
	CreatedAt Instant `gorm:"autoCreateTime:false"`
}

// Password is how a person proves who they are. Who has none signs in another
// way.
type Password struct {
	UserID    string `gorm:"primaryKey"`
	Hash      string // PHC string
	ChangedAt Instant
}

// UserIdentity links a user to their account at an identity provider.
type UserIdentity struct {
	Issuer    string `gorm:"primaryKey"`
	Subject   string `gorm:"primaryKey"`
	UserID    string
	CreatedAt Instant `gorm:"autoCreateTime:false"`
}

// LoginAttempts counts the attempts to prove who one is that were not
// successful, of one account or one network address.
type LoginAttempts struct {
	ID          string `gorm:"primaryKey"` // digest of the account or the address
	Failed      int64
	Since       Instant
	LockedUntil Instant
}

// AttemptRule is how attempts are counted: the one that reaches Limit locks
// its account or address until LockUntil, and a count that began at or before
// Since begins anew.
type AttemptRule struct {
	Limit                 int64
	Now, Since, LockUntil Instant
}

// Invitation lets whoever has its link join a tenant, once.
type Invitation struct {
	TenantID   string `gorm:"primaryKey"`
	ID         string `gorm:"primaryKey"`
	TokenHash  []byte // SHA-256 of the secret in the link
	Role       Role
	Groups     []string `gorm:"serializer:json"`
	Email      string   // "" for whoever has the link
	InvitedBy  string
	CreatedAt  Instant `gorm:"autoCreateTime:false"`
	ExpiresAt  Instant
	AcceptedAt Instant
	AcceptedBy string
	RevokedAt  Instant
}

// APIToken is what the server keeps of an API token: never its text, whose jti
// is the id. A token is worth nothing without its row.
type APIToken struct {
	TenantID string `gorm:"primaryKey"`
	ID       string `gorm:"primaryKey"`
	UserID   string
	Name     string
	// Permissions are the only actions it is for; nil for all that its user's
	// role allows.
	Permissions []string `gorm:"serializer:json"`
	CreatedBy   string
	CreatedAt   Instant `gorm:"autoCreateTime:false"`
	ExpiresAt   Instant
	LastUsedAt  Instant // to the minute
	RevokedAt   Instant
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
	Source    string   // issuer whose groups it follows; "" where people decide
}

// Group is a group of a tenant's members. Its name is what records are shared
// with and stays as it is.
type Group struct {
	TenantID  string  `gorm:"primaryKey"`
	Name      string  `gorm:"primaryKey"`
	About     string  // for people
	CreatedAt Instant `gorm:"autoCreateTime:false"`
}

// TableName is not "groups", which is a word of SQL.
func (Group) TableName() string { return "member_groups" }

// TokenMember is an API token with the user it is for and what they are in its
// tenant.
type TokenMember struct {
	Token      APIToken
	User       User
	Membership Membership
}

// LoginSession is a browser's live sign-in. A cookie is worth nothing without
// its row, so that signing out works at once and everywhere.
type LoginSession struct {
	ID         string `gorm:"primaryKey"`
	UserID     string
	AuthTime   Instant // when the person proved who they are; 0 when that is not known
	CreatedAt  Instant `gorm:"autoCreateTime:false"`
	LastSeenAt Instant // to the minute
	ExpiresAt  Instant
	RevokedAt  Instant
	Device     string // for people, such as "Firefox on Linux"
	Address    string // network address at sign-in
}
