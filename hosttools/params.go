package hosttools

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// addParams lists the parameters and checks what their types cannot say.
func (c *ConfigSchema) addParams(kit Toolkit, app map[string]any) error {
	for _, field := range fieldsOf(c.typ, inlined) {
		if holdsScope(field.Type) {
			return fmt.Errorf("the field %s takes its value from the scope, which an instance does not have: "+
				"callers share it; declare it in the input of the methods", field.Name)
		}
		name := jsonName(field)
		property := c.Schema.Properties[name]
		if property == nil {
			continue
		}
		if err := refuseName(field, name); err != nil {
			return err
		}
		param := Param{
			Name: name, Title: property.Description, Secret: field.Type == reflect.TypeFor[Secret](), index: field.Index,
			Required: slices.Contains(c.Schema.Required, name), HasOptions: kit.Options[name] != nil,
		}
		if err := c.manage(&param, field, app); err != nil {
			return err
		}
		if param.HasOptions {
			property.Extra = withMark(property.Extra, MarkOptions)
		}
		c.Params = append(c.Params, param)
	}
	return c.checkOptions(kit.Options)
}

// withMark returns the extensions of a schema with one more marker.
func withMark(extra map[string]any, mark string) map[string]any {
	marked := map[string]any{mark: true}
	maps.Copy(marked, extra)
	return marked
}

// checkOptions refuses choices for what people do not choose.
func (c *ConfigSchema) checkOptions(options map[string]OptionsFunc) error {
	for _, name := range slices.Sorted(maps.Keys(options)) {
		if options[name] == nil {
			return fmt.Errorf("the function that computes the choices for %q is nil", name)
		}
		if param, ok := c.Param(name); !ok || param.Managed() || param.Secret {
			return fmt.Errorf("there are choices for %q, which is no parameter that people choose", name)
		}
	}
	return nil
}

// manage completes a server-managed parameter.
func (c *ConfigSchema) manage(param *Param, field reflect.StructField, app map[string]any) error {
	managed, ok := managedParam(field.Type)
	if !ok {
		return nil
	}
	param.Source, param.Required = managed.source(), false
	c.Schema.Required = slices.DeleteFunc(c.Schema.Required, func(name string) bool { return name == param.Name })
	taker, ok := managed.(given)
	if !ok {
		return nil
	}
	param.key = field.Tag.Get("key")
	if param.key == "" {
		return fmt.Errorf("the field %s needs the tag `key:\"…\"`, the name of its value in Host.App", field.Name)
	}
	value, ok := app[param.key]
	if !ok {
		return fmt.Errorf("the field %s needs Host.App[%q], and there is none", field.Name, param.key)
	}
	if err := taker.fits(value); err != nil {
		return fmt.Errorf("the field %s does not fit: %w", field.Name, err)
	}
	return nil
}

// jsonName returns the name of a field's member, "" where it has none.
func jsonName(field reflect.StructField) string {
	tag := field.Tag.Get("json")
	name, _, _ := strings.Cut(tag, ",")
	switch {
	case tag == "-" || !field.IsExported():
		return ""
	case name == "":
		return field.Name
	default:
		return name
	}
}

// inlined reports whether a field is an embedded struct whose fields are the
// outer struct's own in JSON.
func inlined(field reflect.StructField) bool {
	return embedded(field) && field.Tag.Get("json") == ""
}

// holdsScope reports whether a type is one that the scope fills, or holds one
// anywhere inside. Of a server-managed parameter only the value's own type
// counts: what is inside of it is the host's.
func holdsScope(t reflect.Type) bool {
	if _, managed := managedParam(t); managed {
		_, scoped := sourceOf(t.Field(0).Type)
		return scoped
	}
	return holdsManaged(t)
}

// refuseName refuses a parameter that nobody could set, because of its name or
// of its place: masks, overrides and refusals go by the name at the top.
func refuseName(field reflect.StructField, name string) error {
	if isTenantName(name) {
		return fmt.Errorf("the field %s is named %q, and the tenant never comes from outside; rename it", field.Name, name)
	}
	if isConfigType(field.Type) || !holdsType(field.Type, isConfigType, map[reflect.Type]bool{}) {
		return nil
	}
	return fmt.Errorf("the field %s holds a secret or a server-managed value inside; move that to the top of the Config", field.Name)
}
