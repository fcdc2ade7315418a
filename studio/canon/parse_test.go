package canon_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/studio/canon"
)

func parse(t *testing.T, text string) canon.Value {
	t.Helper()
	v, err := canon.Parse([]byte(text))
	require.NoError(t, err, text)
	return v
}

func canonical(t *testing.T, text string) string {
	t.Helper()
	b, err := canon.Bytes(parse(t, text))
	require.NoError(t, err, text)
	return string(b)
}

func requireReason(t *testing.T, want canon.Reason, err error) {
	t.Helper()
	refusal := refusedFor(t, want, err)
	require.NotEmpty(t, refusal.Error())
}

// refusedFor requires a refusal for a reason and returns it.
func refusedFor(t *testing.T, want canon.Reason, err error) *canon.Error {
	t.Helper()
	var refusal *canon.Error
	require.ErrorAs(t, err, &refusal, "error %v", err)
	require.Equal(t, want, refusal.Reason, "error %v", err)
	return refusal
}

func nested(depth int) string {
	return strings.Repeat("[", depth) + strings.Repeat("]", depth)
}

func manyNames(last string) string {
	var b strings.Builder
	b.WriteString("{")
	for i := range 40 {
		b.WriteString(`"name` + strconv.Itoa(i) + `":0,`)
	}
	b.WriteString(`"` + last + `":0}`)
	return b.String()
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		text    string
		reason  canon.Reason
		offset  int
		pointer string
	}{
		"nothing":                  {"", canon.ReasonEmpty, 0, ""},
		"only white space":         {" \t\r\n", canon.ReasonEmpty, 0, ""},
		"byte order mark":          {"\ufeff{}", canon.ReasonSyntax, 0, ""},
		"cut off":                  {`{"a":`, canon.ReasonSyntax, 5, "/a"},
		"missing value":            {`{"a":}`, canon.ReasonSyntax, 5, "/a"},
		"comma after last item":    {`[1,]`, canon.ReasonSyntax, 2, ""},
		"comma after last member":  {`{"a":1,}`, canon.ReasonSyntax, 6, ""},
		"closing bracket alone":    {`]`, canon.ReasonSyntax, 0, ""},
		"wrong bracket":            {`[1}`, canon.ReasonSyntax, 2, ""},
		"single quotes":            {`{'a':1}`, canon.ReasonSyntax, 1, ""},
		"comment":                  {`[1/**/]`, canon.ReasonSyntax, 2, ""},
		"leading zero":             {`[01]`, canon.ReasonSyntax, 2, ""},
		"plus sign":                {`[+1]`, canon.ReasonSyntax, 1, "/0"},
		"NaN":                      {`NaN`, canon.ReasonSyntax, 0, ""},
		"no fraction after point":  {`[1.]`, canon.ReasonSyntax, 3, "/0"},
		"raw control character":    {"\"a\nb\"", canon.ReasonSyntax, 2, ""},
		"unknown escape":           {`"\x41"`, canon.ReasonSyntax, 1, ""},
		"short escape":             {`"\uD8Z0"`, canon.ReasonSyntax, 1, ""},
		"second value":             {`{} {}`, canon.ReasonTrailingData, 3, ""},
		"word after number":        {`12a`, canon.ReasonTrailingData, 2, ""},
		"zero byte after value":    {"{}\x00", canon.ReasonTrailingData, 2, ""},
		"same name":                {`{"a":1,"a":1}`, canon.ReasonDuplicateName, 7, "/a"},
		"same name, escaped":       {`{"a":1,"\u0061":2}`, canon.ReasonDuplicateName, 7, "/a"},
		"same name, deeper":        {`{"x/y":[{"a":1,"b":2,"a":3}]}`, canon.ReasonDuplicateName, 21, "/x~1y/0/a"},
		"same empty name":          {`{"":1,"":2}`, canon.ReasonDuplicateName, 6, "/"},
		"same among many":          {manyNames("name7"), canon.ReasonDuplicateName, 431, "/name7"},
		"case variant":             {`{"amount":1,"AMOUNT":999}`, canon.ReasonCaseVariantName, 12, "/AMOUNT"},
		"case variant, long s":     {`{"sum":1,"ſum":2}`, canon.ReasonCaseVariantName, 9, "/ſum"},
		"case variant, Kelvin":     {"{\"k\":1,\"\u212a\":2}", canon.ReasonCaseVariantName, 7, "/\u212a"},
		"case variant, sigma":      {`{"ς":1,"σ":2}`, canon.ReasonCaseVariantName, 8, "/σ"},
		"case variant among many":  {manyNames("Name7"), canon.ReasonCaseVariantName, 431, "/Name7"},
		"Kelvin among many":        {manyNames("k\":0,\"\u212a"), canon.ReasonCaseVariantName, 437, "/\u212a"},
		"invalid UTF-8 in string":  {"[\"a\xff\"]", canon.ReasonInvalidUTF8, 3, "/0"},
		"invalid UTF-8 in name":    {"{\"a\xc3\":1}", canon.ReasonInvalidUTF8, 3, ""},
		"invalid UTF-8 outside":    {"\xff", canon.ReasonInvalidUTF8, 0, ""},
		"surrogate as UTF-8":       {"\"\xed\xa0\x80\"", canon.ReasonInvalidUTF8, 1, ""},
		"overlong UTF-8":           {"\"\xc0\x80\"", canon.ReasonInvalidUTF8, 1, ""},
		"cut UTF-8":                {"\"\xe2\x82", canon.ReasonInvalidUTF8, 1, ""},
		"high surrogate alone":     {`"\ud800"`, canon.ReasonLoneSurrogate, 1, ""},
		"low surrogate alone":      {`["\uDC00x"]`, canon.ReasonLoneSurrogate, 2, "/0"},
		"surrogates in wrong turn": {`"\udc00\ud800"`, canon.ReasonLoneSurrogate, 1, ""},
		"surrogate in name":        {`{"\ud83d!":1}`, canon.ReasonLoneSurrogate, 2, ""},
		"65 arrays":                {nested(65), canon.ReasonTooDeep, 64, strings.Repeat("/0", 64)},
		"65 objects":               {strings.Repeat(`{"a":`, 65), canon.ReasonTooDeep, 320, strings.Repeat("/a", 64)},
		"a million brackets":       {strings.Repeat("[", canon.MaxBytes), canon.ReasonTooDeep, 64, strings.Repeat("/0", 64)},
		"one byte too many":        {strings.Repeat(" ", canon.MaxBytes) + "1", canon.ReasonTooLarge, canon.MaxBytes, ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v, err := canon.Parse([]byte(test.text))
			refusal := refusedFor(t, test.reason, err)
			require.Equal(t, test.offset, refusal.Offset, "offset")
			require.Equal(t, test.pointer, refusal.Pointer, "pointer")
			require.Equal(t, canon.Value{}, v)
		})
	}
}

