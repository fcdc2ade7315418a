// Package people has the pages on which a tenant's admins look after its members, invitations and
// groups, and everybody after their API tokens.
package people

import (
	"time"

	"github.com/agentstudio/agentstudio/views/layout"
	"github.com/agentstudio/agentstudio/views/ui"
)

// MembersView is the page of members, invitations and groups.
type MembersView struct {
	Shell       layout.Shell
	Members     []Member
	Invitations []Invitation
	Groups      []Group
	Roles       []ui.Option
	Link        string            // of the invitation that was just made; it is shown once
	Invite      Invite            // as it was typed
	Errors      map[string]string // by form and field, such as "invite.email"
}

// Member is one member of the tenant.
type Member struct {
	ID, Name, Email string
	Is              string // role and groups, in words
	Roles           []ui.Option
	Groups          []ui.Option
	Self            bool
}

// Invitation is one that can still be accepted.
type Invitation struct {
	ID, Role, For, By string
	Expires           time.Time
}

// Invite is the form of an invitation.
type Invite struct {
	Email, Role string
	Groups      []ui.Option
}

// Group is a group of members.
type Group struct {
	Name, About string
	Count       int // of members
}

// TokensView is the page of API tokens.
type TokensView struct {
	Shell       layout.Shell
	Tokens      []Token
	Accounts    []Account
	For         []ui.Option // for whom a token can be made: oneself, and service accounts
	Permissions []Permission
	Days        string
	Name        string
	Secret      string // of the token that was just made; it is shown once
	Admin       bool
	Errors      map[string]string
}

// Token is one API token.
type Token struct {
	ID, Name, For, For2, State string
	Live                       bool
	Expires, Used              time.Time
}

// Permission is something that a token can be for.
type Permission struct {
	Value, Label, Help string
	Selected           bool
}

// Account is a service account.
type Account struct{ ID, Name, Role string }
