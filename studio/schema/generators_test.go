package schema_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/agentstudio/agentstudio/studio/canon"
	"github.com/agentstudio/agentstudio/studio/schema"
)

func sample[T any](t *rapid.T, what string, from ...T) T {
	return rapid.SampledFrom(from).Draw(t, what)
}

func maybe[T any](t *rapid.T, what string, from ...T) *T {
	if sample(t, what+"?", true, false, false) {
		return jsonschema.Ptr(sample(t, what, from...))
	}
	return nil
}

func oneIn(t *rapid.T, n int, what string) bool { return rapid.IntRange(1, n).Draw(t, what) == 1 }

func memberNames() []string { return []string{"a", "b", "c/~d", "é"} }

func sampleTexts() []string { return []string{"", "a", "b", "ab", "éé", "abc", "1", "x", "y"} }

// sampleNumbers are groups of spellings. None needs more than a double has, which is
// where the library and the package differ.
func sampleNumbers() [][]json.Number {
	return [][]json.Number{
		{"0", "-0", "0.0", "0e5"},
		{"1", "1.0", "10e-1"},
		{"-1", "-1.00"},
		{"2", "2.0"},
		{"3", "0.3e1"},
		{"4", "4e0"},
		{"6"},
		{"-2"},
		{"100", "1e2", "1.0E+2"},
		{"9007199254740991"},
		{"-9007199254740991"},
		{"0.5", "5e-1", "0.50"},
		{"2.5", "25e-1"},
		{"-0.25"},
		{"1.75"},
	}
}

func drawNumber(t *rapid.T) json.Number {
	return sample(t, "spelling", sample(t, "number", sampleNumbers()...)...)
}

// drawSchema draws a schema of the agreed set, without what the library is
// known to decide otherwise.
func drawSchema(t *rapid.T, depth int) *jsonschema.Schema {
	kinds := []string{"string", "integer", "number", "boolean", "null", "enum", "const"}
	if depth > 0 {
		kinds = append(kinds, "array", "array", "object", "object", "object", "oneOf", "any")
	}
	s := &jsonschema.Schema{}
	switch kind := sample(t, "kind", kinds...); kind {
	case "any":
		return s
	case "enum":
		s.Enum = drawScalars(t)
	case "const":
		s.Const = jsonschema.Ptr(drawScalars(t)[0])
	case "oneOf":
		s.Type = "object"
		for _, tag := range []string{"x", "y", "z"}[:rapid.IntRange(1, 3).Draw(t, "branches")] {
			s.OneOf = append(s.OneOf, drawBranch(t, tag, depth-1))
		}
	default:
		s.Type = kind
		drawKeywords(t, s, depth)
	}
	if s.Type != "" && s.Type != "null" && oneIn(t, 4, "nullable") {
		s.Types, s.Type = []string{s.Type, "null"}, ""
	}
	return s
}

func drawScalars(t *rapid.T) []any {
	return rapid.SliceOfN(rapid.SampledFrom([]any{"a", "b", "", true, false, nil, 0.0, 1.0, 2.5, 3, int64(-2)}), 1, 4).Draw(t, "scalars")
}

func drawKeywords(t *rapid.T, s *jsonschema.Schema, depth int) {
	switch s.Type {
	case "string":
		s.MinLength = maybe(t, "minLength", 0, 1, 2)
		s.MaxLength = maybe(t, "maxLength", 0, 1, 2, 3)
		s.Pattern = sample(t, "pattern", "", "", "", "^[a-z]*$", "b")
		if oneIn(t, 5, "enum") {
			s.Enum = []any{"a", "ab"}
		}
	case "integer", "number":
		s.Minimum = maybe(t, "minimum", -2, 0, 0.5, 1)
		s.Maximum = maybe(t, "maximum", 1, 2.5, 3, 9007199254740990)
		s.ExclusiveMinimum = maybe(t, "exclusiveMinimum", -2, -0.5, 0)
		s.ExclusiveMaximum = maybe(t, "exclusiveMaximum", 2, 3.5, 101)
		s.MultipleOf = maybe(t, "multipleOf", 1, 2, 3, 0.5, 0.25)
		if oneIn(t, 5, "enum") {
			s.Enum = []any{1.0, 2, uint64(3)}
		}
	case "array":
		if oneIn(t, 4, "free") == false {
			s.Items = drawSchema(t, depth-1)
		}
		s.MinItems = maybe(t, "minItems", 0, 1, 2)
		s.MaxItems = maybe(t, "maxItems", 0, 1, 2, 3)
		s.UniqueItems = oneIn(t, 3, "unique")
	case "object":
		drawObject(t, s, depth)
	}
}

func drawObject(t *rapid.T, s *jsonschema.Schema, depth int) {
	switch sample(t, "additional", "free", "none", "none", "schema") {
	case "none":
		s.AdditionalProperties = &jsonschema.Schema{Not: &jsonschema.Schema{}}
	case "schema":
		s.AdditionalProperties = drawSchema(t, depth-1)
	}
	s.Properties = map[string]*jsonschema.Schema{}
	for _, name := range memberNames() {
		if oneIn(t, 2, "property") {
			s.Properties[name] = drawProperty(t, depth-1)
		}
		isProperty := s.Properties[name] != nil
		isTakenAnyway := s.AdditionalProperties == nil || s.AdditionalProperties.Not == nil
		if (isProperty || isTakenAnyway) && oneIn(t, 3, "required") {
			s.Required = append(s.Required, name)
		}
	}
}

