// Package signin is the page of the demo where a person picks who to be. It lists tenants with
// their users; each user is one button, so the page works without a script.
package signin

import "github.com/agentstudio/agentstudio/views/ui"

// View is the sign-in page.
type View struct {
	Site    ui.Site
	Error   string // a sentence when the last attempt failed
	Next    string // path to continue at; empty means the tenant's home
	Tenants []Tenant
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
