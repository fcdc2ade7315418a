package hosttools

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/agentstudio/agentstudio/hosttools/internal/schemas"
)

// The markers of a config schema (contract 1, section 2).
const (
	MarkSecret        = "x-secret"         // written, never read
	MarkServerManaged = "x-server-managed" // refused from people and programs
	MarkOptions       = "x-options"        // the toolkit computes choices for it
)

// ConfigSchema says what an agent's people can set of a toolkit. It is built
// once, from the Go type, and read-only.
type ConfigSchema struct {
	Schema *jsonschema.Schema // never change it
	JSON   []byte             // the same, encoded
	Params []Param            // in the order of the Go type
	// Defaults is a JSON object with the host's own defaults; they come before
	// those of the type, and after what people set.
	Defaults []byte
	// Hash is over schema and defaults: another one is another toolkit.
	Hash [32]byte

	typ reflect.Type
}

// Param is one config parameter.
type Param struct {
	Name       string
	Title      string // the description, for people
	Required   bool
	Secret     bool
	Source     Source // of a server-managed parameter; "" for others
	HasOptions bool

	index []int
	key   string // of Source app
}

// Managed reports whether only the server sets the parameter.
func (p Param) Managed() bool { return p.Source != "" }

// Param returns a parameter by name, and false when there is none.
func (c *ConfigSchema) Param(name string) (Param, bool) {
	i := slices.IndexFunc(c.Params, func(p Param) bool { return p.Name == name })
	if i < 0 {
		return Param{}, false
	}
	return c.Params[i], true
}

// Managed returns those of the names that only the server sets, whatever their
// case, sorted.
func (c *ConfigSchema) Managed(names []string) []string {
	var managed []string
	for _, name := range names {
		if isTenantName(name) || slices.ContainsFunc(c.Params, func(p Param) bool {
			return p.Managed() && strings.EqualFold(p.Name, name)
		}) {
			managed = append(managed, name)
		}
	}
	slices.Sort(managed)
	return managed
}

// isTenantName reports whether a name could pass for the tenant, which never
// comes from outside (contract 1, section 7).
func isTenantName(name string) bool {
	return strings.EqualFold(name, "tenant") || strings.EqualFold(name, "tenant_id")
}

// configSchema describes the config of an entry, nil where it has none.
func configSchema(kit Toolkit, app, defaults map[string]any) (*ConfigSchema, error) {
	if kit.Config == nil {
		if defaults != nil || len(kit.Options) > 0 {
			return nil, errors.New("it has config defaults or choices, and no Config to fill; give it one")
		}
		return nil, nil
	}
	t := reflect.TypeOf(kit.Config)
	if t.Kind() != reflect.Pointer || t.Elem().Kind() != reflect.Struct || reflect.ValueOf(kit.Config).IsNil() {
		return nil, fmt.Errorf("its Config is a %s and must point to a struct", t)
	}
	c := &ConfigSchema{typ: t.Elem()}
	var err error
	if c.Schema, err = schemas.Input(c.typ, schemas.Options{Special: configType}); err != nil {
		return nil, fmt.Errorf("its Config: %w", err)
	}
	if err := c.addParams(kit, app); err != nil {
		return nil, fmt.Errorf("its Config: %w", err)
	}
	if err := c.encode(defaults); err != nil {
		return nil, fmt.Errorf("its Config: %w", err)
	}
	return c, nil
}

// configType gives the schemas of the types that only a config has.
func configType(t reflect.Type) (*jsonschema.Schema, bool) {
	if t == reflect.TypeFor[Secret]() {
		return &jsonschema.Schema{Type: "string", WriteOnly: true, Extra: map[string]any{MarkSecret: true}}, true
	}
	if _, ok := managedParam(t); ok {
		return &jsonschema.Schema{ReadOnly: true, Extra: map[string]any{MarkServerManaged: true}}, true
	}
	return nil, false
}

// isConfigType reports whether only a config may have the type.
func isConfigType(t reflect.Type) bool {
	_, ok := configType(t)
	return ok
}

// encode fixes the JSON, the defaults and the hash.
func (c *ConfigSchema) encode(defaults map[string]any) error {
	encoded, err := json.Marshal(c.Schema)
	if err != nil {
		return fmt.Errorf("encode the schema: %w", err)
	}
	c.JSON = encoded
	if c.Defaults, err = c.checkedDefaults(defaults); err != nil {
		return err
	}
	c.Hash = sha256.Sum256(bytes.Join([][]byte{c.JSON, c.Defaults}, []byte{0}))
	return nil
}
