package schemas

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"
)

// maxDepth is how many schemas may be nested in one another.
const maxDepth = 16

// walker builds the schemas of one type and of all it holds.
type walker struct {
	special Special
	unions  map[reflect.Type]Union
	open    []reflect.Type // the structs that are being walked, outermost first
	depth   int            // of the schema that is being built; the top has 1
}

func newWalker(o Options) (*walker, error) {
	unions, err := checkUnions(o.Unions)
	if err != nil {
		return nil, err
	}
	return &walker{special: o.Special, unions: unions, depth: 1}, nil
}

// schema returns the schema of a value of type t.
func (w *walker) schema(t reflect.Type, path string) (*jsonschema.Schema, error) {
	w.depth++
	defer func() { w.depth-- }()
	if w.depth > maxDepth {
		return nil, refuse(path, "is nested deeper than %d levels; flatten the type", maxDepth)
	}
	if s, ok := w.asSpecial(t); ok {
		if s == nil {
			return nil, refuse(path, "%s is filled by the server and is in no schema; give the field the tag `json:\"-\"`", t)
		}
		return s, nil
	}
	if t.Kind() == reflect.Pointer {
		return w.pointer(t, path)
	}
	if s, err := wellKnown(t, path); s != nil || err != nil {
		return s, err
	}
	return w.kind(t, path)
}

// asSpecial returns a copy of what the options say of t.
func (w *walker) asSpecial(t reflect.Type) (*jsonschema.Schema, bool) {
	if w.special == nil {
		return nil, false
	}
	s, ok := w.special(t)
	if !ok || s == nil {
		return nil, ok
	}
	s = s.CloneSchemas()
	s.Extra = maps.Clone(s.Extra)
	s.Enum = slices.Clone(s.Enum)
	return s, true
}

// wellKnown returns the schema of a type that is known by name or by its
// methods, and nil for any other.
func wellKnown(t reflect.Type, path string) (*jsonschema.Schema, error) {
	switch t {
	case reflect.TypeFor[time.Time]():
		return &jsonschema.Schema{Type: "string", Format: "date-time"}, nil
	case reflect.TypeFor[time.Duration]():
		return nil, refuse(path, "time.Duration has no agreed form in JSON; declare an int and name the unit, such as timeout_seconds")
	case reflect.TypeFor[jsontext.Value](), reflect.TypeFor[json.RawMessage]():
		return nil, refuse(path, "raw JSON may hold anything; declare a concrete Go type")
	}
	switch codecOf(t) {
	case codecText:
		return &jsonschema.Schema{Type: "string"}, nil
	case codecOther:
		return nil, refuse(path, "%s encodes or decodes itself, so its JSON is unknown; "+
			"use a plain type, or one with both MarshalText and UnmarshalText and no JSON methods", t)
	default:
		return nil, nil
	}
}

func (w *walker) kind(t reflect.Type, path string) (*jsonschema.Schema, error) {
	switch t.Kind() {
	case reflect.Bool:
		return &jsonschema.Schema{Type: "boolean"}, nil
	case reflect.String:
		return &jsonschema.Schema{Type: "string"}, nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return integer(t), nil
	case reflect.Float32, reflect.Float64:
		return float(t), nil
	case reflect.Struct:
		return w.object(t, path)
	case reflect.Slice, reflect.Array:
		return w.list(t, path)
	case reflect.Map:
		return w.dictionary(t, path)
	case reflect.Interface:
		return w.union(t, path)
	default:
		return nil, refuse(path, "%s has no JSON form; remove the field or tag it `json:\"-\"`", t)
	}
}

// pointer returns the schema of what t points to, with null allowed.
func (w *walker) pointer(t reflect.Type, path string) (*jsonschema.Schema, error) {
	elem := t.Elem()
	switch elem.Kind() {
	case reflect.Pointer:
		return nil, refuse(path, "a pointer to a pointer says no more than one pointer; drop one")
	case reflect.Interface:
		return nil, refuse(path, "a pointer to an interface cannot be decoded; drop the pointer and use omitzero")
	}
	s, err := w.schema(elem, path)
	if err != nil {
		return nil, err
	}
	if s.Type != "" && s.Type != "null" {
		s.Types, s.Type = []string{s.Type, "null"}, ""
		if s.Enum != nil {
			s.Enum = append(s.Enum, nil)
		}
	}
	return s, nil
}

func (w *walker) list(t reflect.Type, path string) (*jsonschema.Schema, error) {
	if t.Elem().Kind() == reflect.Uint8 {
		return nil, refuse(path, "bytes are not JSON; declare a string and say in the description how it is encoded")
	}
	items, err := w.schema(t.Elem(), path+"[]")
	if err != nil {
		return nil, err
	}
	s := &jsonschema.Schema{Type: "array", Items: items}
	if t.Kind() == reflect.Array {
		s.MinItems, s.MaxItems = jsonschema.Ptr(t.Len()), jsonschema.Ptr(t.Len())
	}
	return s, nil
}

func (w *walker) dictionary(t reflect.Type, path string) (*jsonschema.Schema, error) {
	if t.Key().Kind() != reflect.String || codecOf(t.Key()) != codecNone {
		return nil, refuse(path, "the keys of a map must be plain strings, not %s", t.Key())
	}
	values, err := w.schema(t.Elem(), path+"{}")
	if err != nil {
		return nil, err
	}
	return &jsonschema.Schema{Type: "object", AdditionalProperties: values}, nil
}

// nothing is the schema that JSON writes as false.
func nothing() *jsonschema.Schema { return &jsonschema.Schema{Not: &jsonschema.Schema{}} }

// kindOf returns the type that a schema declares besides null, or "".
func kindOf(s *jsonschema.Schema) string {
	if s.Type != "" {
		return s.Type
	}
	for _, kind := range s.Types {
		if kind != "null" {
			return kind
		}
	}
	return ""
}
