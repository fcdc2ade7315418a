package agents

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agentstudio/agentstudio/models"
)

// hidden returns an error about a field of one line that holds a character
// which no eye sees: such text can pass for other text, on the card too.
func hidden(name, text string) error {
	return refuseAny(name, text, "It must be one line, without control characters and invisible ones.", func(r rune) bool {
		return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
	})
}

// hiddenInBlock is hidden for text of several lines. It may have line breaks,
// tabs, and the invisible characters with which letters and emoji are joined.
func hiddenInBlock(name, text string) error {
	return refuseAny(name, text, "It must be without control characters and without those that change the direction of text.",
		hiddenRune)
}

// hiddenRune reports whether no text may hold r, be it of several lines.
func hiddenRune(r rune) bool {
	return r != '\n' && r != '\t' && unicode.In(r, unicode.Cc, unicode.Bidi_Control)
}

func refuseAny(name, text, why string, refused func(rune) bool) error {
	if !utf8.ValidString(text) {
		return field(name, "It must be valid text, in UTF-8.")
	}
	if at := strings.IndexFunc(text, refused); at >= 0 {
		r, _ := utf8.DecodeRuneInString(text[at:])
		return field(name, "This text holds the character %U. %s", r, why)
	}
	return nil
}

// readable checks the agent's own texts.
func readable(d models.Definition) error {
	if err := hidden("title", d.Title); err != nil {
		return err
	}
	if err := hidden("description", d.Description); err != nil {
		return err
	}
	return hiddenInBlock("instructions", d.Instructions)
}

// readableRule checks the texts of a rule.
func readableRule(rule models.Rule) error {
	if err := hiddenInBlock("rule.condition", rule.Condition); err != nil {
		return err
	}
	if err := hiddenInBlock("rule.content", rule.Content); err != nil {
		return err
	}
	return hidden("rule.title", rule.Title)
}
