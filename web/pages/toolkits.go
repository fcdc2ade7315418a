package pages

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/policy"
	"github.com/agentstudio/agentstudio/studio/agents"
	views "github.com/agentstudio/agentstudio/views/agents"
	"github.com/agentstudio/agentstudio/views/ui"
	"github.com/agentstudio/agentstudio/web/respond"
)

// toolkits is the tab on which toolkits are assigned.
func (p *agentPages) toolkits(c echo.Context) error {
	r, err := p.open(c)
	if err != nil {
		return err
	}
	return p.showToolkits(c, r, http.StatusOK)
}

func (p *agentPages) showToolkits(c echo.Context, r *request, status int) error {
	overview, err := p.agents.ToolkitConfig(r.ctx, c.Param("agent"))
	if err != nil {
		return err
	}
	return respond.HTML(c, status, views.ToolsPage(views.ToolsView{
		Shell: r.shell, Agent: agentView(r, overview.Item), Toolkits: p.assignable(r.scope.Tenant, overview.Toolkits),
	}))
}

// assignable returns the toolkits that an agent has, also those that it may not
// use any more, and then the others that the tenant may use.
func (p *agentPages) assignable(tenant string, has []agents.ToolkitView) []views.Toolkit {
	var shown []views.Toolkit
	for _, t := range has {
		toolkit := views.Toolkit{Slug: t.Slug, Name: t.Title, Source: "Host", Assigned: true}
		if t.Group != nil {
			toolkit = toolkitView(*t.Group, true)
			toolkit.Setup = setupOf(t)
		}
		toolkit.Unavailable = t.Why
		shown = append(shown, toolkit)
	}
	for _, group := range p.registry.Groups() {
		assigned := slices.ContainsFunc(has, func(t agents.ToolkitView) bool { return t.Slug == group.Slug })
		if !assigned && p.tooling.Judge(tenant, group.Slug, string(group.Origin), policy.PhaseAttach) == nil {
			shown = append(shown, toolkitView(group, false))
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

// setupOf says in a line how a toolkit is set up, and what keeps it from
// running. It is nil where there is nothing to set up.
func setupOf(t agents.ToolkitView) *views.Setup {
	if t.Group == nil || t.Group.Config == nil {
		return nil
	}
	config, set, all := t.Group.Config, 0, 0
	for _, param := range config.Params {
		if param.Managed() {
			continue
		}
		all++
		if _, isSet := t.Params.Get(param.Name); isSet {
			set++
		}
	}
	setup := &views.Setup{Text: strconv.Itoa(set) + " of " + strconv.Itoa(all) + " set"}
	if all == 0 {
		setup.Text = "The server fills everything"
	}
	needs, asks, wrong := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, issue := range t.Issues {
		name, place := splitPointer(issue.Pointer)
		_, isSet := t.Params.Get(name)
		label := labelOf(propertyOf(config, name), name)
		switch {
		case isSet || len(place) > 0:
			wrong[label] = true
		case slices.Contains(t.UserOverridable, name):
			asks[label] = true
		default:
			needs[label] = true
		}
	}
	setup.Marks = append(setup.Marks, marked("Needs: ", ui.Warn, needs)...)
	setup.Marks = append(setup.Marks, marked("Does not fit: ", ui.Warn, wrong)...)
	setup.Marks = append(setup.Marks, marked("Each user sets: ", ui.Neutral, asks)...)
	return setup
}

func marked(words string, tone ui.Tone, labels map[string]bool) []ui.Mark {
	if len(labels) == 0 {
		return nil
	}
	return []ui.Mark{{Text: words + strings.Join(slices.Sorted(maps.Keys(labels)), ", "), Tone: tone}}
}

// sourceOf names where a toolkit comes from.
func sourceOf(origin hosttools.Origin) string {
	switch origin {
	case hosttools.OriginBuiltin:
		return "Built in"
	case hosttools.OriginPackaged:
		return "Packaged"
	case hosttools.OriginHost:
		return "Host"
	case hosttools.OriginWalk:
		return "Host, not registered"
	default:
		return string(origin)
	}
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
