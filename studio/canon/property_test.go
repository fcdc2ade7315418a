package canon_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf16"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/agentstudio/agentstudio/studio/canon"
)

// node is a JSON value that can be written in many ways.
type node struct {
	kind      canon.Kind
	truth     bool
	text      string
	spellings []string // of a number, all of one value
	names     []string
	inner     []node
}

// numbers are groups of literals: equal within a group, different across.
func numbers() [][]string {
	return [][]string{
		{"0", "-0", "0.0", "-0e9", "0E-999999999999"},
		{"1", "1.0", "10e-1", "0.1E+1"},
		{"-1", "-1.0", "-10e-1"},
		{"100", "1e2", "1E+02", "100.00"},
		{"1.5", "15e-1", "1.50"},
		{"0.1", "1e-1", "0.1000000000000000055"},
		{"9007199254740992", "9007199254740992.0", "9007199254740993.0"},
		{"9007199254740993"},
		{"9007199254740994", "9007199254740994.0"},
		{"100000000000000000000", "1e20"},
		{"1e21", "1000e18", "1.0e21"},
		{"1000000000000000000000"},
		{"5e-324", "3e-324"},
	}
}

func texts() []string {
	return []string{
		"", "a", "b", "A", "1", "null", "é", "e\u0301", "\u0000", "\"\\/\b\f\n\r\t\u001f\u007f",
		"\u2028", "\u202e", "\ue000", "\ufb33", "\ufeff", "\ufffd", "\uffff", "😀", "\U00010000", "\U0010ffff",
	}
}

func drawText() *rapid.Generator[string] {
	return rapid.OneOf(rapid.SampledFrom(texts()), rapid.String())
}

func drawNames() *rapid.Generator[[]string] {
	return rapid.SliceOfNDistinct(drawText(), 0, 20, func(name string) string {
		return strings.Map(smallestFold, name)
	})
}

func smallestFold(r rune) rune {
	return slices.Min(foldOrbit(r))
}

// foldOrbit returns the runes that differ from r only in case, r included.
func foldOrbit(r rune) []rune {
	orbit := []rune{r}
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		orbit = append(orbit, next)
	}
	return orbit
}

func drawNode(t *rapid.T, depth int) node {
	kinds := []canon.Kind{canon.KindNull, canon.KindBool, canon.KindNumber, canon.KindString}
	if depth > 0 {
		kinds = append(kinds, canon.KindArray, canon.KindObject)
	}
	n := node{kind: rapid.SampledFrom(kinds).Draw(t, "kind")}
	count := 0
	switch n.kind {
	case canon.KindBool:
		n.truth = rapid.Bool().Draw(t, "truth")
	case canon.KindNumber:
		n.spellings = rapid.SampledFrom(numbers()).Draw(t, "number")
	case canon.KindString:
		n.text = drawText().Draw(t, "text")
	case canon.KindArray:
		count = rapid.IntRange(0, 3).Draw(t, "count")
	case canon.KindObject:
		n.names = drawNames().Draw(t, "names")
		count = len(n.names)
	}
	for range count {
		n.inner = append(n.inner, drawNode(t, depth-1))
	}
	return n
}

// drawNear returns n with one part drawn anew, which may turn out the same.
func drawNear(t *rapid.T, n node, depth int) node {
	if len(n.inner) == 0 || rapid.Bool().Draw(t, "here") {
		return drawNode(t, depth)
	}
	i := rapid.IntRange(0, len(n.inner)-1).Draw(t, "part")
	n.inner = slices.Clone(n.inner)
	n.inner[i] = drawNear(t, n.inner[i], depth-1)
	return n
}

// writeNode writes n in one of its many ways.
func writeNode(t *rapid.T, n node) string {
	space := func() string { return rapid.SampledFrom([]string{"", "", " ", "\r\n\t"}).Draw(t, "space") }
	var parts []string
	for i, inner := range n.inner {
		part := space() + writeNode(t, inner) + space()
		if n.kind == canon.KindObject {
			part = space() + writeString(t, n.names[i]) + space() + ":" + part
		}
		parts = append(parts, part)
	}
	switch n.kind {
	case canon.KindBool:
		return strconv.FormatBool(n.truth)
	case canon.KindNumber:
		return rapid.SampledFrom(n.spellings).Draw(t, "spelling")
	case canon.KindString:
		return writeString(t, n.text)
	case canon.KindArray:
		return "[" + space() + strings.Join(parts, ",") + "]"
	case canon.KindObject:
		if len(parts) > 0 {
			parts = rapid.Permutation(parts).Draw(t, "order")
		}
		return "{" + space() + strings.Join(parts, ",") + "}"
	default:
		return "null"
	}
}

func writeString(t *rapid.T, s string) string {
	escapeAll := rapid.Bool().Draw(t, "escape")
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case escapeAll || r < ' ' || r == '"' || r == '\\':
			for _, unit := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&b, `\u%04X`, unit)
			}
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func mustParse(t require.TestingT, text string) (canon.Value, []byte) {
	v, err := canon.Parse([]byte(text))
	require.NoError(t, err, "%q", text)
	b, err := canon.Bytes(v)
	require.NoError(t, err, "%q", text)
	return v, b
}

