package schemas

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"
)

// The limits of a schema that a host wrote itself.
const (
	maxCustomBytes = 64 << 10
	maxCustomDepth = 32 // of objects and arrays in the text
)

// Custom reads a schema of arguments that a host wrote itself. The text must
// be strict JSON of at most 64 KiB and 32 levels, and use only keywords that
// every part of the Studio understands. At its top it is an object that takes
// nothing but its properties; additionalProperties is false wherever an object
// with properties does not say otherwise. No top-level property may have, in
// any case, one of the managed names or that of the tenant. Errors name the
// place as a JSON pointer.
func Custom(text []byte, managed []string) (*jsonschema.Schema, error) {
	if len(text) > maxCustomBytes {
		return nil, fmt.Errorf("the schema has %d bytes, more than %d", len(text), maxCustomBytes)
	}
	if err := checkText(text); err != nil {
		return nil, err
	}
	s, err := readSchema(text, "")
	if err != nil {
		return nil, err
	}
	if err := checkTop(s, managed); err != nil {
		return nil, err
	}
	if _, err := s.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true}); err != nil {
		return nil, fmt.Errorf("the schema does not hold together: %w", err)
	}
	if err := checkExamples(s); err != nil {
		return nil, err
	}
	return s, nil
}

// checkText refuses what is not one strict JSON value, and what is too deep.
func checkText(text []byte) error {
	var whole jsontext.Value
	if err := json.Unmarshal(text, &whole); err != nil {
		return fmt.Errorf("the schema is not strict JSON: %w", err)
	}
	d := jsontext.NewDecoder(bytes.NewReader(text))
	for {
		if _, err := d.ReadToken(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("the schema is not strict JSON: %w", err)
		}
		if d.StackDepth() > maxCustomDepth {
			return fmt.Errorf("the schema is nested deeper than %d levels", maxCustomDepth)
		}
	}
}

func checkTop(s *jsonschema.Schema, managed []string) error {
	if s.Type != "object" || s.OneOf != nil {
		return errors.New(`the top must have "type": "object" and no oneOf, since arguments are one object; put the choice into a property`)
	}
	if s.AdditionalProperties == nil {
		s.AdditionalProperties = nothing()
	}
	if !isClosed(s) {
		return errors.New(`the top must have "additionalProperties": false, so that nothing can be sent that nobody sees`)
	}
	if err := RefuseTenant(s); err != nil {
		return err
	}
	for _, name := range s.PropertyOrder {
		for _, taken := range managed {
			if strings.EqualFold(name, taken) {
				return fmt.Errorf("%q is filled by the server and cannot be an argument too; remove it from the schema", name)
			}
		}
	}
	return checkRequired(s, "")
}

// isClosed reports whether an object takes nothing but its properties.
func isClosed(s *jsonschema.Schema) bool {
	return s.AdditionalProperties != nil && s.AdditionalProperties.Not != nil
}

// checkExamples refuses an example that its own schema does not take.
func checkExamples(s *jsonschema.Schema) error {
	if s.Examples != nil {
		resolved, err := s.Resolve(nil)
		if err != nil {
			return fmt.Errorf("the schema does not hold together: %w", err)
		}
		for _, example := range s.Examples {
			if err := resolved.Validate(example); err != nil {
				return fmt.Errorf("the example %v does not fit its schema: %w", example, err)
			}
		}
	}
	for child := range children(s) {
		if err := checkExamples(child); err != nil {
			return err
		}
	}
	return nil
}

// children yields the schemas directly inside s.
func children(s *jsonschema.Schema) iter.Seq[*jsonschema.Schema] {
	return func(yield func(*jsonschema.Schema) bool) {
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			if !yield(s.Properties[name]) {
				return
			}
		}
		for _, branch := range s.OneOf {
			if !yield(branch) {
				return
			}
		}
		for _, child := range []*jsonschema.Schema{s.Items, s.AdditionalProperties} {
			if child != nil && !yield(child) {
				return
			}
		}
	}
}
