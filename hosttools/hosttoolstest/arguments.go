package hosttoolstest

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/agentstudio/agentstudio/models"
)

// addArguments gives a tool the arguments of its ordinary call, or says why
// there are none. Whether they fit is asked of the door, for a tenant.
func (s *suite) addArguments(t *tool) {
	args, given := s.settings.args[t.Name]
	if !given {
		made, ok := example(t.Input)
		args, _ = made.(map[string]any)
		if !ok || args == nil {
			t.why = noArguments(t, "no arguments could be made up from the schema")
			return
		}
	}
	raw, err := json.Marshal(args)
	if err == nil {
		_, err = s.preparer.Prepare(scoped(context.Background(), s.tenants[0]), request(t, raw))
	}
	switch {
	case err == nil:
		t.args, t.raw = args, raw
	case models.CodeOf(err) != models.CodeInvalidArgs && models.CodeOf(err) != models.CodeServerManaged:
		t.why = problem{fmt.Sprintf("The Studio refuses an ordinary call: %v.", err), "Change what the error names."}
	case given:
		t.why = problem{
			fmt.Sprintf("The arguments of Args(%q, …) do not fit the schema: %v.", t.Name, err), "Pass some that do.",
		}
	default:
		t.why = noArguments(t, "the arguments made up from the schema do not fit it: "+strings.TrimSuffix(err.Error(), "."))
	}
}

func noArguments(t *tool, why string) problem {
	return problem{
		fmt.Sprintf("The suite has no arguments to call it with: %s.", why),
		fmt.Sprintf("Give the fields `examples` tags, or pass Args(%q, …).", t.Name),
	}
}
