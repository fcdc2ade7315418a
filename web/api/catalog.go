package api

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/policy"
	"github.com/agentstudio/agentstudio/tenancy"
	"github.com/agentstudio/agentstudio/web/respond"
)

// catalogEntry is a toolkit or a standalone tool as the catalogue lists it.
type catalogEntry struct {
	Slug         string           `json:"slug"`
	Title        string           `json:"title"`
	Description  string           `json:"description"`
	Kind         string           `json:"kind"` // toolkit or tool
	Source       hosttools.Origin `json:"source"`
	Access       hosttools.Access `json:"access"` // read if every method is
	TenantBound  bool             `json:"tenant_bound"`
	Configurable bool             `json:"configurable"`
	Version      string           `json:"version"`
	Methods      []catalogMethod  `json:"methods"`
}

type catalogMethod struct {
	Name          string           `json:"name"` // what models see
	Method        string           `json:"method"`
	Description   string           `json:"description"`
	Access        hosttools.Access `json:"access"`
	Consequential bool             `json:"consequential"`
}

// catalog lists the tools that the tenant may use, sorted by slug.
func (a *API) catalog(c echo.Context) error {
	if err := noQuery(c); err != nil {
		return err
	}
	scope, err := a.catalogue(c)
	if err != nil {
		return err
	}
	tools := []catalogEntry{}
	for _, group := range a.c.Registry.Groups() {
		if a.c.Tooling.Judge(scope.Tenant, group.Slug, string(group.Origin), policy.PhaseCatalogue) == nil {
			tools = append(tools, entryOf(group))
		}
	}
	return respond.JSON(c, http.StatusOK, map[string]any{"tools": tools, "count": len(tools), "next": nil})
}

// catalogue returns the scope of a caller who may look at the catalogue.
func (a *API) catalogue(c echo.Context) (tenancy.Scope, error) {
	scope, _, _ := tenancy.Caller(c.Request().Context())
	if !a.c.Authorizer.Allow(scope, scope.Tenant, policy.ToolsCatalogue) {
		return scope, models.Errorf(models.CodePermissionDenied, "You may not look at the tools here. Ask an admin to add you.")
	}
	return scope, nil
}

func entryOf(group hosttools.Group) catalogEntry {
	entry := catalogEntry{
		Slug: group.Slug, Title: group.Title, Description: group.Description, Kind: "toolkit", Source: group.Origin,
		Access: hosttools.AccessRead, TenantBound: group.TenantBound, Configurable: group.Config != nil, Version: group.Version,
	}
	if group.Standalone {
		entry.Kind = "tool"
	}
	for _, d := range group.Methods {
		if d.Access != hosttools.AccessRead {
			entry.Access = hosttools.AccessWrite
		}
		entry.Methods = append(entry.Methods, catalogMethod{
			Name: d.Name, Method: d.Method, Description: d.Description, Access: d.Access, Consequential: d.Consequential,
		})
	}
	return entry
}

// schema answers with the JSON schema of a toolkit's configuration, in which
// secrets are marked x-secret and what only the server sets x-server-managed.
// The schemas of its methods stand in x-methods.
func (a *API) schema(c echo.Context) error {
	scope, err := a.catalogue(c)
	if err != nil {
		return err
	}
	group, ok := a.c.Registry.Group(c.Param("slug"))
	if !ok || a.c.Tooling.Judge(scope.Tenant, group.Slug, string(group.Origin), policy.PhaseCatalogue) != nil {
		return models.NotFound()
	}
	document, err := schemaOf(group)
	if err != nil {
		return err
	}
	return respond.JSON(c, http.StatusOK, document)
}

func schemaOf(group hosttools.Group) (map[string]any, error) {
	document := map[string]any{"type": "object", "properties": map[string]any{}, "additionalProperties": false}
	if group.Config != nil {
		clear(document)
		if err := json.Unmarshal(group.Config.JSON, &document); err != nil {
			return nil, fmt.Errorf("the config schema of %s: %w", group.Slug, err)
		}
	}
	methods := map[string]any{}
	for _, d := range group.Methods {
		methods[d.Method] = map[string]any{
			"name": d.Name, "description": d.Description, "access": d.Access,
			"input": json.RawMessage(d.InputJSON), "output": json.RawMessage(d.OutputJSON),
		}
	}
	maps.Copy(document, map[string]any{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "title": group.Title, "description": group.Description,
		"x-slug": group.Slug, "x-methods": methods,
	})
	return document, nil
}
