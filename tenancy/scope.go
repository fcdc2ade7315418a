package tenancy

import (
	"context"
	"net/http"
	"slices"
	"time"
)

// Via says how a scope came about.
type Via string

// The ways. The zero value decides nothing.
const (
	ViaBrowser Via = "browser" // a cookie with a live session row
	ViaAPI     Via = "api"     // a bearer token
	ViaMCP     Via = "mcp"
	ViaJob     Via = "job" // reloaded for work without a request
)

// Scope is who calls, for which tenant, with which groups and rights. The zero
// value may do nothing.
type Scope struct {
	User   string // stable id of the caller, as records store it
	Name   string // for people
	Tenant string // "" when the caller has none
	Groups []string

	Superuser     bool // bounded to the tenant of the URL
	MayAuthor     bool
	MayAdminister bool
	StudioEnabled bool

	// Permissions are the only actions that the caller's token is for; nil for all
	// that their rights allow.
	Permissions []string

	Via      Via
	Session  string    // live browser session, "" otherwise
	AuthTime time.Time // when the person proved who they are

	// global is set by this package alone, so that no resolver of a host can
	// take a caller out of the tenants.
	global bool
}

// InAnyGroup reports whether the caller is in one of the groups.
func (s Scope) InAnyGroup(groups []string) bool {
	return slices.ContainsFunc(groups, func(g string) bool { return slices.Contains(s.Groups, g) })
}

// Permits reports whether the caller's token, if it is for some actions only, is
// for this one.
func (s Scope) Permits(action string) bool {
	return s.Permissions == nil || slices.Contains(s.Permissions, action)
}

// Administers reports whether the caller is an admin of their tenant. In GLOBAL
// nobody is.
func (s Scope) Administers() bool {
	return s.Tenant != "" && (s.MayAdminister || s.Superuser)
}

// ManagesAll reports whether the caller may change everybody's records where they
// are: as an admin of the tenant, or in GLOBAL as a superuser. The latter decides
// on no call of somebody else, since nobody could be asked for that right again.
func (s Scope) ManagesAll() bool {
	return s.Administers() || s.global && s.Superuser
}

// IsGlobal reports whether the caller works in GLOBAL: the host has no resolver.
func (s Scope) IsGlobal() bool { return s.global }

// Partition returns where the caller works. It returns an error with code
// tenant_required for a caller who belongs to no tenant.
func (s Scope) Partition() (Partition, error) {
	if s.global {
		return Global(), nil
	}
	return PartitionOf(s.Tenant)
}

// home is what records carry where the caller works, "" without such a place.
func (s Scope) home() string {
	if s.global {
		return globalValue
	}
	return s.Tenant
}

// Resolver says who calls. Hosts implement it; its presence is the opt-in to
// tenancy. An error of either method is a refusal, never a default.
type Resolver interface {
	// Resolve returns the scope of a request, in the tenant that it names.
	// It returns an error with code unauthenticated when nobody is signed in.
	Resolve(ctx context.Context, r *http.Request) (Scope, error)
	// Reload returns the scope that user has in tenant now, for work that has
	// no request: jobs, resumed turns, burns. Via is [ViaJob].
	Reload(ctx context.Context, tenant, user string) (Scope, error)
}

// Groups is implemented by resolvers that know the groups of a tenant, so that
// admins can choose among them.
type Groups interface {
	// GroupNames returns the names of the groups of a tenant, in any order.
	GroupNames(ctx context.Context, tenant string) ([]string, error)
}

// Members is implemented by resolvers that know their people's names, so that
// pages can show them.
type Members interface {
	// Names returns the names of the users it knows among ids.
	Names(ctx context.Context, tenant string, ids []string) (map[string]string, error)
}
