package planner

import (
	"slices"
	"strings"
)

// findHead finds the verb of a clause and where its free text starts.
func (p reader) findHead(c *clause) {
	c.bound = freeText(c.tokens, 0)
	for _, weak := range []bool{false, true} {
		for i, t := range c.tokens[:c.bound] {
			if c.head >= 0 || !p.cat.action(t) || (t.sense.role == roleWeak) != weak {
				continue
			}
			if participle(t.lower) && !wanted(c.tokens[:i]) {
				continue
			}
			c.head, c.verb = i, t.sense.key
		}
	}
	if c.head < 0 {
		return
	}
	c.bound = freeText(c.tokens, c.head+1)
	if c.head+1 < len(c.tokens) {
		c.verb = shifted(c.tokens[c.head], c.tokens[c.head+1])
	}
	if p.undoes(*c) {
		c.verb = conceptUndo
	}
}

// undoes reports whether a clause takes back what a tool did rather than asks
// for it again: "revoke the cancellation", "cancel the refund".
func (p reader) undoes(c clause) bool {
	if c.verb != "cancel" {
		return false
	}
	for _, t := range c.tokens[c.head+1 : c.bound] {
		if t.is("the that my this our its back a") {
			continue
		}
		return t.kind == tokenWord && !participle(t.lower) && slices.ContainsFunc(p.cat.tools, func(one *tool) bool {
			return one.write && !isGeneric(one.lead) && one.lead == t.sense.key
		})
	}
	return false
}

// shifted returns the verb of a clause, given the word after it: "refund
// status" and "send me" ask for something to be shown.
func shifted(verb, next token) string {
	about := next.sense.role == roleNoun && next.sense.key == conceptGet
	handing := verb.sense.key == conceptSend && next.is("me us")
	if about && verb.sense.key != conceptUpdate || handing {
		return conceptGet
	}
	return verb.sense.key
}

// wanted reports whether a participle after these words is asked for: "I need
// A-1002 cancelled".
func wanted(before []token) bool {
	words := lowerWords(before)
	return hasAny(words, "want need like have get wants needs should must") && !hasAny(words, "been")
}

// freeText returns where, from a token on, reasons and messages start.
func freeText(tokens []token, from int) int {
	for i := from; i < len(tokens); i++ {
		if i > 0 && (tokens[i].kind == tokenQuote || tokens[i].is("because since due saying says stating that : reason")) {
			return i
		}
	}
	return len(tokens)
}

// moodOf judges a clause by its words before the verb, and by the conditions
// after it.
func moodOf(c clause) mood {
	words := lowerWords(c.tokens)
	before := words
	if c.head >= 0 {
		before = lowerWords(c.tokens[:c.head])
	}
	switch {
	case (c.question || c.tokens[0].kind != tokenID) && asksQuestion(words):
		return moodInquiry
	case c.head >= 0 && hasAny(before, "what which who why how if whether when cannot can't couldn't cant"):
		return moodInquiry
	case c.head >= 0 && negates(before):
		return moodNegated
	case c.head >= 0 && conditional(c):
		return moodConditional
	case c.head < 0 && c.question:
		return moodInquiry
	case c.head < 0:
		return moodStatement
	default:
		return moodRequest
	}
}

func lowerWords(tokens []token) []string {
	var out []string
	for _, t := range tokens {
		if t.kind == tokenWord {
			out = append(out, t.lower)
		}
	}
	return out
}

func hasAny(words []string, list string) bool {
	for _, word := range words {
		if oneOf(word, list) {
			return true
		}
	}
	return false
}

// asksQuestion reports whether a sentence is a question and no polite request:
// "can I cancel it" is one, "can you cancel it" is not.
func asksQuestion(words []string) bool {
	for len(words) > 0 && (politeWord(words[0]) || oneOf(words[0], "and then but also so")) && words[0] != "right" {
		words = words[1:]
	}
	if len(words) == 0 || strings.Contains(strings.Join(words, " "), "ask you to") {
		return false
	}
	second := ""
	if len(words) > 1 {
		second = words[1]
	}
	switch {
	case oneOf(words[0], "what what's which who who's whose where where's when why how is isn't are was were does did has had may should shall"):
		return true
	case oneOf(words[0], "can could would will"):
		return !oneOf(second, "you we")
	case oneOf(words[0], "do have"):
		return oneOf(second, "i we you they the any all these those")
	default:
		return false
	}
}

// negates reports whether the words before a verb turn it down. "Don't forget
// to" does the opposite.
func negates(before []string) bool {
	text := " " + strings.Join(before, " ") + " "
	for _, remind := range []string{" forget to ", " forget ", " not only ", " fail to "} {
		text = strings.ReplaceAll(text, remind, " * ")
	}
	if strings.Contains(text, "*") {
		return false
	}
	for _, word := range before {
		if strings.HasSuffix(word, "n't") || oneOf(word, "not dont never without avoid refrain stop un") {
			return true
		}
	}
	return strings.Contains(text, " no need ") || strings.Contains(text, " instead of ") || strings.Contains(text, " rather than ")
}

// conditional reports whether a condition follows the verb.
func conditional(c clause) bool {
	for i := c.head + 1; i < c.bound; i++ {
		if c.tokens[i].is("if unless once until when whenever") {
			possible := i+1 < len(c.tokens) && c.tokens[i+1].is("possible")
			return !possible
		}
	}
	return false
}
