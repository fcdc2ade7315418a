package pages

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/agents"
	"github.com/agentstudio/agentstudio/studio/canon"
	views "github.com/agentstudio/agentstudio/views/agents"
	"github.com/agentstudio/agentstudio/views/ui"
	"github.com/agentstudio/agentstudio/web/respond"
)

// doneField of the query says what a redirect comes from.
const doneField = "done"

// toolkitPage is the page on which one toolkit of an agent is set up.
type toolkitPage struct {
	*request

	overview agents.Overview
	toolkit  agents.ToolkitView
	own      agents.OverrideView
	// What was sent and refused, if anything was, and for which of the forms.
	sent    url.Values
	refusal refusal
	ownSent bool
}

// openToolkit reads what the page shows.
func (p *agentPages) openToolkit(c echo.Context) (*toolkitPage, error) {
	r, err := p.open(c)
	if err != nil {
		return nil, err
	}
	page := &toolkitPage{request: r}
	if page.overview, err = p.agents.ToolkitConfig(r.ctx, c.Param("agent")); err != nil {
		return nil, err
	}
	i := slices.IndexFunc(page.overview.Toolkits, func(t agents.ToolkitView) bool {
		return t.Slug == c.Param("slug") || t.Group != nil && strings.EqualFold(t.Slug, c.Param("slug"))
	})
	if i < 0 {
		return nil, models.NotFound()
	}
	page.toolkit = page.overview.Toolkits[i]
	if page.toolkit.Group != nil {
		page.own, err = p.agents.Override(r.ctx, c.Param("agent"), page.toolkit.Slug)
	}
	return page, err
}

func (p *agentPages) toolkit(c echo.Context) error {
	page, err := p.openToolkit(c)
	if err != nil {
		return err
	}
	if done := page.done(c.QueryParam(doneField)); done.Text != "" {
		page.shell.Notices = append(page.shell.Notices, done)
	}
	return respond.HTML(c, http.StatusOK, views.ToolkitPage(page.view()))
}

// done returns the notice about what was just done. The address may say
// anything, so only what is true, or harmless, is said.
func (page *toolkitPage) done(what string) ui.Notice {
	switch what {
	case strconv.Itoa(page.overview.Item.Agent.Version):
		return ui.Notice{Tone: ui.OK, Text: "Saved as version " + what + "."}
	case "unchanged":
		return ui.Notice{Text: "Nothing was changed, so there is no new version."}
	case "own":
		return ui.Notice{Tone: ui.OK, Text: "Your own settings apply from your next call on."}
	case "shared":
		return ui.Notice{Tone: ui.OK, Text: "The agent's settings apply to your calls."}
	}
	return ui.Notice{}
}

// saveToolkit sets a toolkit up.
func (p *agentPages) saveToolkit(c echo.Context) error {
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
	slug := c.Param("slug")
	params, err := sentParams(form, p.configOf(slug))
	if err != nil {
		return err
	}
	saved, err := p.agents.Configure(r.ctx, item.Agent.Name, slug, agents.Change{
		Params: params, UserOverridable: sentOverridable(form), ExpectedVersion: expected,
	})
	if why, again := refusalOf(err); again {
		return p.toolkitAgain(c, form, why, false)
	}
	if err != nil {
		return err
	}
	done := strconv.Itoa(saved.Number)
	if saved.Number == expected {
		done = "unchanged"
	}
	return toToolkit(c, r, done)
}

// saveOwn sets what the caller wants for their own calls.
func (p *agentPages) saveOwn(c echo.Context) error {
	r, err := p.begin(c)
	if err != nil {
		return err
	}
	if _, err := p.agents.Get(r.ctx, c.Param("agent")); err != nil {
		return err
	}
	form, err := formOf(c)
	if err != nil {
		return err
	}
	slug := c.Param("slug")
	params, err := sentParams(form, p.configOf(slug))
	if err != nil {
		return err
	}
	err = p.agents.SaveOverride(r.ctx, c.Param("agent"), slug, params)
	if why, again := refusalOf(err); again {
		return p.toolkitAgain(c, form, why, true)
	}
	if err != nil {
		return err
	}
	if params.Len() == 0 {
		return toToolkit(c, r, "shared")
	}
	return toToolkit(c, r, "own")
}

// deleteOwn takes back what the caller set for their own calls.
func (p *agentPages) deleteOwn(c echo.Context) error {
	r, err := p.begin(c)
	if err != nil {
		return err
	}
	if err := p.agents.DeleteOverride(r.ctx, c.Param("agent"), c.Param("slug")); err != nil {
		return err
	}
	return toToolkit(c, r, "shared")
}

