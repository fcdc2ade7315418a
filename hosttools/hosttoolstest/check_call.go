package hosttoolstest

import (
	"context"
	"fmt"
)

// usable reports an entry that cannot be set up, and config parameters whose
// choices cannot be computed.
func (s *suite) usable(ctx context.Context, kit *toolkit) []problem {
	if faults := s.faults(ctx, kit); len(faults) > 0 {
		return faults
	}
	var problems []problem
	for _, param := range kit.choosable() {
		ctx, heard := listen(scoped(ctx, s.tenants[0]))
		if _, err := s.runner.Options(ctx, kit.Slug, param); err != nil {
			problems = append(problems, problem{
				fmt.Sprintf("The choices for %q cannot be computed: %v (%s).", param, err, heard),
				fmt.Sprintf("Make its Options function work, within the deadline, or pass Config(%q, …) under which it does.", kit.Slug),
			})
		}
	}
	return problems
}

// faults returns why an entry cannot be used at all, nothing if it can. That is
// tried once in a run.
func (s *suite) faults(ctx context.Context, kit *toolkit) []problem {
	if !kit.tried {
		kit.tried, kit.wrong = true, s.setUp(ctx, kit)
	}
	return kit.wrong
}

// setUp constructs and opens an instance for each tenant, side by side.
func (s *suite) setUp(ctx context.Context, kit *toolkit) []problem {
	instances, err := s.several(ctx, kit, len(s.tenants))
	if err != nil {
		return asProblem(err)
	}
	for i, tenant := range s.tenants {
		if end := s.open(ctx, instances[i], tenant); !end.good() {
			return []problem{{
				fmt.Sprintf("Open for the tenant %s ends so: %s.", tenant, end.answer()),
				fmt.Sprintf("Make it work in tests, also beside an instance of another tenant; pass Config(%q, …) if it needs one.", kit.Slug),
			}}
		}
		defer s.shut(ctx, instances[i])
	}
	return nil
}

// ordinary reports a method that cannot be called in an ordinary way. Of a
// write that may not run only the judging is tried, which made its arguments.
func (s *suite) ordinary(ctx context.Context, t *tool) []problem {
	switch {
	case len(s.faults(ctx, t.kit)) > 0:
		return nil
	case t.raw == nil:
		return []problem{t.why}
	case !s.runs(ctx, t):
		return nil
	case !t.reads() && t.Transactional && s.db == nil:
		return []problem{{"It is a transactional write, and the suite has no transaction for it.", "Pass Database(db) beside Writes."}}
	}
	succeeded := false
	for _, tenant := range s.tenants {
		c := s.ordinaryCall(ctx, t, tenant)
		succeeded = succeeded || c.succeeded()
		if c.broken() {
			return []problem{{
				fmt.Sprintf("An ordinary call for the tenant %s, with %s, ended so: %s.", tenant, t.raw, c),
				"Make it succeed, or fail with hosttools.Errorf in words for people; " +
					"it may also need Config or Args, or test data.",
			}}
		}
	}
	if succeeded {
		return nil
	}
	a, b := s.ordinaryCall(ctx, t, s.tenants[0]), s.ordinaryCall(ctx, t, s.tenants[1])
	return []problem{{
		fmt.Sprintf("With %s it succeeds for neither tenant: %s for %s, %s for %s.", t.raw, a, a.tenant, b, b.tenant),
		fmt.Sprintf("Pass Args(%q, …) that fit the test data, or add such data.", t.Name),
	}}
}

// choosable returns the config parameters with choices, none where there is no
// configuration to test with.
func (k *toolkit) choosable() (names []string) {
	if k.config == nil {
		return nil
	}
	for _, param := range k.Config.Params {
		if param.HasOptions {
			names = append(names, param.Name)
		}
	}
	return names
}
