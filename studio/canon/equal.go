package canon

import (
	"cmp"
	"math"
	"slices"
	"strconv"
)

// Equal reports whether a and b are the same value, so that their canonical
// bytes are the same; it does not use those bytes. The order of members does
// not matter, the order of items does. Integers are equal by their digits,
// floats by their double, and an integer equals a float below 1e21 whose
// shortest decimal it is. Numbers without canonical form equal only numbers
// with the same literal.
func Equal(a, b Value) bool {
	if a.kind != b.kind {
		return false
	}
	switch a.kind {
	case KindBool:
		return a.truth == b.truth
	case KindNumber:
		return equalNumbers(a, b)
	case KindString:
		return a.text == b.text
	case KindArray:
		return slices.EqualFunc(a.items(), b.items(), Equal)
	case KindObject:
		return slices.EqualFunc(byName(a.members()), byName(b.members()), equalMembers)
	default:
		return true
	}
}

func equalMembers(a, b Member) bool { return a.Name == b.Name && Equal(a.Value, b.Value) }

func byName(members []Member) []Member {
	return slices.SortedFunc(slices.Values(members), func(a, b Member) int {
		return cmp.Compare(a.Name, b.Name)
	})
}

func equalNumbers(a, b Value) bool {
	if a.isInteger() && b.isInteger() {
		x, okX := a.Integer()
		y, okY := b.Integer()
		return okX && okY && x == y || a.text == b.text
	}
	if a.isInteger() {
		a, b = b, a
	}
	x, err := a.Float()
	if err != nil {
		return a.text == b.text
	}
	if b.isInteger() {
		digits, ok := b.Integer()
		return ok && math.Abs(x) < 1e21 && strconv.FormatFloat(x, 'f', -1, 64) == digits
	}
	y, err := b.Float()
	return err == nil && x == y
}

// isInteger reports whether a number counts as an integer rather than a float.
func (v Value) isInteger() bool {
	return v.form == formInteger || v.form == formLiteral && isIntegerLiteral(v.text)
}
