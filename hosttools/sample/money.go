package sample

import (
	"fmt"
	"math"

	"github.com/agentstudio/agentstudio/hosttools"
)

// maxAmount is the largest amount that is taken, in the order's currency. Up
// to it, every amount of two decimals has its own float64.
const maxAmount = 1_000_000

// toCents turns an amount that came as a JSON number into whole cents. It
// refuses what is not positive, too large, or has more than two decimals,
// instead of rounding it: the approver saw the amount, not what becomes of it.
func toCents(amount float64) (int64, error) {
	if !(amount > 0 && amount <= maxAmount) { // so written, NaN is refused too
		return 0, hosttools.Errorf("invalid_amount", "The amount must be more than 0 and at most %d.", maxAmount)
	}
	cents := math.Round(amount * 100)
	// An amount of two decimals is the float64 nearest to cents/100, and that
	// is what the division gives.
	if cents/100 != amount {
		return 0, hosttools.Errorf("invalid_amount", "The amount %v has more than two decimals.", amount)
	}
	return int64(cents), nil
}

// fromCents is the inverse of [toCents].
func fromCents(cents int64) float64 { return float64(cents) / 100 }

// money writes cents for people: 84.50 EUR.
func money(cents int64, currency string) string {
	return fmt.Sprintf("%d.%02d %s", cents/100, cents%100, currency)
}
