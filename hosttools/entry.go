package hosttools

import (
	"context"
	"fmt"

	"github.com/agentstudio/agentstudio/tenancy"
)

// Constructor builds one entry of the registry. It must not acquire anything
// and may run many times at once: what needs opening is opened in Open.
type Constructor func() (Entry, error)

// Entry is a [Toolkit] or a [Tool].
type Entry interface{ instance() *Instance }

// Toolkit is a registered group of methods.
//
// One instance serves the calls of one tenant with one configuration, many at
// once. It is constructed and opened for the first of them and closed when it
// has been idle. Instances are never shared between tenants.
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
	// field of any method implies it for all of them.
	TenantBound bool
	Methods     []Method
	// Config points to a struct, a new one of each construction, that is filled
	// before Open with what the tenant's people configured. Its type gives the
	// form they fill in; see [Secret], [App] and [Server] for special fields.
	Config any
	// Options computes the choices for a config parameter, by its name.
	Options map[string]OptionsFunc
	// Transactional declares that every write method changes data only through
	// the transaction that [Tx] returns. Then the effect, the approval that it
	// spends and its recorded outcome commit together, or not at all.
	Transactional bool
	// Open acquires what the methods need. Its context carries the tenant but
	// no caller, since callers share the instance. Optional.
	Open func(context.Context) error
	// Close gives back what Open acquired. Optional.
	Close func(context.Context) error
}

// Tool is a registered single tool: one method whose name is its slug. The
// other fields are those of [Toolkit].
type Tool struct {
	Title         string
	Version       string
	TenantBound   bool
	Method        Method
	Config        any
	Options       map[string]OptionsFunc
	Transactional bool
	Open          func(context.Context) error
	Close         func(context.Context) error
}

// Option is one choice for a config parameter.
type Option struct {
	Value string `json:"value"`
	Label string `json:"label"` // for people; the value if empty
}

// OptionsFunc computes the choices for a config parameter from what is
// configured so far. It runs after Open, with the caller's scope.
type OptionsFunc func(context.Context) ([]Option, error)

// Instance is a constructed entry. Everything that a tenant-bound instance does
// passes the scope gate first, whoever calls it.
type Instance struct {
	kit        Toolkit
	standalone bool
	bound      bool // tenant-bound, declared or implied
	// A function, because printing does not go into one.
	secrets func() []string
}

func (t Toolkit) instance() *Instance { return &Instance{kit: t} }

func (t Tool) instance() *Instance {
	return &Instance{standalone: true, kit: Toolkit{
		Title: t.Title, Description: t.Method.description, Version: t.Version, TenantBound: t.TenantBound,
		Methods: []Method{t.Method}, Config: t.Config, Options: t.Options, Transactional: t.Transactional,
		Open: t.Open, Close: t.Close,
	}}
}

// gate refuses a tenant-bound instance outside of a scope.
func (i *Instance) gate(ctx context.Context) error {
	if !i.bound {
		return nil
	}
	_, err := tenancy.Gate(ctx)
	return err
}

// Open acquires what the instance needs, if it needs anything.
func (i *Instance) Open(ctx context.Context) error {
	if err := i.gate(ctx); err != nil {
		return err
	}
	if i.kit.Open == nil {
		return nil
	}
	return i.kit.Open(ctx)
}

// Close gives back what Open acquired.
func (i *Instance) Close(ctx context.Context) error {
	if i.kit.Close == nil {
		return nil
	}
	return i.kit.Close(ctx)
}

// Call runs one method with canonical arguments and the server-filled values,
// and returns its result as JSON.
func (i *Instance) Call(ctx context.Context, method string, args []byte, filled map[string]string) ([]byte, error) {
	if err := i.gate(ctx); err != nil {
		return nil, err
	}
	for m := range i.kit.Methods {
		if i.kit.Methods[m].name == method {
			return i.kit.Methods[m].invoke(ctx, args, filled)
		}
	}
	return nil, Errorf("unknown_method", "The tool no longer has a method %q.", method)
}

// ConfigOptions returns the choices for a config parameter. A parameter without
// choices of its own is an error.
func (i *Instance) ConfigOptions(ctx context.Context, param string) ([]Option, error) {
	if err := i.gate(ctx); err != nil {
		return nil, err
	}
	compute := i.kit.Options[param]
	if compute == nil {
		return nil, fmt.Errorf("the parameter %q has no choices of its own", param)
	}
	return compute(ctx)
}

// Secrets returns the secret values that the instance was configured with. They
// must not appear in any result.
func (i *Instance) Secrets() []string {
	if i.secrets == nil {
		return nil
	}
	return i.secrets()
}
