package schema

import (
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/agentstudio/agentstudio/studio/canon"
)

const (
	// MaxIssues is how many issues [Schema.Normalise] reports before it stops.
	MaxIssues = 20
	// MaxDepth is how deep schemas may be nested.
	MaxDepth = 32
	// MaxSchemas is how many schemas one schema may consist of.
	MaxSchemas = 10_000
)

// Schema is a compiled JSON schema. It is read-only, so any number of
// goroutines may use it at once. Use [Compile] to make one.
type Schema struct{ root *node }

// Issue is one thing that does not fit. It is fit for an answer to the sender.
type Issue struct {
	// Pointer is the JSON Pointer (RFC 6901) of the place, "" being the whole.
	// Names in it that are longer than 100 bytes are cut, with "…" at the end.
	Pointer string `json:"pointer"`
	// Message continues a sentence that begins with the name of the place:
	// "must be text", "is missing".
	Message string `json:"message"`
}

// Compile prepares s, of which it keeps nothing. It refuses what package
// documentation does not list, unknown formats, patterns that do not compile,
// a oneOf without discriminator, and a default that does not fit its own
// schema. The error is a sentence that names the place in s.
func Compile(s *jsonschema.Schema) (*Schema, error) {
	c := compiler{anything: anything()}
	root, err := c.compile(s, place{})
	if err != nil {
		return nil, err
	}
	return &Schema{root: root}, nil
}

// Normalise returns v as the schema has it: an integer in its canonical
// digits (1.0 is 1), any other number as the shortest text of its double, and
// absent members that have a default added. A value that needs no change is
// returned as it is. A value without issues has canonical bytes, unless they
// are too large or too deep, and normalising it again changes nothing.
//
// The issues are in the order of the text of v, members that are missing last,
// and at most [MaxIssues]. If there are any, v is returned unchanged.
func (s *Schema) Normalise(v canon.Value) (canon.Value, []Issue) {
	var w walk
	out, _ := w.value(s.root, v)
	if len(w.issues) > 0 {
		return v, w.issues
	}
	return out, nil
}