func TestOneValueHasOneForm(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := drawNode(t, 3)
		first, firstBytes := mustParse(t, writeNode(t, n))
		second, secondBytes := mustParse(t, writeNode(t, n))
		require.Equal(t, string(firstBytes), string(secondBytes))
		require.True(t, canon.Equal(first, second))

		again, againBytes := mustParse(t, string(firstBytes))
		require.Equal(t, string(firstBytes), string(againBytes))
		require.True(t, canon.Equal(first, again))
	})
}

func TestBytesAreEqualExactlyIfValuesAre(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := drawNode(t, 2)
		other := drawNear(t, n, 2)
		a, aBytes := mustParse(t, writeNode(t, n))
		b, bBytes := mustParse(t, writeNode(t, other))
		require.Equal(t, bytes.Equal(aBytes, bBytes), canon.Equal(a, b), "%s and %s", aBytes, bBytes)
	})
}

func TestNumberGroupsAreDistinct(t *testing.T) {
	t.Parallel()
	group := map[string]int{}
	for i, spellings := range numbers() {
		for _, spelling := range spellings {
			_, b := mustParse(t, spelling)
			earlier, seen := group[string(b)]
			require.True(t, !seen || earlier == i, spelling)
			group[string(b)] = i
		}
	}
	require.Len(t, group, len(numbers()))
}

func TestNamesSortByUTF16(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		names := drawNames().Draw(t, "names")
		var members []canon.Member
		for _, name := range names {
			members = append(members, canon.Member{Name: name})
		}
		v, err := canon.ObjectOf(members...)
		require.NoError(t, err)
		b, err := canon.Bytes(v)
		require.NoError(t, err)

		slices.SortFunc(names, func(a, b string) int {
			return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
		})
		written, err := canon.Parse(b)
		require.NoError(t, err)
		for i, m := range written.Members() {
			require.Equal(t, names[i], m.Name)
		}
	})
}

// TestEveryCaseVariantIsFound tries every rune that has case variants, alone
// and in an object of many names.
func TestEveryCaseVariantIsFound(t *testing.T) {
	t.Parallel()
	var many []canon.Member
	for i := range 30 {
		many = append(many, canon.Member{Name: "#" + strconv.Itoa(i)})
	}
	for r := range rune(unicode.MaxRune) {
		for _, variant := range foldOrbit(r)[1:] {
			pair := []canon.Member{{Name: "x" + string(r)}, {Name: "X" + string(variant)}}
			_, err := canon.ObjectOf(pair...)
			requireReason(t, canon.ReasonCaseVariantName, err)
			_, err = canon.ObjectOf(slices.Concat(many, pair)...)
			requireReason(t, canon.ReasonCaseVariantName, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		``, `{"a":[1,-0,1e2,1.5e-7,true,null,"\ud83d\ude00\n"],"B":{}}`, `{"a":1,"A":2}`, `{"k":1,"k":2}`,
		"\ufeff[]", `"\ud800"`, "\"\xff\"", `9007199254740993`, `1e400`, `1e-400`, nested(65), `[] []`, `[1,]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := canon.Parse(data)
		if err != nil {
			checkRefusal(t, data, err)
			return
		}
		require.True(t, json.Valid(data), "accepted, but not JSON")
		b, err := canon.Bytes(v)
		if err != nil {
			var refusal *canon.Error
			require.ErrorAs(t, err, &refusal)
			require.Contains(t, []canon.Reason{canon.ReasonNumberRange, canon.ReasonTooLarge}, refusal.Reason)
			return
		}
		again, againBytes := mustParse(t, string(b))
		require.Equal(t, string(b), string(againBytes))
		require.True(t, canon.Equal(v, again))
	})
}

func checkRefusal(t *testing.T, data []byte, err error) {
	t.Helper()
	var refusal *canon.Error
	require.ErrorAs(t, err, &refusal, "error %v", err)
	require.NotEmpty(t, refusal.Error())
	require.GreaterOrEqual(t, refusal.Offset, 0)
	require.LessOrEqual(t, refusal.Offset, len(data))
	switch refusal.Reason {
	case canon.ReasonEmpty, canon.ReasonSyntax, canon.ReasonTrailingData:
		require.False(t, json.Valid(data), "refused as %s", refusal.Reason)
	}
}

func BenchmarkParseBytes(b *testing.B) {
	data := []byte(`{"customer":{"id":9007199254740993,"name":"Anna Müller","email":"anna@example.com"},` +
		`"lines":[` + strings.Repeat(`{"sku":"A-1000","quantity":3,"price":12.5,"note":null,"gift":false},`, 12) +
		`{"sku":"B-7","quantity":1,"price":1e3,"note":"with \"quotes\"","gift":true}],"total":450.25}`)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		v, err := canon.Parse(data)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := canon.Bytes(v); err != nil {
			b.Fatal(err)
		}
	}
}
