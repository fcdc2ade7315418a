package pages

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/canon"
)

// paramField begins the form's name of every parameter, so that none can pass
// for another field of the form.
const paramField = "param."

// overridableField lists the parameters that each user may set.
const overridableField = "user_overridable"

// sentParams returns the parameters of a form as a value, in the order of their
// names. Everything that the form names is passed on, also what has no field in
// it: the service refuses what only the server sets, and what it does not know.
// A field that was sent twice is refused here.
func sentParams(form url.Values, config *hosttools.ConfigSchema) (canon.Value, error) {
	var members []canon.Member
	for _, field := range slices.Sorted(maps.Keys(form)) {
		name, isParam := strings.CutPrefix(field, paramField)
		if !isParam {
			continue
		}
		if len(form[field]) != 1 {
			return canon.Value{}, models.Errorf(models.CodeInvalidRequest, "The form has the field %.100q twice.", name)
		}
		text := strings.ReplaceAll(form.Get(field), "\r\n", "\n")
		value, given := sentParam(config, name, text)
		if given {
			members = append(members, canon.Member{Name: name, Value: value})
		}
	}
	object, err := canon.ObjectOf(members...)
	if err != nil {
		return object, models.Errorf(models.CodeInvalidRequest,
			"The form has two fields whose names differ only in upper and lower case.").Because(err)
	}
	return object, nil
}

// sentParam reports false where a parameter that people set was left empty.
func sentParam(config *hosttools.ConfigSchema, name, text string) (canon.Value, bool) {
	param, known := paramOf(config, name)
	switch {
	case !known || param.Managed():
		return canon.String(text), true
	case param.Secret:
		return canon.String(text), text != ""
	default:
		return typed(propertyOf(config, name), text)
	}
}

// sentOverridable returns the names that a form leaves to each user, never nil.
func sentOverridable(form url.Values) []string {
	return append([]string{}, form[overridableField]...)
}

// paramOf is [hosttools.ConfigSchema.Param] also where there is no config.
func paramOf(config *hosttools.ConfigSchema, name string) (hosttools.Param, bool) {
	if config == nil {
		return hosttools.Param{}, false
	}
	return config.Param(name)
}

func propertyOf(config *hosttools.ConfigSchema, name string) *jsonschema.Schema {
	if config == nil {
		return nil
	}
	return config.Schema.Properties[name]
}

// unreadable says what is wrong with a text that should be JSON, "" where
// nothing is or it should not be.
func unreadable(s *jsonschema.Schema, text string) string {
	isJSON := writtenAs(s) == asJSON || writtenAs(s) == asLines && strings.HasPrefix(text, "[")
	if strings.TrimSpace(text) == "" || !isJSON {
		return ""
	}
	if _, err := canon.Parse([]byte(text)); err != nil {
		return "This is not JSON: " + err.Error() + "."
	}
	return ""
}
