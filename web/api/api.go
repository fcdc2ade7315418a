package api

import (
	"encoding/json"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/policy"
	"github.com/agentstudio/agentstudio/studio/agents"
	"github.com/agentstudio/agentstudio/studio/approval"
	"github.com/agentstudio/agentstudio/studio/toolexec"
	"github.com/agentstudio/agentstudio/tenancy"
	"github.com/agentstudio/agentstudio/web/respond"
)

// Config is what the REST surface needs.
type Config struct {
	Prefix     string // where the Studio is mounted
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
// the scope.
func (a *API) Routes(g *echo.Group) {
	g.GET("/me", a.me)
	g.GET("/approvals/:id", a.approval)
	g.POST("/tools/:slug/execute", a.execute)
	g.POST("/tools/:slug/requests", a.request)
	g.GET("/catalog/tools", a.catalog)
	g.GET("/toolkits/:slug/schema", a.schema)
	g.GET("/sharing/groups", a.sharingGroups)
	g.GET("/agents", a.listAgents)
	g.POST("/agents", a.createAgent)
	agent := g.Group("/agents/:agent")
	agent.GET("", a.agent)
	agent.PATCH("", a.changeAgent)
	agent.DELETE("", a.deleteAgent)
	agent.PATCH("/visibility", a.shareAgent)
	agent.GET("/toolkit-config", a.toolkitConfig)
	agent.GET("/toolkits/:slug", a.toolkit)
	agent.PUT("/toolkits/:slug", a.configure)
	agent.DELETE("/toolkits/:slug", a.removeToolkit)
	agent.GET("/toolkits/:slug/me", a.override)
	agent.PUT("/toolkits/:slug/me", a.saveOverride)
	agent.DELETE("/toolkits/:slug/me", a.deleteOverride)
	agent.GET("/toolkits/:slug/options/:param", a.options)
}

// me says who the caller is and what they may do.
func (a *API) me(c echo.Context) error {
	scope, _ := tenancy.FromContext(c.Request().Context())
	return respond.JSON(c, http.StatusOK, map[string]any{
		"user_id": scope.User, "tenant": scope.Tenant, "may_author": scope.MayAuthor,
		"may_administer": scope.MayAdminister, "enabled": scope.StudioEnabled, "is_superuser": scope.Superuser,
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
