package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/static"
	"github.com/agentstudio/agentstudio/studio"
	"github.com/agentstudio/agentstudio/studio/identity"
	"github.com/agentstudio/agentstudio/tenancy"
	"github.com/agentstudio/agentstudio/web/api"
	"github.com/agentstudio/agentstudio/web/auth"
	"github.com/agentstudio/agentstudio/web/pages"
	"github.com/agentstudio/agentstudio/web/respond"
)

// maxBody is the largest body that any route reads, in bytes.
const maxBody = 1 << 20

// Config says how a Studio is mounted.
type Config struct {
	// Demo offers the demo's people on the sign-in page. It needs Identity.
	Demo bool
	// Directory knows what people and tenants are called. Nil: Identity.
	Directory pages.Directory
	// Hosts are the host names to answer for; others get 421. Empty: all, which
	// leaves it to the host to refuse foreign names.
	Hosts []string
	// Identity signs people in and out. Nil where the host does that itself.
	Identity *identity.Service
	// Prefix is the path of the Studio, such as "/studio".
	Prefix string
}

func (c Config) validate() error {
	if !validPrefix(c.Prefix) {
		return fmt.Errorf("web: the prefix %q must be a path of lower-case names, such as /studio", c.Prefix)
	}
	if c.Directory == nil && c.Identity == nil {
		return errors.New("web: Config.Directory is nil; say what people and tenants are called")
	}
	if c.Demo && c.Identity == nil {
		return errors.New("web: Config.Demo needs Config.Identity")
	}
	return nil
}

// validPrefix reports one or more segments of lower-case letters, digits, "-"
// and "_", each behind a slash.
func validPrefix(prefix string) bool {
	segments := strings.Split(prefix, "/")
	if len(segments) < 2 || segments[0] != "" {
		return false
	}
	for _, segment := range segments[1:] {
		if !tenancy.ValidTenant(segment) {
			return false
		}
	}
	return true
}

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

// Mount adds the Studio's routes to e. It touches nothing else of e.
func Mount(e *echo.Echo, app *studio.Studio, c Config) error {
	if err := c.validate(); err != nil {
		return err
	}
	if c.Directory == nil {
		c.Directory = c.Identity
	}
	m := &mounted{app: app, c: c, pages: pages.New(pagesConfig(app, c))}
	m.signIn = auth.SignIn{Prefix: c.Prefix, Identity: c.Identity, Demo: c.Demo}
	m.routes(e)
	return nil
}

func pagesConfig(app *studio.Studio, c Config) pages.Config {
	return pages.Config{
		Prefix: c.Prefix, Agents: app.Agents, Approvals: app.Approvals, Audit: app.Audit, Engine: app.Engine,
		Sessions: app.Sessions, Registry: app.Registry, Tooling: app.Tooling, Door: app.Door,
		Runner: app.Runner, Authorizer: app.Authorizer, Directory: c.Directory, Resolver: app.Resolver, Models: app.Models, Logger: app.Logger,
		HostSignsOut: c.Identity == nil,
	}
}

// mounted is one Studio in one server.
type mounted struct {
	app    *studio.Studio
	c      Config
	pages  *pages.Pages
	signIn auth.SignIn
}

func (m *mounted) routes(e *echo.Echo) {
	root := e.Group(m.c.Prefix,
		middleware.RequestIDWithConfig(middleware.RequestIDConfig{Generator: models.NewID, RequestIDHandler: ownRequestID}),
		auth.Headers(), m.errors, recovered, auth.Hosts(m.c.Hosts), auth.SameOrigin(), auth.BodyLimit(maxBody))
	files := http.StripPrefix(m.c.Prefix+static.Path, static.Handler())
	root.GET(static.Path+"*", echo.WrapHandler(files))
	if m.c.Identity != nil {
		m.signIn.Routes(root)
	}
	m.pages.Routes(root.Group("/t/:"+auth.TenantParam, auth.Scope(m.app.Resolver)))
	rest := api.New(api.Config{
		Prefix: m.c.Prefix, Door: m.app.Door, Runner: m.app.Runner, Approvals: m.app.Approvals, Agents: m.app.Agents,
		Registry: m.app.Registry, Tooling: m.app.Tooling, Authorizer: m.app.Authorizer,
	})
	rest.Routes(root.Group("/api/v1/:"+auth.TenantParam, auth.Scope(m.app.Resolver)))
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
		err := next(c)
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
