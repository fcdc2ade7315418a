package pages

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/policy"
	"github.com/agentstudio/agentstudio/studio/agents"
	views "github.com/agentstudio/agentstudio/views/tools"
	"github.com/agentstudio/agentstudio/web/respond"
)

// toolPages is the catalogue.
type toolPages struct {
	*frame
	agents   *agents.Service
	registry *hosttools.Registry
	tooling  policy.Frozen
}

// show lists what the tenant may use. What the host got wrong is for admins.
func (p *toolPages) show(c echo.Context) error {
	r, err := p.open(c)
	if err != nil {
		return err
	}
	if err := p.allow(r.scope, policy.ToolsCatalogue); err != nil {
		return err
	}
	items, err := p.agents.List(r.ctx)
	if err != nil {
		return err
	}
	view := views.View{Shell: r.shell}
	for _, group := range p.registry.Groups() {
		if p.tooling.Judge(r.scope.Tenant, group.Slug, string(group.Origin), policy.PhaseCatalogue) == nil {
			view.Toolkits = append(view.Toolkits, catalogued(group, items))
		}
	}
	if r.scope.ManagesAll() {
		view.Rejected = rejected(p.registry.Rejections())
	}
	return respond.HTML(c, http.StatusOK, views.Page(view))
}

func catalogued(group hosttools.Group, items []agents.Item) views.Toolkit {
	toolkit := views.Toolkit{
		Slug: group.Slug, Name: group.Title, Description: group.Description, Source: sourceOf(group.Origin),
		Version: group.Version, TenantBound: group.TenantBound,
	}
	if group.Origin == hosttools.OriginWalk {
		toolkit.Deprecated = "The host offers it in the deprecated list Legacy. Declare it in Tools, under a slug of its own."
	}
	if group.Config != nil {
		for _, param := range group.Config.Params {
			toolkit.Params = append(toolkit.Params, views.Param{Name: param.Name, Secret: param.Secret, Managed: param.Managed()})
		}
	}
	for _, item := range items {
		if slices.Contains(item.Live.Definition.Toolkits, group.Slug) {
			toolkit.UsedBy = append(toolkit.UsedBy, item.Live.Definition.Title)
		}
	}
	for _, method := range group.Methods {
		toolkit.Methods = append(toolkit.Methods, views.Method{
			Slug: method.Name, Description: method.Description, Write: method.Access != hosttools.AccessRead,
			Consequential: method.Consequential, Schema: indented(method.InputJSON),
		})
	}
	return toolkit
}

func rejected(rejections []hosttools.Rejection) []views.Rejected {
	var list []views.Rejected
	for _, r := range rejections {
		list = append(list, views.Rejected{
			Slug: r.Slug, Reason: asSentence(r.Reason), Fix: "Correct the entry in the host application, and start it again.",
		})
	}
	return list
}
