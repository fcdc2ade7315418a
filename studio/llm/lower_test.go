package llm_test

import (
	"encoding/json"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/studio/llm"
)

func parse(t require.TestingT, text string) *jsonschema.Schema {
	var s jsonschema.Schema
	require.NoError(t, json.Unmarshal([]byte(text), &s))
	return &s
}

func encode(t require.TestingT, s *jsonschema.Schema) string {
	text, err := json.Marshal(s)
	require.NoError(t, err)
	return string(text)
}

func TestLower(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		limits llm.Limits
		in     string
		want   string
	}{
		{"no limits", llm.Limits{}, `{"type":"string","enum":["a",""],"x-secret":true}`, `{"type":"string","enum":["a",""],"x-secret":true}`},
		{"null in an enum", llm.Limits{NullEnum: true}, `{"type":["string","null"],"enum":["a",null]}`, `{"type":"string","enum":["a"],"nullable":true}`},
		{"null among values of several types", llm.Limits{NullEnum: true}, `{"enum":[null,"",true]}`, `{"enum":["",true],"nullable":true}`},
		{"null that the type forbids", llm.Limits{NullEnum: true}, `{"type":"string","enum":["a",null]}`, `{"type":"string","enum":["a"]}`},
		{"numbers in an enum", llm.Limits{NumberEnum: true}, `{"type":"integer","description":"Size","enum":[1,2]}`, `{"type":"integer","description":"Size. One of: 1, 2."}`},
		{"numbers in an enum without a type", llm.Limits{NumberEnum: true}, `{"enum":[1,2]}`, `{"type":"integer","description":"One of: 1, 2."}`},
		{"an empty enum", llm.Limits{EmptyEnum: true}, `{"type":"string","enum":[]}`, `{"type":"string"}`},
		{"an empty choice", llm.Limits{EmptyEnum: true}, `{"type":"string","enum":["","a"]}`, `{"type":"string","description":"One of: \"\", \"a\"."}`},
		{"const", llm.Limits{Const: true}, `{"type":"string","const":"a"}`, `{"type":"string","enum":["a"]}`},
		{"two types", llm.Limits{TypeList: true}, `{"type":["string","null"],"maxLength":3}`, `{"type":"string","maxLength":3,"nullable":true}`},
		{"format", llm.Limits{Formats: []string{"date"}}, `{"type":"string","format":"uuid"}`, `{"type":"string","description":"A UUID."}`},
		{"pattern", llm.Limits{Pattern: true}, `{"type":"string","pattern":"^a$"}`, "{\"type\":\"string\",\"description\":\"Matches the regular expression `^a$`.\"}"},
		{
			"bounds",
			llm.Limits{Bounds: true, ExclusiveBounds: true, MultipleOf: true},
			`{"type":"number","minimum":1000000,"exclusiveMaximum":2e6,"multipleOf":0.5}`,
			`{"type":"number","description":"At least 1000000. Less than 2000000. A multiple of 0.5."}`,
		},
		{
			"annotations",
			llm.Limits{Default: true, Examples: true, Annotations: true, Extensions: true},
			`{"type":"string","default":"a","examples":["a","b"],"deprecated":true,"readOnly":true,"x-secret":true}`,
			`{"type":"string","description":"Deprecated. Default: \"a\". For example: \"a\", \"b\"."}`,
		},
		{"map", llm.Limits{AdditionalProperties: true}, `{"type":"object","additionalProperties":{"type":"integer"}}`, `{"type":"object","description":"Further properties may have any name; each is of type integer."}`},
		{
			"closed object",
			llm.Limits{AdditionalProperties: true},
			`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}`,
			`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`,
		},
		{
			"depth",
			llm.Limits{MaxDepth: 1},
			`{"type":"object","properties":{"a":{"type":"object","properties":{"c":{"type":"string"},"b":{"type":"string"}},"required":["b"]}}}`,
			`{"type":"object","properties":{"a":{"type":"object","description":"Properties: b, c."}}}`,
		},
		{
			"references",
			llm.Limits{Ref: true},
			`{"type":"object","properties":{"a":{"$ref":"#/$defs/N","description":"First."}},"$defs":{"N":{"type":"object","properties":{"next":{"$ref":"#/$defs/N"}}}}}`,
			`{"type":"object","properties":{"a":{"type":"object","description":"First.","properties":{"next":{"type":"object","description":"Of the same shape as the N that it is part of."}}}}}`,
		},
		{"a dangling reference", llm.Limits{Ref: true}, `{"type":"object","properties":{"a":{"$ref":"#/$defs/None"}}}`, `{"type":"object","properties":{"a":{"description":"Anything that the tool takes here."}}}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			require.JSONEq(t, test.want, encode(t, llm.Lower(parse(t, test.in), test.limits)))
		})
	}
}

const payment = `{"type":["object","null"],"description":"How to pay","oneOf":[
	{"type":"object","description":"By card.","properties":{"kind":{"type":"string","const":"card"},"number":{"type":"string"},"note":{"type":"string"}},"required":["kind","number"],"additionalProperties":false},
	{"type":"object","properties":{"kind":{"type":"string","const":"cash"},"note":{"type":"integer"}},"required":["kind"],"additionalProperties":false}]}`

func TestLowerMergesForms(t *testing.T) {
	t.Parallel()
	got := llm.Lower(parse(t, payment), llm.GeminiLimits())
	require.JSONEq(t, `{"type":"object","nullable":true,
		"description":"How to pay. \"kind\" says which of the other properties apply. \"card\": note, number (required). By card. \"cash\": note.",
		"properties":{
			"kind":{"type":"string","enum":["card","cash"]},"number":{"type":"string"},
			"note":{"description":"Takes one of the types integer, string."}},
		"required":["kind"]}`, encode(t, got))
	require.JSONEq(t, payment, encode(t, llm.Lower(parse(t, payment), llm.Limits{})))
}

// An open branch may hold anything under the names of other branches.
func TestLowerMergesOpenForms(t *testing.T) {
	t.Parallel()
	full := parse(t, `{"type":"object","oneOf":[
		{"type":"object","properties":{"kind":{"const":"a"},"n":{"type":"integer"}},"required":["kind"]},
		{"type":"object","properties":{"kind":{"const":"b"}},"required":["kind"]}]}`)
	accepts(t, full, llm.Lower(full, llm.Limits{OneOf: true}), map[string]any{"kind": "b", "n": "text"})
}

// Branches that cannot be told apart any more must not stay a oneOf.
func TestLowerKeepsFormsApart(t *testing.T) {
	t.Parallel()
	full := parse(t, `{"type":"object","oneOf":[
		{"type":"object","properties":{"kind":{"const":""}},"required":["kind"]},
		{"type":"object","properties":{"kind":{"const":"b"}},"required":["kind"]}]}`)
	lowered := llm.Lower(full, llm.Limits{EmptyEnum: true, Const: true})
	require.Nil(t, lowered.OneOf)
	accepts(t, full, lowered, map[string]any{"kind": ""})
	accepts(t, full, lowered, map[string]any{"kind": "b"})
}

func TestLowerEndsOnRecursion(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"$ref":"#"}`,
		`{"$ref":"#/$defs/A","$defs":{"A":{"$ref":"#/$defs/B"},"B":{"$ref":"#/$defs/A"}}}`,
		`{"oneOf":[{"$ref":"#"}]}`,
		`{"oneOf":[{"$ref":"#/$defs/A"}],"$defs":{"A":{"type":"object","properties":{"k":{"const":"a"},"n":{"oneOf":[{"$ref":"#/$defs/A"}]}},"required":["k"]}}}`,
	} {
		for _, limits := range []llm.Limits{{}, {Ref: true}, {OneOf: true}, {Ref: true, OneOf: true}} {
			once := llm.Lower(parse(t, text), limits)
			require.Equal(t, encode(t, once), encode(t, llm.Lower(once, limits)))
		}
	}
}

