// Package signin has the pages of people outside of a tenant: where they sign in, join, prove
// again who they are, and look after their own account. They work without a script.
package signin

import (
	"time"

	"github.com/agentstudio/agentstudio/views/ui"
)

// JoinView is the page of an invitation.
type JoinView struct {
	Site        ui.Site
	Tenant      string // URL segment
	TenantName  string
	Role        string // in words
	Key         string // the secret of the link
	Person      string // who is signed in already, if anybody
	Name, Email string
	Errors      map[string]string // by field; "" for the whole form
}

// ConfirmView is the page on which a person proves again who they are.
type ConfirmView struct {
	Site        ui.Site
	Next        string
	Person      string
	HasPassword bool
	Demo        bool // one of the demo's people
	Provider    string
	Error       string
}

// ProfileView is a person's own page.
type ProfileView struct {
	Site        ui.Site
	Name, Email string
	HasPassword bool
	Places      []Place
	SignIns     []SignIn
	Errors      map[string]string // by field
	Done        string            // what was just done
}

// Place is a tenant that the person belongs to.
type Place struct {
	Name, Role, Href string
}

// SignIn is a browser in which the person is signed in.
type SignIn struct {
	ID, Device, Address string
	Seen                time.Time
	Here                bool
}

// View is the sign-in page.
type View struct {
	Site  ui.Site
	Error string // a sentence when the last attempt failed
	Next  string // path to continue at; empty means the tenant's home
	Email string // as it was typed
	Demo  bool   // whether the demo's people are offered
	// Provider is where people can sign in too; empty for nowhere.
	Provider string
	Tenants  []Tenant
}

// Tenant is one customer of the demo host.
type Tenant struct {
	Name  string
	About string
	Users []User
}

// User is one person to sign in as. ID is what the form sends.
type User struct {
	ID    string
	Name  string
	Role  string // "Admin", "Member"
	About string // what this person can try
}
