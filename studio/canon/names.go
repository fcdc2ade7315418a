package canon

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// fewNames is up to how many names a scan beats a map.
const fewNames = 16

// nameSet refuses the names of one object that some reader could take for one
// another. The zero nameSet is ready for the first name.
type nameSet struct {
	folded map[string]string // folded name to name, beyond fewNames
}

// add returns why name cannot follow the earlier members, all of which were
// added before, or "" if it can.
func (s *nameSet) add(name string, earlier []Member) Reason {
	if !utf8.ValidString(name) {
		return ReasonInvalidUTF8
	}
	if len(earlier) < fewNames {
		return scan(name, earlier)
	}
	if s.folded == nil {
		s.folded = make(map[string]string, 2*fewNames)
		for _, m := range earlier {
			s.folded[foldName(m.Name)] = m.Name
		}
	}
	folded := foldName(name)
	if other, found := s.folded[folded]; found {
		return clash(name, other)
	}
	s.folded[folded] = name
	return ""
}

func scan(name string, earlier []Member) Reason {
	for _, m := range earlier {
		if strings.EqualFold(m.Name, name) {
			return clash(name, m.Name)
		}
	}
	return ""
}

func clash(name, other string) Reason {
	if name == other {
		return ReasonDuplicateName
	}
	return ReasonCaseVariantName
}

// foldName returns the same string for names that strings.EqualFold equates.
func foldName(name string) string { return strings.Map(foldRune, name) }

// foldRune returns the smallest rune of those that differ from r only in case.
func foldRune(r rune) rune {
	smallest := r
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		smallest = min(smallest, next)
	}
	return smallest
}
