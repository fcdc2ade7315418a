package schemas_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools/internal/schemas"
)

const customText = `{"type":"object","title":"T","description":"D","x-note":{"a":[1,null]},"properties":{
	"zeta":{"type":["string","null"],"enum":["a",null],"default":null,"deprecated":true},
	"alpha":{"type":"array","items":{"type":"number","exclusiveMinimum":0.5,"multipleOf":0.5},"minItems":1,"maxItems":3,"uniqueItems":true,"examples":[[1,1.5]]},
	"day":{"type":"string","format":"date","minLength":1,"maxLength":10,"pattern":"^2"},
	"by name":{"type":"object","additionalProperties":{"type":"integer","minimum":1,"maximum":9,"x-go-integer":"int64"}},
	"choice":{"type":"object","oneOf":[
		{"type":"object","properties":{"kind":{"const":"a"},"n":{"type":"boolean"}},"required":["kind"]},
		{"type":"object","properties":{"kind":{"const":"b"}},"required":["kind"]}]}
	},"required":["zeta"]}`

func TestCustom(t *testing.T) {
	t.Parallel()
	s, err := schemas.Custom([]byte(customText), []string{"caller"})
	require.NoError(t, err)
	require.Equal(t, []string{"zeta", "alpha", "day", "by name", "choice"}, s.PropertyOrder)
	text, err := json.Marshal(s)
	require.NoError(t, err)
	want := strings.NewReplacer(
		`"required":["zeta"]}`, `"required":["zeta"],"additionalProperties":false}`,
		`"required":["kind"]}`, `"required":["kind"],"additionalProperties":false}`,
	).Replace(customText)
	require.JSONEq(t, want, string(text))
	resolved, err := s.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
	require.NoError(t, err)
	require.NoError(t, resolved.Validate(map[string]any{"zeta": nil, "choice": map[string]any{"kind": "b"}}))
	require.Error(t, resolved.Validate(map[string]any{"zeta": nil, "choice": map[string]any{"kind": "c"}}))
	require.Error(t, resolved.Validate(map[string]any{"zeta": nil, "more": 1}))
}

func TestCustomWithoutArguments(t *testing.T) {
	t.Parallel()
	s, err := schemas.Custom([]byte(`{"type":"object"}`), nil)
	require.NoError(t, err)
	require.NotNil(t, s.AdditionalProperties.Not)
}

