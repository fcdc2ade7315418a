package hosttoolstest

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"
)

// minDescription is the length below which a description tells nothing.
const minDescription = 10

// describedToolkit reports an entry that people would not understand, or whose
// form they could not fill in.
func (s *suite) describedToolkit(_ context.Context, kit *toolkit) []problem {
	var problems []problem
	if strings.TrimSpace(kit.Title) == "" {
		problems = append(problems, problem{"It has no title.", "Set Title to what people call it."})
	}
	if !kit.Standalone && !isSentence(kit.Description) {
		problems = append(problems, problem{
			fmt.Sprintf("Its description is %q.", kit.Description), "Set Description to a sentence that says what it is for.",
		})
	}
	if kit.Config == nil {
		return problems
	}
	return append(problems, describedSchema(kit.Config.Schema, "config parameters")...)
}

// describedTool reports a method that a model would not know how to use.
func (s *suite) describedTool(_ context.Context, t *tool) []problem {
	var problems []problem
	if !isSentence(t.Description) {
		problems = append(problems, problem{
			fmt.Sprintf("Its description is %q.", t.Description),
			"Describe it in a sentence, with a full stop; models choose by it.",
		})
	}
	problems = append(problems, describedSchema(t.Input, "arguments")...)
	output, err := t.output()
	if err != nil {
		return append(problems, problem{fmt.Sprintf("Its result has no schema: %v.", err), "Return a struct."})
	}
	return append(problems, describedSchema(output, "result's members")...)
}

func (t *tool) output() (*jsonschema.Schema, error) {
	output := &jsonschema.Schema{}
	return output, json.Unmarshal(t.OutputJSON, output)
}

func describedSchema(s *jsonschema.Schema, what string) []problem {
	names := undescribed(s, "")
	if len(names) == 0 {
		return nil
	}
	return []problem{{
		fmt.Sprintf("These of its %s have no description: %s.", what, strings.Join(names, ", ")),
		"Give their fields `jsonschema` tags that say what they are.",
	}}
}

// undescribed returns the places of all members without a description. Members
// that the server fills, and those that only name a variant, need none.
func undescribed(s *jsonschema.Schema, place string) []string {
	if s == nil {
		return nil
	}
	var names []string
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		property := s.Properties[name]
		if property.Const != nil || property.ReadOnly {
			continue
		}
		if strings.TrimSpace(property.Description) == "" {
			names = append(names, place+name)
		}
		names = append(names, undescribed(property, place+name+".")...)
	}
	names = append(names, undescribed(s.Items, place)...)
	names = append(names, undescribed(s.AdditionalProperties, place)...)
	for _, branch := range s.OneOf {
		names = append(names, undescribed(branch, place)...)
	}
	return slices.Compact(names)
}

func isSentence(text string) bool {
	text = strings.TrimSpace(text)
	return utf8.RuneCountInString(text) >= minDescription && strings.ContainsAny(text[len(text)-1:], ".!?")
}
