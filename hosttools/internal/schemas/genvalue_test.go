package schemas_test

import (
	"errors"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"
	"pgregory.net/rapid"
)

func exactNumber(d *jsontext.Decoder, value *any) error {
	if d.PeekKind() != '0' {
		return errors.ErrUnsupported
	}
	raw, err := d.ReadValue()
	if err != nil {
		return err
	}
	if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
		*value = n
		return nil
	}
	if n, err := strconv.ParseUint(string(raw), 10, 64); err == nil {
		*value = n
		return nil
	}
	*value, err = strconv.ParseFloat(string(raw), 64)
	return err
}

// genValue draws a value that fits a schema made of a generated type.
func genValue(t *rapid.T, s *jsonschema.Schema) any {
	if s.Types != nil && rapid.IntRange(0, 3).Draw(t, "null") == 0 {
		return nil
	}
	if s.Enum != nil {
		return rapid.SampledFrom(s.Enum).Draw(t, "enum")
	}
	kind := s.Type
	if s.Types != nil {
		kind = s.Types[0]
	}
	switch kind {
	case "boolean":
		return rapid.Bool().Draw(t, "bool")
	case "string":
		return genString(t, s)
	case "integer":
		return genInteger(t, s)
	case "number":
		return genNumber(t, s)
	case "array":
		return genList(t, s)
	default:
		return genObject(t, s)
	}
}

func genString(t *rapid.T, s *jsonschema.Schema) string {
	switch {
	case s.Format != "":
		return time.Unix(rapid.Int64Range(0, 4e9).Draw(t, "seconds"), 0).UTC().Format(time.RFC3339)
	case s.Pattern != "":
		return strings.Repeat("a", rapid.IntRange(1, 3).Draw(t, "length"))
	case s.MaxLength != nil:
		return rapid.StringN(*s.MinLength, *s.MaxLength, -1).Draw(t, "string")
	default:
		return rapid.String().Draw(t, "string")
	}
}

func genInteger(t *rapid.T, s *jsonschema.Schema) any {
	low, high := int64(math.MinInt64), int64(math.MaxInt64)
	if s.Minimum != nil {
		low = int64(*s.Minimum)
	}
	if s.Maximum != nil {
		high = int64(*s.Maximum)
	}
	if s.ExclusiveMinimum != nil {
		low = int64(*s.ExclusiveMinimum) + 1
	}
	if s.ExclusiveMaximum != nil {
		high = int64(*s.ExclusiveMaximum) - 1
	}
	if s.MultipleOf != nil { // 3, which every type can hold thirty times
		return 3 * rapid.Int64Range(0, 30).Draw(t, "multiple")
	}
	if s.Extra["x-go-integer"] == "uint64" && s.Maximum == nil && s.ExclusiveMaximum == nil {
		return rapid.Uint64Range(uint64(low), math.MaxUint64).Draw(t, "uint64")
	}
	return rapid.Int64Range(low, high).Draw(t, "integer")
}

func genNumber(t *rapid.T, s *jsonschema.Schema) float64 {
	low, high := -math.MaxFloat64, math.MaxFloat64
	if s.Minimum != nil {
		low, high = *s.Minimum, *s.Maximum
	}
	return rapid.Float64Range(low, high).Draw(t, "number")
}

func genList(t *rapid.T, s *jsonschema.Schema) []any {
	low, high := 0, 3
	if s.MinItems != nil {
		low, high = *s.MinItems, *s.MaxItems
	}
	list := make([]any, rapid.IntRange(low, high).Draw(t, "length"))
	for i := range list {
		list[i] = genValue(t, s.Items)
	}
	return list
}

func genObject(t *rapid.T, s *jsonschema.Schema) map[string]any {
	object := map[string]any{}
	if s.Properties == nil {
		for range rapid.IntRange(0, 3).Draw(t, "length") {
			object[rapid.String().Draw(t, "key")] = genValue(t, s.AdditionalProperties)
		}
		return object
	}
	for _, name := range s.PropertyOrder {
		if slices.Contains(s.Required, name) || rapid.Bool().Draw(t, "given") {
			object[name] = genValue(t, s.Properties[name])
		}
	}
	return object
}

// mutate returns value with one change somewhere inside.
func mutate(t *rapid.T, value any) any {
	if rapid.IntRange(0, 4).Draw(t, "here") == 0 {
		return rapid.SampledFrom(odd()).Draw(t, "odd")
	}
	switch v := value.(type) {
	case map[string]any:
		return mutateObject(t, v)
	case []any:
		list := slices.Clone(v)
		if len(list) == 0 || rapid.Bool().Draw(t, "append") {
			return append(list, rapid.SampledFrom(odd()).Draw(t, "odd"))
		}
		i := rapid.IntRange(0, len(list)-1).Draw(t, "index")
		if rapid.Bool().Draw(t, "drop") {
			return slices.Delete(list, i, i+1)
		}
		list[i] = mutate(t, list[i])
		return list
	default:
		return rapid.SampledFrom(odd()).Draw(t, "odd")
	}
}

func mutateObject(t *rapid.T, v map[string]any) map[string]any {
	object := maps.Clone(v)
	if len(object) == 0 || rapid.IntRange(0, 4).Draw(t, "add") == 0 {
		name := rapid.SampledFrom([]string{"f0", "F0", "f1", "label", "Label", "Embedded", "x"}).Draw(t, "name")
		object[name] = rapid.SampledFrom(odd()).Draw(t, "odd")
		return object
	}
	name := rapid.SampledFrom(slices.Sorted(maps.Keys(object))).Draw(t, "name")
	if rapid.IntRange(0, 2).Draw(t, "drop") == 0 {
		delete(object, name)
	} else {
		object[name] = mutate(t, object[name])
	}
	return object
}

// odd lists values at the edges of what types hold.
func odd() []any {
	return []any{
		nil, true, "", "a", "aaaa", "2020-02-30T00:00:00Z", "2020-01-01T00:00:00Z", int64(0), int64(-1), int64(1), int64(3), int64(7),
		int64(127), int64(128), int64(-129), int64(65536), int64(math.MaxInt32) + 1, int64(math.MaxInt64), int64(math.MinInt64),
		uint64(math.MaxInt64) + 1, uint64(math.MaxUint64), 0.5, 2.0, -1e9, 1e19, 1e300, math.MaxFloat32, 3.5e38,
		[]any{},
		[]any{nil},
		[]any{"a", "b", "c"},
		map[string]any{},
		map[string]any{"count": int64(1)},
		map[string]any{"a": nil},
	}
}
