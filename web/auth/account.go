package auth

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/identity"
	"github.com/agentstudio/agentstudio/tenancy"
	"github.com/agentstudio/agentstudio/views/layout"
	"github.com/agentstudio/agentstudio/views/signin"
	"github.com/agentstudio/agentstudio/views/ui"
	"github.com/agentstudio/agentstudio/web/respond"
)

// accountRoutes adds the pages of a person's own account.
func (s SignIn) accountRoutes(g *echo.Group) {
	reads := []string{http.MethodGet, http.MethodHead}
	g.Match(reads, "/join/:"+TenantParam, s.invited)
	g.POST("/join/:"+TenantParam, s.join)
	g.POST("/join/:"+TenantParam+"/as", s.joinAs)
	g.Match(reads, "/sign-in/confirm", s.confirmPage)
	g.POST("/sign-in/confirm", s.confirm)
	g.Match(reads, "/profile", s.profile)
	g.POST("/profile/name", s.rename)
	g.POST("/profile/password", s.changePassword)
	g.POST("/profile/sign-ins/end", s.endOthers)
	g.POST("/profile/sign-ins/:id/end", s.endOne)
}

// person returns the scope of who is signed in with a browser.
func (s SignIn) person(c echo.Context) (tenancy.Scope, error) {
	r := c.Request()
	scope, err := s.Identity.Resolve(r.Context(), r)
	if err == nil && scope.Via != tenancy.ViaBrowser {
		err = models.Errorf(models.CodeUnauthenticated, "This page is for people who are signed in.")
	}
	return scope, err
}

// invited shows an invitation. Looking at it accepts nothing.
func (s SignIn) invited(c echo.Context) error {
	return s.showInvitation(c, http.StatusOK, signin.JoinView{Key: c.QueryParam("key")})
}

func (s SignIn) showInvitation(c echo.Context, status int, view signin.JoinView) error {
	ctx, tenant := c.Request().Context(), c.Param(TenantParam)
	invitation, err := s.Identity.Invitation(ctx, tenant, view.Key)
	if err != nil {
		return err
	}
	if view.TenantName, err = s.Identity.TenantName(ctx, tenant); err != nil {
		return err
	}
	view.Site, view.Tenant, view.Role = ui.Site{Prefix: s.Prefix}, tenant, strings.ToLower(layout.RoleName(invitation.Role))
	if view.Email == "" {
		view.Email = invitation.Email
	}
	if scope, err := s.person(c); err == nil {
		view.Person = scope.Name
	}
	return respond.HTML(c, status, signin.JoinPage(view))
}

// join makes an account for whoever has the link, and signs them in.
func (s SignIn) join(c echo.Context) error {
	n := identity.Newcomer{Name: c.FormValue("name"), Email: c.FormValue("email"), Password: c.FormValue("password")}
	tenant, key := c.Param(TenantParam), c.FormValue("key")
	token, err := s.Identity.Join(c.Request().Context(), tenant, key, n, ClientOf(c))
	if field, words, again := respond.FieldOf(err); again {
		return s.showInvitation(c, http.StatusUnprocessableEntity, signin.JoinView{
			Key: key, Name: n.Name, Email: n.Email, Errors: map[string]string{field: words},
		})
	}
	if err != nil {
		return err
	}
	if err := s.begin(c, token); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, s.Prefix+"/t/"+tenant)
}

// joinAs makes who is signed in a member.
func (s SignIn) joinAs(c echo.Context) error {
	scope, err := s.person(c)
	if err != nil {
		return err
	}
	tenant, key := c.Param(TenantParam), c.FormValue("key")
	err = s.Identity.JoinAs(c.Request().Context(), tenant, key, scope)
	if _, words, again := respond.FieldOf(err); again {
		return s.showInvitation(c, http.StatusUnprocessableEntity, signin.JoinView{Key: key, Errors: map[string]string{"": words}})
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, s.Prefix+"/t/"+tenant)
}

