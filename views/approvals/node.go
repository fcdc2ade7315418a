package approvals

import (
	"strconv"
	"unicode/utf8"

	"github.com/agentstudio/agentstudio/views/ui"
)

// Kind is the JSON kind of a node.
type Kind string

// The kinds of JSON values.
const (
	String Kind = "string"
	Number Kind = "number"
	Bool   Kind = "bool"
	Null   Kind = "null"
	Array  Kind = "array"
	Object Kind = "object"
)

// Node is a JSON value for display. Text is the exact string of a String, the digits of a
// Number as they are stored, or "true" and "false" of a Bool. Items are an Array's elements;
// Fields are an Object's members, in stored order.
type Node struct {
	Kind   Kind
	Text   string
	Items  []Node
	Fields []Member
}

// Member is one member of an object.
type Member struct {
	Name  string
	Value Node
}

// longText is the number of bytes from which a value scrolls inside the card.
const longText = 600

func (n Node) long() bool { return len(n.Text) > longText }

// length says how long a text is, when that helps to see that something hides in it.
func (a Arg) length() string {
	if a.Value.Kind != String {
		return ""
	}
	count := utf8.RuneCountInString(a.Value.Text)
	if count < 24 && !ui.Misleading(a.Value.Text) {
		return ""
	}
	return strconv.Itoa(count) + " characters"
}

// flags lists, once each, the names of the characters in names and texts of the tree that
// change how text is displayed.
func (n Node) flags() []string {
	var names []string
	seen := map[string]bool{}
	n.collect(func(text string) {
		for _, segment := range ui.Segments(text) {
			if segment.Misleading() && !seen[segment.Text] {
				seen[segment.Text] = true
				names = append(names, segment.Text)
			}
		}
	})
	return names
}

func (n Node) collect(visit func(string)) {
	visit(n.Text)
	for _, item := range n.Items {
		item.collect(visit)
	}
	for _, member := range n.Fields {
		visit(member.Name)
		member.Value.collect(visit)
	}
}
