package hosttoolstest

import (
	"regexp/syntax"
	"strings"
	"unicode"
)

// matching makes up the simplest text that a regular expression matches, taking
// every repetition as short as it may be.
func matching(pattern string) (string, bool) {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return "", false
	}
	var b strings.Builder
	ok := writeMatch(&b, parsed)
	return b.String(), ok
}

func writeMatch(b *strings.Builder, r *syntax.Regexp) bool {
	switch r.Op {
	case syntax.OpLiteral:
		b.WriteString(string(r.Rune))
	case syntax.OpCharClass:
		c, ok := pick(r.Rune)
		b.WriteRune(c)
		return ok
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte('a')
	case syntax.OpConcat, syntax.OpCapture:
		for _, sub := range r.Sub {
			if !writeMatch(b, sub) {
				return false
			}
		}
	case syntax.OpAlternate, syntax.OpPlus:
		return writeMatch(b, r.Sub[0])
	case syntax.OpRepeat:
		for range r.Min {
			if !writeMatch(b, r.Sub[0]) {
				return false
			}
		}
	case syntax.OpNoMatch:
		return false
	default: // Anchors, and what may be repeated no times.
	}
	return true
}

// pick returns a letter or digit of a class, given as pairs of bounds, and else
// its first printable character.
func pick(class []rune) (rune, bool) {
	for _, wanted := range "aA01" {
		for i := 0; i+1 < len(class); i += 2 {
			if class[i] <= wanted && wanted <= class[i+1] {
				return wanted, true
			}
		}
	}
	for i := 0; i+1 < len(class); i += 2 {
		if unicode.IsPrint(class[i]) {
			return class[i], true
		}
	}
	return 0, false
}