func TestLowerBoundsWhatReferencesUnfold(t *testing.T) {
	t.Parallel()
	full := &jsonschema.Schema{Ref: "#/$defs/a", Defs: map[string]*jsonschema.Schema{}}
	for name := byte('a'); name < 'z'; name++ {
		next := "#/$defs/" + string(name+1)
		full.Defs[string(name)] = &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{"l": {Ref: next}, "r": {Ref: next}}}
	}
	full.Defs["z"] = &jsonschema.Schema{Type: "string"}
	require.Less(t, len(encode(t, llm.Lower(full, llm.Limits{Ref: true}))), 1<<20)
}

type limited struct {
	llm.Model
	limits llm.Limits
}

func (limited) Name() string               { return "limited" }
func (l limited) SchemaLimits() llm.Limits { return l.limits }

func TestParameters(t *testing.T) {
	t.Parallel()
	model := limited{limits: llm.Limits{Const: true}}
	full := []byte(`{"const":"a"}`)

	got, err := llm.Parameters(model, parse(t, string(full)), full)
	require.NoError(t, err)
	require.JSONEq(t, `{"enum":["a"]}`, string(got))

	got, err = llm.Parameters(struct{ llm.Model }{model}, parse(t, string(full)), full)
	require.NoError(t, err)
	require.Equal(t, full, got)

	_, err = llm.Parameters(model, &jsonschema.Schema{Type: "string", Extra: map[string]any{"x-bad": func() {}}}, full)
	require.ErrorContains(t, err, "lower a schema for limited")
}
