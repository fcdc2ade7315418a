package schemas_test

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"
	"unsafe"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools/internal/schemas"
)

type (
	node struct {
		Next []node `json:"next"`
	}
	stringer interface{ String() string }
	half     struct{ A int }
	plainS   string
	twin     struct {
		V string `json:"V"`
	}
	levels struct {
		V [][][][][][][][][][][][][][][][]int `json:"v"`
	}
)

func (half) MarshalText() ([]byte, error) { return nil, nil }

// TestRefusedTypes has a field type per line and the sentence that refuses it.
func TestRefusedTypes(t *testing.T) {
	t.Parallel()
	for want, typ := range map[string]reflect.Type{
		"struct.v: an untyped value may hold anything; use a concrete Go type, or an interface with a declared union":                                     reflect.TypeFor[any](),
		"struct.v{}: an untyped value may hold anything":                                                                                                  reflect.TypeFor[map[string]any](),
		"struct.v[]: an untyped value may hold anything":                                                                                                  reflect.TypeFor[[]any](),
		"struct.v: schemas_test.stringer is an interface without a declared union; declare its variants or use a struct":                                  reflect.TypeFor[stringer](),
		"struct.v: a pointer to an interface cannot be decoded; drop the pointer and use omitzero":                                                        reflect.TypeFor[*payment](),
		"struct.v: a pointer to a pointer says no more than one pointer; drop one":                                                                        reflect.TypeFor[**int](),
		"struct.v: the keys of a map must be plain strings, not int":                                                                                      reflect.TypeFor[map[int]string](),
		"struct.v: bytes are not JSON; declare a string and say in the description how it is encoded":                                                     reflect.TypeFor[[]byte](),
		"struct.v[]: bytes are not JSON":                                                                                                                  reflect.TypeFor[[][4]byte](),
		"struct.v: time.Duration has no agreed form in JSON; declare an int and name the unit, such as timeout_seconds":                                   reflect.TypeFor[time.Duration](),
		"struct.v: raw JSON may hold anything; declare a concrete Go type":                                                                                reflect.TypeFor[*json.RawMessage](),
		"struct.v[]: raw JSON may hold anything":                                                                                                          reflect.TypeFor[[]jsontext.Value](),
		"struct.v: schemas_test.half encodes or decodes itself, so its JSON is unknown; use a plain type, or one with both MarshalText and UnmarshalText": reflect.TypeFor[half](),
		"struct.v: chan int has no JSON form; remove the field or tag it `json:\"-\"`":                                                                    reflect.TypeFor[chan int](),
		"struct.v: func() has no JSON form":                                                                                                               reflect.TypeFor[func()](),
		"struct.v: complex128 has no JSON form":                                                                                                           reflect.TypeFor[complex128](),
		"struct.v: uintptr has no JSON form":                                                                                                              reflect.TypeFor[uintptr](),
		"struct.v: unsafe.Pointer has no JSON form":                                                                                                       reflect.TypeFor[unsafe.Pointer](),
		"struct.v.next[]: schemas_test.node holds itself, and schemas here are finite; give the inner level a type of its own":                            reflect.TypeFor[*node](),
		"struct.v.v[][][][][][][][][][][][][][]: is nested deeper than 16 levels; flatten the type":                                                       reflect.TypeFor[levels](),
		"struct.v: schemas_test.tenantID is filled by the server and is in no schema; give the field the tag `json:\"-\"`":                                reflect.TypeFor[tenantID](),
		"struct.v[].price: an untyped value may hold anything": reflect.TypeFor[[]struct {
			Price any `json:"price"`
		}](),
		"struct.v: cannot be decoded: json: ": reflect.TypeFor[struct{ a int }](),
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			outer := reflect.StructOf([]reflect.StructField{{Name: "V", Type: typ, Tag: `json:"v"`}})
			_, err := schemas.Input(outer, options())
			require.ErrorContains(t, err, want)
			_, err = schemas.Result(outer, options())
			require.ErrorContains(t, err, want)
		})
	}
}

