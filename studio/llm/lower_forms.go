package llm

import (
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// branches lowers the branches of a oneOf if they can stay: the provider takes
// it and, lowered, they still exclude each other. Else it returns nil.
func (w *lowering) branches(full []*jsonschema.Schema, depth int) []*jsonschema.Schema {
	if w.OneOf || (w.MaxDepth > 0 && depth >= w.MaxDepth) || discriminator(full) == "" {
		return nil
	}
	var out []*jsonschema.Schema
	for _, branch := range full {
		out = append(out, w.lower(branch, depth))
	}
	if discriminator(out) == "" {
		return nil
	}
	return out
}

// merged returns s with one object in place of its oneOf: every property of
// every branch, none of them required but the discriminator. Branches without a
// discriminator are left out.
func merged(s *jsonschema.Schema, branches []*jsonschema.Schema) *jsonschema.Schema {
	out := *s
	out.OneOf = nil
	by := discriminator(branches)
	if by == "" {
		return &out
	}
	out.Properties = map[string]*jsonschema.Schema{by: selector(by, branches)}
	out.PropertyOrder = []string{by}
	for _, part := range append([]*jsonschema.Schema{s}, branches...) {
		for _, name := range propertyNames(part) {
			if out.Properties[name] != nil {
				continue
			}
			out.PropertyOrder = append(out.PropertyOrder, name)
			out.Properties[name] = s.Properties[name]
			if out.Properties[name] == nil {
				out.Properties[name] = joined(name, branches)
			}
		}
	}
	if !slices.Contains(s.Required, by) {
		out.Required = append(slices.Clone(s.Required), by)
	}
	if s.AdditionalProperties == nil && !slices.ContainsFunc(branches, open) {
		out.AdditionalProperties = &jsonschema.Schema{Not: &jsonschema.Schema{}}
	}
	if len(typesOf(s)) == 0 {
		out.Type = "object"
	}
	out.Description = sentences(s.Description, explained(by, branches))
	return &out
}

// discriminator returns the property whose value says which of the branches is
// meant, "" if there is none.
func discriminator(branches []*jsonschema.Schema) string {
	if len(branches) == 0 || slices.Contains(branches, nil) {
		return ""
	}
	for _, name := range propertyNames(branches[0]) {
		var seen []string
		for _, branch := range branches {
			value, ok := fixed(branch, name)
			if !ok || slices.Contains(seen, value) {
				break
			}
			seen = append(seen, value)
		}
		if len(seen) == len(branches) {
			return name
		}
	}
	return ""
}

// fixed returns the only string that a property of an object can be.
func fixed(s *jsonschema.Schema, name string) (string, bool) {
	property := s.Properties[name]
	if s.Type != "object" || property == nil || !slices.Contains(s.Required, name) {
		return "", false
	}
	var only any
	switch {
	case property.Const != nil && property.Enum == nil:
		only = *property.Const
	case property.Const == nil && len(property.Enum) == 1:
		only = property.Enum[0]
	}
	value, ok := only.(string)
	return value, ok && property.Extra["nullable"] != true
}

// selector returns the schema of the discriminator of merged branches.
func selector(by string, branches []*jsonschema.Schema) *jsonschema.Schema {
	out := &jsonschema.Schema{Type: "string", Description: branches[0].Properties[by].Description}
	for _, branch := range branches {
		value, _ := fixed(branch, by)
		out.Enum = append(out.Enum, value)
	}
	return out
}

// joined returns a schema for a property in any of the branches.
func joined(name string, branches []*jsonschema.Schema) *jsonschema.Schema {
	var found []*jsonschema.Schema
	var description string
	for _, branch := range branches {
		property := branch.Properties[name]
		if property == nil && open(branch) {
			property = &jsonschema.Schema{}
		}
		if property == nil {
			continue
		}
		found = append(found, property)
		if description == "" {
			description = property.Description
		}
	}
	same := func(s *jsonschema.Schema) bool { return text(s) == text(found[0]) }
	if !slices.ContainsFunc(found, func(s *jsonschema.Schema) bool { return !same(s) }) {
		return found[0]
	}
	out := &jsonschema.Schema{Description: description}
	var types []string
	for _, s := range found {
		if s.Ref != "" || len(typesOf(s)) == 0 {
			return out
		}
		types = append(types, typesOf(s)...)
	}
	slices.Sort(types)
	setTypes(out, slices.Compact(types))
	return out
}

// open reports whether an object takes properties that it does not name.
func open(s *jsonschema.Schema) bool {
	return !isFalse(s.AdditionalProperties) || len(s.PatternProperties) > 0
}

// explained says in words which properties belong to which branch.
func explained(by string, branches []*jsonschema.Schema) []string {
	notes := []string{text(by) + " says which of the other properties apply."}
	for _, branch := range branches {
		value, _ := fixed(branch, by)
		var names []string
		for _, name := range propertyNames(branch) {
			switch {
			case name == by:
			case slices.Contains(branch.Required, name):
				names = append(names, name+" (required)")
			default:
				names = append(names, name)
			}
		}
		if len(names) == 0 {
			names = []string{"no others"}
		}
		note := text(value) + ": " + strings.Join(names, ", ") + "."
		notes = append(notes, sentences(note, []string{branch.Description}))
	}
	return notes
}
