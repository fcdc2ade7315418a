package hosttools

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/google/jsonschema-go/jsonschema"
)

// checkedDefaults encodes the host's defaults, each of which must be a value
// that people could set, and no secret.
func (c *ConfigSchema) checkedDefaults(defaults map[string]any) ([]byte, error) {
	for _, name := range slices.Sorted(maps.Keys(defaults)) {
		param, ok := c.Param(name)
		switch {
		case !ok:
			return nil, fmt.Errorf("there is a default for %q, which is no parameter", name)
		case param.Managed():
			return nil, fmt.Errorf("there is a default for %q, which the server fills", name)
		case param.Secret:
			return nil, fmt.Errorf("there is a default for the secret %q; pass it through Host.App instead", name)
		}
		if err := c.fits(name, defaults[name]); err != nil {
			return nil, fmt.Errorf("the default for %q does not fit: %w", name, err)
		}
	}
	encoded, err := jsonv2.Marshal(defaults, jsonv2.Deterministic(true))
	if err != nil {
		return nil, fmt.Errorf("encode the defaults: %w", err)
	}
	return encoded, nil
}

// fits reports whether a Go value, as JSON, is what a parameter takes: its
// schema, and its Go type, which alone knows the range of an integer.
func (c *ConfigSchema) fits(name string, value any) error {
	encoded, err := jsonv2.Marshal(map[string]any{name: value})
	if err != nil {
		return err
	}
	if err := validates(c.Schema.Properties[name], value); err != nil {
		return err
	}
	return jsonv2.Unmarshal(encoded, reflect.New(c.typ).Interface(), jsonv2.RejectUnknownMembers(true))
}

func validates(s *jsonschema.Schema, value any) error {
	resolved, err := s.Resolve(nil)
	if err != nil {
		return err
	}
	encoded, err := jsonv2.Marshal(value)
	if err != nil {
		return err
	}
	var decoded any
	if err := json.Unmarshal(encoded, &decoded); err != nil {
		return err
	}
	return resolved.Validate(decoded)
}

// configure fills the config of a fresh instance from a JSON object, with the
// secrets in it, and remembers those. Nil means that nobody set anything.
func (c *ConfigSchema) configure(instance *Instance, config []byte, app map[string]any) error {
	target := reflect.ValueOf(instance.kit.Config)
	if !target.IsValid() || target.Type() != reflect.PointerTo(c.typ) || target.IsNil() {
		return errors.New("the constructor returned another Config than at registration")
	}
	if len(config) > 0 {
		if err := jsonv2.Unmarshal(config, instance.kit.Config, jsonv2.RejectUnknownMembers(true)); err != nil {
			return fmt.Errorf("decode the config: %w", err)
		}
	}
	var secrets []string
	for _, param := range c.Params {
		field := target.Elem().FieldByIndex(param.index)
		if param.Source == SourceApp {
			if fill, ok := field.Addr().Interface().(interface{ fill(value any) }); ok {
				fill.fill(app[param.key])
			}
		}
		if held, ok := field.Interface().(interface{ secret() string }); ok && held.secret() != "" {
			secrets = append(secrets, held.secret())
		}
	}
	instance.secrets = func() []string { return secrets }
	return nil
}
