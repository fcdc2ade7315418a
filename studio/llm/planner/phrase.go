package planner

import "strings"

// phrase is a verb of two words that may stand apart: "call it off".
type phrase struct {
	first, second string
	gap           int
	means         sense
}

func phrases() []phrase {
	const apart = 3
	get := sense{key: conceptGet, role: roleVerb}
	cancel := sense{key: "cancel", role: roleVerb}
	refund := sense{key: "refund", role: roleVerb}
	return []phrase{
		{"call", "off", apart, cancel},
		{"take", "back", apart, cancel},
		{"pay", "back", apart, refund},
		{"give", "back", apart, refund},
		{"money", "back", 0, refund},
		{"look", "up", apart, get},
		{"look", "at", 0, get},
		{"pull", "up", apart, get},
		{"look", "for", 0, sense{key: conceptList, role: roleVerb}},
		{"write", "down", apart, sense{key: "note", role: roleVerb}},
		{"let", "know", apart, sense{key: conceptNotify, role: roleVerb}},
	}
}

// markPhrases gives the first word of every verb phrase its meaning and takes
// that of the second away. "tell me" and "let us know" ask for something to be
// shown, so they mean get.
func markPhrases(tokens []token) []token {
	for i := range tokens {
		if tokens[i].kind != tokenWord {
			continue
		}
		for _, p := range phrases() {
			if tokens[i].lower != p.first {
				continue
			}
			if j := p.partner(tokens, i); j > 0 {
				tokens[i].sense = p.means
				tokens[j].sense = sense{key: p.second}
			}
		}
		if i+1 < len(tokens) && tokens[i].sense.key == conceptNotify && tokens[i].sense.role == roleVerb && tokens[i+1].is("me us") {
			tokens[i].sense = sense{key: conceptGet, role: roleVerb}
		}
	}
	return tokens
}

// partner returns where the second word of the phrase stands, or 0.
func (p phrase) partner(tokens []token, first int) int {
	for j := first + 1; j < len(tokens) && j <= first+1+p.gap; j++ {
		if tokens[j].lower == p.second && tokens[j].kind == tokenWord {
			return j
		}
		if tokens[j].kind == tokenPunct || tokens[j].kind == tokenNewline {
			return 0
		}
	}
	return 0
}

// words splits an identifier into lower-case words: "fs_listOrders" is fs,
// list, orders.
func words(identifier string) []string {
	var out strings.Builder
	lower := false
	for _, r := range identifier {
		switch {
		case r >= 'A' && r <= 'Z':
			if lower {
				out.WriteByte(' ')
			}
			out.WriteRune(r - 'A' + 'a')
			lower = false
		case r == '_' || r == '-' || r == '.' || r == '/' || r == ':' || r == ' ':
			out.WriteByte(' ')
			lower = false
		default:
			out.WriteRune(r)
			lower = true
		}
	}
	return strings.Fields(out.String())
}
