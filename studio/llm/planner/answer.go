package planner

import (
	"maps"
	"slices"
	"strings"
)

// follow plans the newest request: its first message, then every answer to a
// question that was asked about it.
func (p reader) follow() plan {
	texts := p.talk.chain()
	out := p.understand(texts[0])
	for _, text := range texts[1:] {
		out = p.next(out, text)
	}
	return out
}

// next takes a message that follows a question: as a withdrawal, as a new
// request, or as the answer.
func (p reader) next(before plan, text string) plan {
	pending := len(before.steps) > 0 || len(before.ambiguous) > 0
	switch {
	case pending && withdraws(text):
		return plan{source: text, dropped: true}
	case len(before.ambiguous) > 0:
		return p.understand(before.source + " " + text)
	}
	fresh := p.understand(text)
	if !pending || p.startsAfresh(before, fresh) {
		return fresh
	}
	return p.fill(before, text)
}

// withdraws reports whether an answer takes the request back.
func withdraws(text string) bool {
	said := strings.ToLower(strings.Trim(strings.TrimSpace(text), ".!, "))
	said = strings.ReplaceAll(said, "’", "'")
	said = strings.TrimSuffix(strings.TrimSuffix(said, " please"), ", thanks")
	switch said {
	case "never mind", "nevermind", "forget it", "forget about it", "no", "nope", "no thanks", "no thank you", "stop", "cancel",
		"cancel that", "leave it", "nothing", "abort", "don't", "do not", "skip it", "don't do it", "do nothing":
		return true
	default:
		return false
	}
}

// startsAfresh reports whether a message that follows a question is no answer
// to it: a question, a refusal, or a request that names what it is about. The
// verb of the pending request may be said again in an answer.
func (p reader) startsAfresh(before, fresh plan) bool {
	text := strings.TrimSpace(fresh.source)
	if strings.HasSuffix(text, "?") || len(fresh.negated) > 0 || len(fresh.ambiguous) > 0 {
		return true
	}
	return slices.ContainsFunc(fresh.steps, func(s step) bool {
		if s.clause.head < 0 || !leading(s.clause) {
			return false
		}
		again := slices.ContainsFunc(before.steps, func(old step) bool { return old.tool == s.tool && len(old.missing()) > 0 })
		return !again && p.concrete(s)
	})
}

// leading reports whether a clause starts with its verb.
func leading(c clause) bool {
	for _, t := range c.tokens[:c.head] {
		if t.kind != tokenWord || !leadIn(t.lower) && !politeWord(t.lower) {
			return false
		}
	}
	return true
}

// concrete reports whether a step holds a value that is no free text, or names
// what its tool works on.
func (p reader) concrete(s step) bool {
	for name := range s.args {
		if one := s.tool.param(name); one != nil && one.kind != kindText {
			return true
		}
	}
	keys := p.clauseKeys(s.clause)
	return slices.ContainsFunc(s.tool.keys, func(key string) bool { return key != s.clause.verb && slices.Contains(keys, key) })
}

// fill completes the first step that lacks something with an answer. When
// nothing is missing, a reviewer had asked: what the answer names then replaces
// what was understood before.
func (p reader) fill(before plan, text string) plan {
	at := slices.IndexFunc(before.steps, func(s step) bool { return len(s.missing()) > 0 })
	out := before
	if at < 0 {
		at = 0
		x := p.answerTo(before.steps[0].tool, text)
		x.extractAll()
		merged := maps.Clone(before.steps[0].args)
		maps.Copy(merged, x.args)
		x.args = merged
		out.steps = slices.Replace(slices.Clone(before.steps), at, at+1, x.steps()...)
		return out
	}
	old := before.steps[at]
	x := p.answerTo(old.tool, text)
	x.args = maps.Clone(old.args)
	x.extractAll()
	p.carry(x, nil, nil)
	x.plainAnswer(old)
	out.steps = slices.Replace(slices.Clone(before.steps), at, at+1, x.steps()...)
	return out
}

// answerTo starts an extraction from an answer, which needs no verb.
func (p reader) answerTo(t *tool, text string) *extraction {
	c := clause{source: text, tokens: p.lex.read(text), head: -1}
	p.findHead(&c)
	if c.head >= 0 && (c.verb != t.lead || !leading(c)) {
		c.head, c.verb = -1, ""
		c.bound = freeText(c.tokens, 0)
	}
	return p.extract(t, c)
}

// plainAnswer takes the whole answer as the value of what is still missing,
// when no part of it was the value of something else.
func (x *extraction) plainAnswer(old step) {
	if len(x.args) > len(old.args) || len(x.odd) > 0 || len(x.clause.tokens) == 0 {
		return
	}
	value := trimText(x.clause, 0, len(x.clause.tokens))
	for _, one := range old.missing() {
		first := x.clause.tokens[0]
		single := len(x.clause.tokens) == 1 || len(x.clause.tokens) == 2 && x.clause.tokens[1].kind == tokenPunct
		switch {
		case one.kind == kindText, one.kind == kindRecipient && len(strings.Fields(value)) <= 5:
			x.set(one, value)
		case one.kind == kindID && single && (first.kind == tokenWord || first.kind == tokenNumber) && one.pattern == nil && !politeWord(first.lower):
			x.set(one, first.text)
		case one.kind == kindBool && first.is("yes yeah sure true no false"):
			value := "true"
			if first.is("no false") {
				value = "false"
			}
			x.args[one.name] = argument{json: value, shown: value}
		case one.kind == kindList && value != "":
			x.splitList(one, value)
		default:
			continue
		}
		return
	}
}

// splitList takes the comma-separated items of an answer.
func (x *extraction) splitList(one *param, value string) {
	var items []string
	for item := range strings.SplitSeq(value, ",") {
		if item = strings.TrimSpace(item); item != "" {
			items = append(items, quote(item))
		}
	}
	if len(items) > 0 {
		x.args[one.name] = argument{json: "[" + strings.Join(items, ",") + "]", shown: value}
	}
}
