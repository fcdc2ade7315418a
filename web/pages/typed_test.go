package pages

import (
	"net/url"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/canon"
)

func schemaOf(kind string) *jsonschema.Schema { return &jsonschema.Schema{Type: kind} }

func listOf(items *jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "array", Items: items}
}

func maybe(kind string) *jsonschema.Schema {
	return &jsonschema.Schema{Types: []string{kind, "null"}}
}

func inFormat(format string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Format: format}
}

// typedCases are what people type, and the JSON that comes of it; "" is absent.
func typedCases() map[string]struct {
	schema     *jsonschema.Schema
	text, want string
} {
	object := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{"a": schemaOf("string")}}
	levels := &jsonschema.Schema{Type: "integer", Enum: []any{1, 2}}
	return map[string]struct {
		schema     *jsonschema.Schema
		text, want string
	}{
		"nothing":                     {schemaOf("string"), "", ""},
		"blank text is text":          {schemaOf("string"), " ", `" "`},
		"blank number":                {schemaOf("integer"), "  ", ""},
		"blank list":                  {listOf(schemaOf("string")), " \n\n", ""},
		"text that looks like more":   {schemaOf("string"), "[1]", `"[1]"`},
		"several lines":               {schemaOf("string"), "\na\n b ", `"\na\n b "`},
		"integer":                     {schemaOf("integer"), " 20 ", "20"},
		"integer beyond doubles":      {schemaOf("integer"), "9007199254740993", "9007199254740993"},
		"largest unsigned":            {schemaOf("integer"), "18446744073709551615", "18446744073709551615"},
		"zeros in front":              {maybe("integer"), "-007", "-7"},
		"no zero in front":            {schemaOf("number"), ".5", "0.5"},
		"number keeps what was typed": {maybe("number"), "19.990", "19.99"},
		"no number":                   {schemaOf("integer"), "12 apples", `"12 apples"`},
		"infinity":                    {schemaOf("number"), "Infinity", `"Infinity"`},
		"two signs":                   {schemaOf("number"), "--5", `"--5"`},
		"yes":                         {maybe("boolean"), "true", "true"},
		"no":                          {schemaOf("boolean"), "false", "false"},
		"neither":                     {schemaOf("boolean"), "on", `"on"`},
		"choice":                      {&jsonschema.Schema{Type: "string", Enum: []any{"eu", "1"}}, "1", `"1"`},
		"choice of numbers":           {levels, "2", "2"},
		"no choice":                   {levels, "3", `"3"`},
		"null is no choice":           {&jsonschema.Schema{Types: []string{"string", "null"}, Enum: []any{"a", nil}}, "null", `"null"`},
		"lines":                       {listOf(schemaOf("string")), "a b\n\n c \n", `["a b","c"]`},
		"lines of numbers":            {listOf(schemaOf("integer")), "1\n9007199254740993\nx", `[1,9007199254740993,"x"]`},
		"lines as JSON":               {listOf(schemaOf("string")), `["a\nb",""]`, `["a\nb",""]`},
		"a line with a bracket":       {listOf(schemaOf("string")), "[a", `["[a"]`},
		"object":                      {object, ` {"a": "b"}`, `{"a":"b"}`},
		"list of objects":             {listOf(object), `[{"a":"b"}]`, `[{"a":"b"}]`},
		"list of lists":               {listOf(listOf(schemaOf("string"))), `[["a"]]`, `[["a"]]`},
		"no JSON":                     {object, `{a: b}`, `"{a: b}"`},
		"names twice":                 {object, `{"a":"b","a":"c"}`, `"{\"a\":\"b\",\"a\":\"c\"}"`},
		"day":                         {inFormat("date"), "2026-03-04", `"2026-03-04"`},
		"moment":                      {inFormat("date-time"), "2026-03-04T10:00", `"2026-03-04T10:00:00Z"`},
		"moment with seconds":         {inFormat("date-time"), "2026-03-04T10:00:05.5", `"2026-03-04T10:00:05.5Z"`},
		"moment with a zone":          {inFormat("date-time"), "2026-03-04T10:00:00+02:00", `"2026-03-04T10:00:00+02:00"`},
		"time":                        {inFormat("time"), "10:00", `"10:00:00Z"`},
		"no moment":                   {inFormat("date-time"), "soon", `"soon"`},
		"without a schema":            {nil, "1", `"1"`},
	}
}

func TestWhatPeopleType(t *testing.T) {
	t.Parallel()
	for name, c := range typedCases() {
		value, given := typed(c.schema, c.text)
		require.Equal(t, c.want != "", given, name)
		if !given {
			continue
		}
		encoded, err := canon.Bytes(value)
		require.NoError(t, err, name)
		require.Equal(t, c.want, string(encoded), name)
		back, given := typed(c.schema, shown(c.schema, value))
		require.True(t, given, name)
		require.True(t, canon.Equal(value, back), "%s: what is shown is what is saved", name)
	}
}

