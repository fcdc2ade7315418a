package api

import (
	"encoding/json"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/policy"
	"github.com/agentstudio/agentstudio/studio/agents"
	"github.com/agentstudio/agentstudio/studio/approval"
	"github.com/agentstudio/agentstudio/studio/toolexec"
	"github.com/agentstudio/agentstudio/tenancy"
	"github.com/agentstudio/agentstudio/web/auth"
	"github.com/agentstudio/agentstudio/web/respond"
)

// Config is what the REST surface needs.
type Config struct {
	Place      auth.Place // where the Studio is mounted
	Door       *toolexec.Preparer
	Runner     *toolexec.Runner
	Approvals  *approval.Service
	Agents     *agents.Service
	Registry   *hosttools.Registry
	Tooling    policy.Frozen
	Authorizer *policy.Authorizer
}

// API is the REST surface.
type API struct{ c Config }

// New returns the REST surface.
func New(c Config) *API { return &API{c: c} }

// Routes adds the routes below {prefix}/api/v1/:tenant. The group has bound
// the scope. Each route names the action that a token must be for; a caller
// whose token is for other things is refused before anything is looked up.
func (a *API) Routes(g *echo.Group) {
	g.GET("/me", a.me)
	for _, r := range []struct {
		method, path string
		handler      echo.HandlerFunc
		action       policy.Action
	}{
		{http.MethodPost, "/tools/:slug/execute", a.execute, policy.ToolsExecute},
		{http.MethodPost, "/tools/:slug/requests", a.request, policy.ToolsExecute},
		{http.MethodGet, "/approvals/:id", a.approval, policy.ToolsExecute},
		{http.MethodGet, "/catalog/tools", a.catalog, policy.ToolsCatalogue},
		{http.MethodGet, "/toolkits/:slug/schema", a.schema, policy.ToolsCatalogue},
		{http.MethodGet, "/sharing/groups", a.sharingGroups, policy.AgentsAuthor},
		{http.MethodGet, "/agents", a.listAgents, policy.AgentsSee},
		{http.MethodPost, "/agents", a.createAgent, policy.AgentsAuthor},
		{http.MethodGet, "/agents/:agent", a.agent, policy.AgentsSee},
		{http.MethodPatch, "/agents/:agent", a.changeAgent, policy.AgentsAuthor},
		{http.MethodDelete, "/agents/:agent", a.deleteAgent, policy.AgentsAuthor},
		{http.MethodPatch, "/agents/:agent/visibility", a.shareAgent, policy.AgentsAuthor},
		{http.MethodGet, "/agents/:agent/toolkit-config", a.toolkitConfig, policy.AgentsSee},
		{http.MethodGet, "/agents/:agent/toolkits/:slug", a.toolkit, policy.AgentsSee},
		{http.MethodPut, "/agents/:agent/toolkits/:slug", a.configure, policy.AgentsAuthor},
		{http.MethodDelete, "/agents/:agent/toolkits/:slug", a.removeToolkit, policy.AgentsAuthor},
		{http.MethodGet, "/agents/:agent/toolkits/:slug/me", a.override, policy.AgentsSee},
		{http.MethodPut, "/agents/:agent/toolkits/:slug/me", a.saveOverride, policy.AgentsSee},
		{http.MethodDelete, "/agents/:agent/toolkits/:slug/me", a.deleteOverride, policy.AgentsSee},
		{http.MethodGet, "/agents/:agent/toolkits/:slug/options/:param", a.options, policy.AgentsAuthor},
	} {
		g.Add(r.method, r.path, r.handler, permitted(r.action))
	}
}

// permitted returns middleware that refuses a caller whose token is not for an
// action. What the caller themselves may do is asked where it is done.
func permitted(action policy.Action) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if scope, _, err := tenancy.Caller(c.Request().Context()); err == nil && !scope.Permits(string(action)) {
				return models.Errorf(models.CodePermissionDenied, "This token is not for %s. Ask for one that is.", action).
					Reason("token_scope").With("permission", string(action))
			}
			return next(c)
		}
	}
}

// me says who the caller is and what they may do.
func (a *API) me(c echo.Context) error {
	scope, p, err := tenancy.Caller(c.Request().Context())
	if err != nil {
		return err
	}
	return respond.JSON(c, http.StatusOK, map[string]any{
		"user_id": scope.User, "tenant": tenantOf(p.Stored()), "may_author": scope.MayAuthor,
		"may_administer": scope.MayAdminister, "enabled": scope.StudioEnabled, "is_superuser": scope.Superuser,
		"permissions": scope.Permissions, // null where the token is not narrowed
	})
}

// approval says where an approval stands and, once it ran, how. It never
// returns the token.
func (a *API) approval(c echo.Context) error {
	found, err := a.c.Approvals.Get(c.Request().Context(), c.Param("id"))
	if err != nil {
		return err
	}
	answer := map[string]any{
		"id": found.ID, "state": found.State, "outcome": nil, "result": nil, "expires_at": found.ExpiresAt.Time(),
	}
	if found.Outcome != "" {
		answer["outcome"], answer["result"] = found.Outcome, json.RawMessage(found.Result)
	}
	return respond.JSON(c, http.StatusOK, answer)
}
