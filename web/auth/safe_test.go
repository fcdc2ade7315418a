package auth

import (
	"net/url"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestSafeKeepsPathsOfTheStudio(t *testing.T) {
	t.Parallel()
	s := SignIn{Prefix: "/studio"}
	for _, next := range []string{
		"/studio/t/acme", "/studio/t/acme/", "/studio/t/acme/agents/desk?version=2&tab=rules", "/studio/t/acme/approvals/1#card",
		"/studio/t/acme/agents?next=https%3A%2F%2Fevil.example", "/studio/t/acme/%C3%A9",
	} {
		require.Equal(t, next, s.safe(next))
	}
}

func TestSafeRefuses(t *testing.T) {
	t.Parallel()
	s := SignIn{Prefix: "/studio"}
	for _, next := range []string{
		"", " ", "/", ".", "..", "?", "#", "/studio", "/studio/", "/studio/t", "/studio/sign-in", "/studio/sign-out", "/studio/api/v1/acme/me",
		"studio/t/acme", "./studio/t/acme", " /studio/t/acme", "/Studio/t/acme", "/studioX/t/acme", "/studio-evil/t/acme",
		"https://evil.example", "https://evil.example/studio/t/acme", "HTTPS://evil.example/studio/t/acme", "http:evil.example",
		"https:/studio/t/acme", "https:///studio/t/acme", "//evil.example", "//evil.example/studio/t/acme", "///evil.example/studio/t/acme",
		"////evil.example", `/\evil.example`, `\\evil.example`, `\/evil.example/studio/t/acme`, `/\/evil.example/studio/t/acme`,
		`/studio\t\acme`, `/studio/t/acme\..\..\..\evil`, `/studio/t/\evil.example`,
		"javascript:alert(1)", "JaVaScRiPt:alert(1)//studio/t/", "data:text/html,/studio/t/acme", "vbscript:x", "mailto:a@evil.example",
		"blob:https://evil.example/1", "file:///studio/t/acme", "ftp://evil.example/studio/t/acme", "view-source:/studio/t/acme",
		"//user@evil.example/studio/t/acme", "https://studio.example@evil.example/studio/t/acme", "/studio/t@evil.example",
		"/studio/t/../../evil", "/studio/t/acme/../../../evil", "/studio/t/acme/..", "/studio/t/%2e%2e/%2e%2e/evil", "/studio/t/.%2e/evil",
		"/studio/t/%2E%2E/sign-out", "/studio/t/acme/..;/..;/evil", "/studio/../studio/t/acme", "/./studio/t/acme",
		"\t//evil.example", "/\t/evil.example", "/\n/evil.example", "/studio/t/acme\r\nSet-Cookie: a=b", "/studio/t/acme\nLocation: //evil.example",
		"/studio/t/acme\t", "/studio/t/acme\x00", "\x00//evil.example", "/studio/t/acme\x7f", "/studio/t/%zz", "/%2fevil.example",
		"%2f%2fevil.example", "/studio%2ft%2facme", "/studio/t%2facme",
	} {
		require.Empty(t, s.safe(next), "%q", next)
	}
}

// browse returns where a browser goes from the sign-in page: it drops tabs and
// line ends, takes a backslash for a slash, and resolves dots.
func browse(t require.TestingT, next string) *url.URL {
	next = strings.NewReplacer("\t", "", "\n", "", "\r", "", `\`, "/").Replace(strings.TrimFunc(next, func(r rune) bool { return r <= ' ' }))
	base, err := url.Parse("https://studio.example/studio/sign-in")
	require.NoError(t, err)
	to, err := base.Parse(next)
	require.NoError(t, err)
	return to
}

// TestSafeStaysInTheStudio builds addresses of the parts that attacks use.
func TestSafeStaysInTheStudio(t *testing.T) {
	t.Parallel()
	s := SignIn{Prefix: "/studio"}
	part := rapid.OneOf(rapid.SampledFrom([]string{
		"/studio/t/", "/studio", "/t/", "acme", "/", "//", `\`, "..", "%2e", "%2f", "%5c", ":", "https:", "@", "evil.example", "?", "#",
		"\t", "\n", " ", ";", "javascript:", ".", "%00", "%09",
	}), rapid.String())
	rapid.Check(t, func(t *rapid.T) {
		next := strings.Join(rapid.SliceOfN(part, 0, 6).Draw(t, "parts"), "")
		if rapid.Bool().Draw(t, "begins well") {
			next = "/studio/t/" + next
		}
		kept := s.safe(next)
		if kept == "" {
			return
		}
		require.Equal(t, next, kept)
		to := browse(t, kept)
		require.Equal(t, "https", to.Scheme)
		require.Equal(t, "studio.example", to.Host)
		require.Nil(t, to.User)
		require.True(t, strings.HasPrefix(path.Clean(to.Path)+"/", "/studio/t/"), to.Path)
	})
}
