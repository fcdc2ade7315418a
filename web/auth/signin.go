package auth

import (
	"net/http"
	"net/url"
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

// SignIn signs people of the standalone server in and out.
type SignIn struct {
	// Prefix is where browsers see the Studio: the Base of its Place.
	Prefix string
	// Place is where the Studio is mounted.
	Place Place
	// Identity knows the people.
	Identity *identity.Service
	// Provider signs people in elsewhere; nil for none.
	Provider identity.Provider
	// Demo offers the demo's people with one button each, without a password.
	Demo bool
}

// Routes adds the pages below the prefix. None of them needs a scope.
func (s SignIn) Routes(g *echo.Group) {
	reads := []string{http.MethodGet, http.MethodHead}
	g.Match(reads, "", s.root)
	g.Match(reads, "/", s.root)
	g.Match(reads, "/sign-in", s.page)
	g.POST("/sign-in", s.password)
	g.POST("/sign-out", s.out)
	s.accountRoutes(g)
	if s.Provider != nil {
		s.providerRoutes(g)
	}
	if s.Demo {
		g.POST("/sign-in/demo", s.demo)
	}
}

// root sends people to their tenant, or to sign in.
func (s SignIn) root(c echo.Context) error {
	r := c.Request()
	scope, err := s.Identity.Resolve(r.Context(), r)
	if err != nil {
		return c.Redirect(http.StatusSeeOther, s.Prefix+"/sign-in")
	}
	if scope.Tenant == "" {
		return c.Redirect(http.StatusSeeOther, s.Prefix+"/profile")
	}
	return c.Redirect(http.StatusSeeOther, s.Prefix+"/t/"+scope.Tenant)
}

func (s SignIn) page(c echo.Context) error {
	return s.show(c, http.StatusOK, "")
}

func (s SignIn) show(c echo.Context, status int, failure string) error {
	view := signin.View{Site: ui.Site{Prefix: s.Prefix}, Error: failure, Next: s.safe(c.FormValue("next")), Email: c.FormValue("email"), Demo: s.Demo}
	if s.Demo {
		view.Tenants = demoTenants()
	}
	if s.Provider != nil {
		view.Provider = s.Provider.Name()
	}
	return respond.HTML(c, status, signin.Page(view))
}

// demo signs one of the demo's people in, and nobody else.
func (s SignIn) demo(c echo.Context) error {
	// Only the addresses of the demo's people get any further.
	email := c.FormValue("user")
	at := slices.IndexFunc(identity.DemoPeople(), func(p identity.DemoPerson) bool { return p.Email == email })
	if at < 0 {
		return s.show(c, http.StatusUnprocessableEntity, "Choose one of the people below.")
	}
	token, err := s.Identity.SignIn(c.Request().Context(), email, ClientOf(c))
	if err != nil {
		return err
	}
	if err := s.begin(c, token); err != nil {
		return err
	}
	next := s.safe(c.FormValue("next"))
	home := s.Prefix + "/t/" + identity.DemoPeople()[at].Tenant
	// The next page counts only within the person's own tenant.
	if next != home && !strings.HasPrefix(next, home+"/") {
		next = home
	}
	return c.Redirect(http.StatusSeeOther, next)
}

// out ends the sign-in, here and everywhere its cookie went.
func (s SignIn) out(c echo.Context) error {
	r := c.Request()
	scope, err := s.Identity.Resolve(r.Context(), r)
	if err == nil && scope.Via == tenancy.ViaBrowser {
		if err := s.Identity.SignOut(r.Context(), scope.Session); err != nil {
			return err
		}
	}
	c.SetCookie(s.cookie(c, "", -1))
	return c.Redirect(http.StatusSeeOther, s.Prefix+"/sign-in")
}

func (s SignIn) cookie(c echo.Context, value string, maxAge int) *http.Cookie {
	//nolint:gosec // Secure follows the connection: the demo serves loopback without TLS.
	return &http.Cookie{
		Name: identity.CookieName, Value: value, Path: s.Place.CookiePath(), MaxAge: maxAge,
		HttpOnly: true, Secure: s.Place.Secure(c.Request()), SameSite: http.SameSiteLaxMode,
	}
}

// safe returns a path of the Studio to go on at, or "" for anything that could
// lead elsewhere.
func (s SignIn) safe(next string) string {
	u, err := url.Parse(next)
	if err != nil || u.Scheme != "" || u.Host != "" || strings.ContainsAny(next, "\\\r\n\t") ||
		!s.own(next) || strings.Contains(u.Path, "..") {
		return ""
	}
	return next
}

// own reports a path of a page to go on at.
func (s SignIn) own(next string) bool {
	for _, page := range []string{"/t/", "/join/", "/profile"} {
		if strings.HasPrefix(next, s.Prefix+page) {
			return true
		}
	}
	return false
}

// Redirect answers a page's missing sign-in with the way to it.
func (s SignIn) Redirect(c echo.Context) error {
	r := c.Request()
	to := s.Prefix + "/sign-in"
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		to += "?next=" + url.QueryEscape(s.Place.Public(r.URL.RequestURI()))
	}
	return c.Redirect(http.StatusSeeOther, to)
}

// demoTenants lists the demo's tenants with their people.
func demoTenants() []signin.Tenant {
	var tenants []signin.Tenant
	for _, tenant := range identity.DemoTenants() {
		shown := signin.Tenant{Name: tenant.Name, About: "A customer of the demo host, with orders of its own."}
		for _, person := range identity.DemoPeople() {
			if person.Tenant == tenant.ID {
				shown.Users = append(shown.Users, signin.User{
					ID: person.Email, Name: person.Name, Role: layout.RoleName(person.Role),
					About: person.Email + ": " + roleAbout(person.Role),
				})
			}
		}
		tenants = append(tenants, shown)
	}
	return tenants
}

func roleAbout(role models.Role) string {
	switch role {
	case models.RoleAdmin:
		return "builds agents, decides on every call, reads the audit."
	case models.RoleAuthor:
		return "builds agents and decides on calls they asked for."
	default:
		return "tests agents and decides on calls they asked for."
	}
}
