package schemas

import (
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"
)

// bound reads a number that a schema holds as a float. On an integer it must
// be an integer of the field's type that a float64 holds exactly.
func (g *tagger) bound(name, text string, target **float64) error {
	if !isNumber(text) {
		return g.refuse(name, "%q is not a JSON number", text)
	}
	if g.is("integer") {
		if err := g.inRange(text); err != nil {
			return g.refuse(name, "%w", err)
		}
	}
	f, err := exactFloat(text)
	if err != nil {
		return g.refuse(name, "%w", err)
	}
	if name == "multipleOf" && f <= 0 {
		return g.refuse(name, "%s is not above 0", text)
	}
	if g.typ.Kind() == reflect.Float32 && reflect.Zero(g.typ).OverflowFloat(f) {
		return g.refuse(name, "%s does not fit into %s", text, g.typ)
	}
	*target = &f
	return nil
}

// inRange reports whether text is an integer that the field's type holds.
func (g *tagger) inRange(text string) error {
	var err error
	switch g.typ.Kind() {
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		_, err = strconv.ParseUint(text, 10, g.typ.Bits())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		_, err = strconv.ParseInt(text, 10, g.typ.Bits())
	default: // a special type that is sent as an integer
		_, err = strconv.ParseInt(text, 10, 64)
	}
	if err != nil {
		return fmt.Errorf("%s is not an integer that %s can hold", text, g.typ)
	}
	return nil
}

// enumValue reads one value of an enum tag.
func (g *tagger) enumValue(text string) (any, error) {
	if text == "" || strings.TrimSpace(text) != text {
		return nil, fmt.Errorf("the value %q is empty or has spaces around it; write a,b,c", text)
	}
	raw := jsontext.Value(text)
	if g.is("string") {
		quoted, err := jsontext.AppendQuote(nil, text)
		if err != nil {
			return nil, fmt.Errorf("the value %q: %w", text, err)
		}
		raw = quoted
	} else if !isNumber(text) {
		return nil, fmt.Errorf("the value %q is not a JSON number", text)
	}
	return g.fitting(raw)
}

// defaultValue makes a JSON value the one that is taken when the field is
// absent.
func (g *tagger) defaultValue(text string) error {
	if _, err := g.fitting(jsontext.Value(text)); err != nil {
		return g.refuse("default", "%w", err)
	}
	raw := jsontext.Value(text)
	if err := raw.Compact(); err != nil {
		return g.refuse("default", "%w", err)
	}
	g.schema.Default = []byte(raw)
	return nil
}

// examples adds the values of a JSON array as examples.
func (g *tagger) examples(text string) error {
	var list []jsontext.Value
	if err := json.Unmarshal([]byte(text), &list); err != nil || len(list) == 0 {
		return g.refuse("examples", "%q is not a JSON array with at least one value", text)
	}
	for _, raw := range list {
		value, err := g.fitting(raw)
		if err != nil {
			return g.refuse("examples", "%w", err)
		}
		g.schema.Examples = append(g.schema.Examples, value)
	}
	return nil
}

// fitting returns the value that raw writes, or why the field does not take it.
func (g *tagger) fitting(raw jsontext.Value) (any, error) {
	value, err := decode(raw)
	if err != nil {
		return nil, fmt.Errorf("%q is not JSON that can be held (a string needs quotes): %w", raw, err)
	}
	resolved, err := g.schema.Resolve(nil)
	if err != nil {
		return nil, fmt.Errorf("the schema does not hold together: %w", err)
	}
	if err := resolved.Validate(value); err != nil {
		return nil, fmt.Errorf("%s does not fit the field: %w", raw, err)
	}
	if value == nil || holdsUnion(g.schema) {
		return value, nil // null is the pointer's, and a union has a decoder of its own
	}
	if err := json.Unmarshal(raw, reflect.New(g.typ).Interface(), json.RejectUnknownMembers(true)); err != nil {
		return nil, fmt.Errorf("%s does not fit the field: %w", raw, err)
	}
	return value, nil
}

// holdsUnion reports whether a schema has a oneOf anywhere.
func holdsUnion(s *jsonschema.Schema) bool {
	if s.OneOf != nil {
		return true
	}
	for child := range children(s) {
		if holdsUnion(child) {
			return true
		}
	}
	return false
}

// empty says which bounds of a schema leave no value, or "".
func empty(s *jsonschema.Schema) string {
	switch {
	case above(s.MinLength, s.MaxLength):
		return "minLength is above maxLength, so no value fits"
	case above(s.MinItems, s.MaxItems):
		return "minItems is above maxItems, so no value fits"
	case above(s.Minimum, s.Maximum), above(s.ExclusiveMinimum, s.Maximum), above(s.Minimum, s.ExclusiveMaximum),
		above(s.ExclusiveMinimum, s.ExclusiveMaximum), same(s.ExclusiveMinimum, s.Maximum),
		same(s.Minimum, s.ExclusiveMaximum), same(s.ExclusiveMinimum, s.ExclusiveMaximum):
		return "the lower bound is not below the upper one, so no value fits"
	default:
		return ""
	}
}

func above[N int | float64](low, high *N) bool { return low != nil && high != nil && *low > *high }

func same(low, high *float64) bool { return low != nil && high != nil && *low == *high }

func isNumber(text string) bool {
	return text != "" && strings.Trim(text, "+-.0123456789eE") == "" && jsontext.Value(text).IsValid()
}

// decode returns a JSON value in Go's types, with integers as int64 or uint64
// and other numbers as float64. What none of them holds is refused, as are
// duplicate names.
func decode(raw jsontext.Value) (any, error) {
	var value any
	err := json.Unmarshal(raw, &value, json.WithUnmarshalers(json.UnmarshalFromFunc(decodeNumber)))
	return value, err
}

func decodeNumber(d *jsontext.Decoder, value *any) error {
	if d.PeekKind() != '0' {
		return errors.ErrUnsupported // as any other value
	}
	raw, err := d.ReadValue()
	if err != nil {
		return err
	}
	text := string(raw)
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		*value = n
		return nil
	}
	if n, err := strconv.ParseUint(text, 10, 64); err == nil {
		*value = n
		return nil
	}
	f, err := exactFloat(text)
	if err != nil {
		return err
	}
	*value = f
	return nil
}

// exactFloat returns the float64 of a JSON number. It refuses overflow,
// underflow to zero and integers that would be rounded; fractions are rounded
// as everywhere in JSON.
func exactFloat(text string) (float64, error) {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, fmt.Errorf("the number %s is too large for a float64", text)
	}
	if mantissa, _, _ := strings.Cut(strings.ToLower(text), "e"); f == 0 && strings.ContainsAny(mantissa, "123456789") {
		return 0, fmt.Errorf("the number %s is too small for a float64", text)
	}
	if strings.ContainsAny(text, ".eE") {
		return f, nil
	}
	if n, ok := new(big.Int).SetString(text, 10); !ok || !isExact(n) {
		return 0, fmt.Errorf("the integer %s cannot be held exactly by a float64", text)
	}
	return f, nil
}

func isExact(n *big.Int) bool {
	_, accuracy := new(big.Float).SetInt(n).Float64()
	return accuracy == big.Exact
}
