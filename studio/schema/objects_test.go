package schema_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/studio/canon"
	"github.com/agentstudio/agentstudio/studio/schema"
)

func TestObjects(t *testing.T) {
	t.Parallel()
	const order = `{"type":"object","properties":{
		"id":{"type":"integer"},
		"limit":{"type":"integer","default":20.0},
		"tags":{"type":"array","items":{"type":"string"},"default":[]},
		"where":{"type":"object","properties":{"deep":{"type":"boolean","default":true}}}
	},"required":["id","limit"],"additionalProperties":false}`
	const shapes = `{"type":["object","null"],"oneOf":[
		{"type":"object","properties":{"kind":{"const":"circle"},"r":{"type":"number"}},"required":["kind","r"],"additionalProperties":false},
		{"type":"object","properties":{"kind":{"const":"dot"},"size":{"type":"integer","default":1}},"required":["kind"]}]}`
	tests := []struct {
		name   string
		schema string
		fits   []fit
	}{
		{"defaults and order", order, []fit{
			{`{"id":1}`, `{"id":1,"limit":20,"tags":[]}`, nil},
			{`{"where":{},"id":1.0,"tags":["x"],"limit":5}`, `{"id":1,"limit":5,"tags":["x"],"where":{"deep":true}}`, nil},
			{`{}`, "", wrong("/id is missing")},
			{`{"limit":null,"other":1,"where":{"deep":3}}`, "", wrong(
				"/limit must be a whole number", "/other is not known here", "/where/deep must be true or false", "/id is missing")},
			{`[]`, "", wrong(" must be an object")},
		}},
		{"all defaults", `{"type":"object","properties":{"a":{"default":1},"b":{"default":{"x":1.0}}}}`, []fit{
			{`{}`, `{"a":1,"b":{"x":1}}`, nil},
			{`{"b":null}`, `{"a":1,"b":null}`, nil},
			{`{"B":2}`, "", wrong(" has a name that differs only in upper and lower case from one that is known here")},
		}},
		{"additional members", `{"type":"object","additionalProperties":{"type":"integer","default":7},"required":["a"]}`, []fit{
			{`{"a":1.0,"b":2.0}`, `{"a":1,"b":2}`, nil},
			{`{"b":"x"}`, "", wrong("/b must be a whole number", "/a is missing")},
		}},
		{"no additional schema", `{"type":"object","required":["a"]}`, []fit{
			{`{"a":null,"b":[1.0]}`, `{"a":null,"b":[1]}`, nil},
			{`{}`, "", wrong("/a is missing")},
		}},
		{"pointers", `{"type":"object","properties":{"a/b~c":{"type":"array","items":{"type":"string"}}}}`, []fit{
			{`{"a/b~c":[1]}`, "", wrong("/a~1b~0c/0 must be text")},
		}},
		{"oneOf", shapes, []fit{
			{`{"kind":"circle","r":1.50}`, `{"kind":"circle","r":1.5}`, nil},
			{`{"kind":"dot","more":1}`, `{"kind":"dot","more":1,"size":1}`, nil},
			{`null`, `null`, nil},
			{`{}`, "", wrong(`/kind is missing and must be one of "circle", "dot"`)},
			{`{"kind":"square","x":1}`, "", wrong(`/kind must be one of "circle", "dot"`)},
			{`{"kind":7}`, "", wrong(`/kind must be one of "circle", "dot"`)},
			{`{"kind":"circle","more":1}`, "", wrong("/more is not known here", "/r is missing")},
			{`1`, "", wrong(" must be an object")},
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			check(t, test.schema, test.fits)
		})
	}
}

func TestIssuesAreFew(t *testing.T) {
	t.Parallel()
	compiled := compile(t, `{"type":"array","items":{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}}`)
	_, issues := compiled.Normalise(parse(t, "["+strings.Repeat(`{"a":1,"b":2},`, 500)+`{}]`))
	require.Len(t, issues, schema.MaxIssues)
	require.Equal(t, "/9/b", issues[schema.MaxIssues-1].Pointer)
}

