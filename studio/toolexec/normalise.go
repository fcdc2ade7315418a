package toolexec

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/canon"
)

// Issue is one thing that is wrong with arguments.
type Issue struct {
	Pointer string `json:"pointer"` // JSON pointer, "" for the whole
	Message string `json:"message"`
}

// invalid returns the error for issues, with a sentence that names them.
func invalid(issues []Issue) error {
	var words []string
	for _, issue := range issues {
		name := strings.TrimPrefix(issue.Pointer, "/")
		if name == "" {
			name = "the arguments"
		}
		words = append(words, name+" "+issue.Message)
	}
	return models.Errorf(models.CodeInvalidArgs, "The arguments do not fit: %s.", strings.Join(words, "; ")).
		With("issues", issues)
}

// normaliser walks a value along its schema. Numbers become what the schema
// says they are, digit for digit where it says integer; defaults are added.
type normaliser struct{ issues []Issue }

func normalise(schema *jsonschema.Schema, value canon.Value) (canon.Value, []Issue) {
	var n normaliser
	out := n.value(schema, value, "")
	return out, n.issues
}

func (n *normaliser) issue(pointer, format string, args ...any) {
	n.issues = append(n.issues, Issue{Pointer: pointer, Message: fmt.Sprintf(format, args...)})
}

func (n *normaliser) value(s *jsonschema.Schema, v canon.Value, at string) canon.Value {
	if s == nil {
		return v
	}
	if !allows(s, v) {
		n.issue(at, "must be %s", described(s))
		return v
	}
	switch v.Kind() {
	case canon.KindNumber:
		v = n.number(s, v, at)
	case canon.KindString:
		n.text(s, v.Str(), at)
	case canon.KindArray:
		return n.array(s, v, at)
	case canon.KindObject:
		return n.object(s, v, at)
	}
	return v
}

func (n *normaliser) number(s *jsonschema.Schema, v canon.Value, at string) canon.Value {
	if hasType(s, "integer") {
		digits, ok := v.Integer()
		if !ok {
			n.issue(at, "must be a whole number")
			return v
		}
		if _, ok := integer(digits); !ok {
			n.issue(at, "is too large")
			return v
		}
		out, err := canon.Int(digits)
		if err != nil {
			n.issue(at, "is too large")
			return v
		}
		n.limits(s, out, at)
		return out
	}
	f, err := v.Float()
	if err != nil {
		n.issue(at, "is not a number that can be held exactly enough")
		return v
	}
	out, err := canon.Float(f)
	if err != nil {
		n.issue(at, "is not a number that can be held")
		return v
	}
	n.limits(s, out, at)
	return out
}

func (n *normaliser) limits(s *jsonschema.Schema, v canon.Value, at string) {
	f, err := v.Float()
	if err != nil {
		return
	}
	if s.Minimum != nil && f < *s.Minimum {
		n.issue(at, "must be at least %s", strconv.FormatFloat(*s.Minimum, 'f', -1, 64))
	}
	if s.Maximum != nil && f > *s.Maximum {
		n.issue(at, "must be at most %s", strconv.FormatFloat(*s.Maximum, 'f', -1, 64))
	}
}

func (n *normaliser) text(s *jsonschema.Schema, text, at string) {
	if len(s.Enum) > 0 && !slices.Contains(s.Enum, any(text)) {
		n.issue(at, "must be one of %s", listed(s.Enum))
	}
	length := utf8.RuneCountInString(text)
	if s.MinLength != nil && length < *s.MinLength {
		n.issue(at, "must have at least %d characters", *s.MinLength)
	}
	if s.MaxLength != nil && length > *s.MaxLength {
		n.issue(at, "may have at most %d characters", *s.MaxLength)
	}
}

func (n *normaliser) array(s *jsonschema.Schema, v canon.Value, at string) canon.Value {
	items := make([]canon.Value, 0, v.Len())
	for i, item := range v.Items() {
		items = append(items, n.value(s.Items, item, at+"/"+strconv.Itoa(i)))
	}
	return canon.ArrayOf(items...)
}

