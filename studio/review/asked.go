package review

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/kljensen/snowball/english"
)

// family is verbs of tools, and the words by which people ask for them; a
// phrase of two words may stand apart ("call it off").
type family struct{ does, said string }

// families lists the verbs that people say in other words. A tool whose verb
// has no family must be asked for by its own verb.
func families() []family {
	const changes = "set change add clear remove update write put note edit modify adjust rename replace correct annotate comment remark attach leave jot"
	const messages = "notify tell inform send message email mail alert ping warn remind notice notification let_know"
	return []family{
		{"cancel abort void revoke withdraw", "cancel abort void revoke withdraw scrap call_off take_back"},
		{"refund reimburse repay", "refund reimburse reimbursement repay money_back pay_back give_back"},
		{"set change update edit modify replace put write annotate note", changes},
		{"add create insert attach", changes + " create insert make"},
		{"delete remove erase destroy purge", "delete remove erase destroy purge drop clear"},
		{"notify tell inform send message email alert", messages},
	}
}

// wordings returns the stems and phrases that ask for what a call does: the
// first word of its name behind the prefix, that of its verb line, and their
// families.
func wordings(call Call) map[string]bool {
	_, method, prefixed := strings.Cut(call.Name, "_")
	if !prefixed {
		method = call.Name
	}
	line := call.Verb
	if line == "" {
		line = call.Description
	}
	out := map[string]bool{}
	for _, text := range []string{method, line} {
		words := strings.FieldsFunc(strings.ToLower(text), notWord)
		if len(words) == 0 {
			continue
		}
		out[stem(words[0])] = true
		for _, f := range families() {
			if slices.Contains(strings.Fields(f.does), words[0]) {
				for word := range strings.FieldsSeq(f.said) {
					out[stem(word)] = true
				}
			}
		}
	}
	return out
}

// stem returns the stem of a word, and a phrase as it is.
func stem(word string) string {
	if strings.Contains(word, "_") {
		return word
	}
	return english.Stem(word, false)
}

// asked reports whether a person asked for a call. The newest message that
// says what it does decides, and for an id of the call the newest that names
// it: neither may turn the call down.
func asked(call Call, ids, said []string) bool {
	wording := wordings(call)
	refused := map[string]bool{}
	for _, message := range slices.Backward(said) {
		heard := listen(message, wording)
		maps.Copy(heard.refused, refused) // what was said later holds
		refused = heard.refused
		if heard.named {
			return heard.wanted && !slices.ContainsFunc(ids, func(id string) bool { return refused[strings.ToLower(id)] })
		}
	}
	return false
}

// heard is what one message says of a call.
type heard struct {
	named, wanted bool            // it says what the call does; without a negation
	refused       map[string]bool // per id that it names: whether it turns the call down for it
}

// listen reads a message clause by clause. A negation holds up to the end of
// its clause; one that a comma follows at once goes on to the end of the
// sentence ("do not, under any circumstances, …"). What stands behind "because"
// is a reason and asks for nothing.
func listen(message string, wording map[string]bool) heard {
	out := heard{refused: map[string]bool{}}
	var negated, hanging, turnedDown, reason bool
	words := split(message)
	for i, word := range words {
		switch {
		case sentenceEnd(word):
			negated, hanging, turnedDown, reason = false, false, false, false
		case clauseEnd(word):
			hanging = hanging || negated && word == "," && words[i-1] != "no" && negation(words[:i+1], i-1)
			negated, turnedDown, reason = hanging, false, false
		case reason:
		case word == "because":
			reason = true
		case negation(words, i):
			negated = true
		case looksLikeID(word):
			out.refused[word] = turnedDown || leftOut(words[:i])
		case says(words, i, wording):
			out.named = true
			out.wanted = out.wanted || !negated
			turnedDown = negated
		}
	}
	return out
}

// leftOut reports whether what follows these words is excepted: "but not order
// A-1003".
func leftOut(before []string) bool {
	n := len(before)
	if n > 0 && slices.Contains([]string{"not", "except", "without"}, before[n-1]) {
		return true
	}
	return n > 2 && before[n-2] == "not" && clauseEnd(before[n-3])
}

// says reports whether the word at i asks for the call, by itself or with a
// second word behind it.
func says(words []string, i int, wording map[string]bool) bool {
	if wording[stem(words[i])] {
		return true
	}
	const apart = 6
	for _, second := range words[i+1 : min(len(words), i+1+apart)] {
		if sentenceEnd(second) {
			return false
		}
		if wording[words[i]+"_"+second] {
			return true
		}
	}
	return false
}

// negation reports whether the word at i turns down what follows it. "Don't
// forget to" and "not only" do the opposite.
func negation(words []string, i int) bool {
	next := ""
	if i+1 < len(words) {
		next = words[i+1]
	}
	switch next {
	case "forget", "hesitate", "fail", "only", "longer":
		return false
	}
	switch words[i] {
	case "instead":
		return next == "of"
	case "rather":
		return next == "than"
	case "not", "dont", "never", "without", "cannot", "avoid", "refrain", "stop", "no",
		"undo", "revert", "reverse", "restore", "reinstate", "reopen", "un":
		return true
	default:
		return strings.HasSuffix(words[i], "n't")
	}
}

func sentenceEnd(word string) bool { return word != "" && strings.Contains(".!?;\n", word) }

func clauseEnd(word string) bool {
	return slices.Contains([]string{",", ":", "-", "—", "–", "but", "and", "then", "so"}, word)
}

// split cuts a message into lower-case words, ids in one piece, and marks.
func split(message string) []string {
	runes := []rune(strings.ReplaceAll(strings.ToLower(message), "’", "'"))
	var out []string
	start := -1
	for i, r := range append(runes, ' ') {
		if inWord(runes, i) {
			if start < 0 {
				start = i
			}
			continue
		}
		if start >= 0 {
			out = append(out, string(runes[start:i]))
			start = -1
		}
		if r == '\n' || !unicode.IsSpace(r) {
			out = append(out, string(r))
		}
	}
	return out
}

// inWord reports whether the rune at i belongs to a word: a letter or digit,
// or a mark between two of them that ids, addresses and "don't" hold.
func inWord(runes []rune, i int) bool {
	if i >= len(runes) {
		return false
	}
	if !notWord(runes[i]) {
		return true
	}
	return (joins(runes[i]) || runes[i] == '\'') && i > 0 && i+1 < len(runes) && !notWord(runes[i-1]) && !notWord(runes[i+1])
}

// joins reports whether a rune goes on with a word between two letters or
// digits.
func joins(r rune) bool { return strings.ContainsRune("-_.@", r) }

func notWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
