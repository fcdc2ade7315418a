package web

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/agentstudio/agentstudio/models"
)

// known are the routes of one mount, and their methods.
type known struct {
	routes  map[string]bool // method, space, path
	methods []string
}

func knownRoutes(e *echo.Echo, prefix string) known {
	k := known{routes: map[string]bool{}}
	for _, route := range e.Routes() {
		if route.Method == echo.RouteNotFound || !within(route.Path, prefix) {
			continue
		}
		k.routes[route.Method+" "+route.Path] = true
		if !slices.Contains(k.methods, route.Method) {
			k.methods = append(k.methods, route.Method)
		}
	}
	slices.Sort(k.methods)
	return k
}

// missing turns the router's answer to a request without a route into ours: that
// the address takes other methods, and which, or that there is nothing. The
// router cannot tell, since every address below the prefix leads to the Studio.
func (k known) missing(c echo.Context, err error) error {
	router, ok := errors.AsType[*echo.HTTPError](err)
	if !ok || router.Code != http.StatusNotFound && router.Code != http.StatusMethodNotAllowed {
		return err
	}
	allowed := k.allowed(c)
	if len(allowed) == 0 {
		return models.NotFound()
	}
	c.Response().Header().Set(echo.HeaderAllow, strings.Join(allowed, ", "))
	return models.Errorf(models.CodeMethodNotAllowed, "This address takes %s.", strings.Join(allowed, ", "))
}

// allowed returns the methods that the address of a request takes.
func (k known) allowed(c echo.Context) []string {
	e, path := c.Echo(), echo.GetPath(c.Request())
	var allowed []string
	for _, method := range k.methods {
		probe := e.NewContext(c.Request(), nil)
		e.Router().Find(method, path, probe)
		if k.routes[method+" "+probe.Path()] {
			allowed = append(allowed, method)
		}
	}
	return allowed
}
