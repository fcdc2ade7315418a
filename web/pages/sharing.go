package pages

import (
	"errors"
	"net/http"
	"net/url"
	"slices"

	"github.com/labstack/echo/v4"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/agents"
	views "github.com/agentstudio/agentstudio/views/agents"
	"github.com/agentstudio/agentstudio/views/ui"
	"github.com/agentstudio/agentstudio/web/respond"
)

// sharing is the page that says who sees an agent. Its owner and the admins
// share and delete it there.
func (p *agentPages) sharing(c echo.Context) error {
	r, item, err := p.opened(c)
	if err != nil {
		return err
	}
	view, err := p.sharingView(r, item, agents.Sharing{Visibility: item.Agent.Visibility, Groups: item.Agent.AllowedGroups})
	if err != nil {
		return err
	}
	return respond.HTML(c, http.StatusOK, views.SharingPage(view))
}

// sharingView fills the page in with a sharing, which need not be the agent's.
func (p *agentPages) sharingView(r *request, item agents.Item, chosen agents.Sharing) (views.SharingView, error) {
	view := views.SharingView{
		Shell: r.shell, Agent: agentView(r, item), Now: visibleTo(item.Agent, r.shell.TenantName) + ".",
	}
	if !item.CanManage || r.scope.IsGlobal() {
		return view, nil
	}
	groups, err := p.agents.Groups(r.ctx)
	if err != nil {
		return view, err
	}
	for _, group := range append(groups, without(item.Agent.AllowedGroups, groups)...) {
		view.Groups = append(view.Groups, ui.Option{
			Value: group, Label: group, Selected: slices.Contains(chosen.Groups, group),
		})
	}
	onlyMe, help := "Only me", "You, and the admins of "+r.shell.TenantName+"."
	if item.Agent.Owner != r.scope.User {
		onlyMe, help = "Only its owner", "Whoever made it, and the admins of "+r.shell.TenantName+"."
	}
	view.Choices = []views.SharingChoice{
		{Value: string(models.VisibilityPrivate), Label: onlyMe, Help: help},
		{Value: string(models.VisibilityTenant), Label: "Everyone in " + r.shell.TenantName, Help: "Every member can find and test it."},
		{Value: string(models.VisibilityGroups), Label: "Groups…", Help: "The members of the groups you choose can find and test it."},
	}
	for i, choice := range view.Choices {
		view.Choices[i].Selected = choice.Value == string(chosen.Visibility)
	}
	return view, nil
}

// without returns what is in list and not in others.
func without(list, others []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(others, s) })
}

// share saves who sees an agent. The groups count only where groups are chosen,
// so that a change of mind needs no unticking.
func (p *agentPages) share(c echo.Context) error {
	_, item, err := p.managed(c)
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
	to := sharingOf(form)
	_, err = p.agents.Share(c.Request().Context(), item.Agent.Name, expected, to)
	if why, again := unshared(err); again {
		return p.sharingAgain(c, to, why)
	}
	if err != nil {
		return err
	}
	r, err := p.begin(c)
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, r.site.URL("agents", item.Agent.Name, "sharing"))
}

func sharingOf(form url.Values) agents.Sharing {
	to := agents.Sharing{Visibility: models.Visibility(form.Get("visibility"))}
	if to.Visibility == models.VisibilityGroups {
		to.Groups = form["groups"]
	}
	return to
}

// unshared returns why a sharing is shown again, and false for errors that are
// no matter of the form.
func unshared(err error) (invalid, bool) {
	ours, ok := errors.AsType[*models.Error](err)
	if !ok {
		return invalid{}, false
	}
	switch ours.Code {
	case models.CodeGroupsRequired, models.CodeGroupsNotAllowed:
		return invalid{status: respond.Status(ours.Code, respond.Write), field: "groups", words: ours.Message}, true
	case models.CodeInvalidVisibility, models.CodeVersionConflict:
		return invalid{status: respond.Status(ours.Code, respond.Write), words: ours.Message}, true
	default:
		return invalid{}, false
	}
}

func (p *agentPages) sharingAgain(c echo.Context, to agents.Sharing, why invalid) error {
	r, item, err := p.opened(c)
	if err != nil {
		return err
	}
	if why.field == "" {
		r.shell.Notices = append(r.shell.Notices, ui.Notice{Tone: ui.Danger, Title: "Not saved.", Text: why.words})
	}
	view, err := p.sharingView(r, item, to)
	if err != nil {
		return err
	}
	if why.field != "" {
		view.Error = why.words
	}
	return respond.HTML(c, why.status, views.SharingPage(view))
}

// delete deletes an agent, once the person says that they are sure.
func (p *agentPages) delete(c echo.Context) error {
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
	if form.Get("sure") != "true" {
		return p.unsure(c)
	}
	err = p.agents.Delete(r.ctx, item.Agent.Name, expected)
	if models.CodeOf(err) == models.CodeVersionConflict {
		why, _ := unshared(err)
		return p.sharingAgain(c, agents.Sharing{Visibility: item.Agent.Visibility, Groups: item.Agent.AllowedGroups}, why)
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, r.site.URL("agents"))
}

// unsure shows the page again to whoever sent the form without its tick.
func (p *agentPages) unsure(c echo.Context) error {
	r, item, err := p.opened(c)
	if err != nil {
		return err
	}
	view, err := p.sharingView(r, item, agents.Sharing{Visibility: item.Agent.Visibility, Groups: item.Agent.AllowedGroups})
	if err != nil {
		return err
	}
	view.Unsure = "Tick this to delete the agent."
	return respond.HTML(c, http.StatusUnprocessableEntity, views.SharingPage(view))
}
