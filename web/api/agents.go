package api

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/agents"
	"github.com/agentstudio/agentstudio/studio/canon"
	"github.com/agentstudio/agentstudio/tenancy"
	"github.com/agentstudio/agentstudio/web/respond"
)

// agentItem is an agent as its viewer sees it.
type agentItem struct {
	Name          string            `json:"name"`
	AgentID       string            `json:"agent_id"`
	Tenant        *string           `json:"tenant"` // null in GLOBAL
	Owner         string            `json:"owner"`
	Title         string            `json:"title"`
	Description   string            `json:"description"`
	LLM           string            `json:"llm"`
	Version       int               `json:"version"`
	UpdatedAt     time.Time         `json:"updated_at"`
	Visibility    models.Visibility `json:"visibility"`
	AllowedGroups []string          `json:"allowed_groups"`
	Access        tenancy.Access    `json:"access"` // why the caller sees it
	CanManage     bool              `json:"can_manage"`
	// Definition is what the agent is told and given, for those who can manage it.
	Definition *models.Definition `json:"definition,omitempty"`
}

func agentOf(item agents.Item) agentItem {
	a, d := item.Agent, item.Live.Definition
	return agentItem{
		Name: a.Name, AgentID: a.ID, Tenant: tenantOf(a.TenantID), Owner: a.Owner,
		Title: d.Title, Description: d.Description, LLM: d.Model, Version: a.Version, UpdatedAt: a.UpdatedAt.Time(),
		Visibility: a.Visibility, AllowedGroups: orEmpty(a.AllowedGroups), Access: item.Access, CanManage: item.CanManage,
	}
}

// tenantOf returns the tenant of a stored partition, nil for GLOBAL.
func tenantOf(stored string) *string {
	p, err := tenancy.PartitionFromStored(stored)
	if err != nil || p.Tenant() == "" {
		return nil
	}
	tenant := p.Tenant()
	return &tenant
}

// listAgents answers with the agents that the caller sees, by name.
func (a *API) listAgents(c echo.Context) error {
	if err := noQuery(c); err != nil {
		return err
	}
	found, err := a.c.Agents.List(c.Request().Context())
	if err != nil {
		return err
	}
	items := make([]agentItem, 0, len(found))
	for _, item := range found {
		items = append(items, agentOf(item))
	}
	return respond.JSON(c, http.StatusOK, map[string]any{"agents": items, "count": len(items), "next": nil})
}

// agent answers with one agent, and what it is told for those who manage it.
func (a *API) agent(c echo.Context) error {
	item, err := a.c.Agents.Get(c.Request().Context(), c.Param("agent"))
	if err != nil {
		return err
	}
	if err := noQuery(c); err != nil {
		return err
	}
	return a.answerAgent(c, http.StatusOK, item)
}

func (a *API) answerAgent(c echo.Context, status int, item agents.Item) error {
	answer := agentOf(item)
	if item.CanManage {
		answer.Definition = &item.Live.Definition
	}
	return respond.JSON(c, status, answer)
}

// createAgent makes an agent. The right to do so comes before the body. What is
// absent, and what is null, gets its default: the title is the name, the
// visibility private.
func (a *API) createAgent(c echo.Context) error {
	ctx := c.Request().Context()
	if err := a.c.Agents.MayCreate(ctx); err != nil {
		return err
	}
	if err := noQuery(c); err != nil {
		return err
	}
	body, err := readObject(c, append([]string{"name", "visibility", "allowed_groups"}, definitionFields()...)...)
	if err != nil {
		return err
	}
	made, err := newAgentOf(body)
	if err != nil {
		return err
	}
	agent, err := a.c.Agents.Create(ctx, made)
	if err != nil {
		return err
	}
	item, err := a.c.Agents.Get(ctx, agent.Name)
	if err != nil {
		return err
	}
	return a.answerAgent(c, http.StatusCreated, item)
}

func newAgentOf(body canon.Value) (agents.NewAgent, error) {
	var made agents.NewAgent
	name, _, err := textMember(body, "name")
	if err != nil {
		return made, err
	}
	made.Name, made.Definition.Title = name, name
	if err := changeOf(body, name)(&made.Definition); err != nil {
		return made, err
	}
	made.Sharing, err = sharingOf(body)
	return made, err
}

// changeAgent changes what an agent is told. An absent field stays as it is, null
// resets it to its default, and "" empties it where it may be empty. The name
// stays: conversations and secrets hang on the agent, addresses on its name.
func (a *API) changeAgent(c echo.Context) error {
	ctx := c.Request().Context()
	if _, err := a.c.Agents.Managed(ctx, c.Param("agent")); err != nil {
		return err
	}
	if err := noQuery(c); err != nil {
		return err
	}
	body, err := readObject(c, append([]string{"name", "expected_version"}, definitionFields()...)...)
	if err != nil {
		return err
	}
	if _, named := body.Get("name"); named {
		return models.Errorf(models.CodeNameImmutable, "An agent keeps its name. Change its title instead.")
	}
	expected, err := expectedOf(body)
	if err != nil {
		return err
	}
	name := c.Param("agent")
	if _, err := a.c.Agents.Edit(ctx, name, expected, "Changed by a program", changeOf(body, name)); err != nil {
		return err
	}
	item, err := a.c.Agents.Get(ctx, name)
	if err != nil {
		return err
	}
	return a.answerAgent(c, http.StatusOK, item)
}

// shareAgent sets who sees an agent. Absent groups, null and an empty list are
// the same: none.
func (a *API) shareAgent(c echo.Context) error {
	ctx := c.Request().Context()
	if _, err := a.c.Agents.Managed(ctx, c.Param("agent")); err != nil {
		return err
	}
	if err := noQuery(c); err != nil {
		return err
	}
	body, err := readObject(c, "visibility", "allowed_groups", "expected_version")
	if err != nil {
		return err
	}
	expected, err := expectedOf(body)
	if err != nil {
		return err
	}
	sharing, err := sharingOf(body)
	if err != nil {
		return err
	}
	item, err := a.c.Agents.Share(ctx, c.Param("agent"), expected, sharing)
	if err != nil {
		return err
	}
	return a.answerAgent(c, http.StatusOK, item)
}

// deleteAgent deletes an agent.
func (a *API) deleteAgent(c echo.Context) error {
	ctx := c.Request().Context()
	if _, err := a.c.Agents.Managed(ctx, c.Param("agent")); err != nil {
		return err
	}
	expected, err := queryVersion(c)
	if err != nil {
		return err
	}
	if err := a.c.Agents.Delete(ctx, c.Param("agent"), expected); err != nil {
		return err
	}
	return respond.JSON(c, http.StatusOK, map[string]any{"name": c.Param("agent"), "deleted": true})
}

// sharingGroups answers with the groups that the caller can share with.
func (a *API) sharingGroups(c echo.Context) error {
	if err := noQuery(c); err != nil {
		return err
	}
	groups, err := a.c.Agents.Groups(c.Request().Context())
	if err != nil {
		return err
	}
	return respond.JSON(c, http.StatusOK, map[string]any{"groups": groups, "count": len(groups), "next": nil})
}
