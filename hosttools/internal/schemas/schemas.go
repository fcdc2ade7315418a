package schemas

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// Special gives the schema of a type that the walk must not look into; ok false
// means that the type is walked like any other. A nil schema with ok true says
// that the server fills the type and that it is in no schema: its fields must
// carry `json:"-"`. The schema is copied before use.
type Special func(t reflect.Type) (s *jsonschema.Schema, ok bool)

// Union declares which structs an interface may hold. In JSON, the property
// Discriminator says by its value, a key of Variants, which one is meant.
type Union struct {
	Interface     reflect.Type            // with at least one method
	Discriminator string                  // a property that no variant has itself
	Variants      map[string]reflect.Type // structs, not pointers to structs
}

// Options says what a walk knows beyond the Go types. The zero Options knows
// nothing more.
type Options struct {
	Special Special
	Unions  []Union
}

// Input returns the schema of arguments or of a configuration. t must be a
// struct; no object of it takes a property that is no field. A field is
// required unless it is a pointer, may be omitted, has a default or is
// read-only. An error is a sentence that begins with the place.
func Input(t reflect.Type, o Options) (*jsonschema.Schema, error) { return build(t, o) }

// Result returns the schema of a result, by the same rules as [Input]: whoever
// reads a catalogue knows what to expect, so results are typed structs too.
func Result(t reflect.Type, o Options) (*jsonschema.Schema, error) { return build(t, o) }

func build(t reflect.Type, o Options) (*jsonschema.Schema, error) {
	if t == nil || t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("%v must be a struct, since arguments and results are JSON objects", t)
	}
	w, err := newWalker(o)
	if err != nil {
		return nil, err
	}
	path := typeName(t)
	if codecOf(t) != codecNone {
		return nil, refuse(path, "has JSON or text methods of its own, so its fields are not what a caller sends; use a plain struct")
	}
	s, err := w.object(t, path)
	if err != nil {
		return nil, err
	}
	if _, err := s.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true}); err != nil {
		return nil, refuse(path, "the schema does not hold together: %w", err)
	}
	return s, nil
}

// RefuseTenant refuses a schema that has a property "tenant" or "tenant_id", in
// any case, at its top. A tenant that arrives in arguments would be a claim
// that nobody checks.
func RefuseTenant(s *jsonschema.Schema) error {
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if isTenant(name) {
			return fmt.Errorf("%q cannot be sent: the tenant comes from the scope; "+
				"declare a field of type hosttools.TenantID with the tag `json:\"-\"`", name)
		}
	}
	return nil
}

func isTenant(name string) bool {
	return strings.EqualFold(name, "tenant") || strings.EqualFold(name, "tenant_id")
}

// typeName returns a type's name as it heads the path of a refusal.
func typeName(t reflect.Type) string {
	name, _, _ := strings.Cut(t.Name(), "[")
	if name == "" {
		return "struct"
	}
	return name
}

// refuse returns an error that says where and why.
func refuse(path, format string, args ...any) error {
	return fmt.Errorf("%s: "+format, append([]any{path}, args...)...)
}
