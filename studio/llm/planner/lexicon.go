package planner

import (
	"slices"
	"strings"

	"github.com/kljensen/snowball/english"
)

// role says how a word of the lexicon is used.
type role int

const (
	// roleNone is a word the lexicon does not know.
	roleNone role = iota
	// roleVerb is nearly always a verb: cancel, show.
	roleVerb
	// roleNoun is as often a noun: note, message, status.
	roleNoun
	// roleWeak is a verb that says little by itself: get, send.
	roleWeak
)

// Concepts that the rules treat specially; all others are only compared.
const (
	conceptList   = "list"
	conceptGet    = "get"
	conceptCreate = "create"
	conceptUpdate = "update"
	conceptDelete = "delete"
	conceptSend   = "send"
	conceptNotify = "notify"
	conceptUndo   = "undo"
)

// sense is what a word means to the planner: a concept of the synonym table,
// or its stem.
type sense struct {
	key  string
	role role
}

// lexicon maps words to senses. It is never changed after newLexicon.
type lexicon struct {
	exact map[string]sense
	stems map[string]sense
}

// synonyms is one row of the synonym table.
type synonyms struct {
	concept                   string
	verbs, nouns, weak, exact string
}

// synonymTable lists general verbs only. A verb that has no row is still
// matched with a tool whose name holds it. Words under exact are nouns that
// would otherwise share the stem of a verb.
func synonymTable() []synonyms {
	return []synonyms{
		{concept: "cancel", verbs: "cancel abort void revoke withdraw scrap", exact: "cancellation cancelation"},
		{concept: "refund", verbs: "refund reimburse repay", exact: "reimbursement"},
		{concept: conceptList, verbs: "list show display find search see view browse enumerate"},
		{concept: conceptGet, verbs: "fetch lookup check read retrieve inspect track describe", nouns: "detail status state info", weak: "get know", exact: "information"},
		{concept: "note", verbs: "annotate jot", nouns: "note comment remark memo"},
		{concept: conceptNotify, verbs: "notify tell inform alert ping warn remind", nouns: "message email mail notice", exact: "notification reminder"},
		{concept: "export", verbs: "export download dump", nouns: "csv spreadsheet excel"},
		{concept: conceptCreate, verbs: "create add insert attach leave write", weak: "make"},
		{concept: conceptUpdate, verbs: "update change edit modify set adjust rename correct replace put"},
		{concept: conceptDelete, verbs: "delete remove erase destroy purge drop clear"},
		{concept: conceptSend, weak: "send give"},
		{concept: conceptUndo, verbs: "undo restore reinstate revert reverse reactivate uncancel"},
		{verbs: "approve reject assign close reopen archive pay charge ship move merge transfer book register " +
			"reschedule deploy invite block unblock enable disable upload publish return exchange print reset restart hold release"},
	}
}

func newLexicon() *lexicon {
	lex := &lexicon{exact: map[string]sense{}, stems: map[string]sense{}}
	for _, row := range synonymTable() {
		lex.add(row.concept, row.verbs, roleVerb)
		lex.add(row.concept, row.nouns, roleNoun)
		lex.add(row.concept, row.weak, roleWeak)
		for _, word := range strings.Fields(row.exact) {
			lex.exact[word] = sense{key: row.concept, role: roleNoun}
		}
	}
	return lex
}

func (l *lexicon) add(concept, words string, as role) {
	for _, word := range strings.Fields(words) {
		key := concept
		if key == "" {
			key = stem(word)
		}
		l.stems[stem(word)] = sense{key: key, role: as}
	}
}

// sense returns what word means.
func (l *lexicon) sense(word string) sense {
	word = strings.ToLower(word)
	if known, ok := l.exact[word]; ok {
		return known
	}
	root := stem(word)
	if known, ok := l.stems[root]; ok {
		return known
	}
	return sense{key: root}
}

// stem returns the English stem of word; words that no language has are kept.
func stem(word string) string {
	const longest = 40
	if len(word) > longest {
		return strings.ToLower(word)
	}
	return english.Stem(word, false)
}

// related reports whether two concepts may stand for each other: list and get,
// create and update.
func related(a, b string) bool {
	return a == b || isReading(a) && isReading(b) || isChanging(a) && isChanging(b)
}

func isReading(concept string) bool { return concept == conceptList || concept == conceptGet }

func isChanging(concept string) bool { return concept == conceptCreate || concept == conceptUpdate }

// isGeneric reports whether a concept says nothing without a noun.
func isGeneric(concept string) bool {
	return isReading(concept) || isChanging(concept) || concept == conceptDelete || concept == conceptSend
}

// participle reports whether a lower-case word is a past participle, which
// describes rather than asks.
func participle(word string) bool { return len(word) > 4 && strings.HasSuffix(word, "ed") }

// oneOf reports whether word is one of the space-separated words.
func oneOf(word, words string) bool { return slices.Contains(strings.Fields(words), word) }
