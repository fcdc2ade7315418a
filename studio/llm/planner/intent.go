package planner

import (
	"slices"
	"strings"
)

// Weights of what speaks for a tool. They only rank tools that fit at all.
const (
	weightVerb    = 4
	weightRelated = 3
	weightSilent  = 1
	weightNoun    = 3
	weightID      = 3
	weightEnum    = 2
	weightHint    = 1
	maxHints      = 3
)

// match finds the tool that fits a clause. Several tools mean that the words
// fit all of them equally well and that all of them write; none, that no tool
// fits.
func (p reader) match(c clause) []*tool {
	var best []*tool
	top := 0
	for _, t := range p.cat.tools {
		score, ok := p.score(t, c)
		if !ok || score < top {
			continue
		}
		if score > top {
			best = nil
		}
		top = score
		best = append(best, t)
	}
	if len(best) > 1 && !best[0].write {
		best = best[:1]
	}
	return best
}

// score weighs a tool against a clause, and reports whether it may be used at
// all: its verb must be asked for, and for a general verb its noun as well.
func (p reader) score(t *tool, c clause) (int, bool) {
	keys := p.clauseKeys(c)
	verb, ok := p.verbScore(t, c, keys)
	if !ok {
		return 0, false
	}
	nouns := 0
	for _, key := range t.keys {
		if key != c.verb && slices.Contains(keys, key) {
			nouns++
		}
	}
	id, fits := p.idScore(t, c)
	enums := p.enumCount(t, c)
	hints := hintCount(t, keys, c.verb)
	score := verb + nouns*weightNoun + id + enums*weightEnum + hints*weightHint + plurals(t, c)
	return score, named(t, c, evidence{nouns: nouns, enums: enums, hints: hints, id: fits, said: t.has(c.verb)})
}

// evidence is what a clause says about the thing a tool works on.
type evidence struct {
	nouns, enums, hints int
	id, said            bool
}

// named reports whether the clause names what the tool works on. A specific
// verb is enough; a general one, or none, needs more.
func named(t *tool, c clause, e evidence) bool {
	if !isGeneric(t.lead) && (t.lead == c.verb || e.said) {
		return true
	}
	if !t.write {
		return e.nouns > 0 || e.enums > 0 || e.id || e.hints > 1 || !isGeneric(t.lead) && e.hints > 0 || refersBack(c) && t.idParam() != nil
	}
	id := t.idParam()
	onlyID := id != nil && len(t.words) <= 2 && strings.HasSuffix(strings.Join(t.words, " "), t.noun(id))
	return e.nouns > 0 || e.said && t.lead != c.verb || onlyID && e.id
}

// verbScore weighs the tool's verb.
func (p reader) verbScore(t *tool, c clause, keys []string) (int, bool) {
	asks := c.mood == moodRequest || c.mood == moodNegated
	switch {
	case asks && c.verb == t.lead:
		return weightVerb, true
	case asks && c.verb != "" && related(c.verb, t.lead):
		return weightRelated, true
	case asks && c.verb == conceptDelete && isChanging(t.lead) && p.holdsText(t, c):
		return weightRelated, true
	case asks && c.head >= 0 && c.tokens[c.head].sense.role == roleNoun && t.has(c.verb) && (isChanging(t.lead) || t.lead == conceptSend):
		return weightRelated, true
	case asks && c.verb == conceptSend && slices.Contains(t.keys, conceptSend):
		return weightRelated, true
	case t.write:
		return 0, false
	case !asks && isReading(t.lead), c.verb == "" && isReading(t.lead):
		return weightSilent, true
	case slices.Contains(keys, t.lead):
		return weightSilent, !asks
	case !isGeneric(t.lead) && !asks || c.verb == "" || isReading(c.verb):
		return 0, !isGeneric(t.lead) && hintCount(t, keys, "") > 0
	default:
		return 0, false
	}
}

// holdsText reports whether a clause names a text that the tool changes, so that
// deleting it means to change it to nothing.
func (p reader) holdsText(t *tool, c clause) bool {
	for i := range t.params {
		if p.namesText(t, &t.params[i], c) {
			return true
		}
	}
	return false
}

// clauseKeys returns the concepts and stems that a clause asks with. For a
// question, all of its words count.
func (p reader) clauseKeys(c clause) []string {
	end := c.bound
	if c.head < 0 {
		end = len(c.tokens)
	}
	var keys []string
	for _, t := range c.tokens[:end] {
		if t.kind == tokenWord && !participle(t.lower) && !slices.Contains(keys, t.sense.key) {
			keys = append(keys, t.sense.key)
		}
	}
	return keys
}

// hintCount counts the words of a tool's description that a clause holds.
func hintCount(t *tool, keys []string, verb string) int {
	count := 0
	for _, key := range keys {
		if key != verb && !t.has(key) && slices.Contains(t.hints, key) {
			count++
		}
	}
	return min(count, maxHints)
}

// plurals is 1 when the clause holds a word of the tool's name as it stands
// there: "orders" speaks for list_orders rather than get_order.
func plurals(t *tool, c clause) int {
	for _, one := range c.tokens {
		if one.kind == tokenWord && strings.HasSuffix(one.lower, "s") && slices.Contains(t.words, one.lower) {
			return 1
		}
	}
	return 0
}

// idScore weighs the ids of a clause against the tool's id parameters, and
// reports whether one of them has the form that the schema asks for.
func (p reader) idScore(t *tool, c clause) (int, bool) {
	takes, seen, fits := false, false, false
	for i := range t.params {
		one := &t.params[i]
		byNumber := one.kind == kindNumber && one.integer && one.named(idWords)
		if one.kind != kindID && !byNumber {
			continue
		}
		takes = takes || one.required
		for j := range c.tokens {
			if byNumber && c.tokens[j].kind == tokenNumber {
				seen, fits = true, true
			}
			if _, strong, ok := p.fit(t, one, c.tokens, j); ok && one.kind == kindID {
				seen, fits = true, fits || strong || c.tokens[j].kind == tokenID
			}
			if one.kind == kindID && c.tokens[j].kind == tokenNumber && singular(t, c) && nounBefore(p.lex, t.noun(one), c.tokens, j) {
				seen, fits = true, true
			}
		}
	}
	named := slices.ContainsFunc(c.tokens, func(one token) bool { return one.kind == tokenID })
	one := slices.ContainsFunc(c.tokens, func(t token) bool { return t.is("it its it's") })
	switch {
	case fits:
		return weightID, true
	case named && !seen, takes && !t.write && !refersBack(c) && (c.verb != t.lead || !singular(t, c)):
		return -weightID, false
	case takes && one:
		return weightID, false
	default:
		return 0, false
	}
}

// singular reports whether a clause speaks of one record rather than several.
func singular(t *tool, c clause) bool {
	return !slices.ContainsFunc(c.tokens, func(one token) bool {
		return one.kind == tokenWord && strings.HasSuffix(one.lower, "s") && t.has(one.sense.key)
	})
}

// enumCount counts the parameters whose allowed values a clause names.
func (p reader) enumCount(t *tool, c clause) int {
	count := 0
	for i := range t.params {
		one := &t.params[i]
		if one.kind == kindEnum && len(p.enumValues(one, c)) > 0 {
			count++
		}
	}
	return count
}

// refersBack reports whether a clause points at something named before.
func refersBack(c clause) bool {
	return slices.ContainsFunc(c.tokens, func(t token) bool { return t.kind == tokenWord && pronoun(t.lower) })
}
