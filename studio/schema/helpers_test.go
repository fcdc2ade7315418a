package schema_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/studio/canon"
	"github.com/agentstudio/agentstudio/studio/schema"
)

func decode(t require.TestingT, text string) *jsonschema.Schema {
	var s jsonschema.Schema
	require.NoError(t, json.Unmarshal([]byte(text), &s), text)
	return &s
}

func compile(t require.TestingT, text string) *schema.Schema {
	compiled, err := schema.Compile(decode(t, text))
	require.NoError(t, err, text)
	return compiled
}

func parse(t require.TestingT, text string) canon.Value {
	v, err := canon.Parse([]byte(text))
	require.NoError(t, err, text)
	return v
}

func write(t require.TestingT, v canon.Value) string {
	text, err := canon.Bytes(v)
	require.NoError(t, err)
	return string(text)
}

// fit is one value and what becomes of it: its normal form, or its issues as
// "pointer message".
type fit struct {
	value string
	want  string
	wrong []string
}

func check(t *testing.T, schemaText string, fits []fit) {
	t.Helper()
	compiled := compile(t, schemaText)
	for _, f := range fits {
		in := parse(t, f.value)
		out, issues := compiled.Normalise(in)
		var got []string
		for _, issue := range issues {
			got = append(got, issue.Pointer+" "+issue.Message)
		}
		require.Equal(t, f.wrong, got, "%s for %s", f.value, schemaText)
		if f.wrong != nil {
			require.True(t, canon.Equal(in, out), "a value with issues is returned as it was")
			continue
		}
		require.Equal(t, f.want, write(t, out), "%s for %s", f.value, schemaText)
		again, issues := compiled.Normalise(out)
		require.Empty(t, issues)
		require.Equal(t, f.want, write(t, again))
	}
}

func quoted(t require.TestingT, s string) string { return write(t, canon.String(s)) }

func long(n int) string { return strings.Repeat("a", n) }