// TestRefusedTags has a tag per line, on a field V of a type.
func TestRefusedTags(t *testing.T) {
	t.Parallel()
	text, number := reflect.TypeFor[string](), reflect.TypeFor[int]()
	for name, tc := range map[string]struct {
		typ  reflect.Type
		tag  reflect.StructTag
		want string
	}{
		"json string":       {number, `json:"v,string"`, `struct.V: the json tag has the option "string", which no schema can say; only omitempty and omitzero are supported`},
		"json format":       {text, `json:"v,format:x"`, `the option "format:x"`},
		"json case":         {text, `json:"v,case:ignore"`, `the option "case:ignore"`},
		"json embed":        {reflect.TypeFor[map[string]string](), `json:",embed"`, `the option "embed"`},
		"json inline":       {reflect.TypeFor[map[string]string](), `json:",inline"`, `the option "inline"`},
		"json comma":        {text, `json:"v,"`, `the option ""`},
		"json twice":        {text, `json:"v,omitzero,omitzero"`, `struct.V: the json tag has the option "omitzero" twice`},
		"json quote":        {text, `json:"'v'"`, `struct.V: the JSON name "'v'" holds a quote or a backslash; use letters, digits and _`},
		"json control":      {text, `json:"v\u0001"`, `the name "v\x01" holds a control character or is not UTF-8`},
		"description":       {text, `json:"v" jsonschema:" "`, `struct.v: tag jsonschema: is empty; describe the field in it or remove it`},
		"description form":  {text, `json:"v" jsonschema:"enum=a"`, `tag jsonschema: begins with "enum="; the whole tag is the description`},
		"deprecated":        {text, `json:"v" deprecated:"yes"`, `tag deprecated: "yes" is neither true nor false`},
		"format":            {text, `json:"v" format:"iban"`, `tag format: "iban" is not checked by anything; use one of date-time, date`},
		"format on time":    {reflect.TypeFor[time.Time](), `json:"v" format:"date"`, `tag format: time.Time has the format date-time already`},
		"format on int":     {number, `json:"v" format:"date"`, `struct.v: tag format: means nothing on the type integer; it is for string`},
		"pattern":           {text, `json:"v" pattern:"("`, `tag pattern: is no regular expression of Go: error parsing regexp`},
		"pattern empty":     {text, `json:"v" pattern:""`, `tag pattern: is empty; remove it`},
		"pattern on int":    {number, `json:"v" pattern:"a"`, `tag pattern: means nothing on the type integer; it is for string`},
		"length on list":    {reflect.TypeFor[[]string](), `json:"v" minLength:"1"`, `tag minLength: means nothing on the type array; it is for string`},
		"length":            {text, `json:"v" maxLength:"-1"`, `tag maxLength: "-1" is not a whole number from 0 to 2147483647`},
		"items on string":   {text, `json:"v" minItems:"1"`, `tag minItems: means nothing on the type string; it is for array`},
		"items on array":    {reflect.TypeFor[[2]int](), `json:"v" minItems:"1"`, `tag minItems: means nothing on [2]int, whose length is fixed`},
		"minimum on string": {text, `json:"v" minimum:"1"`, `tag minimum: means nothing on the type string; it is for number`},
		"minimum":           {number, `json:"v" minimum:"one"`, `tag minimum: "one" is not a JSON number`},
		"minimum fraction":  {number, `json:"v" minimum:"1.5"`, `tag minimum: 1.5 is not an integer that int can hold`},
		"minimum exact":     {number, `json:"v" minimum:"9007199254740993"`, `tag minimum: the integer 9007199254740993 cannot be held exactly by a float64`},
		"minimum range":     {reflect.TypeFor[uint8](), `json:"v" minimum:"-1"`, `tag minimum: -1 is not an integer that uint8 can hold`},
		"maximum range":     {reflect.TypeFor[int8](), `json:"v" maximum:"128"`, `tag maximum: 128 is not an integer that int8 can hold`},
		"maximum float32":   {reflect.TypeFor[float32](), `json:"v" maximum:"1e39"`, `tag maximum: 1e39 does not fit into float32`},
		"maximum infinite":  {reflect.TypeFor[float64](), `json:"v" maximum:"1e999"`, `tag maximum: the number 1e999 is too large for a float64`},
		"minimum tiny":      {reflect.TypeFor[float64](), `json:"v" minimum:"1e-999"`, `tag minimum: the number 1e-999 is too small for a float64`},
		"multipleOf":        {number, `json:"v" multipleOf:"0"`, `tag multipleOf: 0 is not above 0`},
		"no value":          {number, `json:"v" minimum:"2" exclusiveMaximum:"2"`, `struct.v: the lower bound is not below the upper one, so no value fits`},
		"no length":         {text, `json:"v" minLength:"2" maxLength:"1"`, `struct.v: minLength is above maxLength, so no value fits`},
		"no count":          {reflect.TypeFor[[]int](), `json:"v" minItems:"2" maxItems:"1"`, `struct.v: minItems is above maxItems, so no value fits`},
		"enum on bool":      {reflect.TypeFor[bool](), `json:"v" enum:"true"`, `tag enum: means nothing on the type boolean; it is for strings and numbers, or lists of them`},
		"enum empty":        {text, `json:"v" enum:"a,"`, `tag enum: the value "" is empty or has spaces around it; write a,b,c`},
		"enum space":        {text, `json:"v" enum:"a, b"`, `tag enum: the value " b" is empty or has spaces around it`},
		"enum twice":        {text, `json:"v" enum:"a,a"`, `tag enum: names "a" twice`},
		"enum number":       {number, `json:"v" enum:"1,x"`, `tag enum: the value "x" is not a JSON number`},
		"enum range":        {reflect.TypeFor[int8](), `json:"v" enum:"1,200"`, `tag enum: 200 does not fit the field`},
		"enum range 64":     {number, `json:"v" enum:"9223372036854775808"`, `tag enum: 9223372036854775808 does not fit the field`},
		"default text":      {text, `json:"v" default:"plain"`, `tag default: "plain" is not JSON that can be held (a string needs quotes)`},
		"default type":      {number, `json:"v" default:"\"2\""`, `tag default: "2" does not fit the field`},
		"default bounds":    {number, `json:"v" default:"2" maximum:"1"`, `tag default: 2 does not fit the field`},
		"default null":      {number, `json:"v" default:"null"`, `tag default: null does not fit the field`},
		"default twice":     {reflect.TypeFor[map[string]int](), `json:"v" default:"{\"a\":1,\"a\":2}"`, `tag default: "{\"a\":1,\"a\":2}" is not JSON`},
		"default time":      {reflect.TypeFor[time.Time](), `json:"v" default:"\"today\""`, `tag default: "today" does not fit the field`},
		"examples":          {text, `json:"v" examples:"a"`, `tag examples: "a" is not a JSON array with at least one value`},
		"examples none":     {text, `json:"v" examples:"[]"`, `tag examples: "[]" is not a JSON array with at least one value`},
		"example":           {text, `json:"v" examples:"[\"a\",1]"`, `tag examples: 1 does not fit the field`},
		"misspelt":          {text, `json:"v" maxlength:"1"`, `struct.v: tag maxlength: is written maxLength`},
		"untyped":           {reflect.TypeFor[served](), `json:"v" minLength:"1"`, `tag minLength: means nothing on a field without a type`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			outer := reflect.StructOf([]reflect.StructField{{Name: "V", Type: tc.typ, Tag: tc.tag}})
			_, err := schemas.Input(outer, options())
			require.ErrorContains(t, err, tc.want)
		})
	}
}