func TestParseAccepts(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ text, want string }{
		"white space":            {" \r\n\t{ \"a\" : [ ] } \n", `{"a":[]}`},
		"words":                  {`[null,true,false]`, `[null,true,false]`},
		"zero byte in string":    {`"a\u0000b"`, `"a\u0000b"`},
		"surrogate pair":         {`"\ud83d\ude00"`, `"😀"`},
		"escaped slash":          {`"\/"`, `"/"`},
		"needless escape":        {`"\u0041"`, `"A"`},
		"short escapes":          {`"\u0008\u0009\u000a\u000c\u000d\u0022\u005c"`, `"\b\t\n\f\r\"\\"`},
		"upper-case hex":         {`"\u001F"`, `"\u001f"`},
		"no HTML escapes":        {`"<&>\u2028\u007f"`, "\"<&>\u2028\u007f\""},
		"not normalised":         {`["é","é"]`, `["é","é"]`},
		"names not case-related": {`{"straße":1,"strasse":2}`, `{"strasse":2,"straße":1}`},
		"dotless i":              {`{"i":1,"ı":2}`, `{"i":1,"ı":2}`},
		"same name elsewhere":    {`{"a":{"a":1},"b":{"A":1}}`, `{"a":{"a":1},"b":{"A":1}}`},
		"many names":             {manyNames("name40"), canonical(t, manyNames("name40"))},
		"64 deep":                {nested(64), nested(64)},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, test.want, canonical(t, test.text))
		})
	}
}

func TestParseAcceptsLargestText(t *testing.T) {
	t.Parallel()
	text := `"` + strings.Repeat("a", canon.MaxBytes-2) + `"`
	require.Equal(t, text, canonical(t, text))
}

func TestParseKeepsNothingOfItsInput(t *testing.T) {
	t.Parallel()
	data := []byte(`{"amount":12,"to":"anna"}`)
	v, err := canon.Parse(data)
	require.NoError(t, err)
	for i := range data {
		data[i] = '9'
	}
	b, err := canon.Bytes(v)
	require.NoError(t, err)
	require.Equal(t, `{"amount":12,"to":"anna"}`, string(b))
}

func TestErrorIsASentence(t *testing.T) {
	t.Parallel()
	_, err := canon.Parse([]byte(`{"amount":1,"AMOUNT":999}`))
	require.EqualError(t, err,
		`an object has two names that differ only in upper and lower case, at "/AMOUNT" (byte 12)`)

	hostile := `{"` + strings.Repeat("a", 5000) + `\u001b[2J\u202e":1e400}`
	_, err = canon.Bytes(parse(t, hostile))
	refusal := refusedFor(t, canon.ReasonNumberRange, err)
	require.Contains(t, refusal.Pointer, "\u202e")
	require.Less(t, len(err.Error()), 200)
	require.NotContains(t, err.Error(), "byte")
}

func TestErrorQuotesControlCharacters(t *testing.T) {
	t.Parallel()
	_, err := canon.Bytes(parse(t, `{"\u001b[2J\u202e":1e400}`))
	require.EqualError(t, err, `a number is larger or smaller than can be kept, at "/\x1b[2J\u202e"`)
}
