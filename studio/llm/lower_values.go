package llm

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// values lowers type, enum and const, which decide together whether null is
// accepted.
func (w *lowering) values(n *node) {
	s := n.in
	choices, limited := s.Enum, s.Enum != nil
	if s.Const != nil {
		if !limited && !w.Const {
			n.out.Const = new(clone(*s.Const))
		}
		choices, limited = []any{*s.Const}, true
	}
	types := typesOf(s)
	null := (len(types) == 0 || slices.Contains(types, "null")) && (!limited || slices.Contains(choices, any(nil)))
	nullable := w.TypeList
	if limited {
		var noNull bool
		types, noNull = w.choices(n, choices, types)
		nullable = nullable || noNull
	}
	if s.Extra["nullable"] == true && (w.NullEnum || w.TypeList) {
		n.extra("nullable", true) // lowered before
	}
	if !nullable {
		setTypes(n.out, types)
		return
	}
	if null && (len(types) > 0 || n.out.Enum != nil) && !slices.Equal(types, []string{"null"}) {
		n.extra("nullable", true)
	}
	if len(types) > 1 {
		types = slices.DeleteFunc(types, func(t string) bool { return t == "null" })
	}
	if len(types) > 1 && w.TypeList {
		n.note("Takes one of the types " + strings.Join(types, ", ") + ".")
		types = nil
	}
	setTypes(n.out, types)
}

// choices lowers the values that are allowed, unless a const says them. It returns the types that are,
// and whether null had to leave the list although it is allowed.
func (w *lowering) choices(n *node, values []any, types []string) (allowed []string, noNull bool) {
	if n.out.Const != nil {
		return types, false
	}
	// Besides null, only values of the types are left.
	rest := slices.DeleteFunc(slices.Clone(values), func(v any) bool { return v == nil || !fits(v, types) })
	switch {
	case w.unspeakable(values, types), w.NullEnum && len(rest) == 0 && len(values) > 0:
		if len(values) > 0 {
			n.note("One of: " + list(values) + ".")
		}
		return inferred(types, values), false
	case w.NullEnum && slices.Contains(values, any(nil)):
		n.out.Enum = cloneAll(rest)
		noNull = true
	default:
		n.out.Enum = cloneAll(values)
	}
	if !w.NumberEnum && !noNull {
		return types, false
	}
	return narrowed(inferred(types, values), values), noNull
}

// unspeakable reports whether values cannot be an enum at all.
func (w *lowering) unspeakable(values []any, types []string) bool {
	if w.EmptyEnum && (len(values) == 0 || slices.Contains(values, any(""))) {
		return true
	}
	if !w.NumberEnum {
		return false
	}
	found := typesOfValues(values)
	other := func(t string) bool { return t != "string" && t != "null" }
	return !slices.Contains(found, "string") || slices.ContainsFunc(found, other) ||
		(len(types) > 0 && !slices.Contains(types, "string"))
}

// fits reports whether a value is of one of the types; none means all.
func fits(value any, types []string) bool {
	is := typeOf(value)
	return len(types) == 0 || slices.Contains(types, is) || is == "integer" && slices.Contains(types, "number")
}

// inferred returns types, or if there are none those of the values, unless
// they have more than one besides null.
func inferred(types []string, values []any) []string {
	if len(types) > 0 {
		return types
	}
	found := typesOfValues(values)
	others := slices.DeleteFunc(slices.Clone(found), func(t string) bool { return t == "null" })
	if len(others) > 1 {
		return nil
	}
	return found
}

// narrowed returns those of types that some of the values has, all of them if
// that is none.
func narrowed(types []string, values []any) []string {
	found := typesOfValues(values)
	if slices.Contains(found, "integer") {
		found = append(found, "number")
	}
	left := slices.DeleteFunc(slices.Clone(types), func(t string) bool { return !slices.Contains(found, t) })
	if len(left) == 0 {
		return types
	}
	return left
}

func typesOfValues(values []any) []string {
	var found []string
	for _, value := range values {
		if t := typeOf(value); !slices.Contains(found, t) {
			found = append(found, t)
		}
	}
	return found
}

// typeOf returns the JSON type of a value.
func typeOf(value any) string {
	if number, is := value.(json.Number); is {
		if strings.ContainsAny(string(number), ".eE") {
			return "number"
		}
		return "integer"
	}
	v := reflect.ValueOf(value)
	switch {
	case !v.IsValid():
		return "null"
	case v.CanInt(), v.CanUint():
		return "integer"
	case v.CanFloat() && v.Float() == math.Trunc(v.Float()):
		return "integer"
	case v.CanFloat():
		return "number"
	case v.Kind() == reflect.String:
		return "string"
	case v.Kind() == reflect.Bool:
		return "boolean"
	case v.Kind() == reflect.Slice, v.Kind() == reflect.Array:
		return "array"
	default:
		return "object"
	}
}

// typesOf returns the types that s names; none means all.
func typesOf(s *jsonschema.Schema) []string {
	if s.Type != "" {
		return []string{s.Type}
	}
	return slices.Clone(s.Types)
}

func setTypes(s *jsonschema.Schema, types []string) {
	s.Type, s.Types = "", nil
	switch len(types) {
	case 0:
	case 1:
		s.Type = types[0]
	default:
		s.Types = types
	}
}

// clone copies a JSON value in Go's types.
func clone(value any) any {
	switch v := value.(type) {
	case []any:
		return cloneAll(v)
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, inner := range v {
			out[key] = clone(inner)
		}
		return out
	default:
		return value
	}
}

func cloneAll(values []any) []any {
	out := make([]any, 0, len(values))
	for _, value := range values {
		out = append(out, clone(value))
	}
	return out
}
