package hosttools

import "context"

// Constructor builds one entry of the registry. It must not acquire anything
// and may run many times at once.
type Constructor func() (Entry, error)

// Entry is a [Toolkit] or a [Tool].
type Entry interface{ instance() Instance }

// Toolkit is a registered group of methods.
type Toolkit struct {
	// Prefix is the host prefix without its trailing underscores. The name a
	// model sees is the prefix, "_" and the method's name.
	Prefix      string
	Title       string // for people
	Description string // what the group is for, a sentence
	// Version changes whenever the meaning of a method changes; approvals given
	// under another version do not run. Empty: the host's build decides.
	Version string
	// TenantBound declares that the toolkit reads tenant data. A server-managed
	// field implies it.
	TenantBound bool
	Methods     []Method
	// Open acquires what the methods need. It runs before the first method of a
	// call, after every gate. Optional.
	Open func(context.Context) error
	// Close gives back what Open acquired. It runs after the call. Optional.
	Close func(context.Context) error
}

// Tool is a registered single tool: one method whose name is its slug.
type Tool struct {
	Title       string
	Version     string
	TenantBound bool
	Method      Method
	Open        func(context.Context) error
	Close       func(context.Context) error
}

// Instance is a constructed entry, good for one call.
type Instance struct {
	kit        Toolkit
	standalone bool
}

func (t Toolkit) instance() Instance { return Instance{kit: t} }

func (t Tool) instance() Instance {
	return Instance{standalone: true, kit: Toolkit{
		Title: t.Title, Description: t.Method.description, Version: t.Version, TenantBound: t.TenantBound,
		Methods: []Method{t.Method}, Open: t.Open, Close: t.Close,
	}}
}

// Open acquires what the instance needs, if it needs anything.
func (i Instance) Open(ctx context.Context) error {
	if i.kit.Open == nil {
		return nil
	}
	return i.kit.Open(ctx)
}

// Close gives back what Open acquired.
func (i Instance) Close(ctx context.Context) error {
	if i.kit.Close == nil {
		return nil
	}
	return i.kit.Close(ctx)
}

// Call runs one method with canonical arguments and the server-filled values,
// and returns its result as JSON.
func (i Instance) Call(ctx context.Context, method string, args []byte, filled map[string]string) ([]byte, error) {
	for _, m := range i.kit.Methods {
		if m.name == method {
			return m.invoke(ctx, args, filled)
		}
	}
	return nil, Errorf("unknown_method", "The tool no longer has a method %q.", method)
}