func TestPointersAreShort(t *testing.T) {
	t.Parallel()
	compiled := compile(t, `{"type":"object","additionalProperties":{"type":"array","items":{"type":"string"}}}`)
	_, issues := compiled.Normalise(parse(t, `{"`+strings.Repeat("é", 5000)+`":[1,2]}`))
	require.Equal(t, []schema.Issue{
		{Pointer: "/" + strings.Repeat("é", 50) + "…/0", Message: "must be text"},
		{Pointer: "/" + strings.Repeat("é", 50) + "…/1", Message: "must be text"},
	}, issues)
}

// Not parallel: it counts the allocations of the whole program.
func TestUnchangedValuesAreNotCopied(t *testing.T) {
	compiled := compile(t, list100)
	in := parse(t, orders())
	require.Zero(t, testing.AllocsPerRun(10, func() {
		if _, issues := compiled.Normalise(in); issues != nil {
			panic(issues)
		}
	}))
}

func TestOneSchemaServesManyGoroutines(t *testing.T) {
	t.Parallel()
	compiled := compile(t, defaults2)
	var group sync.WaitGroup
	for i := range 8 {
		in := parse(t, fmt.Sprintf(`{"limit":%d.0}`, i))
		want := parse(t, fmt.Sprintf(`{"limit":%d,"status":"open"}`, i))
		group.Go(func() {
			out, issues := compiled.Normalise(in)
			assert.Empty(t, issues)
			assert.True(t, canon.Equal(want, out))
		})
	}
	group.Wait()
}

func TestManyChoicesAreCut(t *testing.T) {
	t.Parallel()
	s := &jsonschema.Schema{Type: "integer"}
	for i := range 25 {
		s.Enum = append(s.Enum, i)
	}
	compiled, err := schema.Compile(s)
	require.NoError(t, err)
	_, issues := compiled.Normalise(canon.String(""))
	require.Len(t, issues, 1)
	require.True(t, strings.HasSuffix(issues[0].Message, "18, 19 and 5 more"), issues[0].Message)
}

func TestCompileRefuses(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat(`{"items":`, schema.MaxDepth) + `{}` + strings.Repeat(`}`, schema.MaxDepth)
	branch := func(rest string) string {
		return fmt.Sprintf(`{"type":"object","required":["k"],"properties":{"k":%s}}`, rest)
	}
	tests := []struct{ schema, want string }{
		{`{"properties":{"a":{"allOf":[{}]}}}`, `schema: at "/properties/a": the keyword "allOf" is not supported`},
		{`{"$ref":"#"}`, `schema: at the root: the keyword "$ref" is not supported`},
		{`{"not":{}}`, `the keyword "not" is not supported`},
		{`{"$defs":{}}`, `the keyword "$defs" is not supported`},
		{`{"minProperties":1}`, `the keyword "minProperties" is not supported`},
		{`{"items":[{}]}`, `the keyword "items with a list" is not supported`},
		{`{"dependencies":{"a":["b"]}}`, `the keyword "dependencies" is not supported`},
		{`{"items":{"whatever":1}}`, `schema: at "/items": the keyword "whatever" is not supported`},
		{`{"type":"text"}`, `there is no type "text"`},
		{`{"type":["string","integer"]}`, `type must be one type, or one type and "null"`},
		{`{"type":["null","null"]}`, `type must be one type, or one type and "null"`},
		{`{"type":[]}`, `type must be one type, or one type and "null"`},
		{`{"minimum":1}`, `minimum needs a type, "integer" or "number"`},
		{`{"type":"number","multipleOf":0}`, `multipleOf must be above zero`},
		{`{"type":"number","x-go-integer":"int64"}`, `x-go-integer needs the type "integer"`},
		{`{"type":"integer","x-go-integer":"int8"}`, `x-go-integer must be "int64" or "uint64"`},
		{`{"type":"string","pattern":"("}`, `the pattern does not compile`},
		{`{"type":"string","format":"phone"}`, `there is no format "phone"`},
		{`{"type":"string","minLength":-1}`, `minLength and maxLength cannot be below zero`},
		{`{"type":"array","maxItems":-1}`, `minItems and maxItems cannot be below zero`},
		{`{"enum":[]}`, `enum has no values`},
		{`{"enum":[{}]}`, `schema: at "/enum/0": only text, numbers, true, false and null can be chosen from`},
		{`{"type":"integer","enum":[1,"a"]}`, `schema: at "/enum/1": the value "a" is not of the type`},
		{`{"type":"integer","enum":[1.5]}`, `the value 1.5 must be a whole number`},
		{`{"type":"integer","const":9007199254740993}`, `may have been rounded; give it as an int64 or uint64`},
		{`{"enum":["a"],"const":"b"}`, `const is none of the values of enum`},
		{`{"properties":{"a":{},"A":{}}}`, `the names of properties clash`},
		{`{"required":["a"],"additionalProperties":false}`, `"a" is required, but not among the properties`},
		{`{"additionalProperties":{"type":"x"}}`, `schema: at "/additionalProperties": there is no type "x"`},
		{`{"properties":{"a":{"type":"string","default":1}}}`, `schema: at "/properties/a": the default must be text`},
		{`{"type":"string","default":null}`, `the default must be text`},
		{`{"type":"array","items":{"type":"string"},"default":["a",1]}`, `the default at /1 must be text`},
		{`{"default":{"a":1,"A":1}}`, `the default cannot be read`},
		{`{"type":"object","oneOf":[]}`, `oneOf has no branches`},
		{`{"type":"string","oneOf":[{}]}`, `oneOf needs the type "object"`},
		{`{"oneOf":[{"properties":{"k":{"const":"a"}},"required":["k"]}]}`, `every branch of oneOf must be of the type "object"`},
		{`{"properties":{},"oneOf":[` + branch(`{"const":"a"}`) + `]}`, `beside oneOf there can be no properties`},
		{`{"oneOf":[` + branch(`{"const":"a"}`) + `,` + branch(`{"const":"a"}`) + `]}`, `oneOf needs a discriminator`},
		{`{"oneOf":[` + branch(`{"const":"a"}`) + `,` + branch(`{"const":1}`) + `]}`, `oneOf needs a discriminator`},
		{`{"oneOf":[` + branch(`{"const":"a","default":"a"}`) + `]}`, `oneOf needs a discriminator`},
		{`{"oneOf":[` + branch(`{"const":"a"}`) + `,` + branch(`{"const":"b","format":"x"}`) + `]}`, `schema: at "/oneOf/1/properties/k": there is no format "x"`},
		{deep, `schemas are nested more than 32 deep`},
	}
	for _, test := range tests {
		_, err := schema.Compile(decode(t, test.schema))
		require.ErrorContains(t, err, test.want, test.schema)
	}
}

