package pages

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/policy"
	"github.com/agentstudio/agentstudio/studio/agents"
	"github.com/agentstudio/agentstudio/studio/toolexec"
	"github.com/agentstudio/agentstudio/tenancy"
	views "github.com/agentstudio/agentstudio/views/agents"
	"github.com/agentstudio/agentstudio/views/ui"
	"github.com/agentstudio/agentstudio/web/respond"
)

// agentPages are the list of agents and the tabs on which one is edited.
type agentPages struct {
	*frame
	agents   *agents.Service
	registry *hosttools.Registry
	tooling  policy.Frozen
	models   []string
	runner   *toolexec.Runner
}

func (p *agentPages) routes(g *echo.Group) {
	get(g, "", p.list)
	get(g, "/new", p.blank)
	g.POST("", p.create)
	get(g, "/:agent", p.toChat)
	get(g, "/:agent/instructions", p.instructions)
	g.POST("/:agent/instructions", p.saveInstructions)
	get(g, "/:agent/rules", p.rules)
	g.POST("/:agent/rules", p.saveRule)
	g.POST("/:agent/rules/:rule", p.saveRule)
	g.POST("/:agent/rules/:rule/delete", p.deleteRule)
	get(g, "/:agent/tools", p.toolkits)
	get(g, "/:agent/tools/:slug", p.toolkit)
	g.POST("/:agent/tools/:slug", p.saveToolkit)
	g.POST("/:agent/tools/:slug/me", p.saveOwn)
	g.POST("/:agent/tools/:slug/me/delete", p.deleteOwn)
	get(g, "/:agent/tools/:slug/options/:param", p.choices)
	g.POST("/:agent/tools/:slug/assign", p.reassign(p.agents.Assign))
	g.POST("/:agent/tools/:slug/unassign", p.reassign(p.agents.Unassign))
	get(g, "/:agent/versions", p.versions)
	get(g, "/:agent/sharing", p.sharing)
	g.POST("/:agent/sharing", p.share)
	g.POST("/:agent/delete", p.delete)
}

func (p *agentPages) list(c echo.Context) error {
	r, err := p.open(c)
	if err != nil {
		return err
	}
	items, err := p.agents.List(r.ctx)
	if err != nil {
		return err
	}
	var owners []string
	for _, item := range items {
		owners = append(owners, item.Agent.Owner)
	}
	names, err := p.names(r.ctx, r.scope.Tenant, owners)
	if err != nil {
		return err
	}
	view := views.ListView{Shell: r.shell, CanCreate: p.mayAuthor(r.scope)}
	for _, item := range items {
		view.Agents = append(view.Agents, p.row(r, item, names))
	}
	return respond.HTML(c, http.StatusOK, views.ListPage(view))
}

func (p *agentPages) mayAuthor(scope tenancy.Scope) bool {
	return p.authorizer.Allow(scope, scope.Tenant, policy.AgentsAuthor)
}

func (p *agentPages) row(r *request, item agents.Item, names func(string) string) views.Row {
	return views.Row{
		ID: item.Agent.Name, Name: item.Live.Definition.Title, Description: item.Live.Definition.Description,
		Owner: names(item.Agent.Owner), Visible: visibleTo(item.Agent, r.shell.TenantName),
		Version: item.Agent.Version, Updated: item.Agent.UpdatedAt.Time(),
		Health: health(p.unavailable(r.scope.Tenant, item.Live.Definition)),
	}
}

// unavailable counts the tools of an agent's rules that would not be offered.
func (p *agentPages) unavailable(tenant string, d models.Definition) int {
	missing := map[string]bool{}
	for _, rule := range d.Rules {
		for _, tool := range rule.Tools {
			method, ok := p.registry.Lookup(tool)
			missing[tool] = !ok || !slices.Contains(d.Toolkits, method.Slug) ||
				p.tooling.Judge(tenant, method.Slug, string(method.Origin), policy.PhaseExecute) != nil
		}
	}
	count := 0
	for _, gone := range missing {
		if gone {
			count++
		}
	}
	return count
}

func health(unavailable int) ui.Mark {
	if unavailable == 0 {
		return ui.Mark{Text: "Ready", Tone: ui.OK}
	}
	return ui.Mark{Text: counted(unavailable, "tool") + " unavailable", Tone: ui.Warn}
}

// visibleTo says in words who can see and test an agent.
func visibleTo(a models.Agent, tenant string) string {
	if a.TenantID == tenancy.Global().Stored() {
		return "Everybody who can sign in can test it, its owner can change it"
	}
	switch a.Visibility {
	case models.VisibilityTenant:
		return "Everyone in " + tenant + " can test it"
	case models.VisibilityGroups:
		return counted(len(a.AllowedGroups), "group") + ", its owner and admins can test it"
	default:
		return "Only its owner and admins can test it"
	}
}

// agentView returns what every page of one agent shows in its head.
func agentView(r *request, item agents.Item) views.Agent {
	a := views.Agent{
		ID: item.Agent.Name, Name: item.Live.Definition.Title, Version: item.Agent.Version,
		Marks: []ui.Mark{{Text: "Live v" + strconv.Itoa(item.Agent.Version), Tone: ui.OK}},
		State: visibleTo(item.Agent, r.shell.TenantName) + ".", RuleCount: len(item.Live.Definition.Rules),
		ToolCount: len(item.Live.Definition.Toolkits),
	}
	if !item.CanManage {
		a.ReadOnly = "This agent is shared with you to see and test. Its owner or an admin can change it."
	}
	return a
}

// opened is the page of one agent: who asks, and which agent.
func (p *agentPages) opened(c echo.Context) (*request, agents.Item, error) {
	r, err := p.open(c)
	if err != nil {
		return nil, agents.Item{}, err
	}
	item, err := p.agents.Get(r.ctx, c.Param("agent"))
	return r, item, err
}

// managed begins a change of an agent. Whether the caller may change it is
// asked before anything they sent is read.
func (p *agentPages) managed(c echo.Context) (*request, agents.Item, error) {
	r, err := p.begin(c)
	if err != nil {
		return nil, agents.Item{}, err
	}
	item, err := p.agents.Managed(r.ctx, c.Param("agent"))
	return r, item, err
}

func (p *agentPages) toChat(c echo.Context) error {
	r, err := p.begin(c)
	if err != nil {
		return err
	}
	item, err := p.agents.Get(r.ctx, c.Param("agent"))
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, r.site.URL("agents", item.Agent.Name, "chat"))
}

func (p *agentPages) versions(c echo.Context) error {
	r, item, err := p.opened(c)
	if err != nil {
		return err
	}
	saved, err := p.agents.Versions(r.ctx, item.Agent.Name)
	if err != nil {
		return err
	}
	var authors []string
	for _, version := range saved {
		authors = append(authors, version.Author)
	}
	names, err := p.names(r.ctx, r.scope.Tenant, authors)
	if err != nil {
		return err
	}
	view := views.VersionsView{Shell: r.shell, Agent: agentView(r, item)}
	for _, version := range saved {
		view.Versions = append(view.Versions, views.Version{
			Number: version.Number, At: version.CreatedAt.Time(), By: names(version.Author),
			Note: version.Note, Live: version.Number == item.Agent.Version,
		})
	}
	return respond.HTML(c, http.StatusOK, views.VersionsPage(view))
}