// drawProperty draws a schema that may have a default, which may change the
// spelling of its numbers.
func drawProperty(t *rapid.T, depth int) *jsonschema.Schema {
	s := drawSchema(t, depth)
	if !oneIn(t, 3, "default") {
		return s
	}
	text, err := json.Marshal(drawFitting(t, s))
	require.NoError(t, err)
	s.Default = text
	if _, err := schema.Compile(s); err != nil {
		s.Default = nil
	}
	return s
}

func drawBranch(t *rapid.T, tag string, depth int) *jsonschema.Schema {
	branch := &jsonschema.Schema{Type: "object"}
	drawObject(t, branch, depth)
	branch.Properties["k"] = &jsonschema.Schema{Const: jsonschema.Ptr[any](tag)}
	branch.Required = append(branch.Required, "k")
	return branch
}

// drawValue draws a value that mostly fits s, one that is a mutation away from
// that, or any.
func drawValue(t *rapid.T, s *jsonschema.Schema) canon.Value {
	var v any
	switch sample(t, "how", "fitting", "fitting", "near", "near", "any") {
	case "fitting":
		v = drawFitting(t, s)
	case "near":
		v = drawMutation(t, drawFitting(t, s))
	case "any":
		v = drawAny(t, 3)
	}
	text, err := json.Marshal(v)
	require.NoError(t, err)
	return parse(t, string(text))
}

// drawFitting draws a value for s, which does not fit only where limits leave
// little.
func drawFitting(t *rapid.T, s *jsonschema.Schema) any {
	typeName := s.Type
	if s.Types != nil {
		typeName = sample(t, "type", s.Types...)
	}
	switch {
	case typeName == "null":
		return nil
	case s.Const != nil:
		return *s.Const
	case s.Enum != nil:
		return sample(t, "choice", s.Enum...)
	case s.OneOf != nil:
		return drawFitting(t, sample(t, "branch", s.OneOf...))
	}
	switch typeName {
	case "string":
		return sample(t, "text", sampleTexts()...)
	case "integer", "number":
		return drawNumberFor(t, s)
	case "boolean":
		return rapid.Bool().Draw(t, "truth")
	case "array":
		return drawItems(t, s)
	case "object":
		return drawMembers(t, s)
	default:
		return drawAny(t, 2)
	}
}

func drawNumberFor(t *rapid.T, s *jsonschema.Schema) json.Number {
	fitting := slices.DeleteFunc(sampleNumbers(), func(spellings []json.Number) bool {
		f, err := strconv.ParseFloat(string(spellings[0]), 64)
		return err != nil || s.Minimum != nil && f < *s.Minimum || s.Maximum != nil && f > *s.Maximum ||
			(s.Type == "integer" && f != float64(int64(f)))
	})
	if len(fitting) == 0 {
		return drawNumber(t)
	}
	return sample(t, "spelling", sample(t, "number", fitting...)...)
}

func drawItems(t *rapid.T, s *jsonschema.Schema) []any {
	items := s.Items
	if items == nil {
		items = &jsonschema.Schema{}
	}
	list := []any{}
	least, most := 0, 3
	if s.MinItems != nil {
		least = *s.MinItems
	}
	if s.MaxItems != nil {
		most = max(least, *s.MaxItems)
	}
	for range rapid.IntRange(least, most).Draw(t, "items") {
		list = append(list, drawFitting(t, items))
	}
	return list
}

func drawMembers(t *rapid.T, s *jsonschema.Schema) map[string]any {
	members := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if slices.Contains(s.Required, name) || oneIn(t, 2, "present") {
			members[name] = drawFitting(t, s.Properties[name])
		}
	}
	for _, name := range s.Required {
		if _, ok := members[name]; !ok && s.AdditionalProperties != nil {
			members[name] = drawFitting(t, s.AdditionalProperties)
		} else if !ok {
			members[name] = drawAny(t, 1)
		}
	}
	return members
}

func drawAny(t *rapid.T, depth int) any {
	kinds := []string{"null", "truth", "number", "text"}
	if depth > 0 {
		kinds = append(kinds, "list", "object")
	}
	switch sample(t, "kind", kinds...) {
	case "truth":
		return rapid.Bool().Draw(t, "truth")
	case "number":
		return drawNumber(t)
	case "text":
		return sample(t, "text", sampleTexts()...)
	case "list":
		list := []any{}
		for range rapid.IntRange(0, 3).Draw(t, "items") {
			list = append(list, drawAny(t, depth-1))
		}
		return list
	case "object":
		members := map[string]any{}
		for _, name := range append(memberNames(), "k") {
			if oneIn(t, 3, "present") {
				members[name] = drawAny(t, depth-1)
			}
		}
		return members
	default:
		return nil
	}
}

// drawMutation returns v with one part changed.
func drawMutation(t *rapid.T, v any) any {
	switch inner := v.(type) {
	case []any:
		if len(inner) > 0 && !oneIn(t, 4, "here") {
			i := rapid.IntRange(0, len(inner)-1).Draw(t, "item")
			if oneIn(t, 3, "repeat") {
				return append(slices.Clone(inner), inner[i])
			}
			changed := slices.Clone(inner)
			changed[i] = drawMutation(t, inner[i])
			return changed
		}
	case map[string]any:
		if len(inner) > 0 && !oneIn(t, 4, "here") {
			return mutatedMember(t, inner)
		}
	}
	return drawAny(t, 2)
}

func mutatedMember(t *rapid.T, members map[string]any) map[string]any {
	changed := maps.Clone(members)
	name := sample(t, "member", slices.Sorted(maps.Keys(members))...)
	switch sample(t, "change", "value", "value", "drop", "add") {
	case "value":
		changed[name] = drawMutation(t, members[name])
	case "drop":
		delete(changed, name)
	case "add":
		changed["more"] = drawAny(t, 1)
	}
	return changed
}
