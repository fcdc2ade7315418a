package llm_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/agentstudio/agentstudio/studio/llm"
)

// schemaGen draws a schema, as JSON, of the keywords that tools have, and a
// value that is meant for it but may miss it.
type schemaGen struct{ t *rapid.T }

func (g schemaGen) one(label string, from ...string) string {
	return rapid.SampledFrom(from).Draw(g.t, label)
}

func (g schemaGen) yes(label string) bool { return rapid.Bool().Draw(g.t, label) }

func (g schemaGen) schema(depth int) map[string]any {
	kinds := []string{"string", "integer", "number", "boolean", "enum", "const", "ref"}
	if depth > 0 {
		kinds = append(kinds, "object", "object", "array", "map", "oneOf")
	}
	kind := g.one("kind", kinds...)
	s := map[string]any{}
	switch kind {
	case "ref":
		s["$ref"] = g.one("ref", "#/$defs/A", "#/$defs/B", "#")
		return s
	case "enum":
		s["enum"] = rapid.SliceOfN(g.scalar(), 1, 4).Draw(g.t, "enum")
		if g.yes("typed") {
			s["type"] = []any{"string", "null"}
		}
	case "const":
		s["const"] = g.scalar().Draw(g.t, "const")
	case "object":
		g.object(s, depth)
	case "map":
		s["type"], s["additionalProperties"] = "object", g.schema(depth-1)
	case "array":
		s["type"], s["items"], s["maxItems"], s["uniqueItems"] = "array", g.schema(depth-1), 3, g.yes("unique")
	case "oneOf":
		g.oneOf(s, depth)
	default:
		s["type"] = kind
		g.scalarKeywords(s, kind)
	}
	g.annotate(s)
	return s
}

func (g schemaGen) scalar() *rapid.Generator[any] {
	return rapid.SampledFrom([]any{"", "a", "b", nil, 1.0, 2.5, true})
}

func (g schemaGen) scalarKeywords(s map[string]any, kind string) {
	switch kind {
	case "string":
		s["minLength"], s["maxLength"] = 0, 2
		if g.yes("pattern") {
			s["pattern"], s["format"] = "^[ab]*$", g.one("format", "date", "uuid")
		}
	case "integer", "number":
		s["minimum"], s["exclusiveMaximum"], s["multipleOf"] = 0, 10, 0.5
	}
	if g.yes("nullable") {
		s["type"] = []any{kind, "null"}
	}
}

func (g schemaGen) object(s map[string]any, depth int) {
	properties := map[string]any{}
	for _, name := range []string{"p", "q"} {
		if g.yes(name) {
			properties[name] = g.schema(depth - 1)
		}
	}
	s["type"], s["properties"] = "object", properties
	if g.yes("required") {
		s["required"] = slices.Sorted(maps.Keys(properties))
	}
	if g.yes("closed") {
		s["additionalProperties"] = false
	}
}

func (g schemaGen) oneOf(s map[string]any, depth int) {
	var branches []any
	for _, value := range []string{"", "a", "b"} {
		branch := map[string]any{}
		g.object(branch, depth)
		branch["properties"].(map[string]any)["kind"] = map[string]any{"const": value}
		branch["required"] = []any{"kind"}
		branches = append(branches, branch)
	}
	if g.yes("refer") {
		branches = []any{map[string]any{"$ref": "#/$defs/A"}, map[string]any{"$ref": "#/$defs/B"}}
	}
	s["type"], s["oneOf"] = "object", branches
}

func (g schemaGen) annotate(s map[string]any) {
	if !g.yes("annotated") {
		return
	}
	s["description"], s["title"] = g.one("description", "", "Text", "Text."), "Title"
	s["default"], s["examples"], s["deprecated"], s["x-secret"] = nil, []any{"a"}, true, true
}

// root draws a schema with definitions, one of them recursive.
func (g schemaGen) root() map[string]any {
	s := g.schema(3)
	if s["$ref"] == "#" {
		s = map[string]any{}
	}
	definition := func(kind string, next any) map[string]any {
		return map[string]any{
			"type":       "object",
			"properties": map[string]any{"kind": map[string]any{"const": kind}, "p": next},
			"required":   []any{"kind"},
		}
	}
	s["$defs"] = map[string]any{
		"A": definition("a", map[string]any{"$ref": "#/$defs/A"}),
		"B": definition("b", g.schema(1)),
	}
	return s
}

