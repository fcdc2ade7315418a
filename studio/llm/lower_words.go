package llm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// keep returns a copy of what value points to, or nil after a note in its
// place if it is forbidden.
func keep[T any](n *node, forbidden bool, value *T, words string) *T {
	switch {
	case value == nil:
		return nil
	case forbidden:
		n.note(fmt.Sprintf(words, text(*value)))
		return nil
	default:
		return new(*value)
	}
}

// sentences joins a description and what is added to it.
func sentences(description string, notes []string) string {
	out := description
	for _, note := range notes {
		if note == "" {
			continue
		}
		if out != "" && !strings.ContainsAny(out[len(out)-1:], ".!?:;\n") {
			out += "."
		}
		if out != "" {
			out += " "
		}
		out += note
	}
	return out
}

// text returns the JSON text of a value.
func text(value any) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return fmt.Sprint(value)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// list returns the JSON texts of values, parted by commas.
func list(values []any) string {
	texts := make([]string, 0, len(values))
	for _, value := range values {
		texts = append(texts, text(value))
	}
	return strings.Join(texts, ", ")
}

// shape describes the values of a map: by their type if that is all there is
// to say, else by their schema.
func shape(s *jsonschema.Schema) string {
	encoded := text(s)
	switch encoded {
	case "true":
		return "any value"
	case text(&jsonschema.Schema{Type: s.Type}):
		return "of type " + s.Type
	default:
		return "as this JSON Schema says: " + encoded
	}
}

// formatText says in words what a format asks for.
func formatText(format string) string {
	switch format {
	case "date-time":
		return "A date and time with offset, such as 2026-01-31T09:30:00Z."
	case "date":
		return "A date, such as 2026-01-31."
	case "time":
		return "A time with offset, such as 09:30:00Z."
	case "email":
		return "An e-mail address."
	case "uri":
		return "A URI with its scheme, such as https://example.com/a."
	case "uuid":
		return "A UUID."
	case "ipv4":
		return "An IPv4 address."
	case "ipv6":
		return "An IPv6 address."
	case "hostname":
		return "A host name."
	default:
		return "Format: " + format + "."
	}
}
