package schema

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/agentstudio/agentstudio/studio/canon"
)

// Extensions begin with extensionPrefix; of them only goIntegerKeyword means
// something here.
const (
	extensionPrefix  = "x-"
	goIntegerKeyword = "x-go-integer"
)

// isKeyword reports whether the compiler knows a field of [jsonschema.Schema].
// All others, also those of later versions of the library, are refused.
func isKeyword(field string) bool {
	switch field {
	case "Type", "Types", "Enum", "Const",
		"Minimum", "Maximum", "ExclusiveMinimum", "ExclusiveMaximum", "MultipleOf",
		"MinLength", "MaxLength", "Pattern", "Format",
		"Items", "MinItems", "MaxItems", "UniqueItems",
		"Properties", "Required", "AdditionalProperties", "PropertyOrder", "OneOf",
		"Default", "Examples", "Title", "Description", "Deprecated", "ReadOnly", "WriteOnly", "Extra":
		return true
	default:
		return false
	}
}

// foreignKeyword returns a keyword of s that is outside of the agreed set, or
// "" if there is none.
func foreignKeyword(s *jsonschema.Schema) string {
	v := reflect.ValueOf(s).Elem()
	for i := range v.NumField() {
		if field := v.Type().Field(i); !isKeyword(field.Name) && !v.Field(i).IsZero() {
			return keywordOf(field)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Extra)) {
		if !strings.HasPrefix(name, extensionPrefix) {
			return name
		}
	}
	return ""
}

// keywordOf returns the keyword that a field of [jsonschema.Schema] holds.
func keywordOf(field reflect.StructField) string {
	switch field.Name {
	case "ItemsArray":
		return "items with a list"
	case "DependencySchemas", "DependencyStrings":
		return "dependencies"
	}
	name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
	return name
}

// isFalse reports whether s is the schema that takes nothing.
func isFalse(s *jsonschema.Schema) bool {
	if s == nil || s.Not == nil || !reflect.ValueOf(*s.Not).IsZero() {
		return false
	}
	rest := *s
	rest.Not = nil
	return reflect.ValueOf(rest).IsZero()
}

// kindOf returns the kind of values that have a type, if there is that type.
func kindOf(typeName string) (kind canon.Kind, ok bool) {
	switch typeName {
	case "null":
		return canon.KindNull, true
	case "boolean":
		return canon.KindBool, true
	case "number", "integer":
		return canon.KindNumber, true
	case "string":
		return canon.KindString, true
	case "array":
		return canon.KindArray, true
	case "object":
		return canon.KindObject, true
	default:
		return 0, false
	}
}

// described names a type in plain words.
func described(typeName string) string {
	switch typeName {
	case "boolean":
		return "true or false"
	case "number":
		return "a number"
	case "integer":
		return "a whole number"
	case "string":
		return "text"
	case "array":
		return "a list"
	case "object":
		return "an object"
	default:
		return typeName
	}
}