// TestRefusedStructs has what only a whole struct can show.
func TestRefusedStructs(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		typ  reflect.Type
		want string
	}{
		"no struct":        {reflect.TypeFor[[]int](), "[]int must be a struct, since arguments and results are JSON objects"},
		"nothing":          {nil, "<nil> must be a struct"},
		"own methods":      {reflect.TypeFor[secret](), "secret: has JSON or text methods of its own"},
		"itself":           {reflect.TypeFor[node](), "node.next[]: schemas_test.node holds itself"},
		"embedded pointer": {reflect.TypeFor[struct{ *inner }](), "struct.inner: an embedded pointer makes its fields come and go together; embed the struct by value"},
		"embedded string":  {reflect.TypeFor[struct{ plainS }](), "struct.plainS: only plain structs can be embedded; give the field a JSON name"},
		"embedded union":   {reflect.TypeFor[struct{ payment }](), "struct.payment: only plain structs can be embedded"},
		"embedded special": {reflect.TypeFor[struct{ served }](), "struct.served: only plain structs can be embedded"},
		"embedded options": {reflect.TypeFor[struct {
			inner `json:",omitzero"`
		}](), "struct.inner: an embedded struct takes no options in its json tag"},
		"embedded tag": {reflect.TypeFor[struct {
			inner `jsonschema:"the inner"`
		}](), "struct.inner: tag jsonschema: means nothing on an embedded struct"},
		"embedded and name": {reflect.TypeFor[struct {
			inner `json:"inner"`
		}](), "struct.inner: has a json tag but is not exported; export it or remove the tag"},
		"unexported":       {reflect.StructOf([]reflect.StructField{{Name: "a", PkgPath: "p", Type: reflect.TypeFor[int](), Tag: `json:"a"`}}), "struct.a: has a json tag but is not exported"},
		"promoted methods": {reflect.TypeFor[struct{ time.Time }](), "struct: has JSON or text methods of its own"},
		"shadowed": {reflect.TypeFor[struct {
			inner
			B string `json:"a"`
		}](), `struct.a: two fields have the JSON name "a"; rename one`},
		"case": {reflect.TypeFor[struct {
			A string `json:"status"`
			B string `json:"ſtatus"`
		}](), `struct.ſtatus: the names "status" and "ſtatus" differ only in case; rename one`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := schemas.Input(tc.typ, options())
			require.ErrorContains(t, err, tc.want)
		})
	}
}

