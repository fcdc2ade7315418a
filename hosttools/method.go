package hosttools

import (
	"context"
	"fmt"
	"maps"
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
	schema        string // the host's own, if any
	unions        []union
	executor      Executor
	in, out       reflect.Type
	managed       []managedField
	managedErr    error
	decode        json.Options
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

// InputSchema replaces the schema that is inferred from the input type by the
// host's own, a JSON Schema object. What it accepts must decode into the input
// type; a server-managed name in it is refused at registration.
func InputSchema(schema string) MethodOption {
	return func(m *Method) { m.schema = schema }
}

// Executor runs a method outside of this process.
type Executor interface {
	// Execute runs a method with canonical arguments and returns its result as
	// JSON, which must decode into the method's result type.
	Execute(ctx context.Context, method string, args []byte) ([]byte, error)
}

// RunBy hands the method's calls to an executor instead of its function. A
// tenant-bound toolkit cannot have one: outside of this process nothing
// guards its tenant.
func RunBy(executor Executor) MethodOption {
	return func(m *Method) { m.executor = executor }
}

// NewMethod makes a method of a typed function. In and Out must be structs;
// their JSON schemas are inferred. name is what models see behind the prefix:
// letters, digits, "_" and "-".
//
// The function runs with arguments that were validated against the schema and,
// for a write, approved byte for byte. It may run many times at once. An
// [Error] that it returns is shown to the model and to people; any other error
// is logged and answered in general words.
func NewMethod[In, Out any](
	name, description string, fn func(context.Context, In) (Out, error), options ...MethodOption,
) Method {
	m := Method{
		name: name, description: description, access: AccessWrite,
		in: reflect.TypeFor[In](), out: reflect.TypeFor[Out](),
	}
	m.managed, m.managedErr = managedFields(m.in)
	for _, option := range options {
		option(&m)
	}
	decode, encode := codec(m.unions)
	m.decode = decode
	switch {
	case m.executor != nil:
		m.invoke = remote[Out](m.executor, name, decode, encode)
	case fn != nil:
		m.invoke = invoker(fn, m.managed, decode, encode)
	}
	return m
}

// invoker decodes canonical arguments into In, fills what the server manages,
// calls fn and encodes Out.
func invoker[In, Out any](
	fn func(context.Context, In) (Out, error), managed []managedField, decode, encode json.Options,
) func(context.Context, []byte, map[string]string) ([]byte, error) {
	return func(ctx context.Context, args []byte, filled map[string]string) ([]byte, error) {
		var in In
		if err := json.Unmarshal(args, &in, decode); err != nil {
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
		return encoded(out, encode)
	}
}

// remote calls an executor, and holds its result to the type Out.
func remote[Out any](
	executor Executor, name string, decode, encode json.Options,
) func(context.Context, []byte, map[string]string) ([]byte, error) {
	return func(ctx context.Context, args []byte, _ map[string]string) ([]byte, error) {
		raw, err := executor.Execute(ctx, name, args)
		if err != nil {
			return nil, err
		}
		var out Out
		if err := json.Unmarshal(raw, &out, decode); err != nil {
			return nil, fmt.Errorf("the executor's result: %w", err)
		}
		return encoded(out, encode)
	}
}

func encoded(out any, encode json.Options) ([]byte, error) {
	result, err := json.Marshal(out, encode)
	if err != nil {
		return nil, fmt.Errorf("encode the result: %w", err)
	}
	return result, nil
}

// decodes reports whether args decode into the method's input, an
// [ArgumentsError] if not.
func (m *Method) decodes(args []byte) error {
	in := reflect.New(m.in).Interface()
	if err := json.Unmarshal(args, in, m.decode); err != nil {
		return &ArgumentsError{err}
	}
	return nil
}

// checkManaged refuses server-managed fields that would not be filled, and
// types that belong into a Config.
func (m *Method) checkManaged() error {
	if m.managedErr != nil {
		return m.managedErr
	}
	for _, t := range []reflect.Type{m.in, m.out} {
		if holdsType(t, isConfigType, map[reflect.Type]bool{}) {
			return fmt.Errorf("%s holds a secret or a server-managed parameter, which only a Config can have", t)
		}
	}
	for _, u := range m.unions {
		for _, name := range slices.Sorted(maps.Keys(u.Variants)) {
			if t := u.Variants[name]; t != nil && holdsManaged(t) {
				return fmt.Errorf("the variant %q holds a server-managed type; "+
					"only the input's own fields are filled, so move it there", name)
			}
		}
	}
	return nil
}