// begin sets the cookie of a new sign-in, and ends the one that the browser had.
func (s SignIn) begin(c echo.Context, token string) error {
	if scope, err := s.person(c); err == nil {
		if err := s.Identity.SignOut(c.Request().Context(), scope.Session); err != nil {
			return err
		}
	}
	c.SetCookie(s.cookie(c, token, int(identity.SessionLifetime.Seconds())))
	return nil
}

// password signs a person in with their password.
func (s SignIn) password(c echo.Context) error {
	email := c.FormValue("email")
	token, err := s.Identity.SignInWithPassword(c.Request().Context(), email, c.FormValue("password"), ClientOf(c))
	switch models.CodeOf(err) {
	case "":
	case models.CodeUnauthenticated, models.CodeTooManyAttempts:
		ours, _ := errors.AsType[*models.Error](err)
		status := respond.Status(ours.Code, respond.Write)
		if ours.Code == models.CodeUnauthenticated {
			status = http.StatusUnprocessableEntity // a page of a form, not of a missing sign-in
		}
		return s.show(c, status, ours.Message)
	default:
		return err
	}
	if err := s.begin(c, token); err != nil {
		return err
	}
	next := s.safe(c.FormValue("next"))
	if next == "" {
		next = s.Prefix + "/"
	}
	return c.Redirect(http.StatusSeeOther, next)
}

// StepUp leads a person to prove again who they are, and back from there to the
// page on which they were.
func (s SignIn) StepUp(c echo.Context) error {
	from, _ := strings.CutPrefix(c.Request().Referer(), c.Scheme()+"://"+c.Request().Host)
	if s.Place.Origin != "" {
		from, _ = strings.CutPrefix(c.Request().Referer(), s.Place.Origin)
	}
	return c.Redirect(http.StatusSeeOther, s.Prefix+"/sign-in/confirm?"+query("next", s.safe(from)))
}

func (s SignIn) confirmPage(c echo.Context) error { return s.showConfirm(c, http.StatusOK, "") }

func (s SignIn) showConfirm(c echo.Context, status int, failure string) error {
	scope, err := s.person(c)
	if err != nil {
		return err
	}
	has, err := s.Identity.HasPassword(c.Request().Context(), scope.User)
	if err != nil {
		return err
	}
	provider := ""
	if s.Provider != nil {
		provider = s.Provider.Name()
	}
	return respond.HTML(c, status, signin.ConfirmPage(signin.ConfirmView{
		Provider: provider,
		Site:     ui.Site{Prefix: s.Prefix}, Next: s.safe(c.FormValue("next")), Person: scope.Name,
		HasPassword: has, Demo: s.ofDemo(scope), Error: failure,
	}))
}

// ofDemo reports one of the demo's people, where those sign in without proof.
func (s SignIn) ofDemo(scope tenancy.Scope) bool {
	return s.Demo && slices.ContainsFunc(identity.DemoPeople(), func(p identity.DemoPerson) bool {
		return identity.UserID(p.Email) == scope.User
	})
}

func (s SignIn) confirm(c echo.Context) error {
	ctx := c.Request().Context()
	scope, err := s.person(c)
	if err != nil {
		return err
	}
	has, err := s.Identity.HasPassword(ctx, scope.User)
	if err != nil {
		return err
	}
	var token string
	switch {
	case has:
		token, err = s.Identity.Confirm(ctx, scope, c.FormValue("password"), ClientOf(c))
	case s.ofDemo(scope):
		token, err = s.Identity.Renew(ctx, scope, ClientOf(c))
	default:
		err = models.Errorf(models.CodeStepUpRequired, "Sign out and in again first.")
	}
	if _, words, again := respond.FieldOf(err); again {
		return s.showConfirm(c, http.StatusUnprocessableEntity, words)
	}
	if err != nil {
		return err
	}
	c.SetCookie(s.cookie(c, token, int(identity.SessionLifetime.Seconds())))
	next := s.safe(c.FormValue("next"))
	if next == "" {
		next = s.Prefix + "/"
	}
	return c.Redirect(http.StatusSeeOther, next)
}
