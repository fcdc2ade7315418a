package schema_test

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/studio/canon"
	"github.com/agentstudio/agentstudio/studio/schema"
)

// plain returns a value in Go's own types, as the library takes it.
func plain(v canon.Value) any {
	switch v.Kind() {
	case canon.KindBool:
		return v.Bool()
	case canon.KindString:
		return v.Str()
	case canon.KindNumber:
		return plainNumber(v)
	case canon.KindArray:
		items := make([]any, 0, v.Len())
		for _, item := range v.Items() {
			items = append(items, plain(item))
		}
		return items
	case canon.KindObject:
		members := make(map[string]any, v.Len())
		for _, m := range v.Members() {
			members[m.Name] = plain(m.Value)
		}
		return members
	default:
		return nil
	}
}

func plainNumber(v canon.Value) any {
	digits, _ := v.Integer()
	if i, err := strconv.ParseInt(digits, 10, 64); err == nil {
		return i
	}
	if u, err := strconv.ParseUint(digits, 10, 64); err == nil {
		return u
	}
	f, err := v.Float()
	if err != nil {
		return math.Inf(1)
	}
	return f
}

// reference returns s as the library has to read it to mean the same:
//
//   - a member with a default need not be sent, also if it is required, and
//   - a oneOf whose type includes null takes null.
func reference(s *jsonschema.Schema) *jsonschema.Schema {
	clone := s.CloneSchemas()
	for inner := range inside(clone) {
		inner.Required = slices.DeleteFunc(slices.Clone(inner.Required), func(name string) bool {
			p := inner.Properties[name]
			return p != nil && p.Default != nil
		})
		if inner.OneOf != nil && slices.Contains(inner.Types, "null") {
			choice := &jsonschema.Schema{OneOf: inner.OneOf}
			inner.OneOf, inner.AnyOf = nil, []*jsonschema.Schema{choice, {Type: "null"}}
		}
	}
	return clone
}

// inside yields s and all schemas inside of it, outermost first.
func inside(s *jsonschema.Schema) func(yield func(*jsonschema.Schema) bool) {
	return func(yield func(*jsonschema.Schema) bool) { walkSchemas(s, yield) }
}

func walkSchemas(s *jsonschema.Schema, yield func(*jsonschema.Schema) bool) bool {
	if s == nil {
		return true
	}
	inner := slices.Clone(s.OneOf)
	for _, p := range s.Properties {
		inner = append(inner, p)
	}
	inner = append(inner, s.Items, s.AdditionalProperties)
	if !yield(s) {
		return false
	}
	for _, i := range inner {
		if !walkSchemas(i, yield) {
			return false
		}
	}
	return true
}

func accepts(t require.TestingT, s *jsonschema.Schema, v canon.Value) bool {
	resolved, err := s.Resolve(nil)
	require.NoError(t, err)
	return resolved.Validate(plain(v)) == nil
}

// Where the library decides otherwise, and so the properties below are not
// asserted. Each difference is one that the package promises.
func TestDifferencesFromTheLibrary(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, schema, value string
		ours, theirs        bool
	}{
		{"formats are asserted", `{"type":"string","format":"date"}`, `"x"`, false, true},
		{"multiples of fractions are exact", `{"type":"number","multipleOf":0.01}`, `19.99`, true, false},
		{"multiples of fractions are exact", `{"type":"number","multipleOf":0.1}`, `0.3`, true, false},
		{"multiples of large integers are exact", `{"type":"integer","multipleOf":2}`, `9007199254740993`, false, true},
		{"multiples of large doubles are exact", `{"type":"number","multipleOf":3}`, `1e300`, false, true},
		{"a number that cannot be held", `{"type":"number"}`, `1e999`, false, true},
		{"an integer of too many digits", `{"type":"integer"}`, `1e50`, false, true},
		{"a range of Go", `{"type":"integer","x-go-integer":"int64"}`, `9223372036854775808`, false, true},
		{"integers beyond uint64 are exact", `{"type":"integer","maximum":36893488147419103232}`, `36893488147419103233`, false, true},
		{"large integers are no doubles", `{"type":"number","maximum":9007199254740992}`, `9007199254740993`, true, false},
		{"defaults fill what is required", `{"required":["a"],"properties":{"a":{"default":1}}}`, `{}`, true, false},
		{
			"null beside oneOf",
			`{"type":["object","null"],"oneOf":[{"type":"object","required":["k"],"properties":{"k":{"const":"x"}}}]}`, `null`, true, false,
		},
		{"a default beside a look-alike", `{"properties":{"a":{"default":1}}}`, `{"A":1}`, false, true},
	}
	for _, test := range tests {
		s, v := decode(t, test.schema), parse(t, test.value)
		compiled, err := schema.Compile(s)
		require.NoError(t, err)
		_, issues := compiled.Normalise(v)
		require.Equal(t, test.ours, issues == nil, test.name)
		require.Equal(t, test.theirs, accepts(t, s, v), test.name)
	}
}
