package planner

import (
	"slices"
	"strings"
)

// recipient takes an address, the words after "to", or who the verb is done
// to: "tell the warehouse that …".
func (x *extraction) recipient(one *param) {
	for i, t := range x.clause.tokens {
		if t.kind == tokenEmail && !x.used[i] {
			x.take(one, i, i+1)
			return
		}
	}
	if x.addressed(one) || !x.speaksToPeople() {
		return
	}
	from := x.clause.head + 1
	for from < len(x.clause.tokens) && x.clause.tokens[from].is("a an the note message notice") && x.messageNoun(from) {
		from++
	}
	if end := x.personEnd(from); end > from {
		x.take(one, from, end)
	}
}

// speaksToPeople reports whether the clause's verb is done to a person.
func (x *extraction) speaksToPeople() bool {
	return x.clause.head >= 0 && (x.clause.verb == conceptNotify || x.clause.verb == conceptSend)
}

// messageNoun reports whether the words from a token on name the message
// itself, as in "send a message".
func (x *extraction) messageNoun(i int) bool {
	tokens := x.clause.tokens
	return tokens[i].is("note message notice") || i+1 < len(tokens) && tokens[i+1].is("note message notice notification email mail")
}

// addressed takes the person of "to the warehouse", if there is one.
func (x *extraction) addressed(one *param) bool {
	for i := x.clause.head + 1; i < x.clause.bound; i++ {
		if !x.clause.tokens[i].is("to") || x.used[i] {
			continue
		}
		direct := i == x.clause.head+1 || x.messageNoun(i-1)
		if end := x.personEnd(i + 1); end > i+1 && direct {
			x.used[i] = true
			x.take(one, i+1, end)
			return true
		}
	}
	return false
}

// personEnd returns where the name of a person or group that starts at a token
// ends. Without a mark that ends it, a name is one word and its article.
func (x *extraction) personEnd(from int) int {
	const longest = 4
	tokens := x.clause.tokens
	for i := from; i < len(tokens) && i <= from+longest; i++ {
		t := tokens[i]
		if t.is("that saying about to know : , of says via - because") || t.kind == tokenQuote {
			return i
		}
		if i > from && t.is("the a an our my your their this is are was were has have had will") && !tokens[i-1].is("all") {
			break // the message starts here: "tell support the printer is broken"
		}
		if t.kind != tokenWord && t.kind != tokenID {
			break
		}
		if i+1 == len(tokens) {
			return i + 1
		}
	}
	end := from
	if end < len(tokens) && tokens[end].is("the our my all a") {
		end++
	}
	if end < len(tokens) && tokens[end].kind == tokenWord && !tokens[end].is("that") {
		return end + 1
	}
	return from
}

// take uses the tokens between two places as the value of a parameter.
func (x *extraction) take(one *param, from, to int) {
	for i := from; i < to; i++ {
		x.used[i] = true
	}
	if one.kind == kindRecipient && x.clause.tokens[from].is("the") && to-from > 1 {
		from++
	}
	x.set(one, strings.Trim(x.clause.text(from, to), `"' `))
}

// textValue looks for free text: after the parameter's own name, in quotes,
// after a word that introduces it, after the person told, and at last in what
// follows everything else.
func (x *extraction) textValue(one *param) {
	if x.clears(one) {
		x.clear(one)
		return
	}
	finders := []func(*param) bool{x.labelled, x.quoteOf, x.introduced}
	if one.required {
		finders = append(finders, x.told, x.afterComma, x.leftover)
	}
	for _, find := range finders {
		if find(one) {
			return
		}
	}
}

// labelled takes "note: …", "with reason …", "the reason is …".
func (x *extraction) labelled(one *param) bool {
	tokens := x.clause.tokens
	for i, t := range tokens {
		if t.kind != tokenWord || !oneOf(t.lower, strings.Join(one.words, " ")) || i+1 >= len(tokens) {
			continue
		}
		marked := tokens[i+1].is(": is = being - say says that") || tokens[i+1].is("to as") && x.lastUsed() <= i && x.rewrites(one)
		with := i > 0 && tokens[i-1].is("with") || i > 1 && tokens[i-2].is("with") && tokens[i-1].is("the a")
		switch {
		case marked:
			return x.rest(one, i+2)
		case with && i != x.clause.head:
			return x.rest(one, i+1)
		}
	}
	return false
}

// clears reports whether the clause asks to empty what a parameter holds:
// "clear the note of A-1001".
func (x *extraction) clears(one *param) bool {
	return x.clause.verb == conceptDelete && isChanging(x.tool.lead) && x.namesText(x.tool, one, x.clause)
}