func toToolkit(c echo.Context, r *request, done string) error {
	address := r.site.URL("agents", c.Param("agent"), "tools", c.Param("slug"))
	return c.Redirect(http.StatusSeeOther, address+"?"+url.Values{doneField: {done}}.Encode())
}

// toolkitAgain shows a form with what was typed, and why it was not saved. It is
// based on the version that is live now.
func (p *agentPages) toolkitAgain(c echo.Context, form url.Values, why refusal, own bool) error {
	page, err := p.openToolkit(c)
	if err != nil {
		return err
	}
	page.sent, page.refusal, page.ownSent = form, why, own
	return respond.HTML(c, why.status, views.ToolkitPage(page.view()))
}

// configOf returns the parameters of a toolkit, nil where it is not registered
// or has none.
func (p *agentPages) configOf(slug string) *hosttools.ConfigSchema {
	group, _ := p.registry.Group(slug)
	return group.Config
}

func (page *toolkitPage) view() views.ToolkitView {
	t := page.toolkit
	v := views.ToolkitView{
		Agent:   agentView(page.request, page.overview.Item),
		Toolkit: views.Toolkit{Slug: t.Slug, Name: t.Title, Unavailable: t.Why, Setup: setupOf(t)},
	}
	if !page.overview.Editable {
		v.Agent.ReadOnly = page.overview.Reason
	}
	if t.Group == nil {
		v.Params = remembered(t.Params)
	} else {
		v.Toolkit.Description = t.Group.Description
	}
	if t.Group != nil && t.Group.Config != nil {
		page.fill(&v, t.Group.Config)
	}
	v.Shell = page.shell
	return v
}

// fill completes a view with the forms of a toolkit's parameters.
func (page *toolkitPage) fill(v *views.ToolkitView, config *hosttools.ConfigSchema) {
	shared := &paramForm{config: config, set: page.toolkit.Params, below: defaultsOf(config), open: page.toolkit.UserOverridable}
	shared.choices = func(name string) string {
		return page.site.URL("agents", v.Agent.ID, "tools", page.toolkit.Slug, "options", name)
	}
	own := &paramForm{config: config, own: true, set: page.own.Params, below: over(shared.below, shared.set), open: page.own.Overridable}
	refused := map[string]string{}
	if page.sent != nil {
		form := shared
		if page.ownSent {
			form = own
		}
		refused = page.refuse(form)
	}
	v.Params, v.Managed = shared.fields(), managedParams(config, refused)
	if len(own.open) > 0 || page.own.Configured {
		v.Own = &views.OwnForm{Params: own.fields(), Set: page.own.Configured, Ignored: page.own.NotApplied}
	}
}

// refuse puts what was sent, and what is wrong with it, into a form. What is
// about no field becomes a notice.
func (page *toolkitPage) refuse(form *paramForm) map[string]string {
	form.sent = map[string]string{}
	for field := range page.sent {
		if name, isParam := strings.CutPrefix(field, paramField); isParam {
			form.sent[name] = strings.ReplaceAll(page.sent.Get(field), "\r\n", "\n")
		}
	}
	if !form.own {
		form.open = page.sent[overridableField]
	}
	errors, whole := page.refusal.errorsOf(form.config, form.sent)
	if !whole {
		page.shell.Notices = append(page.shell.Notices, page.refusal.notice())
	}
	form.errors = errors
	return errors
}

// defaultsOf returns what counts where nobody sets anything: the defaults of the
// type, and those of the host before them.
func defaultsOf(config *hosttools.ConfigSchema) canon.Value {
	var members []canon.Member
	for _, param := range config.Params {
		standard := config.Schema.Properties[param.Name].Default
		if value, err := canon.Parse(standard); err == nil {
			members = append(members, canon.Member{Name: param.Name, Value: value})
		}
	}
	defaults, err := canon.ObjectOf(members...)
	if err != nil {
		return canon.Value{}
	}
	hosts, err := canon.Parse(config.Defaults)
	if err != nil {
		return defaults
	}
	return over(defaults, hosts)
}

// over lays the members of one object over those of another.
func over(below, above canon.Value) canon.Value {
	var members []canon.Member
	for _, member := range above.Members() {
		members = append(members, member)
	}
	for _, member := range below.Members() {
		if _, covered := above.Get(member.Name); !covered {
			members = append(members, member)
		}
	}
	object, err := canon.ObjectOf(members...)
	if err != nil {
		return below
	}
	return object
}

// remembered returns what was set of a toolkit that is not registered any more.
func remembered(params canon.Value) []views.Param {
	var list []views.Param
	for _, member := range params.Members() {
		field := views.Param{Name: member.Name, Label: labelOf(nil, member.Name), Shown: asTyped(member.Value), Set: true}
		if field.Shown == agents.Mask {
			field.Shown = "Stored, and never shown"
		}
		list = append(list, field)
	}
	return list
}