func TestCompileRefusesGraphs(t *testing.T) {
	t.Parallel()
	loop := &jsonschema.Schema{Type: "object"}
	loop.Properties = map[string]*jsonschema.Schema{"a": loop, "b": loop}
	wide := &jsonschema.Schema{}
	for range schema.MaxDepth - 1 {
		wide = &jsonschema.Schema{Properties: map[string]*jsonschema.Schema{"a": wide, "b": wide}}
	}
	tests := []struct {
		schema *jsonschema.Schema
		want   string
	}{
		{nil, "schema: at the root: the schema is missing"},
		{&jsonschema.Schema{Properties: map[string]*jsonschema.Schema{"a": nil}}, `schema: at "/properties/a": the schema is missing`},
		{&jsonschema.Schema{OneOf: []*jsonschema.Schema{nil}}, "every branch of oneOf"},
		{&jsonschema.Schema{Type: "string", Types: []string{"null"}}, "type is given twice"},
		{&jsonschema.Schema{Enum: []any{func() {}}}, "the value cannot be written as JSON"},
		{loop, "nested more than 32 deep"},
		{wide, "more than 10000 schemas"},
	}
	for _, test := range tests {
		_, err := schema.Compile(test.schema)
		require.ErrorContains(t, err, test.want)
	}
}

func TestCompileTakesGoIntegers(t *testing.T) {
	t.Parallel()
	compiled, err := schema.Compile(&jsonschema.Schema{Type: "integer", Enum: []any{int64(9007199254740993), uint64(18446744073709551615)}})
	require.NoError(t, err)
	for text, fits := range map[string]bool{
		"9007199254740993": true, "18446744073709551615": true, "9007199254740992": false, "18446744073709551616": false,
	} {
		_, issues := compiled.Normalise(parse(t, text))
		require.Equal(t, fits, issues == nil, text)
	}
}
