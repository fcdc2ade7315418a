package hosttoolstest

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
)

// results reports results that are too large or are not what their schema says,
// and lists that cannot say that they are cut short.
func (s *suite) results(ctx context.Context, t *tool) []problem {
	output, err := t.output()
	if err != nil {
		return nil // The check "described" reports it.
	}
	problems := unmarked(output)
	tenant, works := s.home(ctx, t)
	if !works {
		return problems
	}
	result := s.ordinaryCall(ctx, t, tenant).envelope.Result
	if len(result) > s.bytes {
		return append(problems, problem{
			fmt.Sprintf("For the tenant %s it returns %d bytes, and at most %d are passed on.", tenant, len(result), s.bytes),
			"Bound it: embed hosttools.Rows in the input, and return hosttools.NewPage(rows, in.Limit()).",
		})
	}
	if err := validated(output, result); err != nil {
		problems = append(problems, problem{
			fmt.Sprintf("For the tenant %s the result is not what its schema says: %v.", tenant, err),
			"Let the tags of the result's type, such as enum or minimum, say what it really returns.",
		})
	}
	return problems
}

// unmarked reports lists of objects at the top of a result without a mark
// beside them.
func unmarked(output *jsonschema.Schema) []problem {
	if mark := output.Properties["truncated"]; mark != nil && kindOf(mark) == "boolean" {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(output.Properties)) {
		property := output.Properties[name]
		if kindOf(property) == "array" && property.Items != nil && kindOf(property.Items) == "object" {
			return []problem{{
				fmt.Sprintf("The list %q has no mark that says whether it is cut short.", name),
				"Return a hosttools.Page, or add a boolean `truncated` beside the list.",
			}}
		}
	}
	return nil
}

func validated(output *jsonschema.Schema, result []byte) error {
	resolved, err := output.Resolve(nil)
	if err != nil {
		return err
	}
	var value any
	if err := json.Unmarshal(result, &value); err != nil {
		return err
	}
	return resolved.Validate(value)
}
