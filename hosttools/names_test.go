package hosttools_test

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/agentstudio/agentstudio/hosttools"
)

// offer is one toolkit that a host offers.
type offer struct {
	slug, prefix string
	methods      []string
}

// acceptable says by the rules' own words, and not as the registry does it,
// whether an offer may stand next to those that were taken before.
func acceptable(hostPrefix string, o offer, taken []offer) bool {
	form := regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]{0,63}$`)
	bare := regexp.MustCompile(`^(.*[^_])_+$`).FindStringSubmatch(hostPrefix)
	if bare == nil || len(o.slug) <= len(hostPrefix) || o.slug[:len(hostPrefix)] != hostPrefix || !form.MatchString(o.slug) {
		return false
	}
	if o.prefix != bare[1] || !form.MatchString(o.prefix) || len(o.methods) == 0 {
		return false
	}
	slugs, names := map[string]bool{}, map[string]bool{}
	for _, other := range taken {
		slugs[strings.ToUpper(other.slug)] = true
		for _, method := range other.methods {
			names[strings.ToUpper(other.prefix+"_"+method)] = true
		}
	}
	for _, method := range o.methods {
		name := o.prefix + "_" + method
		if method == "" || !form.MatchString(name) || names[strings.ToUpper(name)] {
			return false
		}
		names[strings.ToUpper(name)] = true
	}
	return !slugs[strings.ToUpper(o.slug)]
}

// TestNameRules registers whatever toolkits: those are taken that keep all
// rules, in the order of their slugs.
func TestNameRules(t *testing.T) {
	t.Parallel()
	text := rapid.OneOf(
		rapid.SampledFrom([]string{"", "_", "-", "9", "K", "ſ", "a b", "a.b", "é", "\x00", "\xff", strings.Repeat("n", 30), strings.Repeat("n", 61)}),
		rapid.StringMatching(`[a-cA-C]{1,2}`), rapid.StringMatching(`[a-z0-9_-]{1,6}`),
	)
	rapid.Check(t, func(rt *rapid.T) {
		prefix := rapid.SampledFrom([]string{"fs_", "fs__", "F_", "a-b_", "_a_", "", "_", "fs", "1_", "é_"}).Draw(rt, "prefix")
		bare := strings.TrimRight(prefix, "_")
		offers := map[string]offer{}
		for range rapid.IntRange(1, 4).Draw(rt, "offers") {
			slug := rapid.SampledFrom([]string{prefix, prefix, prefix, strings.ToUpper(prefix), "x"}).Draw(rt, "start") + text.Draw(rt, "slug")
			offers[slug] = offer{
				slug:    slug,
				prefix:  rapid.SampledFrom([]string{bare, bare, bare, bare, prefix, "fs", ""}).Draw(rt, "own prefix"),
				methods: rapid.SliceOfN(text, 0, 3).Draw(rt, "methods"),
			}
		}
		tools := map[string]hosttools.Constructor{}
		for slug, o := range offers {
			methods := make([]hosttools.Method, len(o.methods))
			for i, method := range o.methods {
				methods[i] = echo(method)
			}
			tools[slug] = named(o.prefix, methods...)
		}
		r := hosttools.NewRegistry(hosttools.Host{Prefix: prefix, Tools: tools, Logger: quiet()})
		require.Len(rt, append(r.Rejections(), make([]hosttools.Rejection, len(r.Groups()))...), len(offers))

		var taken []offer
		for _, slug := range slices.Sorted(maps.Keys(offers)) {
			_, registered := r.Group(slug)
			registered = registered && groupOf(r, slug) == slug
			require.Equal(rt, acceptable(prefix, offers[slug], taken), registered, "%q: %+v\n%v", slug, offers[slug], r.Err())
			if registered {
				taken = append(taken, offers[slug])
			}
		}
	})
}

// groupOf returns the slug as it is registered.
func groupOf(r *hosttools.Registry, slug string) string {
	group, _ := r.Group(slug)
	return group.Slug
}
