package pages

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/agentstudio/agentstudio/studio/canon"
)

// limits says in sentences what a schema accepts.
func limits(s *jsonschema.Schema) string {
	switch writtenAs(s) {
	case asNumber:
		return numberLimits(s)
	case asText:
		return textLimits(s)
	case asLines:
		return sentences("Write each on its own line.", itemLimits(s), limits(s.Items))
	case asJSON:
		return "Write it as JSON."
	default:
		return ""
	}
}

func numberLimits(s *jsonschema.Schema) string {
	low, high := "", ""
	switch {
	case s.Minimum != nil:
		low = "at least " + inDigits(*s.Minimum)
	case s.ExclusiveMinimum != nil:
		low = "more than " + inDigits(*s.ExclusiveMinimum)
	}
	switch {
	case s.Maximum != nil:
		high = "at most " + inDigits(*s.Maximum)
	case s.ExclusiveMaximum != nil:
		high = "less than " + inDigits(*s.ExclusiveMaximum)
	}
	between := joined(low, high)
	if s.Minimum != nil && s.Maximum != nil {
		between = "from " + inDigits(*s.Minimum) + " to " + inDigits(*s.Maximum)
	}
	steps := ""
	if s.MultipleOf != nil && *s.MultipleOf != 1 {
		steps = "In steps of " + inDigits(*s.MultipleOf) + "."
	}
	return sentences(asSentence(between), steps)
}

func textLimits(s *jsonschema.Schema) string {
	low, high := "", ""
	if s.MinLength != nil && *s.MinLength > 1 {
		low = "at least " + counted(*s.MinLength, "character")
	}
	if s.MaxLength != nil {
		high = "at most " + counted(*s.MaxLength, "character")
	}
	form := ""
	switch {
	case s.Format == "date-time" || s.Format == "time":
		form = "In UTC."
	case s.Format == "uri":
		form = "A full address, such as https://example.com/."
	case s.Pattern != "":
		form = "Its form is " + s.Pattern + "."
	}
	return sentences(asSentence(joined(low, high)), form)
}

func itemLimits(s *jsonschema.Schema) string {
	low, high, choices := "", "", ""
	if s.MinItems != nil && *s.MinItems > 0 {
		low = "at least " + strconv.Itoa(*s.MinItems)
	}
	if s.MaxItems != nil {
		high = "at most " + strconv.Itoa(*s.MaxItems)
	}
	if writtenAs(s.Items) == asChoice {
		var words []string
		for _, choice := range choicesOf(s.Items) {
			words = append(words, asTyped(choice))
		}
		choices = "Each is one of " + strings.Join(words, ", ") + "."
	}
	return sentences(asSentence(joined(low, high)), choices)
}

func joined(low, high string) string {
	if low != "" && high != "" {
		return low + " and " + high
	}
	return low + high
}

// asSentence begins words with a capital letter and ends them with a full stop.
func asSentence(words string) string {
	first, size := utf8.DecodeRuneInString(words)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(first)) + strings.TrimSuffix(words[size:], ".") + "."
}

// sentences joins those that say something.
func sentences(list ...string) string {
	var said []string
	for _, one := range list {
		if one = strings.TrimSpace(one); one != "" {
			said = append(said, one)
		}
	}
	return strings.Join(said, " ")
}

// inDigits writes the bound of a schema without an exponent.
func inDigits(bound float64) string { return strconv.FormatFloat(bound, 'f', -1, 64) }

// least returns the smallest number that a browser lets through, "" where it
// cannot tell.
func least(s *jsonschema.Schema) string {
	switch {
	case s.Minimum != nil:
		return inDigits(*s.Minimum)
	case s.ExclusiveMinimum != nil && kindOf(s) == "integer":
		return inDigits(math.Floor(*s.ExclusiveMinimum) + 1)
	}
	return ""
}

func most(s *jsonschema.Schema) string {
	switch {
	case s.Maximum != nil:
		return inDigits(*s.Maximum)
	case s.ExclusiveMaximum != nil && kindOf(s) == "integer":
		return inDigits(math.Ceil(*s.ExclusiveMaximum) - 1)
	}
	return ""
}

// step returns the step of a number field. Browsers count steps from the
// minimum, or from the value, and schemas from zero; where the two could differ
// the field takes any number, and the schema decides.
func step(s *jsonschema.Schema) string {
	unit := 1.0
	if s.MultipleOf != nil {
		unit = *s.MultipleOf
	} else if kindOf(s) == "number" {
		return "any"
	}
	if s.Minimum == nil && unit != 1 {
		return "any"
	}
	if s.Minimum != nil {
		if times := *s.Minimum / unit; times != math.Trunc(times) {
			return "any"
		}
	}
	return inDigits(unit)
}

// isNumber reports whether a number field can show a text: browsers empty it
// otherwise.
func isNumber(text string) bool {
	return text == "" || typedNumber(text).Kind() == canon.KindNumber
}

// isMoment reports whether a text has a layout, or is empty.
func isMoment(layout, text string) bool {
	_, err := time.Parse(layout, text)
	return text == "" || err == nil
}

func schemaText(s *jsonschema.Schema) string {
	encoded, err := json.Marshal(s)
	if err != nil {
		return ""
	}
	return indented(encoded)
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
