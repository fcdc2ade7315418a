package schemas_test

import (
	"encoding/json"
	"net/netip"
	"reflect"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools/internal/schemas"
)

// secret is a type that the walk does not look into.
type secret struct{ hidden string }

func (s secret) MarshalJSON() ([]byte, error) { return json.Marshal(len(s.hidden)) }

// served is a type that a constructor fills; tenantID one that is in no schema.
type (
	served   struct{ Value string }
	tenantID string
)

func special(t reflect.Type) (*jsonschema.Schema, bool) {
	switch t {
	case reflect.TypeFor[secret]():
		return &jsonschema.Schema{Type: "string", WriteOnly: true, Extra: map[string]any{"x-secret": true}}, true
	case reflect.TypeFor[served]():
		return &jsonschema.Schema{ReadOnly: true, Extra: map[string]any{"x-server-managed": true}}, true
	case reflect.TypeFor[tenantID]():
		return nil, true
	default:
		return nil, false
	}
}

type payment interface{ pay() }

type (
	card struct {
		Number string `json:"number" minLength:"4"`
	}
	iban struct {
		Account string `json:"account"`
		Name    string `json:"name,omitempty"`
	}
)

func (card) pay() {}
func (iban) pay() {}

func payments() schemas.Union {
	return schemas.Union{
		Interface: reflect.TypeFor[payment](), Discriminator: "kind",
		Variants: map[string]reflect.Type{"card": reflect.TypeFor[card](), "iban": reflect.TypeFor[iban]()},
	}
}

func options() schemas.Options {
	return schemas.Options{Special: special, Unions: []schemas.Union{payments()}}
}

type inner struct {
	A string `json:"a" jsonschema:"the a"`
}

type embedded struct {
	Code string `json:"code" pattern:"^[A-Z]{2}$"`
}

