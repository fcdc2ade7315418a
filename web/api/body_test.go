package api

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/canon"
)

// read reads the arguments of a body.
func read(body io.Reader, contentType string) (canon.Value, error) {
	r := httptest.NewRequest(http.MethodPost, "/", body)
	if contentType != "" {
		r.Header.Set(echo.HeaderContentType, contentType)
	}
	return readArguments(echo.New().NewContext(r, httptest.NewRecorder()))
}

func TestArgumentsAreRead(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{}`:                                  `{}`,
		` { } ` + "\r\n\t":                    `{}`,
		`{"args":{}}`:                         `{}`,
		`{"args":{"b":1,"a":2}}`:              `{"a":2,"b":1}`,
		`{"args":{"id":9007199254740993}}`:    `{"id":9007199254740993}`,
		`{"args":{"a":null}}`:                 `{"a":null}`,
		`{"args":{"a":"\u0000\ud83d\ude00"}}`: "{\"a\":\"\\u0000\U0001f600\"}",
		`{"\u0061rgs":{"a":[]}}`:              `{"a":[]}`,
		// Whether the arguments are an object is for the door to say.
		`{"args":null}`:  `null`,
		`{"args":[1]}`:   `[1]`,
		`{"args":"{}"}`:  `"{}"`,
		`{"args":false}`: `false`,
	} {
		value, err := read(strings.NewReader(body), "application/json")
		require.NoError(t, err, body)
		bytes, err := canon.Bytes(value)
		require.NoError(t, err, body)
		require.Equal(t, want, string(bytes), body)
	}
}

func TestBodiesAreRefused(t *testing.T) {
	t.Parallel()
	const malformed, invalid = models.CodeInvalidJSON, models.CodeInvalidArgs
	for name, c := range map[string]struct {
		body   string
		code   models.Code
		reason canon.Reason
	}{
		"nothing":                     {"", malformed, canon.ReasonEmpty},
		"blanks":                      {" \n", malformed, canon.ReasonEmpty},
		"not JSON":                    {"args=1", malformed, canon.ReasonSyntax},
		"cut off":                     {`{"args":{`, malformed, canon.ReasonSyntax},
		"a comment":                   {`{/**/}`, malformed, canon.ReasonSyntax},
		"a trailing comma":            {`{"args":{},}`, malformed, canon.ReasonSyntax},
		"NaN":                         {`{"args":{"a":NaN}}`, malformed, canon.ReasonSyntax},
		"a leading zero":              {`{"args":{"a":01}}`, malformed, canon.ReasonSyntax},
		"a byte order mark":           {"\ufeff{}", malformed, canon.ReasonSyntax},
		"two bodies":                  {`{}{}`, malformed, canon.ReasonTrailingData},
		"args twice":                  {`{"args":{},"args":{}}`, malformed, canon.ReasonDuplicateName},
		"args twice, once escaped":    {`{"args":{},"\u0061rgs":{}}`, malformed, canon.ReasonDuplicateName},
		"an argument twice":           {`{"args":{"a":1,"a":2}}`, malformed, canon.ReasonDuplicateName},
		"bad UTF-8":                   {"{\"args\":{\"a\":\"\xff\"}}", malformed, canon.ReasonInvalidUTF8},
		"half of a surrogate":         {`{"args":{"a":"\ud800"}}`, malformed, canon.ReasonLoneSurrogate},
		"too deep":                    {`{"args":` + strings.Repeat("[", 70) + strings.Repeat("]", 70) + `}`, malformed, canon.ReasonTooDeep},
		"too large":                   {`{"args":"` + strings.Repeat("a", canon.MaxBytes) + `"}`, models.CodeBodyTooLarge, canon.ReasonTooLarge},
		"args in two cases":           {`{"args":{},"Args":{}}`, invalid, canon.ReasonCaseVariantName},
		"an argument in two cases":    {`{"args":{"a":1,"A":2}}`, invalid, canon.ReasonCaseVariantName},
		"args in big case":            {`{"Args":{}}`, invalid, ""},
		"something beside args":       {`{"args":{},"token":"x"}`, invalid, ""},
		"arguments at the top":        {`{"order_id":"A-1002"}`, invalid, ""},
		"a list":                      {`[]`, invalid, ""},
		"null":                        {`null`, invalid, ""},
		"a text":                      {`"{}"`, invalid, ""},
		"a number":                    {`1`, invalid, ""},
		"an empty name":               {`{"":{}}`, invalid, ""},
		"args with a space behind it": {`{"args ":{}}`, invalid, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			value, err := read(strings.NewReader(c.body), "application/json")
			require.Equal(t, c.code, models.CodeOf(err), "%v", err)
			require.Equal(t, string(c.reason), models.ReasonOf(err))
			require.Equal(t, canon.Value{}, value, "a refusal hands out nothing")
		})
	}
}

func TestUnknownNamesAreNamed(t *testing.T) {
	t.Parallel()
	_, err := read(strings.NewReader(`{"args":{},"token":"x"}`), "application/json")
	var e *models.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, []string{"token"}, e.Details["params"])
}

func TestContentType(t *testing.T) {
	t.Parallel()
	for contentType, want := range map[string]models.Code{
		"application/json": "", "application/json; charset=utf-8": "", "Application/JSON": "", " application/json ": "",
		"": models.CodeUnsupportedMediaType, "text/plain": models.CodeUnsupportedMediaType,
		"application/x-www-form-urlencoded": models.CodeUnsupportedMediaType, "text/json": models.CodeUnsupportedMediaType,
		"multipart/form-data; boundary=x": models.CodeUnsupportedMediaType, "application/json-patch+json": models.CodeUnsupportedMediaType,
		"application/json, text/plain": models.CodeUnsupportedMediaType, "application/json;": "", "application/jsonp": models.CodeUnsupportedMediaType,
		"text/plain; application/json": models.CodeUnsupportedMediaType, "json": models.CodeUnsupportedMediaType,
	} {
		_, err := read(strings.NewReader(`{}`), contentType)
		require.Equal(t, want, models.CodeOf(err), "%q", contentType)
	}
}

// broken is a body that fails when it is read.
type broken struct{ err error }

func (b broken) Read([]byte) (int, error) { return 0, b.err }

func TestBodiesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	_, err := read(broken{&http.MaxBytesError{Limit: 1}}, "application/json")
	require.Equal(t, models.CodeBodyTooLarge, models.CodeOf(err))
	_, err = read(broken{errors.New("secret")}, "application/json")
	require.Equal(t, models.CodeInvalidJSON, models.CodeOf(err))
	var e *models.Error
	require.ErrorAs(t, err, &e)
	require.NotContains(t, e.Message, "secret")
}

// TestBodiesNeverPanic sends anything: it is read or refused by one of our
// codes.
func TestBodiesNeverPanic(t *testing.T) {
	t.Parallel()
	part := rapid.OneOf(rapid.SampledFrom([]string{`{`, `}`, `"args"`, `:`, `,`, `[`, `]`, `null`, `1e9`, `"`, `\u`, "\xff"}), rapid.String())
	rapid.Check(t, func(t *rapid.T) {
		body := strings.Join(rapid.SliceOfN(part, 0, 12).Draw(t, "parts"), "")
		_, err := read(strings.NewReader(body), "application/json")
		require.Contains(t, []models.Code{"", models.CodeInvalidJSON, models.CodeInvalidArgs}, models.CodeOf(err))
	})
}
