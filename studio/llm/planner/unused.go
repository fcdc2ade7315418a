package planner

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kljensen/snowball/english"
)

// unused returns the words with which a clause narrows a list and which no
// parameter of the tool took, such as "from globex"; "" if there are none.
func (x *extraction) unused() string {
	if x.tool.write || slices.ContainsFunc(x.tool.params, func(p param) bool { return p.required }) {
		return ""
	}
	var parts []string
	for i := x.clause.head + 1; i < len(x.clause.tokens); i++ {
		switch t := x.clause.tokens[i]; {
		case x.used[i]:
		case t.is("from for of by with in since before after over above below under between at"):
			if end := x.narrowed(i + 1); end > i+1 {
				parts = append(parts, x.clause.text(i, end))
				i = end - 1
			}
		case x.describes(i):
			parts = append(parts, t.text)
		}
	}
	return strings.Join(parts, "”, “")
}

// narrowed returns where the words that follow a preposition end, and from if
// they say nothing.
func (x *extraction) narrowed(from int) int {
	end, says := from, false
	for ; end < len(x.clause.tokens) && !x.used[end]; end++ {
		t := x.clause.tokens[end]
		if t.kind == tokenPunct || t.kind == tokenNewline || t.is("and or as from for of by with in since before after") {
			break
		}
		says = says || x.unknown(t)
	}
	if !says {
		return from
	}
	return end
}

// describes reports whether token i is an unknown word right before the noun of
// a list: "globex orders".
func (x *extraction) describes(i int) bool {
	tokens := x.clause.tokens
	if i+1 >= len(tokens) || !x.unknown(tokens[i]) || tokens[i].kind != tokenWord {
		return false
	}
	next := tokens[i+1]
	return next.kind == tokenWord && strings.HasSuffix(next.lower, "s") && slices.Contains(x.tool.keys, next.sense.key)
}

// unknown reports whether a token says something that neither the tool nor
// plain courtesy accounts for.
func (x *extraction) unknown(t token) bool {
	if t.kind != tokenWord {
		return t.kind != tokenPunct
	}
	word := strings.TrimSuffix(t.lower, "'s")
	if oneOf(word, "other others another") {
		return true
	}
	known := x.tool.has(t.sense.key) || slices.Contains(x.tool.hints, t.sense.key) || slices.Contains(x.tool.hints, x.lex.sense(word).key)
	common := english.IsStopWord(word) || fillWord(word) || leadIn(word) || x.cat.action(t) ||
		oneOf(word, "please thanks thank us mine everyone many much current existing available different single whole complete entire total overall customer customers")
	return !known && !common && numberWord(word) == ""
}

// unusedText says plainly what a list was not narrowed by.
func unusedText(words string) string {
	return fmt.Sprintf("I could not use “%s”: the tool has no such filter, and it sees this organization's own data only.", words)
}
