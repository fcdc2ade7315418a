package web

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/agentstudio/agentstudio/studio"
	"github.com/agentstudio/agentstudio/studio/identity"
	"github.com/agentstudio/agentstudio/tenancy"
	"github.com/agentstudio/agentstudio/web/auth"
	"github.com/agentstudio/agentstudio/web/pages"
)

// Config says how a Studio is mounted.
type Config struct {
	// Demo offers the demo's people on the sign-in page. It needs Identity.
	Demo bool
	// Directory knows what people and tenants are called. Nil: Identity; and in a
	// Studio without a resolver people are called by their ids.
	Directory pages.Directory
	// Hosts are the host names to answer for, besides PublicURL's; others get 421.
	// With neither, all are answered, which leaves it to the host to refuse foreign
	// names. A proxy that asks for another name than the browser's needs it here.
	Hosts []string
	// Identify says who sends a request to a Studio without a resolver, and is
	// refused for one with a resolver: see [studio.Config.Resolver].
	Identify tenancy.Identify
	// Identity signs people in and out. Nil where the host does that itself.
	Identity *identity.Service
	// Provider signs people of Identity in elsewhere, such as package sso's.
	Provider identity.Provider
	// Prefix is the path of the Studio's routes, such as "/studio". What is below
	// it is the Studio's alone.
	Prefix string
	// PublicURL is what browsers see in place of the prefix, such as
	// "https://example.com/apps/studio", where a proxy changes host, scheme or path.
	// Empty: they see the prefix, on the host that they ask for.
	PublicURL string
	// TrustedProxies are the networks whose X-Forwarded-For is believed. Empty:
	// nobody's is. See [auth.ClientIP].
	TrustedProxies []netip.Prefix
}

func (c Config) validate(app *studio.Studio) error {
	if !validPrefix(c.Prefix) {
		return fmt.Errorf("web: the prefix %q must be a path of lower-case names, such as /studio", c.Prefix)
	}
	if err := auth.CheckProxies(c.TrustedProxies); err != nil {
		return fmt.Errorf("web: %w", err)
	}
	if app.Global() {
		return c.validateGlobal()
	}
	if c.Identify != nil {
		return errors.New("web: Config.Identify is for a Studio without a resolver; the resolver says who calls")
	}
	if c.Directory == nil && c.Identity == nil {
		return errors.New("web: Config.Directory is nil; say what people and tenants are called")
	}
	if c.Provider != nil && c.Identity == nil {
		return errors.New("web: Config.Provider needs Config.Identity")
	}
	if c.Demo && c.Identity == nil {
		return errors.New("web: Config.Demo needs Config.Identity")
	}
	return nil
}

func (c Config) validateGlobal() error {
	if c.Identify == nil {
		return errors.New("web: the Studio has no resolver, so Config.Identify must say who calls")
	}
	if c.Identity != nil || c.Demo {
		return errors.New("web: Config.Identity signs people of tenants in, and the Studio has no resolver; give it to studio.Config.Resolver")
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

// markOfMount begins the name of one route of every mount, by which another
// mount on the same server finds it.
const markOfMount = "agentstudio mounted at "

// free returns an error when the routes of the server leave no room for a Studio
// at prefix: another Studio is there, above or below, or the host has a route
// there. A pattern of the host that begins above the prefix, such as "/*", is no
// obstacle: what is written out goes before it.
func free(e *echo.Echo, prefix string) error {
	for _, route := range e.Routes() {
		other, mount := strings.CutPrefix(route.Name, markOfMount)
		if mount && (within(other, prefix) || within(prefix, other)) {
			return fmt.Errorf("web: the prefix %q is taken by the Studio that is mounted at %q; choose one that is not inside of the other",
				prefix, other)
		}
	}
	for _, route := range e.Routes() {
		if within(route.Path, prefix) {
			return fmt.Errorf("web: the prefix %q is taken: the host has the route %s %s; choose another, or move that route",
				prefix, route.Method, route.Path)
		}
	}
	return nil
}

// within reports whether a path is a prefix or below it.
func within(path, prefix string) bool {
	rest, ok := strings.CutPrefix(path, prefix)
	return ok && (rest == "" || rest[0] == '/' || rest[0] == '*')
}
