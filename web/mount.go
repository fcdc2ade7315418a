package web

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/static"
	"github.com/agentstudio/agentstudio/studio"
	"github.com/agentstudio/agentstudio/tenancy"
	"github.com/agentstudio/agentstudio/web/api"
	"github.com/agentstudio/agentstudio/web/auth"
	"github.com/agentstudio/agentstudio/web/pages"
	"github.com/agentstudio/agentstudio/web/respond"
)

// maxBody is the largest body that any route reads, in bytes.
const maxBody = 1 << 20

// OnlyHosts returns middleware for a whole server that answers 421 for all but
// these host names, against DNS rebinding. A host whose pages need no such care
// leaves it out; the Studio looks after its own routes.
func OnlyHosts(names []string) echo.MiddlewareFunc {
	check := auth.Hosts(names)
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		checked := check(next)
		return func(c echo.Context) error {
			err := checked(c)
			if models.CodeOf(err) == models.CodeWrongHost {
				return c.String(http.StatusMisdirectedRequest, "This server does not answer for that name.\n")
			}
			return err
		}
	}
}

// Mount adds the Studio's routes below the prefix to e. It touches nothing else
// of e: neither its other routes nor its error handler, middleware or IP
// extractor. It adds nothing and returns an error when the prefix is taken, by
// the host or by another Studio. Several Studios, or one several times, may be
// mounted in one server, each at a prefix of its own.
func Mount(e *echo.Echo, app *studio.Studio, c Config) error {
	if err := c.validate(app); err != nil {
		return err
	}
	place, err := auth.PlaceOf(c.Prefix, c.PublicURL)
	if err != nil {
		return fmt.Errorf("web: %w", err)
	}
	if err := free(e, c.Prefix); err != nil {
		return err
	}
	m := &mounted{app: app, c: c, place: place, resolver: app.Resolver}
	switch {
	case app.Global():
		m.resolver = tenancy.Unbound(c.Identify)
		m.c.Directory = pages.WithoutTenants(c.Directory)
	case c.Directory == nil:
		m.c.Directory = c.Identity
	}
	m.pages = pages.New(m.pagesConfig())
	m.signIn = auth.SignIn{Prefix: place.Base, Place: place, Identity: c.Identity, Provider: c.Provider, Demo: c.Demo}
	m.routes(e)
	return nil
}

func (m *mounted) pagesConfig() pages.Config {
	app := m.app
	return pages.Config{
		Prefix: m.place.Base, Agents: app.Agents, Approvals: app.Approvals, Audit: app.Audit, Engine: app.Engine,
		Sessions: app.Sessions, Registry: app.Registry, Tooling: app.Tooling, Door: app.Door,
		Runner: app.Runner, Authorizer: app.Authorizer, Directory: m.c.Directory, Resolver: m.resolver, Models: app.Models, Logger: app.Logger,
		HostSignsOut: m.c.Identity == nil, Identity: m.c.Identity, Origin: m.place.Origin,
	}
}

// mounted is one Studio in one server.
type mounted struct {
	app      *studio.Studio
	c        Config
	place    auth.Place
	resolver tenancy.Resolver
	pages    *pages.Pages
	signIn   auth.SignIn
	known    known
}

func (m *mounted) routes(e *echo.Echo) {
	root := e.Group(m.c.Prefix,
		middleware.RequestIDWithConfig(middleware.RequestIDConfig{Generator: models.NewID, RequestIDHandler: ownRequestID}),
		auth.Headers(), auth.Client(m.c.TrustedProxies), m.errors, recovered, auth.Hosts(m.place.Hosts(m.c.Hosts)),
		auth.SameOrigin(m.place.Origin), auth.BodyLimit(maxBody))
	reads := []string{http.MethodGet, http.MethodHead}
	files := echo.WrapHandler(http.StripPrefix(m.c.Prefix+static.Path, static.Handler()))
	for _, route := range root.Match(reads, static.Path+"*", files) {
		route.Name = markOfMount + m.c.Prefix
	}
	// Without this the router would answer a wrong method by itself, past all of the above.
	root.RouteNotFound(static.Path+"*", echo.NotFoundHandler)
	if m.c.Identity != nil {
		m.signIn.Routes(root)
	} else {
		root.Match(reads, "", auth.Home(m.resolver, m.place))
		root.Match(reads, "/", auth.Home(m.resolver, m.place))
	}
	m.pages.Routes(root.Group("/t/:"+auth.TenantParam, auth.Scope(m.resolver)))
	rest := api.New(api.Config{
		Place: m.place, Door: m.app.Door, Runner: m.app.Runner, Approvals: m.app.Approvals, Agents: m.app.Agents,
		Registry: m.app.Registry, Tooling: m.app.Tooling, Authorizer: m.app.Authorizer,
	})
	rest.Routes(root.Group("/api/v1/:"+auth.TenantParam, auth.Scope(m.resolver)))
	m.known = knownRoutes(e, m.c.Prefix)
}

// ownRequestID replaces a request id that came from outside: it stands in our
// answers and logs, so it must be ours.
func ownRequestID(c echo.Context, _ string) {
	if c.Request().Header.Get(echo.HeaderXRequestID) != "" {
		c.Response().Header().Set(echo.HeaderXRequestID, models.NewID())
	}
}

// recovered turns a panic of a handler into an error.
func recovered(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) (err error) {
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("a handler panicked: %v", p)
			}
		}()
		return next(c)
	}
}

// errors answers the errors of every route below the prefix: JSON for programs,
// pages for people. The host's error handler never sees them.
func (m *mounted) errors(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		err := m.known.missing(c, next(c))
		if err == nil {
			return nil
		}
		if c.Response().Committed {
			m.app.Logger.ErrorContext(c.Request().Context(), "an answer broke off", "path", c.Request().URL.Path, "error", err)
			return nil
		}
		return m.answer(c, err)
	}
}

func (m *mounted) answer(c echo.Context, err error) error {
	isAPI := strings.HasPrefix(c.Request().URL.Path, m.c.Prefix+"/api/")
	route := respond.Write
	if isAPI && strings.HasSuffix(c.Path(), "/execute") {
		route = respond.Execute
	}
	problem := respond.ProblemOf(c, m.app.Logger, err, route)
	if isAPI {
		return respond.JSON(c, problem.Status, problem)
	}
	if problem.Code == models.CodeUnauthenticated && m.c.Identity != nil && c.Request().Header.Get("HX-Request") == "" {
		return m.signIn.Redirect(c)
	}
	if problem.Code == models.CodeStepUpRequired && m.c.Identity != nil && c.Request().Header.Get("HX-Request") == "" {
		return m.signIn.StepUp(c)
	}
	return m.pages.Problem(c, problem)
}

// readyWithin is how long the readiness check may take.
const readyWithin = 2 * time.Second

// MountHealth adds /healthz, which says that the process runs, and /readyz,
// which says that the Studio can serve.
func MountHealth(e *echo.Echo, app *studio.Studio) {
	e.GET("/healthz", func(c echo.Context) error { return c.String(http.StatusOK, "ok\n") })
	e.GET("/readyz", func(c echo.Context) error {
		ctx, cancel := context.WithTimeout(c.Request().Context(), readyWithin)
		defer cancel()
		if err := app.Ready(ctx); err != nil {
			app.Logger.ErrorContext(ctx, "not ready", "error", err)
			return c.String(http.StatusServiceUnavailable, "not ready: the database is not there or not migrated\n")
		}
		return c.String(http.StatusOK, "ready\n")
	})
}
