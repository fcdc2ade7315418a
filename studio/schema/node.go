package schema

import (
	"regexp"

	"github.com/agentstudio/agentstudio/studio/canon"
)

// kinds is a set of [canon.Kind].
type kinds uint8

func kindsOf(list ...canon.Kind) (set kinds) {
	for _, kind := range list {
		set |= 1 << kind
	}
	return set
}

func allKinds() kinds {
	return kindsOf(canon.KindNull, canon.KindBool, canon.KindNumber, canon.KindString, canon.KindArray, canon.KindObject)
}

func (k kinds) has(kind canon.Kind) bool { return k&(1<<kind) != 0 }

// numberForm says how the numbers of a node are kept.
type numberForm uint8

const (
	asWritten numberForm = iota // exact if written as an integer, else a double
	asInteger
	asDouble
)

// node is one compiled schema. Nil parts ask for nothing, but a node that
// takes arrays has a list, and one that takes objects an object or a union.
type node struct {
	kinds   kinds
	refusal string // of other kinds
	choices *choices
	numbers numberForm
	edges   []edge
	step    *step
	text    *text
	list    *list
	object  *object
	union   *union
	// fallback is the default in normal form.
	fallback *canon.Value
}

// choices are what enum and const leave.
type choices struct {
	values  []canon.Value
	refusal string
}

// text is what a schema asks of strings. Lengths are in characters.
type text struct {
	minLength, maxLength int // maxLength is unlimited if below 0
	pattern              *regexp.Regexp
	format               *format
}

// list is what a schema asks of arrays.
type list struct {
	items              *node
	minItems, maxItems int // maxItems is unlimited if below 0
	unique             bool
}

// object is what a schema asks of objects.
type object struct {
	properties map[string]*property
	// expected are the properties that are required or have a default, in the
	// order of the schema.
	expected []*property
	// additional is for members that are no properties; nil refuses them.
	additional *node
	// empty is what an object without members becomes, if all that is expected
	// has a default: the most frequent call of all.
	empty *canon.Value
}

type property struct {
	name     string
	node     *node
	required bool
}

func (p *property) isExpected() bool { return p.required || p.node.fallback != nil }

// union is a choice of objects by the text of one member.
type union struct {
	discriminator string
	branches      map[string]*object
	refusal       string
}

// anything returns a node that takes every value whose numbers can be kept.
func anything() *node {
	n := &node{kinds: allKinds()}
	n.list = &list{items: n, maxItems: -1}
	n.object = &object{additional: n}
	return n
}