// namesText reports whether a clause names a text parameter that is also named
// by its tool.
func (p reader) namesText(t *tool, one *param, c clause) bool {
	keys := p.clauseKeys(c)
	return one.kind == kindText && slices.ContainsFunc(one.words, func(word string) bool {
		key := p.lex.sense(word).key
		return slices.Contains(t.keys, key) && slices.Contains(keys, key)
	})
}

// clear gives a parameter the empty text, if the schema accepts that.
func (x *extraction) clear(one *param) {
	if one.shortest == 0 && len(one.enum) == 0 && (one.pattern == nil || one.pattern.MatchString("")) {
		x.args[one.name] = argument{json: quote(""), shown: "empty"}
	}
}

// rewrites reports whether the clause changes the parameter's text, so that
// "to" comes before the new one.
func (x *extraction) rewrites(one *param) bool {
	return isChanging(x.clause.verb) && isChanging(x.tool.lead) && !one.reason()
}

func (x *extraction) quoteOf(one *param) bool {
	for i, t := range x.clause.tokens {
		if t.kind == tokenQuote && !x.used[i] {
			x.used[i] = true
			x.set(one, t.text)
			return x.args[one.name].json != ""
		}
	}
	return false
}

// introduced takes the text after "because", "saying", "that" or a colon.
func (x *extraction) introduced(one *param) bool {
	marks := []string{"saying says stating that :"}
	if one.reason() {
		marks = []string{"because since due", "saying :"}
	}
	for _, list := range marks {
		for i, t := range x.clause.tokens {
			if (i > 0 || x.clause.head < 0) && t.is(list) && !x.used[i] {
				return x.rest(one, i+1)
			}
		}
	}
	return false
}

// told takes what follows the person that the verb is done to, or the search
// words of a tool that reads.
func (x *extraction) told(one *param) bool {
	if x.speaksToPeople() && !one.reason() {
		last := max(x.clause.head, x.lastUsed())
		return x.rest(one, last+1)
	}
	if x.tool.write {
		return false
	}
	for i := x.clause.head + 1; i < len(x.clause.tokens); i++ {
		if x.clause.tokens[i].is("for about in of named called matching containing") {
			return x.rest(one, i+1)
		}
	}
	return false
}

// afterComma takes what follows the first comma after the last used token.
func (x *extraction) afterComma(one *param) bool {
	for i := x.lastUsed() + 1; i > 0 && i < len(x.clause.tokens); i++ {
		if x.clause.tokens[i].is(", - – —") {
			return x.rest(one, i+1)
		}
	}
	return false
}

// leftover takes what follows the last id or amount, unless it is a place, a
// time or a person rather than a text.
func (x *extraction) leftover(one *param) bool {
	from := x.lastUsed() + 1
	if from <= x.clause.head+1 || from >= len(x.clause.tokens) {
		return false
	}
	first := x.clause.tokens[from]
	if first.is("to as") && x.rewrites(one) {
		return x.rest(one, from+1)
	}
	if first.is("on from in at by to with of about and or not") {
		return false
	}
	if first.is("for") && (from+1 >= len(x.clause.tokens) || x.clause.tokens[from+1].is("me us him her them the a my our")) {
		return false
	}
	return x.rest(one, from)
}

// rest takes everything from a token on, without the words around it that are
// no part of the text.
func (x *extraction) rest(one *param, from int) bool {
	value := trimText(x.clause, from, len(x.clause.tokens))
	if value == "" {
		return false
	}
	x.set(one, value)
	if _, ok := x.args[one.name]; !ok {
		return false
	}
	for i := from; i < len(x.used); i++ {
		x.used[i] = true
	}
	x.open = true
	return true
}

func (x *extraction) lastUsed() int {
	for i := len(x.used) - 1; i >= 0; i-- {
		if x.used[i] {
			return i
		}
	}
	return -1
}

// trimText returns what was written between two tokens, without connectors
// before it and courtesies after it.
func trimText(c clause, from, to int) string {
	for from < to && c.tokens[from].is("because since due as of to that saying about : , - – — so is for please and") {
		from++
	}
	for to > from && c.tokens[to-1].is(", ; : . - please pls thanks thx") {
		to--
	}
	if to-from > 2 && c.tokens[from].is("(") && c.tokens[to-1].is(")") {
		from, to = from+1, to-1
	}
	if to-from == 1 && c.tokens[from].kind == tokenQuote {
		return c.tokens[from].text
	}
	if courtesy(c.tokens[from:to]) {
		return ""
	}
	return c.text(from, to)
}
