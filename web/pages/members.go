package pages

import (
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/policy"
	"github.com/agentstudio/agentstudio/studio/identity"
	"github.com/agentstudio/agentstudio/views/layout"
	"github.com/agentstudio/agentstudio/views/people"
	"github.com/agentstudio/agentstudio/views/ui"
	"github.com/agentstudio/agentstudio/web/respond"
)

// memberPages are where admins say who belongs to the tenant. They are there
// where the Studio itself signs people in.
type memberPages struct {
	*frame
	identity *identity.Service
}

func (p *memberPages) routes(g *echo.Group) {
	get(g, "/members", p.show)
	g.POST("/members/:user", p.change)
	g.POST("/members/:user/remove", p.remove)
	g.POST("/invitations", p.invite)
	g.POST("/invitations/:id/revoke", p.revoke)
	g.POST("/groups", p.saveGroup)
	g.POST("/groups/delete", p.deleteGroup)
}

// administered begins a change that an admin makes: their role is asked before
// anything they sent is read, and then whether they proved lately who they are.
func (p *memberPages) administered(c echo.Context) (*request, error) {
	r, err := p.begin(c)
	if err != nil {
		return nil, err
	}
	if err := p.allow(r.scope, policy.AgentsAdminister); err != nil {
		return nil, err
	}
	return r, fresh(p.identity, r)
}

// fresh refuses a person who did not prove lately who they are.
func fresh(service *identity.Service, r *request) error {
	if service.Fresh(r.scope, identity.FreshFor) {
		return nil
	}
	return models.Errorf(models.CodeStepUpRequired, "Confirm first that it is you: sign in again, then repeat this.")
}

func (p *memberPages) show(c echo.Context) error {
	return p.shown(c, http.StatusOK, people.MembersView{})
}

// shown fills in the page around what a form said.
func (p *memberPages) shown(c echo.Context, status int, view people.MembersView) error {
	r, err := p.open(c)
	if err != nil {
		return err
	}
	if err := p.allow(r.scope, policy.AgentsAdminister); err != nil {
		return err
	}
	groups, err := p.identity.Groups(r.ctx, r.scope.Tenant)
	if err != nil {
		return err
	}
	members, err := p.identity.People(r.ctx, r.scope.Tenant)
	if err != nil {
		return err
	}
	open, err := p.identity.Invitations(r.ctx, r.scope.Tenant)
	if err != nil {
		return err
	}
	r.notice(c, map[string]string{
		"member": "Done. It is in force already.", "group": "The groups are changed.", "invite": "The link was withdrawn.",
	})
	view.Shell, view.Roles = r.shell, roleOptions(models.RoleMember)
	view.Invite.Groups = groupOptions(groups, selected(view.Invite.Groups))
	names := map[string]string{"": "whoever runs the server"}
	for _, m := range members {
		names[m.User.ID] = m.User.Name
		if m.User.Kind == models.UserService {
			continue // they are on the page of tokens
		}
		view.Members = append(view.Members, people.Member{
			ID: m.User.ID, Name: m.User.Name, Email: m.User.Email, Self: m.User.ID == r.scope.User,
			Is:    strings.Join(append([]string{layout.RoleName(m.Membership.Role)}, m.Membership.Groups...), ", "),
			Roles: roleOptions(m.Membership.Role), Groups: groupOptions(groups, m.Membership.Groups),
		})
	}
	for _, i := range open {
		shown := people.Invitation{ID: i.ID, Role: layout.RoleName(i.Role), For: i.Email, By: names[i.InvitedBy], Expires: i.ExpiresAt.Time()}
		if shown.For == "" {
			shown.For = "Whoever has the link"
		}
		view.Invitations = append(view.Invitations, shown)
	}
	for _, g := range groups {
		count := 0
		for _, m := range members {
			if slices.Contains(m.Membership.Groups, g.Name) {
				count++
			}
		}
		view.Groups = append(view.Groups, people.Group{Name: g.Name, About: g.About, Count: count})
	}
	return respond.HTML(c, status, people.MembersPage(view))
}

func selected(options []ui.Option) []string {
	var values []string
	for _, option := range options {
		if option.Selected {
			values = append(values, option.Value)
		}
	}
	return values
}

