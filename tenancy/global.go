package tenancy

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/agentstudio/agentstudio/models"
)

// Identity is who calls a host that installed no resolver.
type Identity struct {
	User string // stable id of the caller, as records store it
	Name string // for people; empty: the id
	// Session names the host's own live browser session. Empty: a program, which
	// decides on no call.
	Session string
	// AuthTime is when the person proved who they are.
	AuthTime time.Time
	// Superuser manages what everybody else made. It lasts for the request: work
	// without one, and decisions on the calls of others, are not theirs.
	Superuser bool
}

// Identify says who sent a request. An error is a refusal, never a default.
type Identify func(r *http.Request) (Identity, error)

// Unbound returns the resolver of a host that installed none: its callers belong
// to no tenant and work in GLOBAL, where everybody authors. Without identify it
// resolves nobody, and only reloads.
func Unbound(identify Identify) Resolver { return unbound{identify} }

type unbound struct{ identify Identify }

// Resolve returns the scope of whoever the host says it is.
func (u unbound) Resolve(ctx context.Context, r *http.Request) (Scope, error) {
	if u.identify == nil {
		return Scope{}, unbelievable(errors.New("nothing says who sends requests"))
	}
	who, err := u.identify(r.WithContext(ctx))
	if err != nil {
		return Scope{}, err
	}
	if who.User == "" {
		return Scope{}, models.Errorf(models.CodeUnauthenticated, "Sign in first.")
	}
	scope := globalScope(who.User)
	if who.Name != "" {
		scope.Name = who.Name
	}
	scope.Superuser, scope.AuthTime = who.Superuser, who.AuthTime
	scope.Via = ViaAPI
	if who.Session != "" {
		scope.Via, scope.Session = ViaBrowser, who.Session
	}
	if err := scope.Valid(); err != nil {
		return Scope{}, unbelievable(err)
	}
	return scope, nil
}

// Reload returns the scope of a user as records name them. There is nobody to
// ask what has become of them, so they keep what everybody in GLOBAL has, and
// nothing besides.
func (unbound) Reload(_ context.Context, tenant, user string) (Scope, error) {
	if tenant != globalValue {
		return Scope{}, models.Errorf(models.CodeTenantMismatch, "This host serves no tenants.")
	}
	scope := globalScope(user)
	scope.Via = ViaJob
	if err := scope.Valid(); err != nil {
		return Scope{}, unbelievable(err)
	}
	return scope, nil
}

// globalScope is what everybody has in GLOBAL.
func globalScope(user string) Scope {
	return Scope{User: user, Name: user, MayAuthor: true, StudioEnabled: true, global: true}
}