func TestStoredListsThatNoLineHoldsAreShownAsJSON(t *testing.T) {
	t.Parallel()
	for _, stored := range []string{`[]`, `[""]`, `["a\nb"]`, `[" a"]`, `["[\"x\"]"]`} {
		value, err := canon.Parse([]byte(stored))
		require.NoError(t, err)
		text := shown(listOf(schemaOf("string")), value)
		require.True(t, strings.HasPrefix(text, "["), stored)
		back, given := typed(listOf(schemaOf("string")), text)
		require.True(t, given)
		require.True(t, canon.Equal(value, back), stored)
	}
}

func deskConfig(t testing.TB) *hosttools.ConfigSchema {
	t.Helper()
	r := hosttools.NewRegistry(hosttools.Host{
		Prefix: "hd_", App: map[string]any{"mail": "smtp.example"},
		Tools: map[string]hosttools.Constructor{"hd_desk": NewDesk},
	})
	require.NoError(t, r.Err())
	group, ok := r.Group("hd_desk")
	require.True(t, ok)
	return group.Config
}

func TestSentParams(t *testing.T) {
	t.Parallel()
	config := deskConfig(t)
	for form, want := range map[string]string{
		"":                                      `{}`,
		"expected_version=3&region=eu":          `{}`,
		"param.region=eu&param.max_rows=":       `{"region":"eu"}`,
		"param.api_key=":                        `{}`,
		"param.api_key=+k+":                     `{"api_key":" k "}`,
		"param.api_key=********":                `{"api_key":"********"}`,
		"param.greeting=a%0D%0Ab":               `{"greeting":"a\nb"}`,
		"param.mail=":                           `{"mail":""}`,
		"param.mail=evil&param.Tenant=globex":   `{"Tenant":"globex","mail":"evil"}`,
		"param.new=1":                           `{"new":"1"}`,
		"param.=x":                              `{"":"x"}`,
		"param.region=eu&param.region=us":       "twice",
		"param.max_rows=1&param.MAX_ROWS=2":     "upper and lower case",
		"param.max_rows=1&param.param.max_rows": `{"max_rows":1,"param.max_rows":""}`,
	} {
		fields, err := url.ParseQuery(form)
		require.NoError(t, err)
		value, err := sentParams(fields, config)
		if err != nil {
			require.Equal(t, models.CodeInvalidRequest, models.CodeOf(err), form)
			require.ErrorContains(t, err, want, form)
			continue
		}
		encoded, err := canon.Bytes(value)
		require.NoError(t, err)
		require.Equal(t, want, string(encoded), form)
	}
}

func TestUnregisteredToolkitsTakeTextOnly(t *testing.T) {
	t.Parallel()
	value, err := sentParams(url.Values{"param.a": {"1"}, "param.b": {""}}, nil)
	require.NoError(t, err)
	require.Equal(t, 2, value.Len())
	require.Equal(t, []string{}, sentOverridable(url.Values{}))
}

// FuzzSentParams sends any form. Whatever the form names is in what the service
// is asked to judge, or was left empty by people who may leave it empty; and
// what would be shown of a value is read back as that value.
func FuzzSentParams(f *testing.F) {
	for _, seed := range []string{
		"param.region=eu", "param.max_rows=9007199254740993", "param.mail=x", "param.tags=a%0Ab", "param.limits=%5B%7B%7D%5D",
		"param.since=2026-03-04T10%3A00", "param.Mail=&param.api_key=********", "param.tags=%0A%5B1%5D", "param.limits=%22a%22",
	} {
		f.Add(seed)
	}
	config := deskConfig(f)
	f.Fuzz(func(t *testing.T, body string) {
		form, err := url.ParseQuery(body)
		if err != nil || areText(form) != nil {
			return
		}
		params, err := sentParams(form, config)
		if err != nil {
			require.Equal(t, models.CodeInvalidRequest, models.CodeOf(err))
			return
		}
		for _, member := range params.Members() {
			require.True(t, form.Has(paramField+member.Name), "only parameters are sent")
		}
		for field := range form {
			name, isParam := strings.CutPrefix(field, paramField)
			if !isParam {
				continue
			}
			param, known := config.Param(name)
			value, given := params.Get(name)
			if !known || param.Managed() {
				require.True(t, given, "the service must see %q", name)
			}
			if !given || !known || param.Managed() || param.Secret {
				continue
			}
			s := config.Schema.Properties[name]
			back, again := typed(s, shown(s, value))
			require.True(t, again)
			require.True(t, canon.Equal(value, back), "%q", form.Get(field))
		}
	})
}
