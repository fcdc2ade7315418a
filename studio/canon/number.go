package canon

import (
	"math"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

const (
	// MaxIntegerDigits is the size of the largest integer.
	MaxIntegerDigits = 40

	// exponentLimit is beyond every exponent that matters, and small enough
	// for sums with the length of a text.
	exponentLimit = 1 << 28
)

// Int returns an integer node. The digits are a JSON integer of at most
// [MaxIntegerDigits] digits, without fraction, exponent, plus sign or leading
// zeros; "-0" becomes "0". Anything else is refused.
func Int(digits string) (Value, error) {
	if !isIntegerLiteral(digits) {
		return Value{}, refused(ReasonSyntax)
	}
	canonical, ok := plainInteger(digits)
	if !ok {
		return Value{}, refused(ReasonNumberRange)
	}
	return Value{kind: KindNumber, form: formInteger, text: canonical}, nil
}

// Float returns a float node. Infinities and NaN are refused; negative zero
// becomes zero.
func Float(f float64) (Value, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return Value{}, refused(ReasonNumberRange)
	}
	text := string(appendFloat(nil, f))
	return Value{kind: KindNumber, form: formFloat, text: text}, nil
}

// Literal returns a number as it was written, or in canonical form if it was
// built. It returns "" for other kinds.
func (v Value) Literal() string {
	if v.kind != KindNumber {
		return ""
	}
	return v.text
}

// Integer returns the canonical digits of a number whose value is exactly an
// integer, however it is written: "1.0" is 1, "1e2" is 100, "-0" is 0. It is
// not ok for other values, for other kinds, and beyond [MaxIntegerDigits].
func (v Value) Integer() (digits string, ok bool) {
	if v.kind != KindNumber {
		return "", false
	}
	if isIntegerLiteral(v.text) {
		return plainInteger(v.text)
	}
	d := decompose(v.text)
	switch {
	case d.digits == "":
		return "0", true
	case d.exponent < 0, len(d.digits)+d.exponent > MaxIntegerDigits:
		return "", false
	case d.negative:
		return "-" + d.digits + strings.Repeat("0", d.exponent), true
	default:
		return d.digits + strings.Repeat("0", d.exponent), true
	}
}

// Float returns the double nearest to a number. It refuses numbers that
// overflow, or that are not zero but would become zero, and other kinds.
// Negative zero becomes zero.
func (v Value) Float() (float64, error) {
	if v.kind != KindNumber {
		return 0, refused(ReasonNumberRange)
	}
	d := decompose(v.text)
	if d.digits == "" {
		return 0, nil
	}
	// strconv misreads literals of more than 800 digits before the point, and
	// exponents of more than five digits. In this form it needs neither.
	text := "0." + d.digits + "e" + strconv.Itoa(len(d.digits)+d.exponent)
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f == 0 {
		return 0, refused(ReasonNumberRange)
	}
	if d.negative {
		f = -f
	}
	return f, nil
}

// appendNumber appends the canonical form of a number node.
func appendNumber(dst []byte, v Value) ([]byte, error) {
	if v.form != formLiteral {
		return append(dst, v.text...), nil
	}
	if isIntegerLiteral(v.text) {
		digits, ok := plainInteger(v.text)
		if !ok {
			return dst, refused(ReasonNumberRange)
		}
		return append(dst, digits...), nil
	}
	f, err := v.Float()
	if err != nil {
		return dst, err
	}
	return appendFloat(dst, f), nil
}

// appendFloat appends f as ECMAScript prints it.
func appendFloat(dst []byte, f float64) []byte {
	if f == 0 {
		return append(dst, '0') // also for negative zero
	}
	return jsontext.AppendFloat(dst, f, 64)
}

// isIntegerLiteral reports whether s is a JSON number without fraction and
// exponent.
func isIntegerLiteral(s string) bool {
	digits := strings.TrimPrefix(s, "-")
	if digits == "" || digits[0] == '0' && digits != "0" {
		return false
	}
	return strings.Trim(digits, "0123456789") == ""
}

// plainInteger returns the canonical form of an integer literal, unless it has
// more than MaxIntegerDigits.
func plainInteger(literal string) (digits string, ok bool) {
	switch {
	case literal == "-0":
		return "0", true
	case len(strings.TrimPrefix(literal, "-")) > MaxIntegerDigits:
		return "", false
	default:
		return literal, true
	}
}

// decimal is a number as digits × 10^exponent. The digits neither begin nor
// end with a zero; there are none if the number is zero.
type decimal struct {
	negative bool
	digits   string
	exponent int
}

// decompose reads a JSON number exactly, in time and space linear in the
// length of its literal, whatever its exponent says.
func decompose(literal string) decimal {
	mantissa, exponent := literal, 0
	if e := strings.IndexAny(literal, "eE"); e >= 0 {
		mantissa = literal[:e]
		// Out of range, Atoi returns the nearest int, which is cut below.
		exponent, _ = strconv.Atoi(literal[e+1:])
		exponent = max(-exponentLimit, min(exponent, exponentLimit))
	}
	mantissa, negative := strings.CutPrefix(mantissa, "-")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	all := strings.TrimLeft(whole+fraction, "0")
	digits := strings.TrimRight(all, "0")
	return decimal{
		negative: negative,
		digits:   digits,
		exponent: exponent - len(fraction) + len(all) - len(digits),
	}
}
