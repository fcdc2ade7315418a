package schema

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/agentstudio/agentstudio/studio/canon"
)

func (w *walk) number(n *node, v canon.Value) (canon.Value, bool) {
	out, changed, refusal := n.numbers.normal(v)
	if refusal != "" {
		w.issue(refusal)
		return v, false
	}
	for i := range n.edges {
		if n.edges[i].excludes(n.numbers, out) {
			w.issue(n.edges[i].refusal)
			break // The others say less, or the same again.
		}
	}
	if n.step != nil && !n.step.divides(out.Literal()) {
		w.issue("must be a multiple of " + n.step.words)
	}
	w.chosen(n.choices, out)
	return out, changed
}

// normal returns a number in the form f, or why it has none.
func (f numberForm) normal(v canon.Value) (out canon.Value, changed bool, refusal string) {
	if f == asInteger || f == asWritten && !strings.ContainsAny(v.Literal(), ".eE") {
		return integer(v)
	}
	return double(v)
}

func integer(v canon.Value) (out canon.Value, changed bool, refusal string) {
	digits, ok := v.Integer()
	if !ok {
		return v, false, notInteger(v)
	}
	if digits == v.Literal() {
		return v, false, ""
	}
	out, err := canon.Int(digits)
	if err != nil {
		return v, false, notInteger(v)
	}
	return out, true, ""
}

func notInteger(v canon.Value) string {
	f, err := v.Float()
	switch {
	case err != nil:
		return "is not a number that can be held"
	case math.Abs(f) >= 1e40:
		return fmt.Sprintf("may have at most %s", counted(canon.MaxIntegerDigits, "digit"))
	default:
		return "must be a whole number"
	}
}

func double(v canon.Value) (out canon.Value, changed bool, refusal string) {
	f, err := floatOf(v)
	if err != nil {
		return v, false, "is not a number that can be held"
	}
	if isShortest(f, v.Literal()) {
		return v, false, ""
	}
	out, err = canon.Float(f)
	if err != nil {
		return v, false, "is not a number that can be held"
	}
	return out, out.Literal() != v.Literal(), ""
}

// floatOf returns what v.Float does, sooner if the literal is short: strconv
// reads those right, but says zero to what is too small.
func floatOf(v canon.Value) (float64, error) {
	if literal := v.Literal(); len(literal) <= 32 {
		if f, err := strconv.ParseFloat(literal, 64); err == nil && f != 0 {
			return f, nil
		}
	}
	return v.Float()
}

// isShortest reports whether literal is the canonical text of f, for those
// that are written without exponent.
func isShortest(f float64, literal string) bool {
	if size := math.Abs(f); size < 1e-6 || size >= 1e21 {
		return f == 0 && literal == "0"
	}
	var buffer [32]byte
	return string(strconv.AppendFloat(buffer[:0], f, 'f', -1, 64)) == literal
}

// edge is one end of what numbers may be.
type edge struct {
	isLower bool
	strict  bool // the edge itself is outside
	// limit is for doubles.
	limit float64
	// digits are for integers: the last one inside.
	digits  string
	refusal string
}

// newEdge returns the edge at limit, which must be finite. Between doubles
// that are larger than 2^53 lie integers, so those are compared by digits.
func newEdge(limit float64, isLower, strict bool) edge {
	last, inwards := math.Floor(limit), int64(-1)
	if isLower {
		last, inwards = math.Ceil(limit), 1
	}
	digits, _ := big.NewFloat(last).Int(nil)
	if strict && last == limit {
		digits.Add(digits, big.NewInt(inwards))
	}
	return edge{
		isLower: isLower, strict: strict, limit: limit,
		digits:  digits.String(),
		refusal: edgeWords(isLower, strict) + readable(limit),
	}
}

func edgeWords(isLower, strict bool) string {
	switch {
	case isLower && strict:
		return "must be more than "
	case isLower:
		return "must be at least "
	case strict:
		return "must be less than "
	default:
		return "must be at most "
	}
}

// integerEdge returns the edge of a Go type of integers.
func integerEdge(digits string, isLower bool) edge {
	return edge{isLower: isLower, digits: digits, refusal: edgeWords(isLower, false) + digits}
}

// readable writes f for people: whole numbers digit for digit, unless they are
// absurdly large.
func readable(f float64) string {
	if math.Abs(f) >= 1e21 {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	if f == math.Trunc(f) {
		return strconv.FormatFloat(f, 'f', 0, 64)
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

// excludes reports whether a number in normal form is beyond e.
func (e *edge) excludes(form numberForm, v canon.Value) bool {
	if form == asInteger {
		order := compareDigits(v.Literal(), e.digits)
		return e.isLower && order < 0 || !e.isLower && order > 0
	}
	f, err := floatOf(v)
	switch {
	case err != nil:
		return true
	case e.strict && f == e.limit:
		return true
	case e.isLower:
		return f < e.limit
	default:
		return f > e.limit
	}
}

// compareDigits compares two integers in canonical digits.
func compareDigits(a, b string) int {
	a, isNegative := strings.CutPrefix(a, "-")
	b, otherNegative := strings.CutPrefix(b, "-")
	switch {
	case isNegative && !otherNegative:
		return -1
	case otherNegative && !isNegative:
		return 1
	case isNegative:
		a, b = b, a
	}
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}
