package sample

import (
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestCentsAreExact writes amounts as people do, reads them as JSON numbers
// are read, and expects the very same cents.
func TestCentsAreExact(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.Int64Range(1, maxAmount*100).Draw(t, "cents")
		text := money(want, "EUR")
		amount, err := strconv.ParseFloat(text[:len(text)-len(" EUR")], 64)
		require.NoError(t, err)
		got, err := toCents(amount)
		require.NoError(t, err)
		require.Equal(t, want, got)
		require.InDelta(t, amount, fromCents(got), 0)
	})
}

// TestMoreDecimalsAreRefused appends a third to seventh decimal that is not 0.
func TestMoreDecimalsAreRefused(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		cents := rapid.Int64Range(1, maxAmount*100-1).Draw(t, "cents")
		rest := rapid.StringMatching(`0{0,4}[1-9]`).Draw(t, "rest")
		text := money(cents, "")
		amount, err := strconv.ParseFloat(text[:len(text)-1]+rest, 64)
		require.NoError(t, err)
		_, err = toCents(amount)
		require.ErrorContains(t, err, "more than two decimals")
	})
}

func TestAmountsThatAreNoAmounts(t *testing.T) {
	t.Parallel()
	for _, amount := range []float64{0, math.Copysign(0, -1), -1, maxAmount + 0.01, math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN()} {
		_, err := toCents(amount)
		require.ErrorContains(t, err, "invalid_amount", amount)
	}
}
