package hosttools

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"
)

// TenantID is a field that the server fills with the caller's tenant.
type TenantID string

// CallerID is a field that the server fills with the caller's id.
type CallerID string

// AgentID is a field that the server fills with the id of the agent that
// calls, and with "" where no agent does.
type AgentID string

// Source says from what a server-managed value is filled.
type Source string

// The sources that come from the bound scope.
const (
	SourceTenant Source = "tenant"
	SourceCaller Source = "caller"
	SourceAgent  Source = "agent"
)

// Managed is a server-managed parameter of a method. A client that sends its
// name is refused.
type Managed struct {
	Name   string // the field's name in snake case
	Source Source
}

type managedField struct {
	Managed
	index []int
}

func sourceOf(t reflect.Type) (Source, bool) {
	switch t {
	case reflect.TypeFor[TenantID]():
		return SourceTenant, true
	case reflect.TypeFor[CallerID]():
		return SourceCaller, true
	case reflect.TypeFor[AgentID]():
		return SourceAgent, true
	default:
		return "", false
	}
}

// managedFields finds the server-managed fields of an input type. They must
// carry `json:"-"`, so that neither a schema nor a decoder can see them. One
// that is deeper inside is refused: nothing would fill it. The fields of a
// struct that is embedded by value are the input's own.
func managedFields(in reflect.Type) ([]managedField, error) {
	if in.Kind() != reflect.Struct {
		return nil, fmt.Errorf("the input must be a struct, not %s", in)
	}
	var found []managedField
	for _, field := range fieldsOf(in, embedded) {
		source, ok := sourceOf(field.Type)
		if !ok {
			if holdsManaged(field.Type) {
				return nil, fmt.Errorf("the field %s holds a server-managed type inside; "+
					"only the input's own fields are filled, so move it there", field.Name)
			}
			continue
		}
		if !field.IsExported() {
			return nil, fmt.Errorf("the server-managed field %s must be exported", field.Name)
		}
		if field.Tag.Get("json") != "-" {
			return nil, fmt.Errorf("the server-managed field %s needs the tag `json:\"-\"`", field.Name)
		}
		name := snake(field.Name)
		if slices.ContainsFunc(found, func(other managedField) bool { return other.Name == name }) {
			return nil, fmt.Errorf("two server-managed fields are named %q; rename one", name)
		}
		found = append(found, managedField{Managed{Name: name, Source: source}, field.Index})
	}
	return found, nil
}

// snake turns OrderID into order_id.
func snake(name string) string {
	var b strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		if unicode.IsUpper(r) && i > 0 &&
			(unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
