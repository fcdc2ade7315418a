package hosttools

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/agentstudio/agentstudio/hosttools/internal/schemas"
)

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
	Transactional  bool
	Origin         Origin
	ToolkitVersion string
	Managed        []Managed
	Config         *ConfigSchema // nil where there is nothing to configure

	Input      *jsonschema.Schema // of the arguments; never change it
	InputJSON  []byte             // the same, encoded
	OutputJSON []byte
	Truncates  bool     // the result says with "truncated" whether it is a part
	SchemaHash [32]byte // over InputJSON

	remote  bool
	decodes func([]byte) error
	kit     *blueprint
}

// blueprint constructs the instances of one entry.
type blueprint struct {
	build  Constructor
	config *ConfigSchema
	app    map[string]any
	bound  bool
}

// Decodes reports whether canonical arguments fit the method's Go types, an
// [ArgumentsError] if not.
func (d *Descriptor) Decodes(args []byte) error { return d.decodes(args) }

// IsManaged reports whether name, in whatever case, is filled by the server. A
// name that could pass for the tenant always is.
func (d *Descriptor) IsManaged(name string) bool {
	return isTenantName(name) ||
		slices.ContainsFunc(d.Managed, func(m Managed) bool { return strings.EqualFold(m.Name, name) })
}

// Construct builds an instance with a config: a JSON object, secrets included,
// that fits the entry's config schema, or nil where nothing is configured. A
// constructor that fails or panics gives an error.
func (d *Descriptor) Construct(config []byte) (*Instance, error) { return d.kit.construct(config) }

func (b *blueprint) construct(config []byte) (*Instance, error) {
	instance, err := construct(b.build)
	if err != nil {
		return nil, err
	}
	if b.bound && slices.ContainsFunc(instance.kit.Methods, func(m Method) bool { return m.executor != nil }) {
		return nil, errors.New("the constructor returned a remote executor for a tenant-bound toolkit")
	}
	instance.bound = b.bound
	if b.config == nil {
		return instance, nil
	}
	if err := b.config.configure(instance, config, b.app); err != nil {
		return nil, err
	}
	return instance, nil
}

func construct(build Constructor) (instance *Instance, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the constructor panicked: %v", p)
		}
	}()
	if build == nil {
		return nil, errors.New("the constructor is nil")
	}
	entry, err := build()
	if err != nil {
		return nil, fmt.Errorf("the constructor failed: %w", err)
	}
	if v := reflect.ValueOf(entry); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return nil, errors.New("the constructor returned nothing")
	}
	return entry.instance(), nil
}

// constructWithin is how long a constructor may take at registration. It has
// nothing to wait for.
const constructWithin = 5 * time.Second

// tried constructs an entry as a check, in a goroutine of its own, so that a
// constructor that hangs or ends its goroutine stops nobody.
func tried(build Constructor) (*Instance, error) {
	ctx, cancel := context.WithTimeout(context.Background(), constructWithin)
	defer cancel()
	var instance *Instance
	err := errors.New("the constructor ended its goroutine")
	done := make(chan struct{})
	go func() {
		defer close(done)
		instance, err = construct(build)
	}()
	select {
	case <-done:
		return instance, err
	case <-ctx.Done():
		return nil, fmt.Errorf("the constructor did not return within %s; it must not wait for anything", constructWithin)
	}
}

// describe builds the descriptor of one method of an entry.
func describe(slug string, instance *Instance, m *Method) (*Descriptor, error) {
	if m.invoke == nil {
		return nil, fmt.Errorf("method %q has no function; make methods with NewMethod", m.name)
	}
	if strings.TrimSpace(m.description) == "" {
		return nil, fmt.Errorf("method %q has no description; models choose by it", m.name)
	}
	if err := m.checkManaged(); err != nil {
		return nil, fmt.Errorf("method %q: %w", m.name, err)
	}
	d := &Descriptor{
		Slug: slug, Method: m.name, Title: instance.kit.Title, Description: m.description, Verb: m.verb,
		Access: m.access, Declared: m.declared, Consequential: m.consequential,
		TenantBound: instance.kit.TenantBound, Standalone: instance.standalone, Transactional: instance.kit.Transactional,
		ToolkitVersion: instance.kit.Version, remote: m.executor != nil, decodes: m.decodes,
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
	input, err := d.inputSchema(m)
	if err != nil {
		return err
	}
	output, err := schemas.Result(m.out, m.schemaOptions())
	if err != nil {
		return err
	}
	if _, err := input.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true}); err != nil {
		return fmt.Errorf("the schema does not hold together: %w", err)
	}
	if mark := output.Properties["truncated"]; mark != nil {
		d.Truncates = mark.Type == "boolean"
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

// inputSchema returns the schema of the arguments: the host's own, or the
// inferred one. Server-managed names are in neither.
func (d *Descriptor) inputSchema(m *Method) (*jsonschema.Schema, error) {
	var names []string
	for _, managed := range d.Managed {
		names = append(names, managed.Name)
	}
	if m.schema != "" {
		input, err := schemas.Custom([]byte(m.schema), names)
		if err != nil {
			return nil, err
		}
		return input, m.takes(input)
	}
	input, err := schemas.Input(m.in, m.schemaOptions())
	if err != nil {
		return nil, err
	}
	for _, name := range input.PropertyOrder {
		if slices.ContainsFunc(names, func(managed string) bool { return strings.EqualFold(managed, name) }) {
			return nil, fmt.Errorf("%q is filled by the server and cannot be an argument too; rename one", name)
		}
	}
	return input, schemas.RefuseTenant(input)
}

// takes refuses a schema with a property for which the input has no field: no
// call that sends it could ever run.
func (m *Method) takes(input *jsonschema.Schema) error {
	fields := fieldsOf(m.in, inlined)
	for _, name := range input.PropertyOrder {
		if !slices.ContainsFunc(fields, func(f reflect.StructField) bool { return jsonName(f) == name }) {
			return fmt.Errorf("the schema has a property %q, for which %s has no field", name, m.in)
		}
	}
	return nil
}

func (m *Method) schemaOptions() schemas.Options {
	o := schemas.Options{Special: scopeType}
	for _, u := range m.unions {
		o.Unions = append(o.Unions, u.Union)
	}
	return o
}

// scopeType keeps the fields that the scope fills out of every schema.
func scopeType(t reflect.Type) (*jsonschema.Schema, bool) {
	_, scoped := sourceOf(t)
	return nil, scoped
}
