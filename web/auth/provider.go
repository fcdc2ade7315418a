package auth

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/identity"
	"github.com/agentstudio/agentstudio/web/respond"
)

// flowCookie keeps what a sign-in at a provider began with, sealed, until its
// answer comes.
const flowCookie = "agentstudio_flow"

// flowSeconds is how long it is kept.
const flowSeconds = 600

func (s SignIn) providerRoutes(g *echo.Group) {
	g.GET("/sign-in/provider", s.toProvider)
	g.GET("/sign-in/provider/callback", s.fromProvider)
}

// toProvider leads to the provider.
func (s SignIn) toProvider(c echo.Context) error {
	_, err := s.person(c)
	redirect, flow, err := s.Provider.Begin(c.Request().Context(), identity.ProviderAsk{
		Callback: s.callback(c), Next: s.safe(c.FormValue("next")), Fresh: err == nil,
	})
	if err != nil {
		return s.unarrived(c, err)
	}
	c.SetCookie(s.flow(c, flow, flowSeconds))
	return c.Redirect(http.StatusSeeOther, redirect)
}

// callback is the address that the provider answers to.
func (s SignIn) callback(c echo.Context) string {
	origin := s.Place.Origin
	if origin == "" {
		origin = c.Scheme() + "://" + c.Request().Host
	}
	return origin + s.Prefix + "/sign-in/provider/callback"
}

// flow is the cookie of a flow. The answer comes from another site, by a link, so
// it cannot be strict.
func (s SignIn) flow(c echo.Context, value string, maxAge int) *http.Cookie {
	cookie := s.cookie(c, value, maxAge) //nolint:gosec // As that one is.
	cookie.Name = flowCookie
	return cookie
}

// fromProvider signs in whom the answer names, once for each flow.
func (s SignIn) fromProvider(c echo.Context) error {
	cookie, err := c.Cookie(flowCookie)
	if err != nil {
		return s.unarrived(c, models.Errorf(models.CodeUnauthenticated, "The sign-in did not come about. Begin again.").Because(err))
	}
	c.SetCookie(s.flow(c, "", -1))
	ctx := c.Request().Context()
	visitor, next, err := s.Provider.Finish(ctx, cookie.Value, c.QueryParams())
	if err != nil {
		return s.unarrived(c, err)
	}
	token, err := s.Identity.Arrive(ctx, visitor, ClientOf(c))
	if err != nil {
		return s.unarrived(c, err)
	}
	if err := s.begin(c, token); err != nil {
		return err
	}
	if next = s.safe(next); next == "" {
		next = s.Prefix + "/"
	}
	return c.Redirect(http.StatusSeeOther, next)
}

// unarrived shows the page of sign-in again, with why.
func (s SignIn) unarrived(c echo.Context, err error) error {
	ours, ok := errors.AsType[*models.Error](err)
	if !ok || ours.Code != models.CodeUnauthenticated && ours.Code != models.CodeProviderUnavailable {
		return err
	}
	status := http.StatusUnprocessableEntity
	if ours.Code == models.CodeProviderUnavailable {
		status = respond.Status(ours.Code, respond.Write)
	}
	return s.show(c, status, ours.Message)
}
