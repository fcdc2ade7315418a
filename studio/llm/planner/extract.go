package planner

import (
	"encoding/json"
	"maps"
	"strings"
)

// extraction fills the parameters of one tool from one clause. A token is used
// for one value only.
type extraction struct {
	reader
	tool   *tool
	clause clause
	used   []bool
	args   map[string]argument
	odd    map[string]string
	// more holds further values of one parameter: "cancel A-1 and A-2".
	more map[string][]string
	// open is set when a text ran to the end of the clause.
	open bool
}

func (p reader) extract(t *tool, c clause) *extraction {
	x := &extraction{
		reader: p, tool: t, clause: c, used: make([]bool, len(c.tokens)),
		args: map[string]argument{}, odd: map[string]string{}, more: map[string][]string{},
	}
	if c.head >= 0 {
		x.used[c.head] = true
	}
	return x
}

// extractAll looks for every parameter that has no value yet; the surest kinds
// go first, and free text takes what is left.
func (x *extraction) extractAll() {
	order := [][]paramKind{{kindID, kindList}, {kindDate}, {kindEnum}, {kindNumber}, {kindBool}, {kindRecipient}, {kindText}}
	for _, kinds := range order {
		for i := range x.tool.params {
			one := &x.tool.params[i]
			if _, filled := x.args[one.name]; filled {
				continue
			}
			for _, kind := range kinds {
				if one.kind == kind {
					x.extractOne(one)
				}
			}
		}
	}
}

func (x *extraction) extractOne(one *param) {
	switch one.kind {
	case kindID:
		x.id(one)
	case kindList:
		x.list(one)
	case kindDate:
		x.date(one)
	case kindEnum:
		x.enum(one)
	case kindNumber:
		x.number(one)
	case kindBool:
		x.boolean(one)
	case kindRecipient:
		x.recipient(one)
	case kindText:
		x.textValue(one)
	}
}

// set stores a string value if the schema accepts it, and remembers it as odd
// if not.
func (x *extraction) set(one *param, value string) {
	if !one.validText(value) {
		if value != "" {
			x.odd[one.name] = value
		}
		return
	}
	x.args[one.name] = argument{json: quote(value), shown: value, from: value}
	delete(x.odd, one.name)
}

// quote writes s as a JSON string; every valid string has one.
func quote(s string) string {
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(s); err != nil {
		return `""`
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// steps returns a step for the values found, and one more for each further
// value of a parameter that was given several.
func (x *extraction) steps() []step {
	out := []step{{tool: x.tool, clause: x.clause, args: x.args, odd: x.odd, unused: x.unused()}}
	for i := range x.tool.params {
		one := &x.tool.params[i]
		for _, value := range x.more[one.name] {
			args := maps.Clone(x.args)
			args[one.name] = argument{json: quote(value), shown: value, from: value}
			out = append(out, step{tool: x.tool, clause: x.clause, args: args, odd: x.odd})
		}
	}
	return out
}

// date takes a date written as 2026-01-31.
func (x *extraction) date(one *param) {
	for i, t := range x.clause.tokens {
		if t.kind == tokenDate && !x.used[i] {
			x.used[i] = true
			x.set(one, t.text)
			return
		}
	}
}

// list takes every id of the clause, or else every address or quote; for a
// parameter that holds no ids, quotes come first.
func (x *extraction) list(one *param) {
	kinds := []tokenKind{tokenQuote, tokenID, tokenEmail}
	if one.named(idWords) {
		kinds = []tokenKind{tokenID, tokenEmail, tokenQuote}
	}
	for _, kind := range kinds {
		var items, shown []string
		for i, t := range x.clause.tokens {
			if t.kind == kind && !x.used[i] {
				x.used[i] = true
				items = append(items, quote(t.text))
				shown = append(shown, t.text)
			}
		}
		if len(items) > 0 {
			x.args[one.name] = argument{json: "[" + strings.Join(items, ",") + "]", shown: strings.Join(shown, ", ")}
			return
		}
	}
}

// boolean is true when the clause holds the parameter's words, and false when
// they follow a "not", "no" or "without".
func (x *extraction) boolean(one *param) {
	for i, t := range x.clause.tokens {
		if t.kind != tokenWord || x.used[i] || !x.speaksOf(one, t) {
			continue
		}
		value := "true"
		if i > 0 && x.clause.tokens[i-1].is("no not without non don't") {
			value = "false"
		}
		x.used[i] = true
		x.args[one.name] = argument{json: value, shown: value}
		return
	}
}

// speaksOf reports whether a word is one of the parameter's own words.
func (x *extraction) speaksOf(one *param, t token) bool {
	for _, word := range one.words {
		if !fillWord(word) && !oneOf(word, "include includes enable enabled allow") && x.lex.sense(word).key == t.sense.key {
			return true
		}
	}
	return false
}
