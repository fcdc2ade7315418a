package pages

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/studio/canon"
)

func TestLine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{}`:                               "",
		`{"o":{"a":{"b":{"c":1,"d":2}}}}`:  "o: {a: 1 field}",
		`{"a":"x","b":{"c":1},"d":null}`:   `a: "x", b: {c: 1}, d: null`,
		`{"n":123456789012345678901}`:      "n: 123456789012345678901",
		`["a","b"]`:                        "2 items",
		`"done"`:                           `"done"`,
		`{"a":1,"a":2}`:                    `{"a":1,"a":2}`,
		"not \n json":                      "not json",
		"\xff":                             "\uFFFD",
		`{"a":"` + rep("y", 300) + `"}`:    `a: "` + rep("y", maxLine-5) + "…",
		`{"a":"` + rep("y", 300) + `"`:     `{"a":"` + rep("y", maxLine-7) + "…",
		`{"a":"` + rep("ä", maxLine) + `"`: `{"a":"` + rep("ä", maxLine-7) + "…",
	} {
		require.Equal(t, want, line([]byte(text)))
	}
}

func rep(s string, n int) string { return strings.Repeat(s, n) }

func FuzzLine(f *testing.F) {
	f.Add([]byte(`{"a":[1,{"b":null}]}`))
	f.Add([]byte("\xf0\x28"))
	f.Fuzz(func(t *testing.T, text []byte) {
		got := line(text)
		require.True(t, utf8.ValidString(got))
		require.LessOrEqual(t, utf8.RuneCountInString(got), maxLine)
	})
}

func TestIndentedKeepsDigits(t *testing.T) {
	t.Parallel()
	require.Equal(t, "{\n  \"n\": 9007199254740993\n}", indented([]byte(`{"n":9007199254740993}`)))
	require.Equal(t, "{broken", indented([]byte("{broken")))
}

func TestTypesInWords(t *testing.T) {
	t.Parallel()
	for want, schema := range map[string]*jsonschema.Schema{
		"text":         {Type: "string"},
		"whole number": {Types: []string{"null", "integer"}},
		"number":       {Type: "number"},
		"yes/no":       {Type: "boolean"},
		"list":         {Types: []string{"array", "null"}},
		"object":       {Type: "object"},
		"nothing":      {Type: "null"},
		"":             {Types: []string{"string", "integer"}},
	} {
		require.Equal(t, want, typeInWords(schema))
	}
	require.Empty(t, typeInWords(&jsonschema.Schema{}))
}

func TestDefaultsAreNoted(t *testing.T) {
	t.Parallel()
	d := &hosttools.Descriptor{Input: &jsonschema.Schema{Properties: map[string]*jsonschema.Schema{
		"limit": {Type: "integer", Default: json.RawMessage(`20`)},
		"sort":  {Type: "string", Default: json.RawMessage(`"id"`)},
	}}}
	value, err := canon.Parse([]byte(`{"limit":20,"other":true,"sort":"name"}`))
	require.NoError(t, err)
	args := arguments(value, d)
	require.Equal(t, "default", args[0].Note)
	require.Equal(t, "yes/no", args[1].Type)
	require.Empty(t, args[2].Note)
}

func TestCutNeverSplitsACharacter(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text, n := rapid.String().Draw(t, "text"), rapid.IntRange(1, 20).Draw(t, "n")
		got := cut(text, n)
		require.LessOrEqual(t, utf8.RuneCountInString(got), n)
		if got != text {
			require.True(t, strings.HasPrefix(text, strings.TrimSuffix(got, "…")))
		}
	})
}
