package tenancy

import (
	"context"

	"github.com/agentstudio/agentstudio/models"
)

type contextKey struct{}

// binding marks a context as a unit of work, with or without a scope.
type binding struct {
	scope *Scope
	agent *Agent
}

// Agent is the agent on whose behalf a tool is called.
type Agent struct {
	ID      string
	Version int
	Tenant  string // "" when the agent has none
}

// WithScope returns a context in which scope is bound.
func WithScope(ctx context.Context, scope Scope) context.Context {
	b := bindingOf(ctx)
	return context.WithValue(ctx, contextKey{}, &binding{scope: &scope, agent: b.agent})
}

// WithoutScope returns a context of a unit of work to which no scope is bound,
// as in a host that installed no resolver.
func WithoutScope(ctx context.Context) context.Context {
	return context.WithValue(ctx, contextKey{}, &binding{})
}

// WithAgent returns a context in which agent acts for the caller.
func WithAgent(ctx context.Context, agent Agent) context.Context {
	b := bindingOf(ctx)
	return context.WithValue(ctx, contextKey{}, &binding{scope: b.scope, agent: &agent})
}

// FromContext returns the scope that binds the work to a tenant, and false when
// there is none. In GLOBAL there is none, so that no tool takes a caller there for
// one of a tenant; [Caller] knows them.
func FromContext(ctx context.Context) (Scope, bool) {
	b := bindingOf(ctx)
	if b.scope == nil || b.scope.global {
		return Scope{}, false
	}
	return *b.scope, true
}

// AgentFromContext returns the agent that acts, and false when none does.
func AgentFromContext(ctx context.Context) (Agent, bool) {
	b := bindingOf(ctx)
	if b.agent == nil {
		return Agent{}, false
	}
	return *b.agent, true
}

func bindingOf(ctx context.Context) binding {
	if b, ok := ctx.Value(contextKey{}).(*binding); ok {
		return *b
	}
	return binding{}
}

func bound(ctx context.Context) bool {
	_, ok := ctx.Value(contextKey{}).(*binding)
	return ok
}

// Caller returns who calls and the partition in which they work. It returns an
// error with code unauthenticated when nobody is known, and with tenant_required
// beside the scope when the caller belongs to no tenant.
func Caller(ctx context.Context) (Scope, Partition, error) {
	b := bindingOf(ctx)
	if b.scope == nil {
		return Scope{}, Partition{}, models.Errorf(models.CodeUnauthenticated, "Sign in first.")
	}
	p, err := b.scope.Partition()
	return *b.scope, p, err
}

type requestedKey struct{}

// WithRequested returns a context that says which tenant a request's address
// names, for resolvers whose people belong to several.
func WithRequested(ctx context.Context, tenant string) context.Context {
	return context.WithValue(ctx, requestedKey{}, tenant)
}

// Requested returns the tenant that the request's address names, or "".
func Requested(ctx context.Context) string {
	tenant, _ := ctx.Value(requestedKey{}).(string)
	return tenant
}