func (g schemaGen) value(depth int) any {
	kinds := []string{"scalar", "scalar"}
	if depth > 0 {
		kinds = append(kinds, "object", "object", "object", "array")
	}
	switch g.one("value", kinds...) {
	case "object":
		out := map[string]any{}
		if g.yes("tagged") {
			out["kind"] = g.one("tag", "", "a", "b")
		}
		for _, name := range []string{"p", "q"} {
			if g.yes(name) {
				out[name] = g.value(depth - 1)
			}
		}
		return out
	case "array":
		return []any{g.value(depth - 1)}
	default:
		return g.scalar().Draw(g.t, "scalar")
	}
}

func drawLimits(t *rapid.T) llm.Limits {
	switch rapid.SampledFrom([]string{"any", "any", "openai", "anthropic", "gemini"}).Draw(t, "provider") {
	case "openai":
		return llm.OpenAILimits()
	case "anthropic":
		return llm.AnthropicLimits()
	case "gemini":
		return llm.GeminiLimits()
	}
	flag := func(name string) bool { return rapid.Bool().Draw(t, name) }
	return llm.Limits{
		NullEnum: flag("NullEnum"), NumberEnum: flag("NumberEnum"), EmptyEnum: flag("EmptyEnum"), Const: flag("Const"),
		TypeList: flag("TypeList"), Ref: flag("Ref"), OneOf: flag("OneOf"), AdditionalProperties: flag("AdditionalProperties"),
		Default: flag("Default"), Examples: flag("Examples"), Annotations: flag("Annotations"), Extensions: flag("Extensions"),
		Pattern: flag("Pattern"), MultipleOf: flag("MultipleOf"), Bounds: flag("Bounds"), ExclusiveBounds: flag("ExclusiveBounds"),
		Lengths: flag("Lengths"), Counts: flag("Counts"), UniqueItems: flag("UniqueItems"),
		Formats:  rapid.SampledFrom([][]string{nil, {}, {"date"}}).Draw(t, "Formats"),
		MaxDepth: rapid.IntRange(0, 3).Draw(t, "MaxDepth"),
	}
}

func TestLowerOnlyWidens(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		g := schemaGen{t}
		text, err := json.Marshal(g.root())
		require.NoError(t, err)
		full, limits := parse(t, string(text)), drawLimits(t)
		before := encode(t, full)

		lowered := llm.Lower(full, limits)

		require.Equal(t, before, encode(t, full), "the input is unchanged")
		require.Equal(t, encode(t, lowered), encode(t, llm.Lower(lowered, limits)), "idempotent")
		within(t, lowered, limits)
		for range 8 {
			value := g.value(3)
			if resolved, err := full.Resolve(nil); err == nil && validates(resolved, value) {
				accepts(t, full, lowered, value)
			}
		}
	})
}

// validates reports whether a value passes; schemas that refer to themselves
// without end never get here, since root draws none.
func validates(s *jsonschema.Resolved, value any) bool { return s.Validate(value) == nil }

// accepts checks that a value which passes the full schema passes the lowered
// one too.
func accepts(t require.TestingT, full, lowered *jsonschema.Schema, value any) {
	resolved, err := full.Resolve(nil)
	require.NoError(t, err)
	require.NoError(t, resolved.Validate(value), "the test's value")
	wide, err := withNull(parse(t, encode(t, lowered))).Resolve(nil)
	require.NoError(t, err)
	require.NoError(t, wide.Validate(value), "%s\nas lowered: %s", encode(t, full), encode(t, lowered))
}

// withNull writes nullable as JSON Schema says it.
func withNull(s *jsonschema.Schema) *jsonschema.Schema {
	for child := range children(s) {
		*child = *withNull(child)
	}
	if s.Extra["nullable"] != true {
		return s
	}
	delete(s.Extra, "nullable")
	inner := *s
	inner.Defs, s.Defs = nil, inner.Defs
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Type: "null"}, &inner}, Defs: s.Defs}
}

