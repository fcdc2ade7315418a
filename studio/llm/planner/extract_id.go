package planner

import (
	"slices"
	"strings"
	"unicode"
)

// id takes the id next to the parameter's noun, or else the first that fits;
// ids that are listed with it become further values.
func (x *extraction) id(one *param) {
	at := x.idAt(one)
	if at < 0 {
		x.oddID(one)
		return
	}
	value, _, _ := x.fit(x.tool, one, x.clause.tokens, at)
	x.used[at] = true
	x.set(one, value)
	if x.tool.idParam() == one {
		x.moreIDs(one, at)
	}
}

// idAt returns where the id stands, or -1. Ids in the free text come last.
func (x *extraction) idAt(one *param) int {
	first := -1
	for i := range x.clause.tokens {
		if _, _, ok := x.fit(x.tool, one, x.clause.tokens, i); !ok || x.used[i] {
			continue
		}
		if x.follows(i, one) && i < x.clause.bound {
			return i
		}
		if first < 0 && !x.claimed(i, one) {
			first = i
		}
	}
	return first
}

// follows reports whether a noun of the parameter stands before token i.
func (x *extraction) follows(i int, one *param) bool {
	return i > 0 && nounBefore(x.lex, x.tool.noun(one), x.clause.tokens, i)
}

// claimed reports whether the noun before token i is that of another id
// parameter.
func (x *extraction) claimed(i int, one *param) bool {
	return slices.ContainsFunc(x.tool.params, func(other param) bool {
		return other.kind == kindID && other.name != one.name && x.follows(i, &other)
	})
}

// nounBefore reports whether a word of noun, or a word such as "number", is
// among the two words before token i.
func nounBefore(lex *lexicon, noun string, tokens []token, i int) bool {
	for j := i - 1; j >= 0 && j >= i-2; j-- {
		if tokens[j].kind != tokenWord {
			continue
		}
		for _, word := range strings.Fields(noun) {
			if lex.sense(word).key == tokens[j].sense.key {
				return true
			}
		}
	}
	return false
}

// oddID remembers an id that is there but has not the form the schema asks.
func (x *extraction) oddID(one *param) {
	for i, t := range x.clause.tokens {
		if (t.kind == tokenID || t.hash || t.kind == tokenNumber && x.follows(i, one)) && !x.used[i] && !excluded(x.clause.tokens, i) && i < x.clause.bound {
			x.used[i] = true
			x.odd[one.name] = t.text
			return
		}
	}
}

// moreIDs takes the ids that follow in a list: "A-1, A-2 and order A-3".
func (x *extraction) moreIDs(one *param, at int) {
	taken := []string{x.args[one.name].shown}
	for i := at + 1; i < len(x.clause.tokens); i++ {
		t := x.clause.tokens[i]
		noun := t.kind == tokenWord && nounBefore(x.lex, x.tool.noun(one), x.clause.tokens[:i+1], i+1)
		if value, _, ok := x.fit(x.tool, one, x.clause.tokens, i); ok && !noun {
			x.used[i] = true
			if !slices.Contains(taken, value) {
				taken = append(taken, value)
				x.more[one.name] = append(x.more[one.name], value)
			}
			continue
		}
		if !t.is(", and & or plus also") && !noun {
			return
		}
	}
}

// fit returns the value that token i gives an id parameter. It is strong when
// the schema's pattern or example says that ids look so. A plain number is an
// id only when the pattern says so, or "#" or the noun comes before it. An id
// after "not" or "except" is none.
func (p reader) fit(t *tool, one *param, tokens []token, i int) (value string, strong, ok bool) {
	candidate := tokens[i]
	number := candidate.kind == tokenNumber
	if candidate.kind != tokenID && !number || excluded(tokens, i) {
		return "", false, false
	}
	if one.pattern != nil {
		for _, form := range []string{candidate.text, strings.ToUpper(candidate.text), strings.ToLower(candidate.text)} {
			if one.validText(form) {
				return form, true, true
			}
		}
		return "", false, false
	}
	if number && !candidate.hash && !nounBefore(p.lex, t.noun(one), tokens, i) {
		return "", false, false
	}
	value = candidate.text
	strong = one.example != "" && shape(one.example) == shape(value)
	wantsUpper := strong && one.example == strings.ToUpper(one.example) || saysUpper(one.description)
	if wantsUpper {
		value = strings.ToUpper(value)
	}
	return value, strong, one.validText(value)
}

func saysUpper(description string) bool {
	text := strings.ToLower(description)
	return strings.Contains(text, "upper case") || strings.Contains(text, "uppercase") || strings.Contains(text, "upper-case") || strings.Contains(text, "capital letter")
}

// excluded reports whether token i is named only to leave it out.
func excluded(tokens []token, i int) bool {
	return i > 0 && tokens[i-1].is("not except without") || i > 1 && tokens[i-2].is("not except without") && tokens[i-1].kind == tokenWord
}

// shape reduces an id to its form: "A-1002" and "inv-7" both are "a-9".
func shape(id string) string {
	var out strings.Builder
	var last rune
	for _, r := range id {
		switch {
		case unicode.IsLetter(r):
			r = 'a'
		case unicode.IsDigit(r):
			r = '9'
		}
		if r != last || r != 'a' && r != '9' {
			out.WriteRune(r)
		}
		last = r
	}
	return out.String()
}
