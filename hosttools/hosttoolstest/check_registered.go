package hosttoolstest

import (
	"context"
	"fmt"
)

// rejections reports every entry that the registry left out, and every option
// that speaks of no entry.
func (s *suite) rejections(context.Context) []problem {
	var problems []problem
	for _, rejection := range s.registry.Rejections() {
		problems = append(problems, problem{
			fmt.Sprintf("The entry %s was refused: %s.", rejection.Slug, rejection.Reason),
			"Change what the reason names; until then nobody can use the entry.",
		})
	}
	for _, name := range s.unknown() {
		problems = append(problems, problem{
			fmt.Sprintf("The options of the suite speak of %q, and nothing of that name is registered.", name),
			"Args and Shared take names as models see them, Config takes slugs.",
		})
	}
	return problems
}
