package hosttools

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// Origin says where an entry comes from.
type Origin string

// OriginHost marks what the host registered.
const OriginHost Origin = "host"

// Descriptor is all that is known of one method without constructing anything.
// It is built once, at registration, and read-only.
type Descriptor struct {
	Name           string // what a model sees, unique: fs_cancel_order
	Slug           string // the registry key: fs_orders
	Method         string // cancel_order; of a standalone tool, its slug
	Title          string // of the entry
	Description    string
	Verb           string // heads the approval card
	Access         Access
	Declared       bool // the host declared the access
	Consequential  bool
	TenantBound    bool
	Standalone     bool
	Origin         Origin
	ToolkitVersion string
	Managed        []Managed

	Input      *jsonschema.Schema // of the arguments; never change it
	InputJSON  []byte             // the same, encoded
	OutputJSON []byte
	SchemaHash [32]byte // over InputJSON

	resolved *jsonschema.Resolved
	decodes  func([]byte) error
	build    Constructor
}

// Validate reports whether a JSON value, in Go's types with integers as int64
// or uint64, is what the method takes.
func (d *Descriptor) Validate(value any) error { return d.resolved.Validate(value) }

// Decodes reports whether canonical arguments fit the method's Go types, an
// [ArgumentsError] if not.
func (d *Descriptor) Decodes(args []byte) error { return d.decodes(args) }

// IsManaged reports whether name is filled by the server.
func (d *Descriptor) IsManaged(name string) bool {
	for _, m := range d.Managed {
		if m.Name == name {
			return true
		}
	}
	return false
}

// Construct builds an instance for one call. A constructor that fails or
// panics gives an error.
func (d *Descriptor) Construct() (Instance, error) { return construct(d.build) }

func construct(build Constructor) (instance Instance, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the constructor panicked: %v", p)
		}
	}()
	if build == nil {
		return Instance{}, fmt.Errorf("the constructor is nil")
	}
	entry, err := build()
	if err != nil {
		return Instance{}, fmt.Errorf("the constructor failed: %w", err)
	}
	if entry == nil {
		return Instance{}, fmt.Errorf("the constructor returned nothing")
	}
	return entry.instance(), nil
}

// describe builds the descriptor of one method of an entry.
func describe(slug string, instance Instance, m *Method) (*Descriptor, error) {
	if m.invoke == nil {
		return nil, fmt.Errorf("method %q has no function; make methods with NewMethod", m.name)
	}
	if strings.TrimSpace(m.description) == "" {
		return nil, fmt.Errorf("method %q has no description; models choose by it", m.name)
	}
	if m.managedErr != nil {
		return nil, fmt.Errorf("method %q: %w", m.name, m.managedErr)
	}
	d := &Descriptor{
		Slug: slug, Method: m.name, Title: instance.kit.Title, Description: m.description, Verb: m.verb,
		Access: m.access, Declared: m.declared, Consequential: m.consequential,
		TenantBound: instance.kit.TenantBound, Standalone: instance.standalone,
		Origin: OriginHost, ToolkitVersion: instance.kit.Version, decodes: m.decodes,
	}
	for _, field := range m.managed {
		d.Managed = append(d.Managed, field.Managed)
		d.TenantBound = true
	}
	if d.Verb == "" {
		d.Verb = m.description
	}
	if err := d.describeTypes(m); err != nil {
		return nil, fmt.Errorf("method %q: %w", m.name, err)
	}
	return d, nil
}

func (d *Descriptor) describeTypes(m *Method) error {
	input, err := inputSchema(m.in)
	if err != nil {
		return err
	}
	for _, managed := range d.Managed {
		for name := range input.Properties {
			if strings.EqualFold(name, managed.Name) {
				return fmt.Errorf("%q is filled by the server and cannot be an argument too; rename one", managed.Name)
			}
		}
	}
	output, err := outputSchema(m.out)
	if err != nil {
		return err
	}
	if d.resolved, err = input.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true}); err != nil {
		return fmt.Errorf("the schema does not hold together: %w", err)
	}
	d.Input = input
	if d.InputJSON, err = json.Marshal(input); err != nil {
		return fmt.Errorf("encode the schema: %w", err)
	}
	if d.OutputJSON, err = json.Marshal(output); err != nil {
		return fmt.Errorf("encode the result schema: %w", err)
	}
	d.SchemaHash = sha256.Sum256(d.InputJSON)
	return nil
}
