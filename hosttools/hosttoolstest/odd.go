package hosttoolstest

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// Limits of odd arguments where the schema sets none.
const (
	longText = 10_000
	longList = 100
)

// odd returns variants of arguments at the edges of what a schema takes: one
// member at a time, and one variant with nothing but what is required. Some may
// not fit, for example a pattern.
func odd(s *jsonschema.Schema, base map[string]any) []map[string]any {
	return oddWithin(s, base, maxNesting)
}

func oddWithin(s *jsonschema.Schema, base map[string]any, nesting int) []map[string]any {
	least := maps.Clone(base)
	maps.DeleteFunc(least, func(name string, _ any) bool { return !slices.Contains(s.Required, name) })
	variants := []map[string]any{least}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		for _, value := range edges(s.Properties[name], nesting-1) {
			variant := maps.Clone(base)
			variant[name] = value
			variants = append(variants, variant)
		}
	}
	return variants
}

// edges returns the values at the edges of a schema.
func edges(s *jsonschema.Schema, nesting int) []any {
	if nesting == 0 {
		return nil
	}
	var values []any
	if slices.Contains(s.Types, "null") {
		values = append(values, nil)
	}
	if len(s.Enum) > 0 {
		return append(values, s.Enum...)
	}
	for _, branch := range s.OneOf {
		values = append(values, edges(branch, nesting-1)...)
	}
	switch kindOf(s) {
	case "string":
		return append(values, edgeTexts(s)...)
	case "integer", "number":
		return append(values, edgeNumbers(s)...)
	case "boolean":
		return append(values, true, false)
	case "array":
		return append(values, edgeLists(s)...)
	case "object":
		return append(values, edgeObjects(s, nesting)...)
	default:
		return values
	}
}

func edgeTexts(s *jsonschema.Schema) []any {
	long := min(valueOr(s.MaxLength, longText), longText)
	return []any{
		"", " ", "\n\t", strings.Repeat("x", long), strings.Repeat("\U0001F600", long),
		"Ünï — 日本語 \u202e\u200d\u0000", `'"\; DROP -- %s {{.}} ../`,
	}
}

// edgeNumbers returns the bounds and what is near to zero. Without bounds those
// of Go's integers count.
func edgeNumbers(s *jsonschema.Schema) []any {
	values := []any{0, 1, -1}
	for _, bound := range []*float64{s.Minimum, s.Maximum} {
		if bound != nil {
			values = append(values, *bound)
		}
	}
	if s.Type == "number" || slices.Contains(s.Types, "number") {
		return append(values, 0.1, math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64)
	}
	return append(values, int64(math.MaxInt64), int64(math.MinInt64))
}

func edgeLists(s *jsonschema.Schema) []any {
	values := []any{[]any{}}
	if item, ok := example(s.Items); ok {
		values = append(values, slices.Repeat([]any{item}, min(valueOr(s.MaxItems, longList), longList)))
	}
	return values
}

func edgeObjects(s *jsonschema.Schema, nesting int) []any {
	made, ok := example(s)
	base, isObject := made.(map[string]any)
	if !ok || !isObject {
		return nil
	}
	var values []any
	for _, variant := range oddWithin(s, base, nesting) {
		values = append(values, variant)
	}
	return values
}
