package pages

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/models"
)

func TestAddressesMustBeText(t *testing.T) {
	t.Parallel()
	for target, ok := range map[string]bool{
		"/agents/desk":            true,
		"/agents/d%C3%A9sk?who=é": true,
		"/agents/a%2Fb":           true,
		"/agents/a%00":            false,
		"/agents/a%2F%00":         false,
		"/agents/a%FF":            false,
		"/agents/a?who=%00":       false,
		"/agents/a?who=b&who=%FF": false,
		"/agents/a?%00=b":         false,
		"/agents/a?who=%ED%A0%80": false,
	} {
		reached := false
		e := echo.New()
		var got error
		e.HTTPErrorHandler = func(err error, _ echo.Context) { got = err }
		e.GET("/agents/:agent", func(echo.Context) error { reached = true; return nil }, wellFormed)
		e.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, target, nil))
		require.Equal(t, ok, reached, target)
		if !ok {
			require.Equal(t, models.CodeInvalidRequest, models.CodeOf(got), target)
		}
	}
}

func TestFormsMustBeText(t *testing.T) {
	t.Parallel()
	for _, body := range []string{"a=%00", "a=%FF", "a=b&a=%00", "%00=a", "a=%C3%28"} {
		r := httptest.NewRequest(http.MethodPost, "/x", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		_, err := formOf(echo.New().NewContext(r, httptest.NewRecorder()))
		require.Equal(t, models.CodeInvalidRequest, models.CodeOf(err), body)
	}
}

func TestPagesAnswerHEAD(t *testing.T) {
	t.Parallel()
	e := echo.New()
	(&Pages{
		frame: &frame{}, home: &homePages{}, agents: &agentPages{}, chat: &chatPages{},
		approvals: &approvalPages{frame: &frame{}}, tools: &toolPages{}, audit: &auditPages{},
	}).Routes(e.Group("/t/:tenant"))
	routes := map[string]bool{}
	for _, route := range e.Routes() {
		routes[route.Method+" "+route.Path] = true
	}
	const stream = "/t/:tenant/sessions/:session/events"
	pages := 0
	for route := range routes {
		if path, ok := strings.CutPrefix(route, "GET "); ok {
			pages++
			require.Equal(t, path != stream, routes["HEAD "+path], path)
		}
	}
	require.Greater(t, pages, 10)
}
