package canon

import (
	"iter"
	"slices"
)

// Kind is the JSON kind of a [Value].
type Kind uint8

// The kinds of values. The zero Value is null.
const (
	KindNull Kind = iota
	KindBool
	KindNumber
	KindString
	KindArray
	KindObject
)

// String returns the name of the kind as JSON Schema spells it.
func (k Kind) String() string {
	switch k {
	case KindNull:
		return "null"
	case KindBool:
		return "boolean"
	case KindNumber:
		return "number"
	case KindString:
		return "string"
	case KindArray:
		return "array"
	case KindObject:
		return "object"
	default:
		return "unknown"
	}
}

// numberForm says how a number node is to be read.
type numberForm uint8

const (
	formLiteral numberForm = iota // as its literal is written
	formInteger                   // text is canonical digits
	formFloat                     // text is the canonical float
)

// Value is an immutable JSON value. The zero Value is null. Values may be
// shared between goroutines. Compare them with [Equal], not with ==.
type Value struct {
	kind  Kind
	form  numberForm
	truth bool
	text  string    // content of a string, literal of a number
	inner *children // of a non-empty array or object
}

// children is held by pointer to keep Value small: a text of 1 MiB can have
// half a million values.
type children struct {
	items   []Value
	members []Member
}

// Member is one name and value of an object.
type Member struct {
	Name  string
	Value Value
}

// Null returns the null value.
func Null() Value { return Value{} }

// Bool returns a boolean value.
func Bool(b bool) Value { return Value{kind: KindBool, truth: b} }

// String returns a string value. If s is not valid UTF-8 the value has no
// canonical bytes: [Append] refuses it.
func String(s string) Value { return Value{kind: KindString, text: s} }

// ArrayOf returns an array of items, which it copies.
func ArrayOf(items ...Value) Value { return newArray(slices.Clone(items)) }

// ObjectOf returns an object of members, which it copies, keeping their order.
// Like [Parse] it refuses names that repeat or differ only in case, and names
// that are not valid UTF-8.
func ObjectOf(members ...Member) (Value, error) {
	var seen nameSet
	for i, m := range members {
		if reason := seen.add(m.Name, members[:i]); reason != "" {
			return Value{}, within(m.Name, refused(reason))
		}
	}
	return newObject(slices.Clone(members)), nil
}

func newArray(items []Value) Value {
	if len(items) == 0 {
		return Value{kind: KindArray}
	}
	return Value{kind: KindArray, inner: &children{items: items}}
}

func newObject(members []Member) Value {
	if len(members) == 0 {
		return Value{kind: KindObject}
	}
	return Value{kind: KindObject, inner: &children{members: members}}
}

// Kind returns the kind of v.
func (v Value) Kind() Kind { return v.kind }

// Bool returns the truth of a boolean, and false for other kinds.
func (v Value) Bool() bool { return v.truth }

// Str returns the content of a string, and "" for other kinds.
func (v Value) Str() string {
	if v.kind != KindString {
		return ""
	}
	return v.text
}

// Len returns the number of items of an array or of members of an object, and
// 0 for other kinds.
func (v Value) Len() int {
	return len(v.items()) + len(v.members())
}

// Items returns the positions and items of an array in order. It is empty for
// other kinds.
func (v Value) Items() iter.Seq2[int, Value] { return slices.All(v.items()) }

// Members returns the positions and members of an object in the order of the
// input. It is empty for other kinds.
func (v Value) Members() iter.Seq2[int, Member] { return slices.All(v.members()) }

// Get returns the value of the member called name, exactly, and whether there
// is one: a null member is present.
func (v Value) Get(name string) (Value, bool) {
	for _, m := range v.members() {
		if m.Name == name {
			return m.Value, true
		}
	}
	return Value{}, false
}

func (v Value) items() []Value {
	if v.inner == nil {
		return nil
	}
	return v.inner.items
}

func (v Value) members() []Member {
	if v.inner == nil {
		return nil
	}
	return v.inner.members
}