func (n *normaliser) object(s *jsonschema.Schema, v canon.Value, at string) canon.Value {
	members := make([]canon.Member, 0, v.Len())
	for _, m := range v.Members() {
		pointer := at + "/" + escapePointer(m.Name)
		schema, known := s.Properties[m.Name]
		if !known {
			schema = s.AdditionalProperties
			if schema != nil && schema.Not != nil {
				n.issue(pointer, "is not an argument here")
				continue
			}
		}
		members = append(members, canon.Member{Name: m.Name, Value: n.value(schema, m.Value, pointer)})
	}
	members = append(members, n.absent(s, v, at)...)
	out, err := canon.ObjectOf(members...)
	if err != nil {
		n.issue(at, "names something twice")
		return v
	}
	return out
}

// absent returns the defaults of members that are absent, and notes required
// ones that have none.
func (n *normaliser) absent(s *jsonschema.Schema, v canon.Value, at string) []canon.Member {
	var added []canon.Member
	for _, name := range s.PropertyOrder {
		property := s.Properties[name]
		if _, ok := v.Get(name); ok || property == nil {
			continue
		}
		if property.Default != nil {
			added = append(added, n.fallback(property, name, at))
			continue
		}
		if slices.Contains(s.Required, name) {
			n.issue(at+"/"+escapePointer(name), "is missing")
		}
	}
	return added
}

func (n *normaliser) fallback(property *jsonschema.Schema, name, at string) canon.Member {
	value, err := canon.Parse(property.Default)
	if err != nil {
		n.issue(at+"/"+escapePointer(name), "has no usable default")
	}
	return canon.Member{Name: name, Value: n.value(property, value, at+"/"+escapePointer(name))}
}

func escapePointer(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

func hasType(s *jsonschema.Schema, name string) bool {
	return s.Type == name || slices.Contains(s.Types, name)
}

// allows reports whether a schema's types take the kind of a value. Whether a
// number is whole is judged later.
func allows(s *jsonschema.Schema, v canon.Value) bool {
	if s.Type == "" && len(s.Types) == 0 {
		return true
	}
	switch v.Kind() {
	case canon.KindNull:
		return hasType(s, "null")
	case canon.KindBool:
		return hasType(s, "boolean")
	case canon.KindNumber:
		return hasType(s, "number") || hasType(s, "integer")
	case canon.KindString:
		return hasType(s, "string")
	case canon.KindArray:
		return hasType(s, "array")
	case canon.KindObject:
		return hasType(s, "object")
	default:
		return false
	}
}

// described names the types of a schema in plain words.
func described(s *jsonschema.Schema) string {
	words := map[string]string{
		"null": "null", "boolean": "true or false", "number": "a number", "integer": "a whole number",
		"string": "text", "array": "a list", "object": "an object",
	}
	types := s.Types
	if s.Type != "" {
		types = []string{s.Type}
	}
	var out []string
	for _, t := range types {
		if t != "null" || len(types) == 1 {
			out = append(out, words[t])
		}
	}
	return strings.Join(out, " or ")
}

func listed(values []any) string {
	var words []string
	for _, v := range values {
		encoded, err := json.Marshal(v)
		if err != nil {
			continue
		}
		words = append(words, string(encoded))
	}
	return strings.Join(words, ", ")
}

// integer returns digits as the Go integer that holds them exactly.
func integer(digits string) (any, bool) {
	if i, err := strconv.ParseInt(digits, 10, 64); err == nil {
		return i, true
	}
	if u, err := strconv.ParseUint(digits, 10, 64); err == nil {
		return u, true
	}
	return nil, false
}

// plain returns a value in Go's own types, as the schema validator takes it.
func plain(v canon.Value) any {
	switch v.Kind() {
	case canon.KindBool:
		return v.Bool()
	case canon.KindString:
		return v.Str()
	case canon.KindNumber:
		if digits, ok := v.Integer(); ok {
			if i, ok := integer(digits); ok {
				return i
			}
		}
		f, err := v.Float()
		if err != nil {
			return nil
		}
		return f
	case canon.KindArray:
		items := make([]any, 0, v.Len())
		for _, item := range v.Items() {
			items = append(items, plain(item))
		}
		return items
	case canon.KindObject:
		members := make(map[string]any, v.Len())
		for _, m := range v.Members() {
			members[m.Name] = plain(m.Value)
		}
		return members
	default:
		return nil
	}
}
