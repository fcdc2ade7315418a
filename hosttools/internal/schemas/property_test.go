package schemas_test

import (
	"bytes"
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/agentstudio/agentstudio/hosttools/internal/schemas"
)

// TestAcceptedDecodes checks, over generated types, that values made to fit a
// schema are accepted by it, and that whatever it accepts, mutated or not, is
// decoded by the strict decoder.
func TestAcceptedDecodes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		typ := genStruct(t, 4, true)
		s, err := schemas.Input(typ, schemas.Options{})
		require.NoError(t, err, "%s", typ)
		resolved, err := s.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
		require.NoError(t, err)

		value := genValue(t, s)
		require.NoError(t, resolved.Validate(value), "%s takes %v", typ, value)
		require.NoError(t, decodes(typ, value), "%s decodes %v", typ, value)
		for range rapid.IntRange(0, 3).Draw(t, "mutations") {
			value = mutate(t, value)
			if resolved.Validate(value) == nil && representable(s, value) {
				require.NoError(t, decodes(typ, value), "%s decodes %v", typ, value)
			}
		}
	})
}

// TestEncodedIsAccepted checks that whatever a type can hold is, encoded,
// accepted by its schema.
func TestEncodedIsAccepted(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		typ := genStruct(t, 4, false)
		s, err := schemas.Result(typ, schemas.Options{})
		require.NoError(t, err, "%s", typ)
		resolved, err := s.Resolve(nil)
		require.NoError(t, err)

		instance := reflect.New(typ).Elem()
		fill(t, instance)
		text, err := json.Marshal(instance.Interface())
		require.NoError(t, err)
		value := parse(t, text)
		require.NoError(t, resolved.Validate(value), "%s wrote %s", typ, text)
		require.True(t, representable(s, value), "%s wrote %s", typ, text)
		require.NoError(t, decodes(typ, value), "%s reads %s", typ, text)
	})
}

func decodes(typ reflect.Type, value any) error {
	text, err := json.Marshal(value, json.Deterministic(true))
	if err != nil {
		return err
	}
	return json.Unmarshal(text, reflect.New(typ).Interface(), json.RejectUnknownMembers(true))
}

// representable checks what the schemas say but their library does not check:
// the range of 64-bit integers, and the format date-time.
func representable(s *jsonschema.Schema, value any) bool {
	switch v := value.(type) {
	case map[string]any:
		for name, member := range v {
			inner := s.Properties[name]
			if inner == nil {
				inner = s.AdditionalProperties
			}
			if !representable(inner, member) {
				return false
			}
		}
	case []any:
		return !slices.ContainsFunc(v, func(item any) bool { return !representable(s.Items, item) })
	case string:
		_, err := time.Parse(time.RFC3339, v)
		return s.Format == "" || err == nil
	case uint64:
		return s.Extra["x-go-integer"] != "int64" || v <= math.MaxInt64
	case float64:
		return s.Extra["x-go-integer"] == nil || math.Abs(v) < 1<<62
	}
	return true
}

// fill sets v and all it holds to drawn values.
func fill(t *rapid.T, v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "bool"))
	case reflect.String:
		v.SetString(rapid.String().Draw(t, "string"))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		shift := 64 - v.Type().Bits()
		v.SetInt(rapid.Int64().Draw(t, "int") >> shift)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		shift := 64 - v.Type().Bits()
		v.SetUint(rapid.Uint64().Draw(t, "uint") >> shift)
	case reflect.Float32:
		v.SetFloat(float64(rapid.Float32().Draw(t, "float32")))
	case reflect.Float64:
		v.SetFloat(rapid.Float64().Draw(t, "float64"))
	case reflect.Struct:
		fillStruct(t, v)
	case reflect.Pointer:
		if rapid.Bool().Draw(t, "set") {
			v.Set(reflect.New(v.Type().Elem()))
			fill(t, v.Elem())
		}
	default:
		fillMany(t, v)
	}
}

func fillStruct(t *rapid.T, v reflect.Value) {
	if v.Type() == reflect.TypeFor[time.Time]() {
		seconds := rapid.Int64Range(0, 4e9).Draw(t, "seconds")
		v.Set(reflect.ValueOf(time.Unix(seconds, rapid.Int64Range(0, 999_999_999).Draw(t, "nanoseconds")).UTC()))
		return
	}
	for i := range v.NumField() {
		fill(t, v.Field(i))
	}
}

func fillMany(t *rapid.T, v reflect.Value) {
	n := rapid.IntRange(0, 3).Draw(t, "length")
	switch v.Kind() {
	case reflect.Array:
		for i := range v.Len() {
			fill(t, v.Index(i))
		}
	case reflect.Slice:
		for range n {
			item := reflect.New(v.Type().Elem()).Elem()
			fill(t, item)
			v.Set(reflect.Append(v, item))
		}
	case reflect.Map:
		for range n {
			if v.IsNil() {
				v.Set(reflect.MakeMap(v.Type()))
			}
			item := reflect.New(v.Type().Elem()).Elem()
			fill(t, item)
			v.SetMapIndex(reflect.ValueOf(rapid.String().Draw(t, "key")), item)
		}
	}
}

// parse reads JSON with integers as int64 or uint64.
func parse(t *rapid.T, text []byte) any {
	var value any
	d := jsontext.NewDecoder(bytes.NewReader(text))
	err := json.UnmarshalDecode(d, &value, json.WithUnmarshalers(json.UnmarshalFromFunc(exactNumber)))
	require.NoError(t, err)
	return value
}
