package auth

import (
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"github.com/agentstudio/agentstudio/tenancy"
	"github.com/agentstudio/agentstudio/views/layout"
	"github.com/agentstudio/agentstudio/views/signin"
	"github.com/agentstudio/agentstudio/views/ui"
	"github.com/agentstudio/agentstudio/web/respond"
)

// done says in words what a person has just done on their page.
func done(what string) string {
	return map[string]string{
		"name":     "Your name is saved.",
		"password": "Your password is changed, and you are signed out everywhere else.",
		"ended":    "Signed out there.",
	}[what]
}

func (s SignIn) profile(c echo.Context) error {
	return s.showProfile(c, http.StatusOK, nil)
}

func (s SignIn) showProfile(c echo.Context, status int, failures map[string]string) error {
	scope, err := s.person(c)
	if err != nil {
		return err
	}
	view, err := s.profileView(c, scope)
	if err != nil {
		return err
	}
	view.Errors = failures
	return respond.HTML(c, status, signin.ProfilePage(view))
}

func (s SignIn) profileView(c echo.Context, scope tenancy.Scope) (signin.ProfileView, error) {
	ctx := c.Request().Context()
	view := signin.ProfileView{Site: ui.Site{Prefix: s.Prefix}, Done: done(c.QueryParam("done"))}
	user, err := s.Identity.User(ctx, scope.User)
	if err != nil {
		return view, err
	}
	view.Name, view.Email = user.Name, user.Email
	if view.HasPassword, err = s.Identity.HasPassword(ctx, scope.User); err != nil {
		return view, err
	}
	places, err := s.Identity.Memberships(ctx, scope.User)
	if err != nil {
		return view, err
	}
	for _, place := range places {
		view.Places = append(view.Places, signin.Place{
			Name: place.Tenant.Name, Role: layout.RoleName(place.Membership.Role), Href: s.Prefix + "/t/" + place.Tenant.ID,
		})
	}
	live, err := s.Identity.SignIns(ctx, scope.User)
	if err != nil {
		return view, err
	}
	for _, l := range live {
		device := l.Device
		if device == "" {
			device = "A browser"
		}
		view.SignIns = append(view.SignIns, signin.SignIn{
			ID: l.ID, Device: device, Address: l.Address, Seen: l.LastSeenAt.Time(), Here: l.ID == scope.Session,
		})
	}
	return view, nil
}

// changed carries out what a person does to their own account, and shows it.
func (s SignIn) changed(c echo.Context, what string, change func(scope tenancy.Scope) error) error {
	scope, err := s.person(c)
	if err != nil {
		return err
	}
	err = change(scope)
	if field, words, again := respond.FieldOf(err); again {
		return s.showProfile(c, http.StatusUnprocessableEntity, map[string]string{field: words})
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, s.Prefix+"/profile?"+query("done", what))
}

func query(name, value string) string { return url.Values{name: {value}}.Encode() }

func (s SignIn) rename(c echo.Context) error {
	return s.changed(c, "name", func(scope tenancy.Scope) error {
		return s.Identity.Rename(c.Request().Context(), scope, c.FormValue("name"))
	})
}

func (s SignIn) changePassword(c echo.Context) error {
	return s.changed(c, "password", func(scope tenancy.Scope) error {
		return s.Identity.ChangePassword(c.Request().Context(), scope, c.FormValue("current"), c.FormValue("password"), ClientOf(c))
	})
}

func (s SignIn) endOthers(c echo.Context) error {
	return s.changed(c, "ended", func(scope tenancy.Scope) error {
		return s.Identity.EndOtherSignIns(c.Request().Context(), scope)
	})
}

func (s SignIn) endOne(c echo.Context) error {
	return s.changed(c, "ended", func(scope tenancy.Scope) error {
		return s.Identity.EndSignIn(c.Request().Context(), scope.User, c.Param("id"))
	})
}