func groupOptions(groups []models.Group, chosen []string) []ui.Option {
	var options []ui.Option
	for _, g := range groups {
		options = append(options, ui.Option{Value: g.Name, Label: g.Name, Selected: slices.Contains(chosen, g.Name)})
	}
	return options
}

func roleOptions(chosen models.Role) []ui.Option {
	var options []ui.Option
	for _, role := range []models.Role{models.RoleMember, models.RoleAuthor, models.RoleAdmin} {
		options = append(options, ui.Option{Value: string(role), Label: layout.RoleName(role), Selected: role == chosen})
	}
	return options
}

// settled leads back to the page, or shows it again with what was wrong, under
// the name that the form has there.
func (p *memberPages) settled(c echo.Context, err error, form string, view people.MembersView) error {
	field, words, again := respond.FieldOf(err)
	if again {
		name := form
		if form != "member" {
			name += "." + field
		}
		view.Errors = map[string]string{name: words}
		return p.shown(c, http.StatusUnprocessableEntity, view)
	}
	if err != nil {
		return err
	}
	r, err := p.begin(c)
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, r.site.URL("members")+"?done="+form)
}

func (p *memberPages) change(c echo.Context) error {
	r, err := p.administered(c)
	if err != nil {
		return err
	}
	form, err := formOf(c)
	if err != nil {
		return err
	}
	err = p.identity.ChangeMember(r.ctx, r.scope.Tenant, r.scope.User, identity.Change{
		User: c.Param("user"), Role: models.Role(form.Get("role")), Groups: form["groups"],
	})
	return p.settled(c, err, "member", people.MembersView{})
}

func (p *memberPages) remove(c echo.Context) error {
	r, err := p.administered(c)
	if err != nil {
		return err
	}
	err = p.identity.RemoveMember(r.ctx, r.scope.Tenant, r.scope.User, c.Param("user"))
	return p.settled(c, err, "member", people.MembersView{})
}

// invite makes a link and shows it, this once.
func (p *memberPages) invite(c echo.Context) error {
	r, err := p.administered(c)
	if err != nil {
		return err
	}
	form, err := formOf(c)
	if err != nil {
		return err
	}
	secret, _, err := p.identity.Invite(r.ctx, r.scope.Tenant, identity.NewInvitation{
		Role: models.Role(form.Get("role")), Groups: form["groups"], Email: form.Get("email"), By: r.scope.User,
	})
	if err != nil {
		typed := people.Invite{Email: form.Get("email"), Role: form.Get("role")}
		for _, group := range form["groups"] {
			typed.Groups = append(typed.Groups, ui.Option{Value: group, Selected: true})
		}
		return p.settled(c, err, "invite", people.MembersView{Invite: typed})
	}
	return p.shown(c, http.StatusOK, people.MembersView{Link: p.link(c, r) + "?key=" + secret})
}

// link is the address of the page on which an invitation is accepted, with the
// origin that the admin sees.
func (p *memberPages) link(c echo.Context, r *request) string {
	origin := p.origin
	if origin == "" {
		origin = c.Scheme() + "://" + c.Request().Host
	}
	return origin + r.site.Root("join", r.scope.Tenant)
}

func (p *memberPages) revoke(c echo.Context) error {
	r, err := p.administered(c)
	if err != nil {
		return err
	}
	return p.settled(c, p.identity.RevokeInvitation(r.ctx, r.scope.Tenant, c.Param("id")), "invite", people.MembersView{})
}

func (p *memberPages) saveGroup(c echo.Context) error {
	r, err := p.administered(c)
	if err != nil {
		return err
	}
	form, err := formOf(c)
	if err != nil {
		return err
	}
	err = p.identity.SaveGroup(r.ctx, r.scope.Tenant, r.scope.User, text(form, "name"), text(form, "about"))
	return p.settled(c, err, "group", people.MembersView{})
}

func (p *memberPages) deleteGroup(c echo.Context) error {
	r, err := p.administered(c)
	if err != nil {
		return err
	}
	form, err := formOf(c)
	if err != nil {
		return err
	}
	return p.settled(c, p.identity.DeleteGroup(r.ctx, r.scope.Tenant, r.scope.User, form.Get("name")), "group", people.MembersView{})
}
