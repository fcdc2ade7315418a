package schemas

import (
	"encoding"
	"math"
	"reflect"

	"github.com/go-json-experiment/json"
	"github.com/google/jsonschema-go/jsonschema"
)

// goInteger is the extension that states the range of a 64-bit integer, which
// the floats of minimum and maximum cannot.
const goInteger = "x-go-integer"

// maxFloat32 is the largest float32 as JSON writes it. As a float64 it is a
// little above [math.MaxFloat32], to which a decoder rounds it.
const maxFloat32 = 3.4028235e+38

// integer returns the schema of an integer type: its range as bounds where it
// is small, by [goInteger] where it is not.
func integer(t reflect.Type) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "integer"}
	bits := t.Bits()
	switch t.Kind() {
	case reflect.Int, reflect.Int64:
		s.Extra = map[string]any{goInteger: "int64"}
	case reflect.Uint, reflect.Uint64:
		s.Extra = map[string]any{goInteger: "uint64"}
		s.Minimum = jsonschema.Ptr(0.0)
	case reflect.Int8, reflect.Int16, reflect.Int32:
		s.Minimum = jsonschema.Ptr(-math.Ldexp(1, bits-1))
		s.Maximum = jsonschema.Ptr(math.Ldexp(1, bits-1) - 1)
	default:
		s.Minimum = jsonschema.Ptr(0.0)
		s.Maximum = jsonschema.Ptr(math.Ldexp(1, bits) - 1)
	}
	return s
}

// float returns the schema of a floating-point type.
func float(t reflect.Type) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "number"}
	if t.Kind() == reflect.Float32 {
		s.Minimum = jsonschema.Ptr(-maxFloat32)
		s.Maximum = jsonschema.Ptr(maxFloat32)
	}
	return s
}

// codec says which methods of its own a type has for JSON.
type codec int

const (
	codecNone  codec = iota
	codecText        // to and from a JSON string, and no JSON methods
	codecOther       // anything else that the decoder or encoder would call
)

// codecOf looks at the methods of t and of a pointer to it, as the decoder does.
func codecOf(t reflect.Type) codec {
	p := reflect.PointerTo(t)
	jsonMethods := p.Implements(reflect.TypeFor[json.Marshaler]()) ||
		p.Implements(reflect.TypeFor[json.MarshalerTo]()) ||
		p.Implements(reflect.TypeFor[json.Unmarshaler]()) ||
		p.Implements(reflect.TypeFor[json.UnmarshalerFrom]())
	appends := p.Implements(reflect.TypeFor[encoding.TextAppender]())
	writes := p.Implements(reflect.TypeFor[encoding.TextMarshaler]())
	reads := p.Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
	switch {
	case !jsonMethods && writes && reads:
		return codecText
	case jsonMethods || appends || writes || reads:
		return codecOther
	default:
		return codecNone
	}
}
