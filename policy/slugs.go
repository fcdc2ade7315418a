package policy

import "fmt"

// maxSlug is the longest slug, in bytes.
const maxSlug = 64

// slugs is a set of normalised slugs.
type slugs map[string]struct{}

func newSlugs(names []string) (slugs, error) {
	set := make(slugs, len(names))
	for _, name := range names {
		slug, ok := normalise(name)
		if !ok {
			return nil, fmt.Errorf("%q is not a slug; slugs have letters, digits and underscores only, at most %d", name, maxSlug)
		}
		set[slug] = struct{}{}
	}
	return set, nil
}

func (s slugs) has(slug string) bool {
	_, ok := s[slug]
	return ok
}

// normalise returns the one form in which slugs are compared, and false for
// what is no slug. Only ASCII letters are folded: Unicode folding would take
// the Kelvin sign for a k.
func normalise(slug string) (string, bool) {
	if slug == "" || len(slug) > maxSlug {
		return "", false
	}
	b := []byte(slug)
	for i, c := range b {
		switch {
		case c >= 'A' && c <= 'Z':
			b[i] = c - 'A' + 'a'
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '_':
		default:
			return "", false
		}
	}
	return string(b), true
}
