package static

import (
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

func get(method, target string, header http.Header) *httptest.ResponseRecorder {
	request := httptest.NewRequest(method, target, http.NoBody)
	request.Header = header
	answer := httptest.NewRecorder()
	http.StripPrefix("/studio"+Path, Handler()).ServeHTTP(answer, request)
	return answer
}

func TestEveryAssetIsServed(t *testing.T) {
	t.Parallel()
	for name, contentType := range map[string]string{
		"app.css":                 "text/css; charset=utf-8",
		"app.js":                  "text/javascript; charset=utf-8",
		"theme.js":                "text/javascript; charset=utf-8",
		"favicon.svg":             "image/svg+xml",
		"vendor/htmx.min.js":      "text/javascript; charset=utf-8",
		"vendor/htmx.LICENSE.txt": "text/plain; charset=utf-8",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			answer := get(http.MethodGet, URL("/studio", name), nil)
			require.Equal(t, http.StatusOK, answer.Code)
			require.Equal(t, contentType, answer.Header().Get("Content-Type"))
			require.Equal(t, "public, max-age=31536000, immutable", answer.Header().Get("Cache-Control"))
			require.Equal(t, "nosniff", answer.Header().Get("X-Content-Type-Options"))
			require.NotEmpty(t, answer.Body.String())
			require.NotEqual(t, "/studio"+Path+name, URL("/studio", name), "the name carries a hash")
		})
	}
}

func TestUnknownNamesAre404(t *testing.T) {
	t.Parallel()
	served := URL("/studio", "app.css")
	for _, target := range []string{
		"/studio/static/", "/studio/static/app.css", "/studio/static/static.go", "/studio/static/css/10-tokens.css",
		"/studio/static/../static.go", strings.Replace(served, "app.", "app.0", 1), URL("/studio", "missing.js"),
	} {
		answer := get(http.MethodGet, target, nil)
		require.Equal(t, http.StatusNotFound, answer.Code, target)
		require.NotContains(t, answer.Header().Get("Cache-Control"), "immutable", target)
	}
}

func TestMethods(t *testing.T) {
	t.Parallel()
	target := URL("/studio", "app.js")
	head := get(http.MethodHead, target, nil)
	require.Equal(t, http.StatusOK, head.Code)
	require.Empty(t, head.Body.String())

	post := get(http.MethodPost, target, nil)
	require.Equal(t, http.StatusMethodNotAllowed, post.Code)
	require.Equal(t, "GET, HEAD", post.Header().Get("Allow"))
}

func TestUnchangedAssetIsNotSentAgain(t *testing.T) {
	t.Parallel()
	target := URL("/studio", "app.css")
	first := get(http.MethodGet, target, nil)
	again := get(http.MethodGet, target, http.Header{"If-None-Match": {first.Header().Get("ETag")}})
	require.Equal(t, http.StatusNotModified, again.Code)
	require.Empty(t, again.Body.String())
}

func TestBuildJoinsTheStyleInOrder(t *testing.T) {
	t.Parallel()
	files, err := build(fstest.MapFS{
		"assets/css/20-b.css": {Data: []byte("b{}\n")},
		"assets/css/10-a.css": {Data: []byte("a{}\n")},
		"assets/app.js":       {Data: []byte("1")},
	})
	require.NoError(t, err)
	require.Equal(t, "a{}\nb{}\n", string(files.files[files.served["app.css"]].body))
	require.Len(t, files.served, 2)

	other, err := build(fstest.MapFS{"assets/app.js": {Data: []byte("2")}})
	require.NoError(t, err)
	require.NotEqual(t, files.served["app.js"], other.served["app.js"], "another content has another name")
}

func TestBuildReportsWhatCannotBeRead(t *testing.T) {
	t.Parallel()
	_, err := build(fstest.MapFS{})
	require.Error(t, err)
}

// The pages' policy allows nothing from elsewhere, so nothing may ask for it.
func TestAssetsLoadNothingFromElsewhere(t *testing.T) {
	t.Parallel()
	files, err := build(assets)
	require.NoError(t, err)
	for name, served := range files.served {
		body := string(files.files[served].body)
		if path.Ext(name) == ".css" {
			require.NotContains(t, body, "@import", name)
			require.NotContains(t, body, "url(", name)
		}
		if path.Dir(name) == "." && path.Ext(name) == ".js" {
			require.NotContains(t, body, "eval(", name)
			require.NotContains(t, body, "new Function", name)
			require.NotContains(t, body, ".style", name)
			require.NotContains(t, body, "http", name)
		}
	}
}
