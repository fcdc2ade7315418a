// Package pages answers people: every page and form of the Studio, and the live
// log of a conversation. A handler binds a form, calls a service, and renders;
// what it renders is mapped from stored records by plain functions.
package pages

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/policy"
	"github.com/agentstudio/agentstudio/studio/agents"
	"github.com/agentstudio/agentstudio/studio/approval"
	"github.com/agentstudio/agentstudio/studio/audit"
	"github.com/agentstudio/agentstudio/studio/engine"
	"github.com/agentstudio/agentstudio/studio/identity"
	"github.com/agentstudio/agentstudio/studio/session"
	"github.com/agentstudio/agentstudio/studio/toolexec"
	"github.com/agentstudio/agentstudio/tenancy"
)

// Directory knows what people and tenants are called.
type Directory interface {
	tenancy.Members
	TenantName(ctx context.Context, tenant string) (string, error)
}

// Config is what the pages need.
type Config struct {
	Prefix     string // path of the Studio as browsers see it, such as "/studio"
	Agents     *agents.Service
	Approvals  *approval.Service
	Audit      *audit.Service
	Engine     *engine.Engine
	Sessions   *session.Service
	Registry   *hosttools.Registry
	Tooling    policy.Frozen
	Door       *toolexec.Preparer
	Runner     *toolexec.Runner
	Authorizer *policy.Authorizer
	Directory  Directory
	Resolver   tenancy.Resolver // asked again while a stream is open
	Models     []string         // that agents may name
	Logger     *slog.Logger
	// Identity looks after people; nil where the host does.
	Identity *identity.Service
	Origin   string // scheme and host that browsers see; "" for those of the request
	// HostSignsOut hides the way to sign out, where the host has its own.
	HostSignsOut bool
}

// Pages are the Studio's pages.
type Pages struct {
	frame     *frame
	home      *homePages
	agents    *agentPages
	chat      *chatPages
	approvals *approvalPages
	tools     *toolPages
	audit     *auditPages
	members   *memberPages // nil where the host looks after people
	tokens    *tokenPages  // nil where the host looks after people
}

// New returns the pages.
func New(c Config) *Pages {
	f := &frame{
		prefix: c.Prefix, approvals: c.Approvals, authorizer: c.Authorizer, directory: c.Directory,
		logger: c.Logger, hostSignsOut: c.HostSignsOut, people: c.Identity != nil, origin: c.Origin,
	}
	cards := &cards{frame: f, agents: c.Agents, registry: c.Registry}
	p := &Pages{
		frame:     f,
		home:      &homePages{frame: f, cards: cards, agents: c.Agents, sessions: c.Sessions},
		agents:    &agentPages{frame: f, agents: c.Agents, registry: c.Registry, tooling: c.Tooling, models: c.Models, runner: c.Runner},
		chat:      &chatPages{frame: f, agents: c.Agents, sessions: c.Sessions, engine: c.Engine, registry: c.Registry, resolver: c.Resolver},
		approvals: &approvalPages{frame: f, cards: cards},
		tools:     &toolPages{frame: f, agents: c.Agents, registry: c.Registry, tooling: c.Tooling},
		audit:     &auditPages{frame: f, audit: c.Audit, registry: c.Registry},
	}
	if c.Identity != nil {
		p.members = &memberPages{frame: f, identity: c.Identity}
		p.tokens = &tokenPages{frame: f, identity: c.Identity}
	}
	return p
}

// Routes adds the tenant's pages to a group at {prefix}/t/{tenant}, whose
// middleware has bound the scope and refused other tenants. Errors go back to
// that middleware; [Pages.Problem] shows them.
func (p *Pages) Routes(g *echo.Group) {
	g.Use(wellFormed, forPeople)
	get(g, "", p.home.show)
	get(g, "/", p.home.show)
	p.agents.routes(g.Group("/agents"))
	p.chat.routes(g)
	p.approvals.routes(g.Group("/approvals"))
	get(g, "/tools", p.tools.show)
	get(g, "/activity", p.audit.show)
	if p.members != nil {
		p.members.routes(g)
		p.tokens.routes(g)
	}
}

// forPeople refuses programs: a token is for the REST routes, and opens no page.
func forPeople(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		scope, _, err := tenancy.Caller(c.Request().Context())
		if err == nil && scope.Via != tenancy.ViaBrowser && !scope.IsGlobal() {
			return models.Errorf(models.CodePermissionDenied, "Pages are for people who are signed in. Programs use the REST routes.").
				Reason("token_scope")
		}
		return next(c)
	}
}

// get adds a page, which answers HEAD like GET.
func get(g *echo.Group, path string, show echo.HandlerFunc) {
	g.Match([]string{http.MethodGet, http.MethodHead}, path, show)
}
