package pages

import (
	"context"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/policy"
	"github.com/agentstudio/agentstudio/studio/agents"
	views "github.com/agentstudio/agentstudio/views/agents"
	"github.com/agentstudio/agentstudio/web/respond"
)

// toolkits is the tab on which toolkits are assigned.
func (p *agentPages) toolkits(c echo.Context) error {
	r, item, err := p.opened(c)
	if err != nil {
		return err
	}
	return p.showToolkits(c, r, item, http.StatusOK)
}

func (p *agentPages) showToolkits(c echo.Context, r *request, item agents.Item, status int) error {
	return respond.HTML(c, status, views.ToolsPage(views.ToolsView{
		Shell: r.shell, Agent: agentView(r, item), Toolkits: p.assignable(r.scope.Tenant, item.Live.Definition.Toolkits),
	}))
}

// assignable returns the toolkits that the tenant may use, and those the agent
// has although it may not any more.
func (p *agentPages) assignable(tenant string, has []string) []views.Toolkit {
	var shown []views.Toolkit
	for _, group := range p.registry.Groups() {
		assigned := slices.Contains(has, group.Slug)
		refusal := p.tooling.Judge(tenant, group.Slug, string(group.Origin), policy.PhaseAttach)
		if refusal != nil && !assigned {
			continue
		}
		toolkit := toolkitView(group, assigned)
		if refusal != nil {
			toolkit.Unavailable = "The host does not let this tenant use it any more. Its calls are refused."
		}
		shown = append(shown, toolkit)
	}
	for _, slug := range has {
		if _, ok := p.registry.Group(slug); !ok {
			shown = append(shown, views.Toolkit{
				Slug: slug, Name: slug, Source: "Host", Assigned: true, Unavailable: "The host does not offer it any more.",
			})
		}
	}
	return shown
}

func toolkitView(group hosttools.Group, assigned bool) views.Toolkit {
	toolkit := views.Toolkit{
		Slug: group.Slug, Name: group.Title, Description: group.Description, Source: sourceOf(group.Origin), Assigned: assigned,
	}
	for _, method := range group.Methods {
		toolkit.Methods = append(toolkit.Methods, views.Method{
			Slug: method.Name, Description: method.Description,
			Write: method.Access != hosttools.AccessRead, Consequential: method.Consequential,
		})
	}
	return toolkit
}

func sourceOf(origin hosttools.Origin) string {
	if origin == hosttools.OriginHost {
		return "Host"
	}
	return string(origin)
}

// reassign returns the handler that assigns a toolkit, or takes it away.
func (p *agentPages) reassign(
	how func(ctx context.Context, name string, expected int, slug string) (models.AgentVersion, error),
) echo.HandlerFunc {
	return func(c echo.Context) error {
		r, item, err := p.managed(c)
		if err != nil {
			return err
		}
		form, err := formOf(c)
		if err != nil {
			return err
		}
		expected, err := expectedVersion(form)
		if err != nil {
			return err
		}
		_, err = how(r.ctx, item.Agent.Name, expected, c.Param("slug"))
		if why, again := invalidOf(err); again {
			return p.notDone(c, "tools", why)
		}
		if err != nil {
			return err
		}
		return c.Redirect(http.StatusSeeOther, r.site.URL("agents", item.Agent.Name, "tools"))
	}
}
