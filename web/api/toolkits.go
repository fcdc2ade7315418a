package api

import (
	"encoding/json"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/agents"
	"github.com/agentstudio/agentstudio/studio/canon"
	"github.com/agentstudio/agentstudio/studio/schema"
	"github.com/agentstudio/agentstudio/web/respond"
)

// toolkitItem is how a toolkit is set up for an agent. Secrets are masked.
type toolkitItem struct {
	Slug            string          `json:"slug"`
	Title           string          `json:"title"`
	Available       bool            `json:"available"`
	Reason          string          `json:"reason"` // why it is not available, for people
	Configured      bool            `json:"configured"`
	Params          json.RawMessage `json:"params"`
	UserOverridable []string        `json:"user_overridable"`
	Issues          []schema.Issue  `json:"issues"` // why it cannot run yet
}

func itemOf(view agents.ToolkitView) (toolkitItem, error) {
	params, err := canon.Bytes(view.Params)
	return toolkitItem{
		Slug: view.Slug, Title: view.Title, Available: view.Available, Reason: view.Why, Configured: view.Stored,
		Params: params, UserOverridable: orEmpty(view.UserOverridable), Issues: orEmpty(view.Issues),
	}, err
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// toolkitConfig answers how all toolkits of an agent are set up.
func (a *API) toolkitConfig(c echo.Context) error {
	overview, err := a.c.Agents.ToolkitConfig(c.Request().Context(), c.Param("agent"))
	if err != nil {
		return err
	}
	items := []toolkitItem{}
	for _, view := range overview.Toolkits {
		item, err := itemOf(view)
		if err != nil {
			return err
		}
		items = append(items, item)
	}
	return respond.JSON(c, http.StatusOK, map[string]any{
		"agent": overview.Item.Agent.Name, "version": overview.Item.Agent.Version,
		"editable": overview.Editable, "reason": overview.Reason,
		"toolkits": items, "unavailable": orEmpty(overview.Unavailable),
	})
}

// toolkit answers how one toolkit is set up.
func (a *API) toolkit(c echo.Context) error {
	view, err := a.c.Agents.Toolkit(c.Request().Context(), c.Param("agent"), c.Param("slug"))
	if err != nil {
		return err
	}
	item, err := itemOf(view)
	if err != nil {
		return err
	}
	return respond.JSON(c, http.StatusOK, item)
}

// configure sets a toolkit up for an agent, and assigns it where it was not. The
// right to do so comes before the body.
func (a *API) configure(c echo.Context) error {
	ctx := c.Request().Context()
	if _, err := a.c.Agents.Managed(ctx, c.Param("agent")); err != nil {
		return err
	}
	change, err := readChange(c)
	if err != nil {
		return err
	}
	version, err := a.c.Agents.Configure(ctx, c.Param("agent"), c.Param("slug"), change)
	if err != nil {
		return err
	}
	return respond.JSON(c, http.StatusOK, map[string]any{
		"agent": c.Param("agent"), "slug": a.slug(c), "persisted": true, "version": version.Number,
	})
}

// slug returns the slug of the path as the registry spells it.
func (a *API) slug(c echo.Context) string {
	if group, ok := a.c.Registry.Group(c.Param("slug")); ok {
		return group.Slug
	}
	return c.Param("slug")
}

// removeToolkit takes a toolkit and its settings from an agent.
func (a *API) removeToolkit(c echo.Context) error {
	ctx := c.Request().Context()
	if _, err := a.c.Agents.Managed(ctx, c.Param("agent")); err != nil {
		return err
	}
	expected, err := queryVersion(c)
	if err != nil {
		return err
	}
	version, err := a.c.Agents.RemoveToolkit(ctx, c.Param("agent"), c.Param("slug"), expected)
	if err != nil {
		return err
	}
	return respond.JSON(c, http.StatusOK, map[string]any{
		"agent": c.Param("agent"), "slug": a.slug(c), "deleted": true, "version": version.Number,
	})
}

// override answers what the caller set for themselves.
func (a *API) override(c echo.Context) error {
	view, err := a.c.Agents.Override(c.Request().Context(), c.Param("agent"), c.Param("slug"))
	if err != nil {
		return err
	}
	params, err := canon.Bytes(view.Params)
	if err != nil {
		return err
	}
	return respond.JSON(c, http.StatusOK, map[string]any{
		"slug": view.Slug, "overridable": orEmpty(view.Overridable), "params": json.RawMessage(params),
		"configured": view.Configured,
	})
}

// saveOverride replaces what the caller set for themselves.
func (a *API) saveOverride(c echo.Context) error {
	ctx := c.Request().Context()
	if _, err := a.c.Agents.Get(ctx, c.Param("agent")); err != nil {
		return err
	}
	params, err := readParams(c)
	if err != nil {
		return err
	}
	if err := a.c.Agents.SaveOverride(ctx, c.Param("agent"), c.Param("slug"), params); err != nil {
		return err
	}
	return a.override(c)
}

// deleteOverride takes back what the caller set for themselves.
func (a *API) deleteOverride(c echo.Context) error {
	if err := a.c.Agents.DeleteOverride(c.Request().Context(), c.Param("agent"), c.Param("slug")); err != nil {
		return err
	}
	return a.override(c)
}

// options answers with the choices for a config parameter, computed from what
// is saved and from nothing that the caller sends.
func (a *API) options(c echo.Context) error {
	if err := noQuery(c); err != nil {
		return err
	}
	ctx, err := a.c.Agents.ForOptions(c.Request().Context(), c.Param("agent"), c.Param("slug"))
	if err != nil {
		return err
	}
	options, err := a.c.Runner.Options(ctx, c.Param("slug"), c.Param("param"))
	if err != nil {
		return err
	}
	for i := range options {
		if options[i].Label == "" {
			options[i].Label = options[i].Value
		}
	}
	return respond.JSON(c, http.StatusOK, map[string]any{"options": orEmpty[hosttools.Option](options)})
}

// noQuery refuses query parameters where there are none.
func noQuery(c echo.Context) error {
	for name := range c.QueryParams() {
		return unknownQuery(name)
	}
	return nil
}

func unknownQuery(name string) error {
	return models.Errorf(models.CodeInvalidRequest, "There is no query parameter %.100q here.", name)
}

// queryVersion reads the optional expected_version of a DELETE, 0 without one.
func queryVersion(c echo.Context) (int, error) {
	for name, values := range c.QueryParams() {
		if name != "expected_version" {
			return 0, unknownQuery(name)
		}
		if len(values) != 1 {
			return 0, invalidVersion()
		}
	}
	text := c.QueryParam("expected_version")
	if text == "" && !c.QueryParams().Has("expected_version") {
		return 0, nil
	}
	value, err := canon.Parse([]byte(text))
	if err != nil {
		return 0, invalidVersion()
	}
	return version(value)
}