func TestRefusedUnions(t *testing.T) {
	t.Parallel()
	variants := func(name string, typ reflect.Type) map[string]reflect.Type {
		return map[string]reflect.Type{"card": reflect.TypeFor[card](), name: typ}
	}
	pay := reflect.TypeFor[payment]()
	for want, unions := range map[string][]schemas.Union{
		"union: interface {} must be an interface with at least one method":    {{Interface: reflect.TypeFor[any](), Discriminator: "kind"}},
		"union: <nil> must be an interface":                                    {{Discriminator: "kind"}},
		"union schemas_test.payment discriminator: a property needs a name":    {{Interface: pay}},
		"union schemas_test.payment: has no variants":                          {{Interface: pay, Discriminator: "kind"}},
		"union schemas_test.payment: a variant needs a name":                   {{Interface: pay, Discriminator: "kind", Variants: variants("", reflect.TypeFor[iban]())}},
		`the variant "x" must be a struct, not *schemas_test.iban`:             {{Interface: pay, Discriminator: "kind", Variants: variants("x", reflect.TypeFor[*iban]())}},
		`the variant "x" must be a struct, not <nil>`:                          {{Interface: pay, Discriminator: "kind", Variants: variants("x", nil)}},
		`the variant "x": schemas_test.twin does not implement`:                {{Interface: pay, Discriminator: "kind", Variants: variants("x", reflect.TypeFor[twin]())}},
		`the variants "card" and "x" are both schemas_test.card`:               {{Interface: pay, Discriminator: "kind", Variants: variants("x", reflect.TypeFor[card]())}},
		"union schemas_test.payment: is declared twice; join the declarations": {payments(), payments()},
		`struct.v(card): the field "number" clashes with the discriminator "Number" of the union; rename one`: {
			{Interface: pay, Discriminator: "Number", Variants: payments().Variants},
		},
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			_, err := schemas.Input(reflect.TypeFor[struct {
				V payment `json:"v"`
			}](), schemas.Options{Unions: unions})
			require.ErrorContains(t, err, want)
		})
	}
}