// children yields the schemas right below s.
func children(s *jsonschema.Schema) func(func(*jsonschema.Schema) bool) {
	all := slices.Concat(slices.Collect(maps.Values(s.Properties)), slices.Collect(maps.Values(s.Defs)), s.OneOf)
	if s.Items != nil {
		all = append(all, s.Items)
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Not == nil {
		all = append(all, s.AdditionalProperties)
	}
	return slices.Values(all)
}

// within checks that s has nothing that the limits forbid.
func within(t require.TestingT, s *jsonschema.Schema, l llm.Limits) {
	never := func(forbidden, present bool, keyword string) {
		require.False(t, forbidden && present, "%s in %s", keyword, encode(t, s))
	}
	other := func(v any) bool { _, is := v.(string); return !is && v != nil }
	never(l.NullEnum, slices.Contains(s.Enum, any(nil)), "null in enum")
	never(l.NumberEnum, slices.ContainsFunc(s.Enum, other), "enum of numbers")
	never(l.NumberEnum, s.Enum != nil && s.Type != "string" && len(s.Types) == 0, "enum of another type")
	never(l.EmptyEnum, s.Enum != nil && (len(s.Enum) == 0 || slices.Contains(s.Enum, any(""))), "empty enum")
	never(l.Const, s.Const != nil, "const")
	never(l.TypeList, len(s.Types) > 0, "types")
	never(l.Ref, s.Ref != "" || s.Defs != nil, "$ref")
	never(l.OneOf, s.OneOf != nil, "oneOf")
	never(l.AdditionalProperties, s.AdditionalProperties != nil, "additionalProperties")
	never(l.Default, s.Default != nil, "default")
	never(l.Examples, s.Examples != nil, "examples")
	never(l.Annotations, s.Deprecated || s.ReadOnly || s.WriteOnly, "annotations")
	never(l.Pattern, s.Pattern != "", "pattern")
	never(l.MultipleOf, s.MultipleOf != nil, "multipleOf")
	never(l.Bounds, s.Minimum != nil || s.Maximum != nil, "bounds")
	never(l.ExclusiveBounds, s.ExclusiveMinimum != nil || s.ExclusiveMaximum != nil, "exclusive bounds")
	never(l.Lengths, s.MinLength != nil || s.MaxLength != nil, "lengths")
	never(l.Counts, s.MinItems != nil || s.MaxItems != nil, "counts")
	never(l.UniqueItems, s.UniqueItems, "uniqueItems")
	never(l.Formats != nil, s.Format != "" && !slices.Contains(l.Formats, s.Format), "format")
	for key := range s.Extra {
		never(l.Extensions, strings.HasPrefix(key, "x-"), key)
	}
	never(l.MaxDepth > 0, s.Defs == nil && nesting(s) > l.MaxDepth, "depth")
	for child := range children(s) {
		within(t, child, l)
	}
}

// nesting counts the objects within each other, references not followed.
func nesting(s *jsonschema.Schema) int {
	deepest := 0
	for child := range children(s) {
		deepest = max(deepest, nesting(child))
	}
	if s.Properties != nil || s.AdditionalProperties != nil {
		return deepest + 1
	}
	return deepest
}

func FuzzLower(f *testing.F) {
	f.Add([]byte(payment), []byte(`{"kind":"cash","note":1}`))
	f.Add([]byte(`{"type":["string","null"],"enum":["a",null,1]}`), []byte(`null`))
	f.Add([]byte(`{"$ref":"#/$defs/A","$defs":{"A":{"properties":{"a":{"$ref":"#/$defs/A"}}}}}`), []byte(`{"a":{}}`))
	f.Add([]byte(`{"patternProperties":{"a":true},"additionalProperties":false,"prefixItems":[true],"items":false}`), []byte(`{"a":1}`))
	f.Fuzz(func(t *testing.T, schema, instance []byte) {
		var full jsonschema.Schema
		var value any
		if json.Unmarshal(schema, &full) != nil || json.Unmarshal(instance, &value) != nil {
			return
		}
		before, err := json.Marshal(&full)
		if err != nil {
			return
		}
		for _, limits := range []llm.Limits{{}, llm.OpenAILimits(), llm.AnthropicLimits(), llm.GeminiLimits()} {
			lowered := llm.Lower(&full, limits)
			within(t, lowered, limits)
			require.Equal(t, encode(t, lowered), encode(t, llm.Lower(lowered, limits)))
			require.Equal(t, string(before), encode(t, &full))
			if strings.Contains(string(schema), `$`) { // the library follows a reference without end
				continue
			}
			if resolved, err := full.Resolve(nil); err == nil && validates(resolved, value) {
				accepts(t, &full, lowered, value)
			}
		}
	})
}
