package hosttoolstest

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/studio/canon"
	"github.com/agentstudio/agentstudio/studio/schema"
)

// configOf returns the configuration under which an entry is tested, nil where
// there is nothing to configure.
func (s *suite) configOf(group hosttools.Group) ([]byte, error) {
	if group.Config == nil {
		return nil, nil
	}
	values := map[string]json.RawMessage{}
	if len(group.Config.Defaults) > 0 {
		if err := json.Unmarshal(group.Config.Defaults, &values); err != nil {
			return nil, fmt.Errorf("the host's defaults: %w", err)
		}
	}
	chosen, given := s.settings.config[group.Slug]
	if !given {
		chosen = madeUp(group.Config, values)
	}
	for name, value := range chosen {
		encoded, err := json.Marshal(value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		values[name] = encoded
	}
	return normalised(group.Config, values)
}

// madeUp returns values for what has to be configured and is not, and for every
// secret one that can be found again.
func madeUp(config *hosttools.ConfigSchema, have map[string]json.RawMessage) map[string]any {
	values := map[string]any{}
	for _, param := range config.Params {
		if _, set := have[param.Name]; set || param.Managed() {
			continue
		}
		if param.Secret {
			values[param.Name] = "canary-of-" + param.Name + "-4c1f7b20"
			continue
		}
		if value, ok := example(config.Schema.Properties[param.Name]); ok && param.Required {
			values[param.Name] = value
		}
	}
	return values
}

// normalised checks a configuration as the Studio does and adds the defaults.
func normalised(config *hosttools.ConfigSchema, values map[string]json.RawMessage) ([]byte, error) {
	compiled, err := schema.Compile(config.Schema)
	if err != nil {
		return nil, err
	}
	if managed := config.Managed(keys(values)); len(managed) > 0 {
		return nil, fmt.Errorf("the server fills %v", managed)
	}
	encoded, err := json.Marshal(values)
	if err != nil {
		return nil, err
	}
	value, err := canon.Parse(encoded)
	if err != nil {
		return nil, err
	}
	normal, issues := compiled.Normalise(value)
	if len(issues) > 0 {
		return nil, errors.New(schema.Sentence(issues))
	}
	return canon.Bytes(normal)
}

func keys[V any](m map[string]V) []string {
	names := make([]string, 0, len(m))
	for name := range maps.Keys(m) {
		names = append(names, name)
	}
	return names
}
