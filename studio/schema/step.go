package schema

import (
	"math/bits"
	"strconv"
	"strings"
)

// step is a multipleOf as coefficient × 10^exponent: of 0.01 it has exactly a
// hundredth, not the double next to it.
type step struct {
	coefficient uint64 // not 0, below 10^17
	exponent    int
	words       string
}

// newStep returns the step of f, which must be finite and above zero.
func newStep(f float64) *step {
	// The shortest text of a double has at most 17 digits: 1.2345e-07.
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(f, 'e', -1, 64), "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	coefficient, _ := strconv.ParseUint(whole+fraction, 10, 64)
	power, _ := strconv.Atoi(exponent)
	return &step{coefficient: coefficient, exponent: power - len(fraction), words: readable(f)}
}

// divides reports whether a number in canonical form is a multiple of s. Its
// cost is linear in the length of the text, whatever the exponents are.
//
// The number is digits × 10^exponent, and its digits do not end with a zero
// unless it is zero. So if its exponent is the smaller one, ten would have to
// divide the digits, and it does not. If not, the quotient is
// digits × 10^difference / coefficient, of which only the remainder counts.
func (s *step) divides(number string) bool {
	mantissa, exponent, _ := strings.Cut(strings.TrimPrefix(number, "-"), "e")
	power, _ := strconv.Atoi(exponent)
	whole, fraction, _ := strings.Cut(mantissa, ".")
	remainder, zeros := s.fold(0, 0, whole)
	remainder, zeros = s.fold(remainder, zeros, fraction)
	difference := power - len(fraction) + zeros - s.exponent
	if remainder == 0 {
		return strings.Trim(mantissa, "0.") == "" || difference >= 0
	}
	return difference >= 0 && s.times(remainder, s.powerOfTen(difference)) == 0
}

// fold continues the remainder of digits that were read so far with more of
// them. Zeros at the end are only counted.
func (s *step) fold(remainder uint64, zeros int, digits string) (uint64, int) {
	for _, digit := range []byte(digits) {
		zeros++
		if digit == '0' {
			continue
		}
		remainder = s.times(remainder, s.powerOfTen(zeros))
		remainder = (remainder + uint64(digit-'0')) % s.coefficient
		zeros = 0
	}
	return remainder, zeros
}

// times returns a × b modulo the coefficient, which both are below.
func (s *step) times(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return bits.Rem64(high, low, s.coefficient)
}

// powerOfTen returns 10^n modulo the coefficient.
func (s *step) powerOfTen(n int) uint64 {
	result, base := 1%s.coefficient, 10%s.coefficient
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			result = s.times(result, base)
		}
		base = s.times(base, base)
	}
	return result
}
