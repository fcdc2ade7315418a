package hosttools

import (
	"reflect"
	"slices"
)

// fieldsOf returns the fields of a struct, and in place of an inlined one its
// own. Unlike [reflect.VisibleFields] it keeps those that an outer field of the
// same name hides, since a hidden field is still there to be filled, or not.
func fieldsOf(t reflect.Type, inlined func(reflect.StructField) bool) []reflect.StructField {
	var all []reflect.StructField
	for field := range t.Fields() {
		if !inlined(field) {
			all = append(all, field)
			continue
		}
		for _, inner := range fieldsOf(field.Type, inlined) {
			inner.Index = slices.Concat(field.Index, inner.Index)
			all = append(all, inner)
		}
	}
	return all
}

// embedded reports whether a field is a struct that is embedded by value.
func embedded(field reflect.StructField) bool {
	return field.Anonymous && field.Type.Kind() == reflect.Struct
}

func holdsManaged(t reflect.Type) bool {
	return holdsType(t, func(t reflect.Type) bool {
		_, ok := sourceOf(t)
		return ok
	}, map[reflect.Type]bool{})
}

// holdsType reports whether is holds for a type, or for one inside of it.
func holdsType(t reflect.Type, is func(reflect.Type) bool, seen map[reflect.Type]bool) bool {
	if is(t) {
		return true
	}
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return holdsType(t.Elem(), is, seen)
	case reflect.Map:
		return holdsType(t.Key(), is, seen) || holdsType(t.Elem(), is, seen)
	case reflect.Struct:
		for field := range t.Fields() {
			if holdsType(field.Type, is, seen) {
				return true
			}
		}
	}
	return false
}
