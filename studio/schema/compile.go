package schema

import (
	"math"
	"regexp"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/agentstudio/agentstudio/studio/canon"
)

// compiler turns schemas into nodes.
type compiler struct {
	anything *node
	count    int
}

// compile compiles s and all schemas inside of it.
func (c *compiler) compile(s *jsonschema.Schema, at place) (*node, error) {
	if err := c.admit(s, at); err != nil {
		return nil, err
	}
	n := &node{}
	parts := []func(*node, *jsonschema.Schema, place) error{
		types, enumeration, numbers, texts, c.list, c.objects, fallback,
	}
	for _, part := range parts {
		if err := part(n, s, at); err != nil {
			return nil, err
		}
	}
	return n, nil
}

// admit refuses a schema that is not to be looked into at all.
func (c *compiler) admit(s *jsonschema.Schema, at place) error {
	c.count++
	switch {
	case s == nil:
		return at.refuse("the schema is missing")
	case at.depth >= MaxDepth:
		return at.refuse("schemas are nested more than %d deep", MaxDepth)
	case c.count > MaxSchemas:
		return at.refuse("the whole has more than %d schemas", MaxSchemas)
	}
	if keyword := foreignKeyword(s); keyword != "" {
		return at.refuse("the keyword %.100q is not supported", keyword)
	}
	return nil
}

// types compiles type. Without one, all kinds fit.
func types(n *node, s *jsonschema.Schema, at place) error {
	names := s.Types
	if s.Type != "" {
		if len(names) > 0 {
			return at.refuse("type is given twice")
		}
		names = []string{s.Type}
	}
	if names == nil {
		n.kinds = allKinds()
		return nil
	}
	main, err := mainType(names, at)
	if err != nil {
		return err
	}
	for _, name := range names {
		kind, ok := kindOf(name)
		if !ok {
			return at.refuse("there is no type %.100q", name)
		}
		n.kinds |= kindsOf(kind)
	}
	n.refusal = "must be " + described(main)
	switch main {
	case "integer":
		n.numbers = asInteger
	case "number":
		n.numbers = asDouble
	}
	return nil
}

// mainType returns the type that is not "null", or "null" if it is alone.
func mainType(names []string, at place) (string, error) {
	switch {
	case len(names) == 1:
		return names[0], nil
	case len(names) != 2 || names[0] == names[1] || !slices.Contains(names, "null"):
		return "", at.refuse("type must be one type, or one type and \"null\"")
	case names[0] == "null":
		return names[1], nil
	default:
		return names[0], nil
	}
}

func numbers(n *node, s *jsonschema.Schema, at place) error {
	limits := []struct {
		keyword         string
		value           *float64
		isLower, strict bool
	}{
		{"minimum", s.Minimum, true, false},
		{"exclusiveMinimum", s.ExclusiveMinimum, true, true},
		{"maximum", s.Maximum, false, false},
		{"exclusiveMaximum", s.ExclusiveMaximum, false, true},
		{"multipleOf", s.MultipleOf, false, false},
	}
	for _, limit := range limits {
		switch {
		case limit.value == nil:
		case s.Type == "" && s.Types == nil:
			return at.refuse("%s needs a type, \"integer\" or \"number\"", limit.keyword)
		case math.IsNaN(*limit.value) || math.IsInf(*limit.value, 0):
			return at.refuse("%s must be a finite number", limit.keyword)
		case limit.keyword != "multipleOf":
			n.edges = append(n.edges, newEdge(*limit.value, limit.isLower, limit.strict))
		case *limit.value <= 0:
			return at.refuse("multipleOf must be above zero")
		default:
			n.step = newStep(*limit.value)
		}
	}
	return goInteger(n, s, at)
}

// goInteger compiles the extension that names the Go type of an integer.
func goInteger(n *node, s *jsonschema.Schema, at place) error {
	name, ok := s.Extra[goIntegerKeyword]
	if !ok {
		return nil
	}
	if n.numbers != asInteger {
		return at.refuse("%s needs the type \"integer\"", goIntegerKeyword)
	}
	switch name {
	case "int64":
		n.edges = append(n.edges, integerEdge("-9223372036854775808", true), integerEdge("9223372036854775807", false))
	case "uint64":
		n.edges = append(n.edges, integerEdge("0", true), integerEdge("18446744073709551615", false))
	default:
		return at.refuse("%s must be \"int64\" or \"uint64\"", goIntegerKeyword)
	}
	return nil
}

func texts(n *node, s *jsonschema.Schema, at place) error {
	if s.MinLength == nil && s.MaxLength == nil && s.Pattern == "" && s.Format == "" {
		return nil
	}
	n.text = &text{minLength: valueOr(s.MinLength, 0), maxLength: valueOr(s.MaxLength, -1)}
	if err := lengths(at, "Length", s.MinLength, s.MaxLength); err != nil {
		return err
	}
	if s.Pattern != "" {
		pattern, err := regexp.Compile(s.Pattern)
		if err != nil {
			return at.refuse("the pattern does not compile: %w", err)
		}
		n.text.pattern = pattern
	}
	if s.Format != "" {
		if n.text.format = formatOf(s.Format); n.text.format == nil {
			return at.refuse("there is no format %.100q", s.Format)
		}
	}
	return nil
}

func (c *compiler) list(n *node, s *jsonschema.Schema, at place) error {
	n.list = &list{
		items:    c.anything,
		minItems: valueOr(s.MinItems, 0), maxItems: valueOr(s.MaxItems, -1),
		unique: s.UniqueItems,
	}
	if err := lengths(at, "Items", s.MinItems, s.MaxItems); err != nil {
		return err
	}
	if s.Items == nil {
		return nil
	}
	items, err := c.compile(s.Items, at.under("items"))
	n.list.items = items
	return err
}

// lengths refuses limits that are not sizes.
func lengths(at place, what string, lower, upper *int) error {
	if valueOr(lower, 0) < 0 || valueOr(upper, 0) < 0 {
		return at.refuse("min%s and max%s cannot be below zero", what, what)
	}
	return nil
}

// valueOr returns what p points to, or otherwise if p is nil.
func valueOr(p *int, otherwise int) int {
	if p == nil {
		return otherwise
	}
	return *p
}

// fallback compiles default, which is to fit what was compiled before.
func fallback(n *node, s *jsonschema.Schema, at place) error {
	if s.Default == nil {
		return nil
	}
	value, err := canon.Parse(s.Default)
	if err != nil {
		return at.refuse("the default cannot be read: %w", err)
	}
	var w walk
	value, _ = w.value(n, value)
	if len(w.issues) > 0 {
		return at.refuse("the default%s %s", spaced(w.issues[0].Pointer), w.issues[0].Message)
	}
	n.fallback = &value
	return nil
}

func spaced(pointer string) string {
	if pointer == "" {
		return ""
	}
	return " at " + pointer
}
