package schemas

import (
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"
)

func readProperties(s *jsonschema.Schema, m member, at string) error {
	at = below(at, m.name)
	list, err := members(m.value, at)
	if err != nil {
		return err
	}
	s.Properties = make(map[string]*jsonschema.Schema, len(list))
	for _, property := range list {
		inner := below(at, property.name)
		if err := addName(s, property.name, inner); err != nil {
			return err
		}
		if s.Properties[property.name], err = readSchema(property.value, inner); err != nil {
			return err
		}
	}
	return nil
}

// readInner reads items, and additionalProperties as false or a schema.
func readInner(s *jsonschema.Schema, m member, at string) error {
	if m.name == "additionalProperties" && m.value.Kind() == 'f' {
		s.AdditionalProperties = nothing()
		return nil
	}
	if m.value.Kind() != '{' {
		return refuse(place(at), "the keyword %s must be a schema (additionalProperties: false or a schema), not %s", m.name, m.value)
	}
	inner, err := readSchema(m.value, below(at, m.name))
	if err != nil {
		return err
	}
	if m.name == "items" {
		s.Items = inner
	} else {
		s.AdditionalProperties = inner
	}
	return nil
}

// readOneOf reads the branches of a union.
func readOneOf(s *jsonschema.Schema, m member, at string) error {
	at = below(at, m.name)
	var list []jsontext.Value
	if err := json.Unmarshal(m.value, &list); err != nil || len(list) == 0 {
		return refuse(place(at), "must be a list with at least one schema")
	}
	for i, raw := range list {
		branch, err := readSchema(raw, below(at, fmt.Sprint(i)))
		if err != nil {
			return err
		}
		s.OneOf = append(s.OneOf, branch)
	}
	if !discriminated(s.OneOf) {
		return refuse(place(at), "every branch must be an object with one same required property "+
			"that has another string const in each, by which readers tell them apart")
	}
	return nil
}

// discriminated reports whether some required property of all the branches
// has a string const that is different in each.
func discriminated(branches []*jsonschema.Schema) bool {
	return slices.ContainsFunc(branches[0].Required, func(name string) bool {
		seen := map[any]bool{}
		for _, branch := range branches {
			property := branch.Properties[name]
			if branch.Type != "object" || property == nil || property.Const == nil || !slices.Contains(branch.Required, name) {
				return false
			}
			value, isString := (*property.Const).(string)
			if !isString || seen[value] {
				return false
			}
			seen[value] = true
		}
		return true
	})
}

// checkShape refuses a schema that allows anything or nothing, and closes an
// object that has properties and does not say what else it takes.
func checkShape(s *jsonschema.Schema, at string) error {
	kind := kindOf(s)
	switch {
	case kind == "" && s.Enum == nil && s.Const == nil:
		return refuse(place(at), "has no type, so it allows anything; add one")
	case kind == "array" && s.Items == nil:
		return refuse(place(at), "has no items, so the list may hold anything; add a schema for them")
	case s.OneOf != nil && (s.Properties != nil || s.Required != nil || s.AdditionalProperties != nil):
		return refuse(place(at), "has oneOf beside properties; move them into the branches")
	case kind == "object" && at != "" && s.OneOf == nil && s.Properties == nil && s.AdditionalProperties == nil:
		return refuse(place(at), "is an object without properties, so it may hold anything; name them, or give additionalProperties a schema")
	}
	if contradiction := empty(s); contradiction != "" {
		return refuse(place(at), "%s", contradiction)
	}
	if s.Properties != nil && s.AdditionalProperties == nil {
		s.AdditionalProperties = nothing()
	}
	return checkRequired(s, at)
}

// checkRequired refuses names that cannot be given, and names given twice.
func checkRequired(s *jsonschema.Schema, at string) error {
	seen := make(map[string]bool, len(s.Required))
	for _, name := range s.Required {
		if seen[name] {
			return refuse(place(at), "required: names %q twice", name)
		}
		seen[name] = true
		if s.Properties[name] == nil && isClosed(s) {
			return refuse(place(at), "required: names %q, which is no property", name)
		}
	}
	return nil
}