// TestInput has one property of a type per line, and its schema.
func TestInput(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		typ  reflect.Type
		want string // of the property "v"
	}{
		"bool": {reflect.TypeFor[struct {
			V bool `json:"v"`
		}](), `{"type":"boolean"}`},
		"string": {reflect.TypeFor[struct {
			V string `json:"v"`
		}](), `{"type":"string"}`},
		"int": {reflect.TypeFor[struct {
			V int `json:"v"`
		}](), `{"type":"integer","x-go-integer":"int64"}`},
		"int64": {reflect.TypeFor[struct {
			V int64 `json:"v"`
		}](), `{"type":"integer","x-go-integer":"int64"}`},
		"int8": {reflect.TypeFor[struct {
			V int8 `json:"v"`
		}](), `{"type":"integer","minimum":-128,"maximum":127}`},
		"int32": {reflect.TypeFor[struct {
			V int32 `json:"v"`
		}](), `{"type":"integer","minimum":-2147483648,"maximum":2147483647}`},
		"uint": {reflect.TypeFor[struct {
			V uint `json:"v"`
		}](), `{"type":"integer","minimum":0,"x-go-integer":"uint64"}`},
		"uint16": {reflect.TypeFor[struct {
			V uint16 `json:"v"`
		}](), `{"type":"integer","minimum":0,"maximum":65535}`},
		"float64": {reflect.TypeFor[struct {
			V float64 `json:"v"`
		}](), `{"type":"number"}`},
		"float32": {reflect.TypeFor[struct {
			V float32 `json:"v"`
		}](), `{"type":"number","minimum":-3.4028235e+38,"maximum":3.4028235e+38}`},
		"struct": {reflect.TypeFor[struct {
			V inner `json:"v"`
		}](), `{"type":"object","properties":{"a":{"type":"string","description":"the a"}},"required":["a"],"additionalProperties":false}`},
		"pointer": {reflect.TypeFor[struct {
			V *string `json:"v"`
		}](), `{"type":["string","null"]}`},
		"slice": {reflect.TypeFor[struct {
			V []bool `json:"v"`
		}](), `{"type":"array","items":{"type":"boolean"}}`},
		"slice of pointers": {reflect.TypeFor[struct {
			V []*bool `json:"v"`
		}](), `{"type":"array","items":{"type":["boolean","null"]}}`},
		"array": {reflect.TypeFor[struct {
			V [2]bool `json:"v"`
		}](), `{"type":"array","items":{"type":"boolean"},"minItems":2,"maxItems":2}`},
		"map": {reflect.TypeFor[struct {
			V map[string]bool `json:"v"`
		}](), `{"type":"object","additionalProperties":{"type":"boolean"}}`},
		"time": {reflect.TypeFor[struct {
			V time.Time `json:"v"`
		}](), `{"type":"string","format":"date-time"}`},
		"text": {reflect.TypeFor[struct {
			V netip.Addr `json:"v" format:"ipv4"`
		}](), `{"type":"string","format":"ipv4"}`},
		"secret": {reflect.TypeFor[struct {
			V secret `json:"v" jsonschema:"the key"`
		}](), `{"type":"string","description":"the key","writeOnly":true,"x-secret":true}`},
		"served": {reflect.TypeFor[struct {
			V served `json:"v"`
		}](), `{"readOnly":true,"x-server-managed":true}`},
		"enum": {reflect.TypeFor[struct {
			V string `json:"v" enum:"a,b"`
		}](), `{"type":"string","enum":["a","b"]}`},
		"enum or null": {reflect.TypeFor[struct {
			V *string `json:"v" enum:"a,b"`
		}](), `{"type":["string","null"],"enum":["a","b",null]}`},
		"enum of integers": {reflect.TypeFor[struct {
			V int64 `json:"v" enum:"1,9007199254740993"`
		}](), `{"type":"integer","enum":[1,9007199254740993],"x-go-integer":"int64"}`},
		"enum of numbers": {reflect.TypeFor[struct {
			V float64 `json:"v" enum:"1,0.5"`
		}](), `{"type":"number","enum":[1,0.5]}`},
		"enum of a list": {reflect.TypeFor[struct {
			V []string `json:"v" enum:"a,b" minItems:"1" maxItems:"2"`
		}](), `{"type":"array","items":{"type":"string","enum":["a","b"]},"minItems":1,"maxItems":2}`},
		"enum of a list of pointers": {reflect.TypeFor[struct {
			V *[]*string `json:"v" enum:"a"`
		}](), `{"type":["array","null"],"items":{"type":["string","null"],"enum":["a",null]}}`},
		"bounds": {reflect.TypeFor[struct {
			V int `json:"v" minimum:"1" maximum:"9" multipleOf:"2"`
		}](), `{"type":"integer","minimum":1,"maximum":9,"multipleOf":2,"x-go-integer":"int64"}`},
		"open bounds": {reflect.TypeFor[struct {
			V float64 `json:"v" exclusiveMinimum:"0" exclusiveMaximum:"1.5"`
		}](), `{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":1.5}`},
		"narrowed": {reflect.TypeFor[struct {
			V uint8 `json:"v" maximum:"9"`
		}](), `{"type":"integer","minimum":0,"maximum":9}`},
		"lengths": {reflect.TypeFor[struct {
			V string `json:"v" minLength:"1" maxLength:"3" pattern:"^a"`
		}](), `{"type":"string","minLength":1,"maxLength":3,"pattern":"^a"}`},
		"default": {reflect.TypeFor[struct {
			V int8 `json:"v" default:" 20 "`
		}](), `{"type":"integer","minimum":-128,"maximum":127,"default":20}`},
		"default object": {reflect.TypeFor[struct {
			V inner `json:"v" default:"{\"a\": \"x\"}"`
		}](), `{"type":"object","properties":{"a":{"type":"string","description":"the a"}},"required":["a"],"additionalProperties":false,"default":{"a":"x"}}`},
		"examples": {reflect.TypeFor[struct {
			V string `json:"v" examples:"[\"A-1\",\"A-2\"]"`
		}](), `{"type":"string","examples":["A-1","A-2"]}`},
		"deprecated": {reflect.TypeFor[struct {
			V string `json:"v" deprecated:"true"`
		}](), `{"type":"string","deprecated":true}`},
		"union": {reflect.TypeFor[struct {
			V payment `json:"v" examples:"[{\"kind\":\"card\",\"number\":\"1234\"}]"`
		}](), `{"type":"object","oneOf":[
			{"type":"object","properties":{"kind":{"type":"string","const":"card"},"number":{"type":"string","minLength":4}},"required":["kind","number"],"additionalProperties":false},
			{"type":"object","properties":{"kind":{"type":"string","const":"iban"},"account":{"type":"string"},"name":{"type":"string"}},"required":["kind","account"],"additionalProperties":false}],
			"examples":[{"kind":"card","number":"1234"}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, build := range []func(reflect.Type, schemas.Options) (*jsonschema.Schema, error){schemas.Input, schemas.Result} {
				s, err := build(tc.typ, options())
				require.NoError(t, err)
				text, err := json.Marshal(s.Properties["v"])
				require.NoError(t, err)
				require.JSONEq(t, tc.want, string(text))
				_, err = s.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
				require.NoError(t, err)
			}
		})
	}
}

type shaped struct {
	embedded
	Zeta    string   `json:"zeta"`
	Alpha   int      `json:"alpha,omitempty"`
	Beta    []string `json:"beta,omitzero"`
	Pointer *int     `json:"pointer"`
	Filled  int      `json:"filled" default:"1"`
	Served  served   `json:"served"`
	Plain   bool
	Again   embedded `json:"again"`
	Tenant  tenantID `json:"-" minLength:"7"`
	private string
}

// TestOrderAndRequired checks which fields there are, in which order, and
// which must be sent.
func TestOrderAndRequired(t *testing.T) {
	t.Parallel()
	_ = shaped{}.private
	s, err := schemas.Input(reflect.TypeFor[shaped](), options())
	require.NoError(t, err)
	require.Equal(t, []string{"code", "zeta", "alpha", "beta", "pointer", "filled", "served", "Plain", "again"}, s.PropertyOrder)
	require.Equal(t, []string{"code", "zeta", "Plain", "again"}, s.Required)
	require.Len(t, s.Properties, len(s.PropertyOrder))
	require.NotNil(t, s.AdditionalProperties.Not)
	require.Equal(t, "^[A-Z]{2}$", s.Properties["code"].Pattern)
}

func TestRefuseTenant(t *testing.T) {
	t.Parallel()
	for name, typ := range map[string]reflect.Type{
		"tenant": reflect.TypeFor[struct {
			V string `json:"tenant"`
		}](),
		"TENANT_ID": reflect.TypeFor[struct {
			V string `json:"TENANT_ID"`
		}](),
	} {
		s, err := schemas.Input(typ, schemas.Options{})
		require.NoError(t, err)
		require.EqualError(t, schemas.RefuseTenant(s), `"`+name+`" cannot be sent: the tenant comes from the scope; `+
			"declare a field of type hosttools.TenantID with the tag `json:\"-\"`")
	}
	s, err := schemas.Input(reflect.TypeFor[struct {
		V struct {
			T string `json:"tenant"`
		} `json:"about"`
	}](), schemas.Options{})
	require.NoError(t, err)
	require.NoError(t, schemas.RefuseTenant(s))
}

// TestSpecialIsCopied checks that tags on one field leave the next alone.
func TestSpecialIsCopied(t *testing.T) {
	t.Parallel()
	shared := &jsonschema.Schema{Type: "string", Enum: []any{"a"}, Extra: map[string]any{"x-secret": true}}
	o := schemas.Options{Special: func(t reflect.Type) (*jsonschema.Schema, bool) {
		return shared, t == reflect.TypeFor[secret]()
	}}
	s, err := schemas.Input(reflect.TypeFor[struct {
		One *secret `json:"one" jsonschema:"one"`
		Two secret  `json:"two"`
	}](), o)
	require.NoError(t, err)
	require.Equal(t, []any{"a", nil}, s.Properties["one"].Enum)
	require.Equal(t, []any{"a"}, s.Properties["two"].Enum)
	require.Equal(t, &jsonschema.Schema{Type: "string", Enum: []any{"a"}, Extra: map[string]any{"x-secret": true}}, shared)
}
