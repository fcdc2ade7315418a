package pages

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/agentstudio/agentstudio/studio/canon"
)

// The forms in which browsers send moments. They have no zone; the Studio's
// forms say that they are UTC.
const (
	localDateTime = "2006-01-02T15:04"
	localTime     = "15:04"
	seconds       = ":05"
)

// written is how a person writes a value of a schema.
type written int

const (
	asText   written = iota // text, as it is
	asNumber                // digits
	asTruth                 // "true" or "false"
	asChoice                // one of the schema's enum
	asLines                 // a list with one item on each line
	asJSON                  // everything else
)

// writtenAs returns how people write the values of a schema.
func writtenAs(s *jsonschema.Schema) written {
	switch {
	case s == nil:
		return asText
	case len(s.Enum) > 0:
		return asChoice
	}
	switch kindOf(s) {
	case "string":
		return asText
	case "integer", "number":
		return asNumber
	case "boolean":
		return asTruth
	case "array":
		if how := writtenAs(s.Items); s.Items != nil && how != asLines && how != asJSON {
			return asLines
		}
	}
	return asJSON
}

// kindOf returns the one type of a schema besides null, "" where there is none.
func kindOf(s *jsonschema.Schema) string {
	if s.Type != "" {
		return s.Type
	}
	kinds := slices.DeleteFunc(slices.Clone(s.Types), func(name string) bool { return name == "null" })
	if len(kinds) != 1 {
		return ""
	}
	return kinds[0]
}

// typed turns what a person typed into a value of a schema, and reports false
// where they left it empty, which means absent. Text that cannot be read as the
// schema asks stays text, so that whoever checks the value says what does not
// fit. Numbers keep their digits.
func typed(s *jsonschema.Schema, text string) (canon.Value, bool) {
	how := writtenAs(s)
	if text == "" || how != asText && strings.TrimSpace(text) == "" {
		return canon.Value{}, false
	}
	switch how {
	case asNumber:
		return typedNumber(text), true
	case asTruth:
		return typedTruth(text), true
	case asChoice:
		return typedChoice(s, text), true
	case asLines:
		return typedLines(s, text), true
	case asJSON:
		if value, err := canon.Parse([]byte(text)); err == nil {
			return value, true
		}
	case asText:
		return canon.String(withZone(s, text)), true
	}
	return canon.String(text), true
}

// typedNumber reads what number fields of browsers accept, which is a little
// more than JSON: "007" and ".5" are numbers to them.
func typedNumber(text string) canon.Value {
	digits, negative := strings.CutPrefix(strings.TrimSpace(text), "-")
	for len(digits) > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9' {
		digits = digits[1:]
	}
	if strings.HasPrefix(digits, ".") {
		digits = "0" + digits
	}
	if negative {
		digits = "-" + digits
	}
	if value, err := canon.Parse([]byte(digits)); err == nil && value.Kind() == canon.KindNumber {
		return value
	}
	return canon.String(text)
}

func typedTruth(text string) canon.Value {
	switch text {
	case "true", "false":
		return canon.Bool(text == "true")
	default:
		return canon.String(text)
	}
}

// typedChoice returns the choice that is shown as text.
func typedChoice(s *jsonschema.Schema, text string) canon.Value {
	for _, choice := range choicesOf(s) {
		if choice.Kind() != canon.KindNull && asTyped(choice) == text {
			return choice
		}
	}
	return canon.String(text)
}

// choicesOf returns the values of an enum.
func choicesOf(s *jsonschema.Schema) []canon.Value {
	choices := make([]canon.Value, 0, len(s.Enum))
	for _, member := range s.Enum {
		encoded, err := json.Marshal(member)
		if err != nil {
			continue // The registry accepts no such enum.
		}
		if choice, err := canon.Parse(encoded); err == nil {
			choices = append(choices, choice)
		}
	}
	return choices
}

// typedLines reads one item from each line that is not blank. A list with items
// that no line can hold is written as JSON instead, which begins with a bracket.
func typedLines(s *jsonschema.Schema, text string) canon.Value {
	if strings.HasPrefix(text, "[") {
		if value, err := canon.Parse([]byte(text)); err == nil {
			return value
		}
	}
	var items []canon.Value
	for line := range strings.Lines(text) {
		if item, given := typed(s.Items, strings.TrimSpace(line)); given {
			items = append(items, item)
		}
	}
	return canon.ArrayOf(items...)
}

// withZone completes a moment of a browser to one that means the same for
// everybody.
func withZone(s *jsonschema.Schema, text string) string {
	layout := ""
	switch {
	case s == nil:
	case s.Format == "date-time":
		layout = localDateTime
	case s.Format == "time":
		layout = localTime
	}
	if layout == "" {
		return text
	}
	if _, err := time.Parse(layout, text); err == nil {
		return text + ":00Z"
	}
	if _, err := time.Parse(layout+seconds, text); err == nil {
		return text + "Z"
	}
	return text
}

// shown returns a value as a person would type it: [typed] reads it back as the
// same value.
func shown(s *jsonschema.Schema, v canon.Value) string {
	text := asTyped(v)
	if writtenAs(s) == asLines {
		text = asShownLines(v)
	}
	if back, given := typed(s, text); given && canon.Equal(back, v) {
		return text
	}
	if writtenAs(s) == asLines || writtenAs(s) == asJSON {
		return asJSONText(v)
	}
	return text
}

// asTyped returns the text of a scalar, and JSON of anything else.
func asTyped(v canon.Value) string {
	if v.Kind() == canon.KindString {
		return v.Str()
	}
	return asJSONText(v)
}

func asShownLines(v canon.Value) string {
	lines := make([]string, 0, v.Len())
	for _, item := range v.Items() {
		lines = append(lines, asTyped(item))
	}
	return strings.Join(lines, "\n")
}

// asJSONText returns JSON, of objects and lists with objects in it on several
// lines.
func asJSONText(v canon.Value) string {
	encoded, err := canon.Bytes(v)
	if err != nil {
		return ""
	}
	if v.Kind() == canon.KindObject || v.Kind() == canon.KindArray {
		return indented(encoded)
	}
	return string(encoded)
}
