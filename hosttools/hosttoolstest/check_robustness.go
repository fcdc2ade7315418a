package hosttoolstest

import (
	"context"
	"encoding/json"
	"fmt"
)

// robustness reports a method that panics or hangs for arguments that are odd
// and fit its schema. The first ones that do are reported.
func (s *suite) robustness(ctx context.Context, t *tool) []problem {
	tenant, works := s.handy(ctx, t)
	if !works {
		return nil
	}
	for _, args := range odd(t.Input, t.args) {
		raw, err := json.Marshal(args)
		if err != nil || ctx.Err() != nil {
			return nil
		}
		if crash := s.through(ctx, t, tenant, raw).crash(); crash != "" {
			return []problem{{
				fmt.Sprintf("With %s it crashes: %s.", cut(string(raw)), crash),
				"Handle what the schema takes, or let the schema take less: minimum, maximum, minLength, maxLength, pattern, enum.",
			}}
		}
	}
	return nil
}
