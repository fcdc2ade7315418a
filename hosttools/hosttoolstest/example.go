package hosttoolstest

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"
)

// maxNesting bounds how deep values are made up.
const maxNesting = 32

// example makes up a value that a schema takes: its first example, default,
// constant or choice, and otherwise one of its type. It is false where it does
// not know how. Of an object it sets what is required and what has examples.
func example(s *jsonschema.Schema) (any, bool) { return exampleWithin(s, maxNesting) }

func exampleWithin(s *jsonschema.Schema, nesting int) (any, bool) {
	if s == nil || nesting == 0 {
		return nil, false
	}
	if value, ok := declared(s); ok {
		return value, true
	}
	if len(s.OneOf) > 0 {
		return exampleWithin(s.OneOf[0], nesting-1)
	}
	switch kindOf(s) {
	case "string":
		return text(s)
	case "integer", "number":
		return number(s)
	case "boolean":
		return false, true
	case "array":
		return list(s, nesting)
	case "object":
		return object(s, nesting)
	default:
		return "example", true
	}
}

// declared returns a value that the schema itself names.
func declared(s *jsonschema.Schema) (any, bool) {
	if len(s.Examples) > 0 {
		return s.Examples[0], true
	}
	if s.Default != nil {
		return json.RawMessage(s.Default), true
	}
	if s.Const != nil {
		return *s.Const, true
	}
	i := slices.IndexFunc(s.Enum, func(v any) bool { return v != nil })
	if i < 0 {
		return nil, false
	}
	return s.Enum[i], true
}

// kindOf returns the type of a schema, and "" where it has none. Null beside
// another type does not count.
func kindOf(s *jsonschema.Schema) string {
	if s.Type != "" {
		return s.Type
	}
	for _, name := range s.Types {
		if name != "null" {
			return name
		}
	}
	if s.Properties != nil {
		return "object"
	}
	return ""
}

func object(s *jsonschema.Schema, nesting int) (any, bool) {
	values := map[string]any{}
	for name, property := range s.Properties {
		required := slices.Contains(s.Required, name)
		if !required && len(property.Examples) == 0 {
			continue
		}
		value, ok := exampleWithin(property, nesting-1)
		if !ok {
			return nil, false
		}
		values[name] = value
	}
	return values, true
}

func list(s *jsonschema.Schema, nesting int) (any, bool) {
	items := []any{}
	for range valueOr(s.MinItems, 0) {
		item, ok := exampleWithin(s.Items, nesting-1)
		if !ok {
			return nil, false
		}
		items = append(items, item)
	}
	return items, true
}

// text makes up a string. One with a pattern is the pattern's simplest.
func text(s *jsonschema.Schema) (any, bool) {
	switch {
	case s.Format != "":
		value, ok := formatted(s.Format)
		return value, ok
	case s.Pattern != "":
		value, ok := matching(s.Pattern)
		return value, ok
	}
	value := "example"
	if missing := valueOr(s.MinLength, 0) - utf8.RuneCountInString(value); missing > 0 {
		value += strings.Repeat("e", missing)
	}
	if limit := valueOr(s.MaxLength, len(value)); limit < len(value) {
		value = value[:limit]
	}
	return value, true
}

func formatted(format string) (string, bool) {
	switch format {
	case "date-time":
		return "2025-01-31T12:00:00Z", true
	case "date":
		return "2025-01-31", true
	case "time":
		return "12:00:00Z", true
	case "email":
		return "someone@example.test", true
	case "uri":
		return "https://example.test/", true
	case "uuid":
		return "0195f3a0-7c1e-7b5d-9a53-2f6f0c1d8e42", true
	case "ipv4":
		return "192.0.2.1", true
	case "ipv6":
		return "2001:db8::1", true
	case "hostname":
		return "host.example.test", true
	default:
		return "", false
	}
}

// number makes up the smallest number at or above 1 that fits, or else the
// largest below.
func number(s *jsonschema.Schema) (any, bool) {
	low, high := bounds(s)
	value := min(max(low, 1), high)
	if step := s.MultipleOf; step != nil && *step > 0 {
		value = math.Ceil(value / *step) * *step
		if value > high {
			value = math.Floor(high / *step) * *step
		}
	}
	return value, value >= low && value <= high
}

// bounds returns the least and the greatest number of a schema. Beyond an
// exclusive bound the next whole number counts.
func bounds(s *jsonschema.Schema) (low, high float64) {
	low, high = valueOr(s.Minimum, math.Inf(-1)), valueOr(s.Maximum, math.Inf(1))
	if s.ExclusiveMinimum != nil {
		low = max(low, math.Floor(*s.ExclusiveMinimum)+1)
	}
	if s.ExclusiveMaximum != nil {
		high = min(high, math.Ceil(*s.ExclusiveMaximum)-1)
	}
	return low, high
}

func valueOr[T any](p *T, otherwise T) T {
	if p == nil {
		return otherwise
	}
	return *p
}
