package schema

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/agentstudio/agentstudio/studio/canon"
)

// maxListed is how many choices a message lists.
const maxListed = 20

// maxExactDouble is up to where every integer is a double.
const maxExactDouble = 1 << 53

// enumeration compiles enum and const. Without a type, they also say which
// kinds fit.
func enumeration(n *node, s *jsonschema.Schema, at place) error {
	if s.Enum == nil && s.Const == nil {
		return nil
	}
	values, err := scalars(n, s, at)
	if err != nil {
		return err
	}
	if s.Type == "" && s.Types == nil {
		n.kinds = 0
		for _, v := range values {
			n.kinds |= kindsOf(v.Kind())
		}
	}
	n.choices = &choices{values: values, refusal: "must be " + listed(values)}
	n.refusal = n.choices.refusal
	return nil
}

// scalars returns the values that both enum and const leave.
func scalars(n *node, s *jsonschema.Schema, at place) ([]canon.Value, error) {
	var values []canon.Value
	for i, raw := range s.Enum {
		value, err := scalar(n, raw, at.under("enum", strconv.Itoa(i)))
		if err != nil {
			return nil, err
		}
		values = append(values, value)
	}
	if s.Const == nil {
		if len(values) == 0 {
			return nil, at.refuse("enum has no values")
		}
		return values, nil
	}
	only, err := scalar(n, *s.Const, at.under("const"))
	if err != nil {
		return nil, err
	}
	if s.Enum != nil && !contains(values, only) {
		return nil, at.refuse("const is none of the values of enum")
	}
	return []canon.Value{only}, nil
}

// scalar returns a value of enum or const in the normal form of n.
func scalar(n *node, raw any, at place) (canon.Value, error) {
	encoded, err := json.Marshal(raw)
	if err != nil {
		return canon.Value{}, at.refuse("the value cannot be written as JSON: %w", err)
	}
	value, err := canon.Parse(encoded)
	if err != nil {
		return canon.Value{}, at.refuse("the value cannot be read: %w", err)
	}
	switch kind := value.Kind(); {
	case kind == canon.KindArray || kind == canon.KindObject:
		return canon.Value{}, at.refuse("only text, numbers, true, false and null can be chosen from")
	case !n.kinds.has(kind):
		return canon.Value{}, at.refuse("the value %s is not of the type", encoded)
	case kind != canon.KindNumber:
		return value, nil
	case n.numbers == asInteger && isInexact(raw):
		return canon.Value{}, at.refuse("the value %s may have been rounded; give it as an int64 or uint64", encoded)
	}
	out, _, refusal := n.numbers.normal(value)
	if refusal != "" {
		return canon.Value{}, at.refuse("the value %s %s", encoded, refusal)
	}
	return out, nil
}

// isInexact reports whether raw may stand for several integers, because it
// came through a double.
func isInexact(raw any) bool {
	f, ok := raw.(float64)
	return ok && math.Abs(f) > maxExactDouble-1
}

func contains(values []canon.Value, v canon.Value) bool {
	for _, value := range values {
		if canon.Equal(value, v) {
			return true
		}
	}
	return false
}

// listed writes choices for people.
func listed(values []canon.Value) string {
	var words []string
	for _, v := range values[:min(len(values), maxListed)] {
		encoded, err := canon.Bytes(v)
		if err != nil {
			continue // Not in normal form, so not a choice.
		}
		words = append(words, string(encoded))
	}
	text := strings.Join(words, ", ")
	if more := len(values) - maxListed; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	if len(values) == 1 {
		return text
	}
	return "one of " + text
}

// counted writes a number of things.
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
