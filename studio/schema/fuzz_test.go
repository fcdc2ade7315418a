package schema_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/studio/canon"
	"github.com/agentstudio/agentstudio/studio/schema"
)

func FuzzNormalise(f *testing.F) {
	for _, seed := range [][2]string{
		{defaults2, `{}`},
		{fields3, `{"id":1.0,"status":"paid","total":2.50}`},
		{list100, `[{"id":1,"status":"new"}]`},
		{`{"type":["object","null"],"oneOf":[{"type":"object","required":["k"],"properties":{"k":{"const":"x"}}}]}`, `{"k":"x"}`},
		{`{"type":"array","uniqueItems":true,"minItems":1,"maxItems":3}`, `[1,1.0]`},
		{`{"type":"number","multipleOf":0.01,"minimum":0,"exclusiveMaximum":1e300}`, `1e299`},
		{`{"type":"string","pattern":"^a","format":"uri","minLength":1,"maxLength":9}`, `"a:b"`},
		{`{"enum":["a",1,null],"default":null}`, `1e0`},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, schemaText, valueText string) {
		var s jsonschema.Schema
		if json.Unmarshal([]byte(schemaText), &s) != nil {
			return
		}
		compiled, err := schema.Compile(&s)
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		in, err := canon.Parse([]byte(valueText))
		if err != nil {
			return
		}
		out, issues := compiled.Normalise(in)
		if issues == nil {
			requireFixed(t, compiled, out)
		}
		if !isComparable(&s) || !isWithinDoubles(in) || isLookAlike(issues) {
			return
		}
		require.Equal(t, accepts(t, reference(&s), in), issues == nil, "%v", issues)
	})
}

// requireFixed checks that a value in normal form stays as it is. Defaults may
// make it larger than what can be written.
func requireFixed(t *testing.T, compiled *schema.Schema, out canon.Value) {
	t.Helper()
	text, err := canon.Bytes(out)
	if err != nil {
		var refusal *canon.Error
		require.ErrorAs(t, err, &refusal)
		require.Contains(t, []canon.Reason{canon.ReasonTooDeep, canon.ReasonTooLarge}, refusal.Reason)
		return
	}
	again, issues := compiled.Normalise(parse(t, string(text)))
	require.Empty(t, issues)
	require.Equal(t, string(text), write(t, again))
}

// isComparable reports whether the library means the same by a schema. See
// TestDifferencesFromTheLibrary.
func isComparable(s *jsonschema.Schema) bool {
	for inner := range inside(s) {
		if inner.Format != "" || inner.MultipleOf != nil || inner.Extra["x-go-integer"] != nil {
			return false
		}
		numbers := []any{inner.Enum, inner.Const, inner.Minimum, inner.Maximum, inner.ExclusiveMinimum, inner.ExclusiveMaximum}
		text, err := json.Marshal(numbers)
		if err != nil {
			return false
		}
		if v, err := canon.Parse(text); err != nil || !isWithinDoubles(v) {
			return false
		}
	}
	return true
}

// isWithinDoubles reports whether doubles hold all integers in v exactly, and
// its other numbers at all.
func isWithinDoubles(v canon.Value) bool {
	if v.Kind() == canon.KindNumber {
		f, err := v.Float()
		return err == nil && math.Abs(f) < 1<<53
	}
	for _, item := range v.Items() {
		if !isWithinDoubles(item) {
			return false
		}
	}
	for _, m := range v.Members() {
		if !isWithinDoubles(m.Value) {
			return false
		}
	}
	return true
}

func isLookAlike(issues []schema.Issue) bool {
	for _, issue := range issues {
		if strings.Contains(issue.Message, "upper and lower case") {
			return true
		}
	}
	return false
}
