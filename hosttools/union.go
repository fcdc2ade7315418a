package hosttools

import (
	"bytes"
	"fmt"
	"reflect"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/agentstudio/agentstudio/hosttools/internal/schemas"
)

// union is one interface type whose values are one of several structs.
type union struct {
	schemas.Union

	decode *json.Unmarshalers
	encode *json.Marshalers
}

// OneOf declares that fields of the interface type I hold one of the variants,
// which are structs. In JSON a value carries the name of its variant in the
// member that discriminator names:
//
//	hosttools.OneOf[Payment]("kind", map[string]Payment{"card": Card{}, "transfer": Transfer{}})
func OneOf[I any](discriminator string, variants map[string]I) MethodOption {
	u := union{Union: schemas.Union{
		Interface: reflect.TypeFor[I](), Discriminator: discriminator, Variants: map[string]reflect.Type{},
	}}
	names := map[reflect.Type]string{}
	for name, variant := range variants {
		t := reflect.TypeOf(variant)
		u.Variants[name], names[t] = t, name
	}
	// Both are for *I, which is a field of the interface type itself. A struct
	// that implements I is encoded as itself where a field is declared so.
	u.decode = json.UnmarshalFromFunc(func(dec *jsontext.Decoder, target *I) error {
		return decodeVariant(dec, u.Union, reflect.ValueOf(target).Elem())
	})
	u.encode = json.MarshalToFunc(func(enc *jsontext.Encoder, value *I) error {
		return encodeVariant(enc, discriminator, names, *value)
	})
	return func(m *Method) { m.unions = append(m.unions, u) }
}

// encodeVariant writes a value with the name of its variant in front.
func encodeVariant(enc *jsontext.Encoder, discriminator string, names map[reflect.Type]string, value any) error {
	if value == nil {
		return enc.WriteToken(jsontext.Null)
	}
	name, ok := names[reflect.TypeOf(value)]
	if !ok {
		return fmt.Errorf("%T is none of the declared variants", value)
	}
	body, err := json.Marshal(value, enc.Options())
	if err != nil {
		return err
	}
	return enc.WriteValue(withMember(body, discriminator, name))
}

// decodeVariant reads an object, and the rest of it as the variant that it
// names.
func decodeVariant(dec *jsontext.Decoder, u schemas.Union, target reflect.Value) error {
	raw, err := dec.ReadValue()
	if err != nil {
		return err
	}
	if raw.Kind() == 'n' {
		target.SetZero()
		return nil
	}
	var members map[string]jsontext.Value
	if err := json.Unmarshal(raw, &members); err != nil {
		return err
	}
	var name string
	if err := json.Unmarshal(members[u.Discriminator], &name); err != nil {
		return fmt.Errorf("the member %q must name a variant", u.Discriminator)
	}
	variant, ok := u.Variants[name]
	if !ok {
		return fmt.Errorf("%q is none of the declared variants", name)
	}
	delete(members, u.Discriminator)
	rest, err := json.Marshal(members)
	if err != nil {
		return err
	}
	value := reflect.New(variant)
	if err := json.Unmarshal(rest, value.Interface(), dec.Options(), json.RejectUnknownMembers(true)); err != nil {
		return err
	}
	target.Set(value.Elem())
	return nil
}

// withMember returns an object with one more member, which comes first.
func withMember(object []byte, name, value string) jsontext.Value {
	out := []byte{'{'}
	for i, text := range []string{name, value} {
		out, _ = jsontext.AppendQuote(out, text)
		out = append(out, ":,"[i])
	}
	rest := bytes.TrimPrefix(object, []byte("{"))
	if bytes.Equal(rest, []byte("}")) {
		out = out[:len(out)-1]
	}
	return append(out, rest...)
}

// codec returns the JSON options of a method: strict, and with its unions.
func codec(unions []union) (decode, encode json.Options) {
	decode, encode = json.RejectUnknownMembers(true), json.Deterministic(true)
	if len(unions) == 0 {
		return decode, encode
	}
	decoders, encoders := make([]*json.Unmarshalers, len(unions)), make([]*json.Marshalers, len(unions))
	for i, u := range unions {
		decoders[i], encoders[i] = u.decode, u.encode
	}
	return json.JoinOptions(decode, json.WithUnmarshalers(json.JoinUnmarshalers(decoders...))),
		json.JoinOptions(encode, json.WithMarshalers(json.JoinMarshalers(encoders...)))
}
