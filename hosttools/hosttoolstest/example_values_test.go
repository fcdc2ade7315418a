package hosttoolstest

import (
	"encoding/json"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/agentstudio/agentstudio/studio/canon"
	"github.com/agentstudio/agentstudio/studio/schema"
)

// issuesOf returns what a schema has against a value.
func issuesOf(t require.TestingT, s *jsonschema.Schema, value any) []schema.Issue {
	compiled, err := schema.Compile(s)
	require.NoError(t, err)
	encoded, err := json.Marshal(value)
	require.NoError(t, err)
	parsed, err := canon.Parse(encoded)
	require.NoError(t, err)
	_, issues := compiled.Normalise(parsed)
	return issues
}

func schemaOf(t *testing.T, text string) *jsonschema.Schema {
	t.Helper()
	s := &jsonschema.Schema{}
	require.NoError(t, json.Unmarshal([]byte(text), s))
	return s
}

func TestExamplesFit(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"type":"string","examples":["e"],"default":"d","enum":["c","d","e"]}`: `"e"`,
		`{"type":"string","default":"d","enum":["c","d"]}`:                      `"d"`,
		`{"enum":[null,"c"]}`:                                              `"c"`,
		`{"const":"k"}`:                                                    `"k"`,
		`{"type":"string","minLength":9}`:                                  `"exampleee"`,
		`{"type":"string","maxLength":3}`:                                  `"exa"`,
		`{"type":"string","pattern":"^[A-Z]-\\d{4,}$"}`:                    `"A-0000"`,
		`{"type":"string","format":"date"}`:                                `"2025-01-31"`,
		`{"type":"integer"}`:                                               `1`,
		`{"type":"integer","minimum":5,"multipleOf":4}`:                    `8`,
		`{"type":"integer","maximum":-2}`:                                  `-2`,
		`{"type":"integer","exclusiveMinimum":7}`:                          `8`,
		`{"type":"number","exclusiveMaximum":0}`:                           `-1`,
		`{"type":"number","minimum":0.01,"maximum":0.5,"multipleOf":0.25}`: `0.5`,
		`{"type":["boolean","null"]}`:                                      `false`,
		`{"type":"array","items":{"type":"integer"},"minItems":2}`:         `[1,1]`,
		`{"type":"array","items":{"type":"integer"}}`:                      `[]`,
		`{}`: `"example"`,
		`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}},"required":["b"]}`: `{"b":1}`,
		`{"type":"object","properties":{"a":{"type":"string","examples":["x"]}}}`:                        `{"a":"x"}`,
		`{"type":"object","oneOf":[{"type":"object","properties":{"k":{"type":"string","const":"card"}},"required":["k"]},` +
			`{"type":"object","properties":{"k":{"type":"string","const":"cash"}},"required":["k"]}]}`: `{"k":"card"}`,
	} {
		s := schemaOf(t, text)
		value, ok := example(s)
		require.True(t, ok, text)
		require.Empty(t, issuesOf(t, s, value), text)
		encoded, err := json.Marshal(value)
		require.NoError(t, err)
		require.JSONEq(t, want, string(encoded), text)
	}
}

func TestFormatsFit(t *testing.T) {
	t.Parallel()
	for _, format := range []string{
		"date-time", "date", "time", "email", "uri", "uuid", "ipv4", "ipv6", "hostname",
	} {
		s := &jsonschema.Schema{Type: "string", Format: format}
		value, ok := example(s)
		require.True(t, ok, format)
		require.Empty(t, issuesOf(t, s, value), format)
	}
}

func TestNoExampleIsMadeUpForNothing(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"type":"integer","minimum":5,"maximum":7,"multipleOf":10}`,
		`{"type":"string","format":"colour"}`,
		`{"type":"string","pattern":"("}`,
		`{"type":"array","minItems":1,"items":{"type":"string","format":"colour"}}`,
	} {
		_, ok := example(schemaOf(t, text))
		require.False(t, ok, text)
	}
}

// TestPatternsAreMatched takes patterns together from parts of which every
// combination can be matched.
func TestPatternsAreMatched(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.SampledFrom([]string{
			`[A-Z]`, `\d{4,}`, `-`, `(?:ab|c)+`, `[^a-z]`, `x?`, `\w*`, `.`, `(y{2,3})`, `\p{L}`, `[é-ü]`, `(?i)q`, `\.`,
		}), 0, 6).Draw(t, "parts")
		pattern := "^"
		for _, part := range parts {
			pattern += part
		}
		pattern += "$"
		text, ok := matching(pattern)
		require.True(t, ok, pattern)
		require.Regexp(t, pattern, text)
	})
}

// TestOddArgumentsReachTheEdges asks for what should be among the variants.
func TestOddArgumentsReachTheEdges(t *testing.T) {
	t.Parallel()
	s := schemaOf(t, `{"type":"object","required":["n"],"properties":{
		"n":{"type":"integer","minimum":-3,"maximum":9},
		"t":{"type":["string","null"],"maxLength":2},
		"e":{"type":"string","enum":["one","two"]},
		"b":{"type":"boolean"},
		"l":{"type":"array","items":{"type":"integer"},"maxItems":2},
		"o":{"type":"object","required":["in"],"properties":{"in":{"type":"boolean"}}}}}`)
	fits := map[string]bool{}
	for _, variant := range odd(s, map[string]any{"n": 1, "b": true}) {
		if len(issuesOf(t, s, variant)) == 0 {
			encoded, err := json.Marshal(variant)
			require.NoError(t, err)
			fits[string(encoded)] = true
		}
	}
	for _, want := range []string{
		`{"n":1}`, `{"b":true,"n":-3}`, `{"b":true,"n":9}`, `{"b":true,"n":0}`, `{"b":false,"n":1}`,
		`{"b":true,"n":1,"t":""}`, `{"b":true,"n":1,"t":null}`, `{"b":true,"n":1,"t":"xx"}`,
		`{"b":true,"e":"two","n":1}`, `{"b":true,"l":[],"n":1}`, `{"b":true,"l":[1,1],"n":1}`,
		`{"b":true,"n":1,"o":{"in":true}}`,
	} {
		require.Contains(t, fits, want)
	}
}
