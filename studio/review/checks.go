package review

import (
	"context"
	"fmt"
	"strings"
	"unicode"

	"github.com/kljensen/snowball/english"

	"github.com/agentstudio/agentstudio/studio/canon"
)

// Checks is the offline reviewer: deterministic checks that cost no model call.
type Checks struct{}

// Name labels the verdicts as what they are.
func (Checks) Name() string { return "Offline checks" }

// Review passes a set of calls when every id in their arguments was said by
// the person or returned by a tool, and every write was asked for in words.
// That required arguments are present was established by the door.
func (Checks) Review(_ context.Context, in Input) (Verdict, error) {
	seen := strings.ToLower(strings.Join(in.Said, "\n") + "\n" + strings.Join(in.Results, "\n"))
	said := words(strings.Join(in.Said, "\n"))
	var breaches []string
	for _, call := range in.Calls {
		invented, err := inventedIDs(call, seen)
		if err != nil {
			return Verdict{}, err
		}
		for _, id := range invented {
			breaches = append(breaches, fmt.Sprintf("%s was never mentioned and no tool returned it (%s).", id, call.Name))
		}
		if call.Write && !askedFor(call, said) {
			breaches = append(breaches, fmt.Sprintf("Nobody asked for what %s does.", call.Name))
		}
	}
	if len(breaches) == 0 {
		return Verdict{Passed: true}, nil
	}
	return Verdict{Breaches: breaches, Correction: correction(breaches)}, nil
}

func correction(breaches []string) string {
	return "Before I act I must know that this is wanted and that the ids are right. " +
		strings.Join(breaches, " ") + " So I do not act yet; I ask the person to say exactly what to do, and on what."
}

// inventedIDs returns the ids among a call's texts that nobody has seen.
func inventedIDs(call Call, seen string) ([]string, error) {
	value, err := canon.Parse(call.Arguments)
	if err != nil {
		return nil, fmt.Errorf("arguments of %s: %w", call.Name, err)
	}
	var invented []string
	each(value, func(text string) {
		if looksLikeID(text) && !strings.Contains(seen, strings.ToLower(text)) {
			invented = append(invented, text)
		}
	})
	return invented, nil
}

// each calls f with every text inside of a value.
func each(v canon.Value, f func(string)) {
	switch v.Kind() {
	case canon.KindString:
		f(v.Str())
	case canon.KindArray:
		for _, item := range v.Items() {
			each(item, f)
		}
	case canon.KindObject:
		for _, m := range v.Members() {
			each(m.Value, f)
		}
	}
}

// looksLikeID reports a single word with a digit, such as A-1002.
func looksLikeID(text string) bool {
	return len(text) <= 64 && strings.ContainsFunc(text, unicode.IsDigit) && !strings.ContainsFunc(text, unicode.IsSpace)
}

// askedFor reports whether the person's words share a stem with what the call
// does: its name, its verb line or its description.
func askedFor(call Call, said map[string]bool) bool {
	for stem := range words(strings.ReplaceAll(call.Name, "_", " ") + " " + call.Verb + " " + call.Description) {
		if said[stem] {
			return true
		}
	}
	return false
}

func words(text string) map[string]bool {
	out := map[string]bool{}
	notWord := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), notWord) {
		if len(word) > 2 && !english.IsStopWord(word) {
			out[english.Stem(word, false)] = true
		}
	}
	return out
}
