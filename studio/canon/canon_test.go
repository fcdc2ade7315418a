package canon_test

import (
	"crypto/sha256"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/studio/canon"
)

func bytesOf(t *testing.T, v canon.Value) []byte {
	t.Helper()
	b, err := canon.Bytes(v)
	require.NoError(t, err)
	return b
}

func object(t *testing.T, members ...canon.Member) canon.Value {
	t.Helper()
	v, err := canon.ObjectOf(members...)
	require.NoError(t, err)
	return v
}

// TestNameOrder holds the sample of RFC 8785, section 3.2.3.
func TestNameOrder(t *testing.T) {
	t.Parallel()
	text := `{
		"\u20ac": "Euro Sign",
		"\r": "Carriage Return",
		"\ufb33": "Hebrew Letter Dalet With Dagesh",
		"1": "One",
		"\ud83d\ude00": "Emoji: Grinning Face",
		"\u0080": "Control",
		"\u00f6": "Latin Small Letter O With Diaeresis"
	}`
	want := `{"\r":"Carriage Return","1":"One",` +
		"\"\u0080\":\"Control\",\"\u00f6\":\"Latin Small Letter O With Diaeresis\"," +
		"\"\u20ac\":\"Euro Sign\",\"\U0001F600\":\"Emoji: Grinning Face\"," +
		"\"\ufb33\":\"Hebrew Letter Dalet With Dagesh\"}"
	require.Equal(t, want, canonical(t, text))
}

func TestMembersKeepOrderOfInput(t *testing.T) {
	t.Parallel()
	v := parse(t, `{"z":1,"a":null,"m":[true,"x"]}`)
	require.Equal(t, canon.KindObject, v.Kind())
	require.Equal(t, 3, v.Len())
	var names []string
	for i, m := range v.Members() {
		require.Len(t, names, i)
		names = append(names, m.Name)
	}
	require.Equal(t, []string{"z", "a", "m"}, names)

	list, found := v.Get("m")
	require.True(t, found)
	require.Equal(t, 2, list.Len())
	for i, item := range list.Items() {
		require.Equal(t, []canon.Kind{canon.KindBool, canon.KindString}[i], item.Kind())
	}
}

func TestNullIsNotAbsent(t *testing.T) {
	t.Parallel()
	with, without := parse(t, `{"a":null}`), parse(t, `{}`)
	v, found := with.Get("a")
	require.True(t, found)
	require.Equal(t, canon.KindNull, v.Kind())
	_, found = without.Get("a")
	require.False(t, found)
	require.False(t, canon.Equal(with, without))
	require.NotEqual(t, bytesOf(t, with), bytesOf(t, without))
}

func TestGetIsExact(t *testing.T) {
	t.Parallel()
	_, found := parse(t, `{"Amount":1}`).Get("amount")
	require.False(t, found)
}

func TestAccessorsOfOtherKinds(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"null", "false", "1", `""`, "[]", "{}"} {
		v := parse(t, text)
		require.False(t, v.Bool(), text)
		require.Empty(t, v.Str(), text)
		require.Zero(t, v.Len(), text)
		for range v.Items() {
			require.Fail(t, "item", text)
		}
		for range v.Members() {
			require.Fail(t, "member", text)
		}
	}
	require.True(t, canon.Bool(true).Bool())
	require.Equal(t, "x", canon.String("x").Str())
	require.Empty(t, parse(t, "12").Str())
}

func TestObjectOfRefusesNames(t *testing.T) {
	t.Parallel()
	tests := map[canon.Reason][]string{
		canon.ReasonDuplicateName:   {"a", "b", "a"},
		canon.ReasonCaseVariantName: {"kind", "\u212aind"},
		canon.ReasonInvalidUTF8:     {"a\xff"},
	}
	for reason, names := range tests {
		var members []canon.Member
		for _, name := range names {
			members = append(members, canon.Member{Name: name})
		}
		_, err := canon.ObjectOf(members...)
		refusal := refusedFor(t, reason, err)
		require.Equal(t, "/"+names[len(names)-1], refusal.Pointer)
	}
}

