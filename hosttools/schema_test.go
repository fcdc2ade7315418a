package hosttools_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools"
)

func TestUntypedIsRefused(t *testing.T) {
	t.Parallel()
	type anyField struct {
		Value any `json:"value"`
	}
	type anyInside struct {
		List []map[string]any `json:"list"`
	}
	type cycle struct {
		Next *cycle `json:"next"`
	}
	type channel struct {
		Events chan int `json:"events"`
	}
	for name, tc := range map[string]struct {
		method hosttools.Method
		want   string
	}{
		"any in the input":       {method[anyField, textOut]("do"), "anyField.value has no type; use a concrete Go type instead of any"},
		"any inside the input":   {method[anyInside, textOut]("do"), "anyInside.list[]{} has no type"},
		"any in the result":      {method[textIn, anyField]("do"), "anyField.value has no type"},
		"any inside the result":  {method[textIn, anyInside]("do"), "has no type"},
		"result is an open map":  {method[textIn, map[string]any]("do"), "must be a struct"},
		"result is a typed map":  {method[textIn, map[string]string]("do"), "must be a struct"},
		"result is a string":     {method[textIn, string]("do"), "must be a struct"},
		"result is a list":       {method[textIn, []textOut]("do"), "must be a struct"},
		"result is a pointer":    {method[textIn, *textOut]("do"), "must be a struct"},
		"input is a map":         {method[map[string]string, textOut]("do"), "the input must be a struct"},
		"input is a string":      {method[string, textOut]("do"), "the input must be a struct"},
		"input refers to itself": {method[cycle, textOut]("do"), "cycle"},
		"input has a channel":    {method[channel, textOut]("do"), "unsupported"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			reason := rejection(t, toolkit(tc.method))
			require.Contains(t, reason, tc.want)
			require.Contains(t, reason, `method "do"`)
		})
	}
}

type line struct {
	Size string `json:"size" jsonschema:"the size" enum:"s,m,l"`
	Note string `json:"note,omitempty" maxLength:"3"`
}

type shared struct {
	Code string `json:"code" pattern:"^[A-Z]{2}$"`
}

type taggedIn struct {
	shared
	Count   int             `json:"count,omitempty" minimum:"1" maximum:"5" default:"2"`
	First   line            `json:"first"`
	Maybe   *line           `json:"maybe,omitempty"`
	Lines   []line          `json:"lines,omitempty"`
	Pair    *[2]line        `json:"pair,omitempty"`
	Named   map[string]line `json:"named,omitempty"`
	Shade   *string         `json:"shade,omitempty" enum:"dark,light"`
	Ignored string          `json:"-" minLength:"7"`
}

// TestTags checks that the constraints of tags hold wherever a struct may be.
func TestTags(t *testing.T) {
	t.Parallel()
	d := register(t, method[taggedIn, textOut]("do"))
	small := map[string]any{"size": "s"}
	large := map[string]any{"size": "xl"}
	for name, tc := range map[string]struct {
		key   string
		value any
		good  bool
	}{
		"count":                  {"count", int64(5), true},
		"count too small":        {"count", int64(0), false},
		"count too large":        {"count", int64(6), false},
		"count is no number":     {"count", "5", false},
		"embedded":               {"code", "AB", true},
		"embedded, pattern":      {"code", "ab", false},
		"nested":                 {"first", large, false},
		"nested, optional":       {"first", map[string]any{"size": "s", "note": "abc"}, true},
		"nested, too long":       {"first", map[string]any{"size": "s", "note": "abcd"}, false},
		"nested, unknown name":   {"first", map[string]any{"size": "s", "extra": "x"}, false},
		"pointer":                {"maybe", small, true},
		"pointer, bad":           {"maybe", large, false},
		"list":                   {"lines", []any{small, small}, true},
		"list, bad":              {"lines", []any{small, large}, false},
		"array behind a pointer": {"pair", []any{small, small}, true},
		"array, bad":             {"pair", []any{small, large}, false},
		"map":                    {"named", map[string]any{"a": small}, true},
		"map, bad":               {"named", map[string]any{"a": large}, false},
		"enum behind a pointer":  {"shade", "dark", true},
		"enum, bad":              {"shade", "red", false},
		"hidden field":           {"Ignored", "1234567", false},
		"unknown name":           {"other", "x", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			value := map[string]any{"code": "AB", "first": small}
			value[tc.key] = tc.value
			err := d.Validate(value)
			if tc.good {
				require.NoError(t, err)
			} else {
				require.Error(t, err)
			}
		})
	}
	require.JSONEq(t, `2`, string(d.Input.Properties["count"].Default))
	require.Equal(t, []string{"code", "first"}, d.Input.Required)
}

func TestTagsThatCannotHold(t *testing.T) {
	t.Parallel()
	type badMinimum struct {
		Count int `json:"count" minimum:"one"`
	}
	type badLength struct {
		Text string `json:"text" minLength:"1.5"`
	}
	type badDefault struct {
		Text string `json:"text,omitempty" default:"plain"`
	}
	type wrongDefault struct {
		Count int `json:"count,omitempty" default:"\"two\""`
	}
	type badPattern struct {
		Text string `json:"text" pattern:"("`
	}
	type enumOfNumbers struct {
		Count int `json:"count" enum:"1,2"`
	}
	type inside struct {
		List []badMinimum `json:"list"`
	}
	for name, tc := range map[string]struct {
		method hosttools.Method
		want   string
	}{
		"minimum":         {method[badMinimum, textOut]("do"), "field Count: tag minimum"},
		"minLength":       {method[badLength, textOut]("do"), "field Text: tag minLength"},
		"default":         {method[badDefault, textOut]("do"), `tag default: "plain" is not JSON`},
		"default of type": {method[wrongDefault, textOut]("do"), "the schema does not hold together"},
		"pattern":         {method[badPattern, textOut]("do"), "the schema does not hold together"},
		"enum":            {method[enumOfNumbers, textOut]("do"), "tag enum: the field must be a string"},
		"inside":          {method[inside, textOut]("do"), "tag minimum"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Contains(t, rejection(t, toolkit(tc.method)), tc.want)
		})
	}
}
