package canon

import (
	"cmp"
	"crypto/sha256"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Bytes returns the canonical bytes of v. See [Append].
func Bytes(v Value) ([]byte, error) { return Append(nil, v) }

// Append appends the canonical bytes of v to dst. It refuses what [Parse]
// would not read back: a value beyond [MaxDepth] or [MaxBytes], a string that
// is not valid UTF-8, and a parsed number that does not fit its kind. The
// refusal is an [*Error] with the place; dst is then returned as it was.
func Append(dst []byte, v Value) ([]byte, error) {
	out, err := appendValue(dst, v, 0)
	if err == nil && len(out)-len(dst) > MaxBytes {
		err = refused(ReasonTooLarge)
	}
	if err != nil {
		return dst, err
	}
	return out, nil
}

// appendValue appends v, which is inside depth arrays and objects.
func appendValue(dst []byte, v Value, depth int) ([]byte, error) {
	switch v.kind {
	case KindBool:
		return strconv.AppendBool(dst, v.truth), nil
	case KindNumber:
		return appendNumber(dst, v)
	case KindString:
		return appendString(dst, v.text)
	case KindArray, KindObject:
		if depth == MaxDepth {
			return dst, refused(ReasonTooDeep)
		}
		if v.kind == KindArray {
			return appendArray(dst, v.items(), depth+1)
		}
		return appendObject(dst, v.members(), depth+1)
	default:
		return append(dst, "null"...), nil
	}
}

func appendArray(dst []byte, items []Value, depth int) ([]byte, error) {
	dst = append(dst, '[')
	for i, item := range items {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = appendValue(dst, item, depth); err != nil {
			return dst, within(strconv.Itoa(i), err)
		}
	}
	return append(dst, ']'), nil
}

func appendObject(dst []byte, members []Member, depth int) ([]byte, error) {
	dst = append(dst, '{')
	for i, m := range sorted(members) {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = appendString(dst, m.Name); err != nil {
			return dst, within(m.Name, err)
		}
		dst = append(dst, ':')
		if dst, err = appendValue(dst, m.Value, depth); err != nil {
			return dst, within(m.Name, err)
		}
	}
	return append(dst, '}'), nil
}

// appendString appends s with the escapes of RFC 8785.
func appendString(dst []byte, s string) ([]byte, error) {
	if !utf8.ValidString(s) {
		return dst, refused(ReasonInvalidUTF8)
	}
	return jsontext.AppendQuote(dst, s)
}

// sorted returns the members in the order of RFC 8785.
func sorted(members []Member) []Member {
	if slices.IsSortedFunc(members, compareMembers) {
		return members
	}
	members = slices.Clone(members)
	slices.SortFunc(members, compareMembers)
	return members
}

func compareMembers(a, b Member) int { return compareUTF16(a.Name, b.Name) }

// compareUTF16 compares two valid UTF-8 strings by their UTF-16 code units.
// The order is that of the bytes, except that a character outside the basic
// plane (first byte F0 and up) is written with surrogates, and so comes before
// U+E000 to U+FFFF (first byte EE or EF).
func compareUTF16(a, b string) int {
	for i := range min(len(a), len(b)) {
		x, y := a[i], b[i]
		if x == y {
			continue
		}
		if min(x, y) >= 0xEE && (x >= 0xF0) != (y >= 0xF0) {
			return cmp.Compare(y, x)
		}
		return cmp.Compare(x, y)
	}
	return cmp.Compare(len(a), len(b))
}

// Hash returns the SHA-256 of domain, a zero byte, and canonical bytes. The
// domain says what is hashed ("agent-studio/arguments/v1"), so that the hash
// of one thing never passes for that of another; it must be a constant without
// zero bytes.
func Hash(domain string, canonical []byte) [sha256.Size]byte {
	text := make([]byte, 0, len(domain)+1+len(canonical))
	text = append(text, domain...)
	text = append(text, 0)
	text = append(text, canonical...)
	return sha256.Sum256(text)
}
