package hosttools

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// inputSchema infers the schema of an input type and refuses what a model or a
// validator could not use. Besides `json` and `jsonschema` (the description),
// fields may carry these tags: enum (values parted by commas), minimum,
// maximum, minLength, maxLength, pattern, default (JSON).
func inputSchema(t reflect.Type) (*jsonschema.Schema, error) {
	schema, err := inferred(t)
	if err != nil {
		return nil, err
	}
	if err := applyTags(t, schema); err != nil {
		return nil, err
	}
	return schema, nil
}

// outputSchema infers the schema of a result type. Untyped results are
// refused: a reader of the catalogue must know what to expect.
func outputSchema(t reflect.Type) (*jsonschema.Schema, error) {
	return inferred(t)
}

func inferred(t reflect.Type) (*jsonschema.Schema, error) {
	if t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("%s must be a struct", t)
	}
	schema, err := jsonschema.ForType(t, nil)
	if err != nil {
		return nil, fmt.Errorf("infer the schema of %s: %w", t, err)
	}
	if err := typed(schema, t.Name()); err != nil {
		return nil, err
	}
	return schema, nil
}

// typed refuses schemas that allow anything, which is what `any` becomes.
func typed(s *jsonschema.Schema, path string) error {
	if s.Type == "" && len(s.Types) == 0 {
		return fmt.Errorf("%s has no type; use a concrete Go type instead of any", path)
	}
	for name, property := range s.Properties {
		if err := typed(property, path+"."+name); err != nil {
			return err
		}
	}
	if s.Items != nil {
		if err := typed(s.Items, path+"[]"); err != nil {
			return err
		}
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Not == nil {
		return typed(s.AdditionalProperties, path+"{}")
	}
	return nil
}

// applyTags adds the constraints that struct tags declare, in nested structs
// too.
func applyTags(t reflect.Type, s *jsonschema.Schema) error {
	for _, field := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "" {
			name = field.Name
		}
		property := s.Properties[name]
		if property == nil || field.Anonymous {
			continue
		}
		if err := constrain(property, field.Tag); err != nil {
			return fmt.Errorf("field %s: %w", field.Name, err)
		}
		inner, target := innermost(field.Type, property)
		if inner.Kind() == reflect.Struct && target.Properties != nil {
			if err := applyTags(inner, target); err != nil {
				return err
			}
		}
	}
	return nil
}

// innermost follows pointers, lists and maps to the type of their elements,
// and to its schema.
func innermost(t reflect.Type, s *jsonschema.Schema) (reflect.Type, *jsonschema.Schema) {
	switch t.Kind() {
	case reflect.Pointer:
		return innermost(t.Elem(), s)
	case reflect.Slice, reflect.Array:
		return innermost(t.Elem(), s.Items)
	case reflect.Map:
		return innermost(t.Elem(), s.AdditionalProperties)
	default:
		return t, s
	}
}

func constrain(s *jsonschema.Schema, tag reflect.StructTag) error {
	if enum, ok := tag.Lookup("enum"); ok {
		if s.Type != "string" && !slices.Contains(s.Types, "string") {
			return fmt.Errorf("tag enum: the field must be a string")
		}
		for value := range strings.SplitSeq(enum, ",") {
			s.Enum = append(s.Enum, value)
		}
	}
	s.Pattern = tag.Get("pattern")
	for key, target := range map[string]**float64{"minimum": &s.Minimum, "maximum": &s.Maximum} {
		if text, ok := tag.Lookup(key); ok {
			value, err := strconv.ParseFloat(text, 64)
			if err != nil {
				return fmt.Errorf("tag %s: %w", key, err)
			}
			*target = &value
		}
	}
	for key, target := range map[string]**int{"minLength": &s.MinLength, "maxLength": &s.MaxLength} {
		if text, ok := tag.Lookup(key); ok {
			value, err := strconv.Atoi(text)
			if err != nil {
				return fmt.Errorf("tag %s: %w", key, err)
			}
			*target = &value
		}
	}
	if text, ok := tag.Lookup("default"); ok {
		if !json.Valid([]byte(text)) {
			return fmt.Errorf("tag default: %q is not JSON", text)
		}
		s.Default = json.RawMessage(text)
	}
	return nil
}