// TestCustomRefuses has the schema of a property "v" per line, or a whole one
// where the text begins with "!".
func TestCustomRefuses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`!`:                                  "the schema is not strict JSON",
		`!{"type":"object"} {}`:              "the schema is not strict JSON",
		`!{"type":"object","type":"object"}`: "the schema is not strict JSON",
		`!{"type":"object","\u0074ype":"object"}`: "the schema is not strict JSON",
		`!true`:                       "the top: must be a JSON object, not true",
		`!{"type":"string"}`:          `the top must have "type": "object" and no oneOf`,
		`!{"type":["object","null"]}`: `the top must have "type": "object"`,
		`!{"type":"object","oneOf":[{"type":"object","properties":{"k":{"const":"a"}},"required":["k"]}]}`: `and no oneOf, since arguments are one object`,
		`!{"type":"object","additionalProperties":{"type":"string"}}`:                                      `the top must have "additionalProperties": false`,
		`!{"type":"object","additionalProperties":true}`:                                                   "the top: the keyword additionalProperties must be a schema (additionalProperties: false or a schema), not true",
		`!{"type":"object","required":["a"]}`:                                                              `the top: required: names "a", which is no property`,
		`!{"type":"object","properties":{"Tenant":{"type":"string"}}}`:                                     `"Tenant" cannot be sent: the tenant comes from the scope`,
		`!{"type":"object","properties":{"CALLER":{"type":"string"}}}`:                                     `"CALLER" is filled by the server and cannot be an argument too`,
		`!{"type":"object","properties":{"a":{"type":"string"},"A":{"type":"string"}}}`:                    `/properties/A: the names "a" and "A" differ only in case; rename one`,
		`!{"type":"object","properties":{"":{"type":"string"}}}`:                                           `/properties/: a property needs a name`,
		`!{"type":"object","properties":{"a/~\u0000":{"type":"string"}}}`:                                  "holds a control character",
		`!{"type":"object","$schema":"x"}`:                                                                 `the top: the keyword "$schema" is not supported; remove it`,
		`true`:                                                                                             "/properties/v: must be a JSON object, not true",
		`{}`:                                                                                               "/properties/v: has no type, so it allows anything; add one",
		`{"$ref":"#"}`:                                                                                     `/properties/v: the keyword "$ref" is not supported; remove it or say the same by another`,
		`{"anyOf":[]}`:                                                                                     `the keyword "anyOf" is not supported`,
		`{"Type":"string"}`:                                                                                `the keyword "Type" is not supported`,
		`{"type":null}`:                                                                                    "/properties/v: the keyword type must not be null",
		`{"type":"text"}`:                                                                                  `type: "text" is none of object, array`,
		`{"type":["string","integer"]}`:                                                                    `type: ["string","integer"] must be one type, or two of which one is "null"`,
		`{"type":1}`:                                                                                       "the keyword type must be a []string",
		`{"type":"array"}`:                                                                                 "has no items, so the list may hold anything",
		`{"type":"array","items":[]}`:                                                                      "the keyword items must be a schema",
		`{"type":"array","items":{}}`:                                                                      "/properties/v/items: has no type",
		`{"type":"object"}`:                                                                                "is an object without properties, so it may hold anything",
		`{"type":"object","properties":{"a":{}}}`:                                                          "/properties/v/properties/a: has no type",
		`{"type":"object","properties":{"a":{"type":"string"}},"required":["a","a"]}`: `required: names "a" twice`,
		`{"type":"string","properties":{}}`:                                           "/properties/v: the keyword properties needs the type object beside it",
		`{"type":"integer","minLength":1}`:                                            "the keyword minLength needs the type string beside it",
		`{"enum":["a"],"minLength":1}`:                                                "the keyword minLength needs the type string beside it",
		`{"type":"string","minLength":1.5}`:                                           "minLength: 1.5 is not a whole number from 0 to 2147483647",
		`{"type":"string","minLength":-1}`:                                            "minLength: -1 is not a whole number",
		`{"type":"string","minLength":4294967296}`:                                    "minLength: 4294967296 is not a whole number",
		`{"type":"string","minLength":2,"maxLength":1}`:                               "minLength is above maxLength",
		`{"type":"integer","minimum":"1"}`:                                            `minimum: "1" is not a number`,
		`{"type":"integer","minimum":9007199254740993}`:                               "minimum: the integer 9007199254740993 cannot be held exactly by a float64",
		`{"type":"number","maximum":1e999}`:                                           "maximum: the number 1e999 is too large",
		`{"type":"number","multipleOf":0}`:                                            "multipleOf: 0 is not above 0",
		`{"type":"string","pattern":"("}`:                                             `pattern: "(" is empty or no regular expression of Go`,
		`{"type":"string","format":"iban"}`:                                           `format: "iban" is not checked by anything`,
		`{"type":"string","enum":[]}`:                                                 "enum: must be a list with at least one value",
		`{"type":"string","enum":[["a"]]}`:                                            "enum: may hold strings, numbers, booleans and null, not [a]",
		`{"type":"number","enum":[1,1.0]}`:                                            "enum: names 1 twice",
		`{"const":{}}`:                                                                "const: must be a string, number, boolean or null, not {}",
		`{"type":"integer","default":"1"}`:                                            "the schema does not hold together",
		`{"type":"integer","examples":[1,"a"]}`:                                       "the example a does not fit its schema",
		`{"type":"string","x-server-managed":true}`:                                   "x-server-managed: nothing would fill the property",
		`{"type":"integer","x-go-integer":"int8"}`:                                    `x-go-integer: must be "int64" or "uint64"`,
		`{"type":"string","x-n":1e999}`:                                               "the number 1e999 is too large for a float64",
		`{"type":"object","oneOf":[]}`:                                                "/properties/v/oneOf: must be a list with at least one schema",
		`{"type":"object","oneOf":[{"type":"object","properties":{"k":{"const":"a"}},"required":["k"]},{"type":"object","properties":{"k":{"const":"a"}},"required":["k"]}]}`: "by which readers tell them apart",
		`{"type":"object","oneOf":[{"type":"object","properties":{"k":{"const":"a"}}}]}`:                                                                                      "every branch must be an object with one same required property",
		`{"type":"object","properties":{},"oneOf":[{"type":"object","properties":{"k":{"const":"a"}},"required":["k"]}]}`:                                                     "has oneOf beside properties; move them into the branches",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			whole, isWhole := strings.CutPrefix(text, "!")
			if !isWhole {
				whole = fmt.Sprintf(`{"type":"object","properties":{"v":%s}}`, text)
			}
			_, err := schemas.Custom([]byte(whole), []string{"caller"})
			require.ErrorContains(t, err, want)
		})
	}
}

func TestCustomLimits(t *testing.T) {
	t.Parallel()
	nested := func(levels int) []byte {
		open, shut := `{"type":"array","items":`, `}`
		inner := strings.Repeat(open, levels) + `{"type":"string"}` + strings.Repeat(shut, levels)
		return fmt.Appendf(nil, `{"type":"object","properties":{"v":%s}}`, inner)
	}
	_, err := schemas.Custom(nested(29), nil)
	require.NoError(t, err)
	_, err = schemas.Custom(nested(30), nil)
	require.EqualError(t, err, "the schema is nested deeper than 32 levels")

	padded := func(size int) []byte {
		text := `{"type":"object","description":""}`
		return []byte(strings.Replace(text, `""`, `"`+strings.Repeat("a", size-len(text))+`"`, 1))
	}
	_, err = schemas.Custom(padded(64<<10), nil)
	require.NoError(t, err)
	_, err = schemas.Custom(padded(64<<10+1), nil)
	require.EqualError(t, err, "the schema has 65537 bytes, more than 65536")
}

// FuzzCustom checks that what is accepted is closed, resolves, encodes, and is
// accepted again in the same form.
func FuzzCustom(f *testing.F) {
	f.Add([]byte(customText))
	f.Add([]byte(`{"type":"object","properties":{"a":{"type":"integer","enum":[1,2],"default":1}}}`))
	f.Add([]byte(`{"type":"object","properties":{"tenant":{"type":"string"}},"additionalProperties":false}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := schemas.Custom(text, []string{"caller"})
		if err != nil {
			require.Nil(t, s)
			return
		}
		require.NotNil(t, s.AdditionalProperties.Not)
		for name := range s.Properties {
			require.False(t, strings.EqualFold(name, "tenant") || strings.EqualFold(name, "tenant_id") || strings.EqualFold(name, "caller"))
		}
		_, err = s.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
		require.NoError(t, err)
		once, err := json.Marshal(s)
		require.NoError(t, err)
		if len(once) > 64<<10 {
			return // grew by what was added, so it cannot be read again
		}
		again, err := schemas.Custom(once, []string{"caller"})
		require.NoError(t, err)
		twice, err := json.Marshal(again)
		require.NoError(t, err)
		require.JSONEq(t, string(once), string(twice))
	})
}
