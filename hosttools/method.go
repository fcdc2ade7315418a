package hosttools

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"github.com/go-json-experiment/json"
)

// Access says whether a method changes anything.
type Access string

// The accesses. What is not declared a read is a write.
const (
	AccessRead  Access = "read"
	AccessWrite Access = "write"
)

// Method is one callable of a toolkit, or a standalone tool. [NewMethod] makes
// it; the zero value is refused at registration.
type Method struct {
	name          string
	description   string
	access        Access
	declared      bool
	consequential bool
	verb          string
	in, out       reflect.Type
	managed       []managedField
	managedErr    error
	invoke        func(ctx context.Context, args []byte, filled map[string]string) ([]byte, error)
}

// MethodOption declares something about a method.
type MethodOption func(*Method)

// Read declares that the method changes nothing, so that it runs without an
// approval.
func Read() MethodOption {
	return func(m *Method) { m.access, m.declared = AccessRead, true }
}

// Write declares that the method changes something. That is also what an
// undeclared method is taken for.
func Write() MethodOption {
	return func(m *Method) { m.access, m.declared = AccessWrite, true }
}

// Consequential declares that the effect is hard to undo, so that every set of
// calls that holds this one is reviewed.
func Consequential() MethodOption {
	return func(m *Method) { m.consequential = true }
}

// Verb sets the line that heads the approval card, such as "Cancel an order".
// It is the host's own text: arguments never take part in it.
func Verb(line string) MethodOption {
	return func(m *Method) { m.verb = line }
}

// NewMethod makes a method of a typed function. In and Out must be structs;
// their JSON schemas are inferred. name is what models see behind the prefix:
// lower-case letters, digits and "_".
//
// The function runs with arguments that were validated against the schema and,
// for a write, approved byte for byte. An [Error] that it returns is shown to
// the model and to people; any other error is logged and answered in general
// words.
func NewMethod[In, Out any](
	name, description string, fn func(context.Context, In) (Out, error), options ...MethodOption,
) Method {
	m := Method{
		name: name, description: description, access: AccessWrite,
		in: reflect.TypeFor[In](), out: reflect.TypeFor[Out](),
	}
	m.managed, m.managedErr = managedFields(m.in)
	if fn != nil {
		m.invoke = invoker(fn, m.managed)
	}
	for _, option := range options {
		option(&m)
	}
	return m
}

// invoker decodes canonical arguments into In, fills what the server manages,
// calls fn and encodes Out.
func invoker[In, Out any](
	fn func(context.Context, In) (Out, error), managed []managedField,
) func(context.Context, []byte, map[string]string) ([]byte, error) {
	managed = slices.Clone(managed)
	return func(ctx context.Context, args []byte, filled map[string]string) ([]byte, error) {
		var in In
		if err := json.Unmarshal(args, &in, json.RejectUnknownMembers(true)); err != nil {
			return nil, &ArgumentsError{err}
		}
		for _, field := range managed {
			value, ok := filled[field.Name]
			if !ok {
				return nil, fmt.Errorf("no value for the server-managed %q", field.Name)
			}
			reflect.ValueOf(&in).Elem().FieldByIndex(field.index).SetString(value)
		}
		out, err := fn(ctx, in)
		if err != nil {
			return nil, err
		}
		encoded, err := json.Marshal(out, json.Deterministic(true))
		if err != nil {
			return nil, fmt.Errorf("encode the result: %w", err)
		}
		return encoded, nil
	}
}

// decodes reports whether args decode into the method's input, an
// [ArgumentsError] if not.
func (m *Method) decodes(args []byte) error {
	in := reflect.New(m.in).Interface()
	if err := json.Unmarshal(args, in, json.RejectUnknownMembers(true)); err != nil {
		return &ArgumentsError{err}
	}
	return nil
}
