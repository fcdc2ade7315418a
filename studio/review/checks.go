package review

import (
	"context"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agentstudio/agentstudio/studio/canon"
)

// Checks is the offline reviewer: deterministic checks that cost no model call.
type Checks struct{}

// Name labels the verdicts as what they are.
func (Checks) Name() string { return "Offline checks" }

// Review passes a set of calls when every id in their arguments was said by
// the person or returned by a tool, and every write was asked for by its verb,
// or a usual other word for it, without a negation before it. That required
// arguments are present was established by the door.
func (Checks) Review(_ context.Context, in Input) (Verdict, error) {
	seen := strings.ToLower(strings.Join(in.Said, "\n") + "\n" + strings.Join(in.Results, "\n"))
	var breaches []string
	for _, call := range in.Calls {
		ids, err := idsOf(call)
		if err != nil {
			return Verdict{}, err
		}
		for _, id := range ids {
			if !mentions(seen, strings.ToLower(id)) {
				breaches = append(breaches, fmt.Sprintf("%s was never mentioned and no tool returned it (%s).", id, call.Name))
			}
		}
		if call.Write && !asked(call, ids, in.Said) {
			breaches = append(breaches, fmt.Sprintf("Nobody asked in words for what %s does%s.", call.Name, with(ids)))
		}
	}
	if len(breaches) == 0 {
		return Verdict{Passed: true}, nil
	}
	return Verdict{Breaches: breaches, Correction: correction(breaches)}, nil
}

func with(ids []string) string {
	if len(ids) == 0 {
		return ""
	}
	return " with " + strings.Join(ids, " and ")
}

func correction(breaches []string) string {
	return "I have not acted yet. " + strings.Join(breaches, " ") + " What exactly should I do, and on which record?"
}

// idsOf returns the ids among a call's texts.
func idsOf(call Call) ([]string, error) {
	value, err := canon.Parse(call.Arguments)
	if err != nil {
		return nil, fmt.Errorf("arguments of %s: %w", call.Name, err)
	}
	var ids []string
	each(value, func(text string) {
		if looksLikeID(text) {
			ids = append(ids, text)
		}
	})
	return ids, nil
}

// mentions reports whether text names an id as a whole: neither A-1002 nor
// A-100-B names A-100, and "A-100." does.
func mentions(text, id string) bool {
	for at := 0; ; {
		found := strings.Index(text[at:], id)
		if found < 0 {
			return false
		}
		start, end := at+found, at+found+len(id)
		if !endsInWord(text[:start]) && !startsInWord(text[end:]) {
			return true
		}
		at = start + 1
	}
}

// endsInWord reports whether a word at the end of text goes on behind it: a
// letter or digit, or one before a mark that joins them.
func endsInWord(text string) bool {
	r, size := utf8.DecodeLastRuneInString(text)
	if joins(r) {
		r, _ = utf8.DecodeLastRuneInString(text[:len(text)-size])
	}
	return !notWord(r)
}

// startsInWord reports the same for the start of text.
func startsInWord(text string) bool {
	r, size := utf8.DecodeRuneInString(text)
	if joins(r) {
		r, _ = utf8.DecodeRuneInString(text[size:])
	}
	return !notWord(r)
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
