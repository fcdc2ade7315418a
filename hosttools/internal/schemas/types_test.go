package schemas_test

import (
	"fmt"
	"reflect"
	"strings"
	"time"

	"pgregory.net/rapid"
)

// genStruct draws a struct type whose fields are named F0, F1, … in JSON in
// lower case, or as they are. With tags, the fields carry constraints too.
func genStruct(t *rapid.T, depth int, tags bool) reflect.Type {
	fields := make([]reflect.StructField, rapid.IntRange(1, 4).Draw(t, "fields"))
	for i := range fields {
		typ := genType(t, depth-1, tags)
		fields[i] = reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: typ, Tag: genTag(t, i, typ, tags)}
	}
	if rapid.Bool().Draw(t, "embed") {
		fields = append(fields, reflect.StructField{Name: "Embedded", Type: reflect.TypeFor[Embedded](), Anonymous: true})
	}
	return reflect.StructOf(fields)
}

// Embedded is exported because reflect embeds nothing else.
type Embedded struct {
	Label string `json:"label,omitempty"`
	Count uint8  `json:"count"`
}

func scalarTypes() []reflect.Type {
	return []reflect.Type{
		reflect.TypeFor[bool](), reflect.TypeFor[string](), reflect.TypeFor[int](), reflect.TypeFor[int8](),
		reflect.TypeFor[int16](), reflect.TypeFor[int32](), reflect.TypeFor[int64](), reflect.TypeFor[uint](),
		reflect.TypeFor[uint16](), reflect.TypeFor[uint32](), reflect.TypeFor[uint64](),
		reflect.TypeFor[float32](), reflect.TypeFor[float64](), reflect.TypeFor[time.Time](),
	}
}

func genType(t *rapid.T, depth int, tags bool) reflect.Type {
	shape := "scalar"
	if depth > 0 {
		shape = rapid.SampledFrom([]string{"scalar", "scalar", "struct", "pointer", "slice", "array", "map"}).Draw(t, "shape")
	}
	switch shape {
	case "struct":
		return genStruct(t, depth, tags)
	case "pointer":
		elem := genType(t, depth-1, tags)
		if elem.Kind() == reflect.Pointer {
			return elem
		}
		return reflect.PointerTo(elem)
	case "slice":
		return reflect.SliceOf(genType(t, depth-1, tags))
	case "array":
		return reflect.ArrayOf(rapid.IntRange(0, 3).Draw(t, "length"), genType(t, depth-1, tags))
	case "map":
		return reflect.MapOf(reflect.TypeFor[string](), genType(t, depth-1, tags))
	default:
		return rapid.SampledFrom(scalarTypes()).Draw(t, "scalar")
	}
}

// genTag draws the tag of field i.
func genTag(t *rapid.T, i int, typ reflect.Type, tags bool) reflect.StructTag {
	name := rapid.SampledFrom([]string{fmt.Sprintf("f%d", i), ""}).Draw(t, "name")
	option := rapid.SampledFrom([]string{"", "", ",omitempty", ",omitzero", ",omitempty,omitzero"}).Draw(t, "option")
	parts := []string{fmt.Sprintf("json:%q", name+option)}
	if typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	if tags && rapid.Bool().Draw(t, "constrained") {
		parts = append(parts, rapid.SampledFrom(constraints(typ)).Draw(t, "constraint"))
	}
	return reflect.StructTag(strings.Join(parts, " "))
}

// constraints lists tags that mean something on a type.
func constraints(typ reflect.Type) []string {
	switch typ.Kind() {
	case reflect.String:
		return []string{`enum:"a,b"`, `minLength:"1" maxLength:"3"`, `pattern:"^a+$"`, `default:"\"x\""`}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return []string{`enum:"1,2,3"`, `minimum:"2" maximum:"9"`, `exclusiveMinimum:"2" exclusiveMaximum:"9"`, `default:"7"`, `multipleOf:"3"`}
	case reflect.Float32, reflect.Float64:
		return []string{`enum:"1,0.5"`, `minimum:"-0.5" maximum:"8"`, `default:"1.5"`}
	case reflect.Slice:
		if typ.Elem().Kind() == reflect.String {
			return []string{`minItems:"1" maxItems:"2"`, `enum:"a,b"`}
		}
		return []string{`minItems:"1" maxItems:"2"`}
	default:
		return []string{`jsonschema:"some words"`, `deprecated:"true"`}
	}
}
