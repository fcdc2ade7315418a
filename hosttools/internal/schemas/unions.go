package schemas

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// union returns the schema of an interface: one branch per declared variant,
// told apart by the discriminator.
func (w *walker) union(t reflect.Type, path string) (*jsonschema.Schema, error) {
	u, ok := w.unions[t]
	if !ok && t.NumMethod() == 0 {
		return nil, refuse(path, "an untyped value may hold anything; use a concrete Go type, "+
			"or an interface with a declared union")
	}
	if !ok {
		return nil, refuse(path, "%s is an interface without a declared union; declare its variants or use a struct", t)
	}
	s := &jsonschema.Schema{Type: "object"}
	for _, name := range slices.Sorted(maps.Keys(u.Variants)) {
		branch, err := w.variant(u, name, path+"("+name+")")
		if err != nil {
			return nil, err
		}
		s.OneOf = append(s.OneOf, branch)
	}
	return s, nil
}

// variant returns the schema of one variant with the discriminator in front.
func (w *walker) variant(u Union, name, path string) (*jsonschema.Schema, error) {
	w.depth++
	defer func() { w.depth-- }()
	if w.depth > maxDepth {
		return nil, refuse(path, "is nested deeper than %d levels; flatten the type", maxDepth)
	}
	s, err := w.object(u.Variants[name], path)
	if err != nil {
		return nil, err
	}
	for _, other := range s.PropertyOrder {
		if strings.EqualFold(other, u.Discriminator) {
			return nil, refuse(path, "the field %q clashes with the discriminator %q of the union; rename one", other, u.Discriminator)
		}
	}
	value := any(name)
	s.Properties[u.Discriminator] = &jsonschema.Schema{Type: "string", Const: &value}
	s.PropertyOrder = slices.Insert(s.PropertyOrder, 0, u.Discriminator)
	s.Required = slices.Insert(s.Required, 0, u.Discriminator)
	return s, nil
}

// checkUnions checks the declarations and orders them by interface.
func checkUnions(unions []Union) (map[reflect.Type]Union, error) {
	found := make(map[reflect.Type]Union, len(unions))
	for _, u := range unions {
		if u.Interface == nil || u.Interface.Kind() != reflect.Interface || u.Interface.NumMethod() == 0 {
			return nil, fmt.Errorf("union: %v must be an interface with at least one method, so that only its variants fit", u.Interface)
		}
		path := "union " + u.Interface.String()
		if _, twice := found[u.Interface]; twice {
			return nil, refuse(path, "is declared twice; join the declarations")
		}
		if err := checkUnion(u, path); err != nil {
			return nil, err
		}
		found[u.Interface] = u
	}
	return found, nil
}

func checkUnion(u Union, path string) error {
	if err := addName(&jsonschema.Schema{}, u.Discriminator, path+" discriminator"); err != nil {
		return err
	}
	if len(u.Variants) == 0 {
		return refuse(path, "has no variants; name at least one struct")
	}
	names := map[reflect.Type]string{}
	for _, name := range slices.Sorted(maps.Keys(u.Variants)) {
		t := u.Variants[name]
		switch {
		case name == "":
			return refuse(path, "a variant needs a name")
		case t == nil || t.Kind() != reflect.Struct:
			return refuse(path, "the variant %q must be a struct, not %v", name, t)
		case !t.Implements(u.Interface):
			return refuse(path, "the variant %q: %s does not implement the interface; its methods must have value receivers", name, t)
		case codecOf(t) != codecNone:
			return refuse(path, "the variant %q: %s has JSON or text methods of its own; use a plain struct", name, t)
		case names[t] != "":
			return refuse(path, "the variants %q and %q are both %s; an encoder could not tell which to write", names[t], name, t)
		}
		names[t] = name
	}
	return nil
}
