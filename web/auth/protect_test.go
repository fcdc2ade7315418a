package auth_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/web/auth"
)

// through sends a request through a middleware, and reports whether its handler
// was called.
func through(middleware echo.MiddlewareFunc, r *http.Request) (called bool, err error) {
	c := echo.New().NewContext(r, httptest.NewRecorder())
	err = middleware(func(echo.Context) error { called = true; return nil })(c)
	return called, err
}

// TestSameOrigin tries every method with every pair of headers.
func TestSameOrigin(t *testing.T) {
	t.Parallel()
	sites := map[string]bool{ // where a browser says it comes from: whether that is us
		"same-origin": true, "none": true, "same-site": false, "cross-site": false, "nonsense": false,
	}
	origins := map[string]bool{ // counts only for browsers that say no site
		"": true, "https://studio.example": true,
		"https://evil.example": false, "https://studio.example:8443": false, "https://studio.example.evil.example": false,
		"https://www.studio.example": false, "null": false, "https://evil.example/studio.example": false, "%": false,
	}
	unsafe := map[string]bool{
		http.MethodGet: false, http.MethodHead: false, http.MethodOptions: false,
		http.MethodPost: true, http.MethodPut: true, http.MethodPatch: true, http.MethodDelete: true, "PROPFIND": true,
	}
	for method, changes := range unsafe {
		for site, ours := range sites {
			for origin := range origins {
				requireSameOrigin(t, method, site, origin, !changes || ours)
			}
		}
		for origin, ours := range origins {
			requireSameOrigin(t, method, "", origin, !changes || ours)
		}
	}
}

func requireSameOrigin(t *testing.T, method, site, origin string, want bool) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, "https://studio.example/studio/t/acme/agents", nil)
	for header, value := range map[string]string{"Sec-Fetch-Site": site, "Origin": origin} {
		if value != "" {
			r.Header.Set(header, value)
		}
	}
	called, err := through(auth.SameOrigin(""), r)
	require.Equal(t, want, called, "%s from site %q and origin %q", method, site, origin)
	if !want {
		require.Equal(t, models.CodeCrossOrigin, models.CodeOf(err))
	}
}

func TestHosts(t *testing.T) {
	t.Parallel()
	ours := []string{"localhost", "127.0.0.1", "::1", "studio.example"}
	for host, want := range map[string]bool{
		"localhost": true, "localhost:8080": true, "LOCALHOST:8080": true, "127.0.0.1": true, "127.0.0.1:1": true,
		"[::1]": true, "[::1]:8080": true, "studio.example": true, "Studio.Example:443": true,
		"": false, ":8080": false, "evil.example": false, "evil.example:80": false, "localhost.evil.example": false,
		"evil.localhost": false, "localhost@evil.example": false, "localhost.": false, "127.0.0.1.nip.io": false,
		"127.0.0.2": false, "127.1": false, "2130706433": false, "0.0.0.0": false, "[::]": false, "[::1%25eth0]": false,
		"[::ffff:127.0.0.1]:80": false, "::2": false, "localhost:80:80": false, "studio.example/": false,
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		r.Host = host
		called, err := through(auth.Hosts(ours), r)
		require.Equal(t, want, called, "%q", host)
		if !want {
			require.Equal(t, models.CodeWrongHost, models.CodeOf(err))
		}
		called, err = through(auth.Hosts(nil), r)
		require.NoError(t, err)
		require.True(t, called, "without names every host is answered")
	}
}

// TestBodyLimit sends bodies around the limit, with and without saying how long
// they are.
func TestBodyLimit(t *testing.T) {
	t.Parallel()
	const limit = 1 << 10
	for _, size := range []int{0, 1, limit - 1, limit, limit + 1, 2 * limit} {
		for _, declared := range []bool{true, false} {
			t.Run(fmt.Sprintf("%d bytes, declared %t", size, declared), func(t *testing.T) {
				t.Parallel()
				r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", bytes.NewReader(make([]byte, size)))
				if !declared {
					r.ContentLength = -1
				}
				called, err := through(auth.BodyLimit(limit), r)
				if size > limit && declared {
					require.Equal(t, models.CodeBodyTooLarge, models.CodeOf(err))
					require.False(t, called)
					return
				}
				require.True(t, called)
				read, err := io.ReadAll(r.Body)
				_, tooLarge := errors.AsType[*http.MaxBytesError](err)
				require.Equal(t, size > limit, tooLarge)
				require.LessOrEqual(t, len(read), limit)
			})
		}
	}
}

func TestBodyLimitRefusesCompressedBodies(t *testing.T) {
	t.Parallel()
	for encoding, want := range map[string]models.Code{
		"": "", "identity": "", "gzip": models.CodeUnsupportedMediaType, "br": models.CodeUnsupportedMediaType,
		"identity, gzip": models.CodeUnsupportedMediaType, "x": models.CodeUnsupportedMediaType,
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", bytes.NewReader([]byte("{}")))
		if encoding != "" {
			r.Header.Set("Content-Encoding", encoding)
		}
		called, err := through(auth.BodyLimit(1<<10), r)
		require.Equal(t, want, models.CodeOf(err), encoding)
		require.Equal(t, want == "", called, encoding)
	}
}

// TestHeaders requires the headers on answers and on errors alike.
func TestHeaders(t *testing.T) {
	t.Parallel()
	for _, result := range []error{nil, errors.New("no")} {
		recorder := httptest.NewRecorder()
		c := echo.New().NewContext(httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil), recorder)
		require.Equal(t, result, auth.Headers()(func(echo.Context) error { return result })(c))
		h := recorder.Header()
		require.Equal(t, "nosniff", h.Get("X-Content-Type-Options"))
		require.Equal(t, "DENY", h.Get("X-Frame-Options"))
		policy := h.Get("Content-Security-Policy")
		for _, part := range []string{"default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"} {
			require.Contains(t, policy, part)
		}
		require.NotContains(t, policy, "unsafe-inline")
		require.NotContains(t, policy, "http")
	}
}
