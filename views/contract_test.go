package views_test

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/static"
)

// everything is the markup of all pages and fragments.
func everything(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	for _, page := range gallery() {
		all.Write(render(t, page))
	}
	for _, fragment := range fragments() {
		all.Write(render(t, fragment))
	}
	return all.String()
}

func asset(t *testing.T, name string) string {
	t.Helper()
	answer := httptest.NewRecorder()
	target := strings.TrimPrefix(static.URL("", name), static.Path)
	static.Handler().ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/"+target, http.NoBody))
	require.Equal(t, http.StatusOK, answer.Code)
	return answer.Body.String()
}

// The script finds elements by attribute. One that no page has would be a feature that silently
// does nothing.
func TestEveryHookOfTheScriptIsInAPage(t *testing.T) {
	t.Parallel()
	markup := everything(t)
	hooks := regexp.MustCompile(`\[(data-[a-z-]+)`).FindAllStringSubmatch(asset(t, "app.js"), -1)
	require.NotEmpty(t, hooks)
	for _, hook := range hooks {
		require.Regexp(t, hook[1]+`[ =>]`, markup)
	}
}

// A class that only the style knows is dead, or misspelt in a page.
func TestEveryClassOfTheStyleIsInAPage(t *testing.T) {
	t.Parallel()
	used := map[string]bool{"soon": true, "htmx-request": true} // set by the scripts
	for _, attribute := range regexp.MustCompile(`class="([^"]*)"`).FindAllStringSubmatch(everything(t), -1) {
		for class := range strings.FieldsSeq(attribute[1]) {
			used[class] = true
		}
	}
	style := regexp.MustCompile(`(?s)/\*.*?\*/|\{[^{}]*\}`).ReplaceAllString(asset(t, "app.css"), " ")
	classes := regexp.MustCompile(`\.([a-z][a-z-]*)`).FindAllStringSubmatch(style, -1)
	require.NotEmpty(t, classes)
	for _, class := range classes {
		require.True(t, used[class[1]], "no page uses .%s", class[1])
	}
}
