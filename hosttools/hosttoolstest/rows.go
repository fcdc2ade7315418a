package hosttoolstest

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"
)

// What makes a value tell something.
const (
	tellingRunes  = 6
	tellingDigits = 4
)

// words are texts and numbers that tell nothing, because the call or the schema
// has them already.
type words map[string]bool

// words returns what a method's results may repeat for every tenant.
func (t *tool) words() words {
	known := words{"[secret removed]": true}
	known.addLeaves(decoded(t.raw))
	if output, err := t.output(); err == nil {
		known.addEnums(output)
	}
	return known
}

func (w words) addLeaves(value any) {
	switch v := value.(type) {
	case string:
		w[v] = true
	case json.Number:
		w[v.String()] = true
	case []any:
		for _, item := range v {
			w.addLeaves(item)
		}
	case map[string]any:
		for _, member := range v {
			w.addLeaves(member)
		}
	}
}

func (w words) addEnums(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	for _, value := range s.Enum {
		w.addLeaves(value)
	}
	if s.Const != nil {
		w.addLeaves(*s.Const)
	}
	for _, inner := range slices.Concat(slices.Collect(maps.Values(s.Properties)), s.OneOf, []*jsonschema.Schema{s.Items, s.AdditionalProperties}) {
		w.addEnums(inner)
	}
}

// sharedRow returns a row that two results have in common.
func (w words) sharedRow(first, other any) (string, bool) {
	mine, theirs := map[string]bool{}, map[string]bool{}
	w.addRows(mine, first, false)
	w.addRows(theirs, other, false)
	for _, row := range slices.Sorted(maps.Keys(mine)) {
		if theirs[row] {
			return row, true
		}
	}
	return "", false
}

// addRows adds the rows of a value. below says that the value is itself a row,
// if it can be one.
func (w words) addRows(rows map[string]bool, value any, below bool) {
	switch v := value.(type) {
	case map[string]any:
		if below && w.tells(v) {
			encoded, _ := json.Marshal(v) // It was decoded from JSON.
			rows[string(encoded)] = true
		}
		for _, member := range v {
			_, text := member.(string)
			w.addRows(rows, member, !text)
		}
	case []any:
		for _, item := range v {
			w.addRows(rows, item, true)
		}
	case string:
		if below && w.tells(v) {
			rows[v] = true
		}
		_, lines, _ := strings.Cut(v, "\n")
		for line := range strings.Lines(lines) {
			if line = strings.TrimSpace(line); w.tells(line) {
				rows[line] = true
			}
		}
	}
}

// tells reports whether a value has a leaf that says something about a tenant.
func (w words) tells(value any) bool {
	switch v := value.(type) {
	case string:
		return !w[v] && utf8.RuneCountInString(v) >= tellingRunes
	case json.Number:
		return !w[v.String()] && len(strings.TrimLeft(v.String(), "-")) >= tellingDigits
	case []any:
		return slices.ContainsFunc(v, w.tells)
	case map[string]any:
		for _, member := range v {
			if w.tells(member) {
				return true
			}
		}
	}
	return false
}
