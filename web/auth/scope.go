package auth

import (
	"context"
	"errors"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/tenancy"
)

// resolveWithin is how long a resolver may take. One that hangs is a refusal.
const resolveWithin = 10 * time.Second

// TenantParam is the route parameter that names the tenant.
const TenantParam = "tenant"

// Scope returns middleware that resolves the scope once and binds it. It
// answers in this order: unauthenticated, tenant_required, tenant_mismatch,
// studio_disabled (DESIGN, order of answers).
func Scope(resolver tenancy.Resolver) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			r := c.Request()
			segment := c.Param(TenantParam)
			wanted := segment
			if !tenancy.ValidTenant(wanted) {
				wanted = "" // no tenant's name: nobody's tenant, and never asked for
			}
			ctx := tenancy.WithRequested(r.Context(), wanted)
			scope, err := resolve(ctx, resolver, r)
			if err != nil {
				return err
			}
			if err := admit(scope, segment, strings.HasSuffix(c.Path(), mePath)); err != nil {
				return err
			}
			c.SetRequest(r.WithContext(tenancy.WithScope(ctx, scope)))
			return next(c)
		}
	}
}

// mePath ends the one route that answers where the Studio is switched off: it
// says so.
const mePath = "/:" + TenantParam + "/me"

func admit(scope tenancy.Scope, segment string, even bool) error {
	p, err := scope.Partition()
	switch {
	case scope.User == "":
		return models.Errorf(models.CodeUnauthenticated, "Sign in first.")
	case err != nil:
		return models.Errorf(models.CodeTenantRequired, "You belong to no tenant here. Ask an admin to add you.")
	case p.Segment() != segment:
		return models.Errorf(models.CodeTenantMismatch, "You are signed in for another tenant than the one in this address.")
	case !scope.StudioEnabled && !even:
		return models.Errorf(models.CodeStudioDisabled, "Agent Studio is switched off for your tenant.")
	}
	return nil
}

// Home returns a handler that leads callers to where they work.
func Home(resolver tenancy.Resolver, place Place) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		scope, err := resolve(r.Context(), resolver, r)
		if err != nil {
			return err
		}
		p, err := scope.Partition()
		if err != nil {
			return err
		}
		return c.Redirect(http.StatusSeeOther, place.Base+"/t/"+p.Segment())
	}
}

// resolve asks the resolver, within its time. An error that is not ours, a
// panic and a timeout are all the same refusal: nobody is signed in.
func resolve(ctx context.Context, resolver tenancy.Resolver, r *http.Request) (tenancy.Scope, error) {
	type answer struct {
		scope tenancy.Scope
		err   error
	}
	ctx, cancel := context.WithTimeout(ctx, resolveWithin)
	defer cancel()
	done := make(chan answer, 1)
	go func() {
		var a answer
		defer func() {
			if p := recover(); p != nil {
				a = answer{err: errors.New("the scope resolver panicked: " + string(debug.Stack()))}
			}
			done <- a
		}()
		a.scope, a.err = resolver.Resolve(ctx, r)
	}()
	select {
	case a := <-done:
		return a.scope, refused(a.err)
	case <-ctx.Done():
		return tenancy.Scope{}, refused(ctx.Err())
	}
}

func refused(err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*models.Error](err); ok {
		return err
	}
	return models.Errorf(models.CodeUnauthenticated, "Who you are could not be established. Sign in again.").Because(err)
}