func TestConstructorsCopy(t *testing.T) {
	t.Parallel()
	items := []canon.Value{canon.Bool(true)}
	members := []canon.Member{{Name: "a", Value: canon.Bool(true)}}
	list, tree := canon.ArrayOf(items...), object(t, members...)
	items[0], members[0].Name = canon.Null(), "b"
	require.Equal(t, "[true]", string(bytesOf(t, list)))
	require.Equal(t, `{"a":true}`, string(bytesOf(t, tree)))
}

func TestAppendRefusesWhatParseWould(t *testing.T) {
	t.Parallel()
	deep := canon.ArrayOf()
	for range canon.MaxDepth {
		deep = canon.ArrayOf(deep)
	}
	wide := `[` + strings.Repeat(`1e20,`, canon.MaxBytes/5-1) + `0]`
	tests := map[string]struct {
		value   canon.Value
		reason  canon.Reason
		pointer string
	}{
		"65 deep":       {deep, canon.ReasonTooDeep, strings.Repeat("/0", 64)},
		"invalid UTF-8": {object(t, canon.Member{Name: "a/b~", Value: canon.String("\xff")}), canon.ReasonInvalidUTF8, "/a~1b~0"},
		"grows":         {parse(t, wide), canon.ReasonTooLarge, ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, err := canon.Append([]byte("before"), test.value)
			refusal := refusedFor(t, test.reason, err)
			require.Equal(t, test.pointer, refusal.Pointer)
			require.Equal(t, "before", string(out))
		})
	}
}

func TestLargeIntegersAreDistinct(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, literal := range []string{
		"9007199254740992", "9007199254740993", "9007199254740994",
		"9223372036854775807", "9223372036854775808", "-9223372036854775808",
		"18446744073709551615", "18446744073709551616",
		"1000000000000000000000000000000000000000", "1000000000000000000000000000000000000001",
	} {
		b := bytesOf(t, parse(t, literal))
		require.Equal(t, literal, string(b))
		hash := canon.Hash("test", b)
		require.NotContains(t, seen, string(hash[:]), literal)
		seen[string(hash[:])] = literal
	}
}

func TestEqualNumbers(t *testing.T) {
	t.Parallel()
	float := func(f float64) canon.Value {
		v, err := canon.Float(f)
		require.NoError(t, err)
		return v
	}
	tests := map[string]struct {
		a, b canon.Value
		want bool
	}{
		"zeros":                    {parse(t, "-0"), float(math.Copysign(0, -1)), true},
		"integer and fraction":     {parse(t, "1"), parse(t, "1.0"), true},
		"neighbours beyond 2^53":   {parse(t, "9007199254740992"), parse(t, "9007199254740993"), false},
		"float and its integer":    {float(1e20), parse(t, "100000000000000000000"), true},
		"float prints zeros":       {float(1 << 69), parse(t, "590295810358705700000"), true},
		"not its exact value":      {float(1 << 69), parse(t, "590295810358705651712"), false},
		"float prints an exponent": {float(1e21), parse(t, "1000000000000000000000"), false},
		"out of range":             {parse(t, "1e400"), parse(t, "1e400"), true},
		"out of range, two":        {parse(t, "1e400"), parse(t, "1e401"), false},
		"out of range, one":        {parse(t, "1.0"), parse(t, "1e400"), false},
		"zero and out of range":    {parse(t, "0.0"), parse(t, "1e400"), false},
		"zero and underflow":       {parse(t, "0.0"), parse(t, "1e-400"), false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, test.want, canon.Equal(test.a, test.b))
			require.Equal(t, test.want, canon.Equal(test.b, test.a))
		})
	}
}

func TestHash(t *testing.T) {
	t.Parallel()
	require.Equal(t, sha256.Sum256([]byte("args/v1\x00{}")), canon.Hash("args/v1", []byte("{}")))
	require.NotEqual(t, canon.Hash("args/v1", []byte("{}")), canon.Hash("args/v2", []byte("{}")))
}

func TestKindNames(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"null": "null", "true": "boolean", "1": "number", `"a"`: "string", "[]": "array", "{}": "object",
	}
	for text, name := range want {
		require.Equal(t, name, parse(t, text).Kind().String())
	}
}
