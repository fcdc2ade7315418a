package agents

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/canon"
	"github.com/agentstudio/agentstudio/studio/schema"
	"github.com/agentstudio/agentstudio/studio/toolexec"
)

// kit is a registered toolkit with what its configuration needs, prepared once
// and read-only.
//
// Two kinds of parameters are in neither of its compiled schemas: secrets,
// which are no part of what is stored in the clear, and those that only the
// server sets. Nor do the schemas say which parameters are required, since
// several people together set them.
type kit struct {
	group  hosttools.Group
	config *hosttools.ConfigSchema // an empty one where there is nothing to set
	whole  *schema.Schema          // of all layers together: absent members get their defaults
	sent   *schema.Schema          // of one layer: nothing is added to it
	// secrets has the schema of each secret.
	secrets  map[string]*schema.Schema
	required []string       // what has no default and must be set by somebody
	defaults []canon.Member // the host's own
	unset    toolexec.Setting
}

func newKit(group hosttools.Group) (*kit, error) {
	k := &kit{group: group, config: group.Config, secrets: map[string]*schema.Schema{}}
	if k.config == nil {
		k.config = &hosttools.ConfigSchema{Schema: &jsonschema.Schema{
			Type: "object", AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}},
		}}
	}
	if err := k.compile(); err != nil {
		return nil, err
	}
	for _, param := range k.config.Params {
		if param.Required && k.config.Schema.Properties[param.Name].Default == nil {
			k.required = append(k.required, param.Name)
		}
	}
	if len(k.config.Defaults) > 0 {
		defaults, err := canon.Parse(k.config.Defaults)
		if err != nil {
			return nil, fmt.Errorf("read the host's defaults: %w", err)
		}
		k.defaults = membersOf(defaults)
	}
	var err error
	k.unset, err = k.combine(layer{})
	return k, err
}

// compile prepares the schemas.
func (k *kit) compile() (err error) {
	plain := k.config.Schema.CloneSchemas()
	plain.Required = nil
	for _, param := range k.config.Params {
		if param.Secret {
			property := k.config.Schema.Properties[param.Name]
			if k.secrets[param.Name], err = schema.Compile(property); err != nil {
				return fmt.Errorf("%s: %w", param.Name, err)
			}
		}
		if param.Secret || param.Managed() {
			delete(plain.Properties, param.Name)
		}
	}
	plain.PropertyOrder = slices.DeleteFunc(slices.Clone(plain.PropertyOrder), func(name string) bool {
		return plain.Properties[name] == nil
	})
	if k.whole, err = schema.Compile(plain); err != nil {
		return err
	}
	dropDefaults(plain)
	k.sent, err = schema.Compile(plain)
	return err
}

// dropDefaults takes the defaults out of a schema and all inside. What has one
// may be left out, so it is no longer required, unless it tells the branches of
// a choice apart.
func dropDefaults(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	s.Default = nil
	s.Required = slices.DeleteFunc(slices.Clone(s.Required), func(name string) bool {
		property := s.Properties[name]
		return property != nil && property.Default != nil && property.Const == nil
	})
	for _, property := range s.Properties {
		dropDefaults(property)
	}
	for _, branch := range s.OneOf {
		dropDefaults(branch)
	}
	dropDefaults(s.Items)
	dropDefaults(s.AdditionalProperties)
}

// settable reports whether people may set a parameter.
func (k *kit) settable(name string) bool {
	param, ok := k.config.Param(name)
	return ok && !param.Managed()
}

// secret reports whether a parameter is a secret.
func (k *kit) secret(name string) bool { return k.secrets[name] != nil }

// overridable returns those of the listed names that still can be left to each
// user.
func (k *kit) overridable(listed []string) []string {
	names := make([]string, 0, len(listed))
	for _, name := range listed {
		if k.settable(name) {
			names = append(names, name)
		}
	}
	return names
}

// missing says which required parameters nobody has set.
func (k *kit) missing(isSet func(name string) bool) []schema.Issue {
	var issues []schema.Issue
	for _, name := range k.required {
		if !isSet(name) {
			issues = append(issues, issue(name, "is missing"))
		}
	}
	return issues
}

// issue is about a parameter.
func issue(name, message string) schema.Issue {
	return schema.Issue{Pointer: "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name), Message: message}
}

// kit returns a registered toolkit by its slug, in any case, or not_found.
func (s *Service) kit(slug string) (*kit, error) {
	if k := s.kits[s.registered(slug)]; k != nil {
		return k, nil
	}
	return nil, models.NotFound()
}

// registered returns a slug as it is registered, and one that is not as it is.
func (s *Service) registered(slug string) string {
	if group, ok := s.c.Registry.Group(slug); ok {
		return group.Slug
	}
	return slug
}

// membersOf returns a copy of the members of an object.
func membersOf(object canon.Value) []canon.Member {
	members := make([]canon.Member, 0, object.Len())
	for _, member := range object.Members() {
		members = append(members, member)
	}
	return members
}
