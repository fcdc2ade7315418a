package schema_test

import (
	"encoding/json"
	"math"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/agentstudio/agentstudio/studio/canon"
	"github.com/agentstudio/agentstudio/studio/schema"
)

func TestNormaliseAcceptsWhatTheLibraryAccepts(t *testing.T) {
	t.Parallel()
	var accepted, refused int
	rapid.Check(t, func(t *rapid.T) {
		s := drawSchema(t, 3)
		text, err := json.Marshal(s)
		require.NoError(t, err)
		compiled, err := schema.Compile(s)
		require.NoError(t, err, string(text))
		in := drawValue(t, s)
		out, issues := compiled.Normalise(in)
		theirs := accepts(t, reference(s), in)
		require.Equal(t, theirs, issues == nil, "%s for %s: %v", write(t, in), text, issues)
		if issues != nil {
			refused++
			requirePlaces(t, in, issues)
			return
		}
		accepted++
		require.True(t, accepts(t, reference(s), out), "%s for %s", write(t, out), text)
		requireStable(t, compiled, out)
	})
	require.Positive(t, accepted)
	require.Positive(t, refused)
}

// requireStable checks that a value in normal form stays as it is, also after
// it was written and read.
func requireStable(t require.TestingT, compiled *schema.Schema, out canon.Value) {
	text := write(t, out)
	for _, v := range []canon.Value{out, parse(t, text)} {
		again, issues := compiled.Normalise(v)
		require.Empty(t, issues)
		require.Equal(t, text, write(t, again))
	}
}

// requirePlaces checks that pointers lead to a value, or to an object from
// which one is missing.
func requirePlaces(t require.TestingT, v canon.Value, issues []schema.Issue) {
	require.LessOrEqual(t, len(issues), schema.MaxIssues)
	for _, issue := range issues {
		place, ok := v, true
		for segment := range strings.SplitSeq(issue.Pointer, "/") {
			if segment == "" {
				continue
			}
			require.True(t, ok, "%v", issue)
			place, ok = step(place, segment)
		}
		require.Equal(t, strings.HasPrefix(issue.Message, "is missing"), !ok, "%v", issue)
	}
}

func step(v canon.Value, segment string) (canon.Value, bool) {
	name := strings.NewReplacer("~1", "/", "~0", "~").Replace(segment)
	if v.Kind() == canon.KindObject {
		return v.Get(name)
	}
	for i, item := range v.Items() {
		if strconv.Itoa(i) == name {
			return item, true
		}
	}
	return canon.Null(), false
}

// Exact fractions are the reference for multipleOf and limits, where the
// library divides doubles.
func TestNumbersAreExact(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		form := sample(t, "type", "integer", "number")
		limit := drawLimit(t)
		keyword := sample(t, "keyword", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
		s := &jsonschema.Schema{Type: form}
		switch keyword {
		case "minimum":
			s.Minimum = &limit
		case "maximum":
			s.Maximum = &limit
		case "exclusiveMinimum":
			s.ExclusiveMinimum = &limit
		case "exclusiveMaximum":
			s.ExclusiveMaximum = &limit
		case "multipleOf":
			limit = math.Abs(limit)
			if limit == 0 {
				limit = 0.01
			}
			s.MultipleOf = &limit
		}
		compiled, err := schema.Compile(s)
		require.NoError(t, err)
		v := parse(t, drawNear(t, form, limit))
		out, issues := compiled.Normalise(v)
		want := exactly(t, form, keyword, v, limit)
		require.Equal(t, want, issues == nil, "%s %s %g: %s %v", form, keyword, limit, v.Literal(), issues)
		if issues == nil {
			requireStable(t, compiled, out)
		}
	})
}

func drawLimit(t *rapid.T) float64 {
	return rapid.OneOf(
		rapid.SampledFrom([]float64{0, 1, -1, 3, 7, 0.01, 0.1, 0.25, 1e-7, 1 << 53, -(1 << 53), 1 << 63, 1e20, 1e22, 123456.789}),
		rapid.Float64Range(-1e18, 1e18),
		rapid.Float64Range(-1e3, 1e3),
	).Draw(t, "limit")
}

// drawNear draws a number on or beside a multiple of limit.
func drawNear(t *rapid.T, form string, limit float64) string {
	times := rapid.Int64Range(-1000, 1000).Draw(t, "times")
	beside := rapid.Int64Range(-1, 1).Draw(t, "beside")
	if form == "number" {
		f := limit * float64(times)
		if oneIn(t, 2, "itself") {
			f = limit
		}
		for range beside + 1 {
			f = math.Nextafter(f, math.Inf(1))
		}
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	whole, _ := big.NewFloat(math.Trunc(limit)).Int(nil)
	if oneIn(t, 2, "multiple") {
		whole.Mul(whole, big.NewInt(times))
	}
	return whole.Add(whole, big.NewInt(beside)).String()
}

func exactly(t require.TestingT, form, keyword string, v canon.Value, limit float64) bool {
	bound := new(big.Rat).SetFloat64(limit)
	value := rational(t, v.Literal())
	if form == "number" {
		f, err := v.Float()
		require.NoError(t, err)
		value.SetFloat64(f)
	}
	switch order := value.Cmp(bound); keyword {
	case "minimum":
		return order >= 0
	case "maximum":
		return order <= 0
	case "exclusiveMinimum":
		return order > 0
	case "exclusiveMaximum":
		return order < 0
	}
	if form == "number" {
		f, err := v.Float()
		require.NoError(t, err)
		value = rational(t, strconv.FormatFloat(f, 'e', -1, 64))
	}
	return value.Quo(value, rational(t, strconv.FormatFloat(limit, 'e', -1, 64))).IsInt()
}

func rational(t require.TestingT, text string) *big.Rat {
	value, ok := new(big.Rat).SetString(text)
	require.True(t, ok, text)
	return value
}
