package hosttoolstest

import (
	"context"
	"fmt"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/studio/toolexec"
)

// lifetimes is how many instances live one after the other in the check, after
// a first one that may warm up what the host shares between them.
const lifetimes = 3

// lifecycle reports an entry that leaves something behind after Close, or whose
// instances cannot be open side by side, or closed unopened.
func (s *suite) lifecycle(ctx context.Context, kit *toolkit) []problem {
	if len(s.faults(ctx, kit)) > 0 {
		return nil // The check "call" reports them.
	}
	calls, works := s.readsOf(ctx, kit)
	if !works {
		return nil
	}
	// All are constructed before: what constructors acquire is not looked for here.
	instances, err := s.several(ctx, kit, 4+lifetimes*(1+surely))
	if err != nil {
		return nil // The check "construction" reports it.
	}
	if problems := s.sideBySide(ctx, instances[0], instances[1:3]); len(problems) > 0 {
		return problems
	}
	if problems := s.live(ctx, instances[3], calls); len(problems) > 0 {
		return problems
	}
	instances = instances[4:]
	left, problems := s.remains(ctx, lifetimes, func(ctx context.Context, rounds int) []problem {
		for range rounds {
			if problems := s.live(ctx, instances[0], calls); len(problems) > 0 {
				return problems
			}
			instances = instances[1:]
		}
		return nil
	})
	if len(problems) > 0 {
		return problems
	}
	return left.problems("Each instance, when it is closed,", "Close in Close what Open and the methods open, and end what they start.")
}

// readsOf prepares the reads of an entry that the first tenant can make. It is
// false when one of its reads is broken.
func (s *suite) readsOf(ctx context.Context, kit *toolkit) ([]*toolexec.Prepared, bool) {
	var calls []*toolexec.Prepared
	for _, t := range kit.tools {
		if !t.reads() || t.raw == nil {
			continue
		}
		c := s.ordinaryCall(ctx, t, s.tenants[0])
		if c.broken() {
			return nil, false
		}
		call, err := s.preparer.Prepare(scoped(ctx, c.tenant), request(t, t.raw))
		if err != nil {
			return nil, false
		}
		calls = append(calls, call)
	}
	return calls, true
}

// sideBySide closes an instance that was never opened, and opens two at once,
// one for each tenant.
func (s *suite) sideBySide(ctx context.Context, never *hosttools.Instance, both []*hosttools.Instance) []problem {
	const fix = "Instances share nothing that Open or Close acquires, and Close does nothing where Open did not run."
	if says := s.shut(ctx, never).says(); says != "" {
		return []problem{{fmt.Sprintf("Close of an instance that was not opened %s.", says), fix}}
	}
	for i, tenant := range s.tenants {
		if end := s.open(ctx, both[i], tenant); !end.good() {
			return []problem{{fmt.Sprintf("Open for the tenant %s, beside another instance, ended with %q.", tenant, end.answer()), fix}}
		}
	}
	for _, instance := range both {
		if end := s.shut(ctx, instance); !end.good() {
			return []problem{{fmt.Sprintf("Close, beside another instance, ended with %q.", end.answer()), fix}}
		}
	}
	return nil
}

// live opens, calls and closes an instance.
func (s *suite) live(ctx context.Context, instance *hosttools.Instance, calls []*toolexec.Prepared) []problem {
	const fix = "Let every instance do the same as the first; look for what is shared between them."
	if end := s.open(ctx, instance, s.tenants[0]); !end.good() {
		return []problem{{fmt.Sprintf("Open of a further instance ended with %q.", end.answer()), fix}}
	}
	for _, call := range calls {
		inside := scoped(ctx, s.tenants[0])
		end := contained(inside, s.deadline, func() error { return s.invoke(inside, instance, call) })
		if says := end.says(); says != "" {
			return []problem{{fmt.Sprintf("%s, called on a further instance, %s.", call.Tool.Name, says), fix}}
		}
	}
	if end := s.shut(ctx, instance); !end.good() {
		return []problem{{fmt.Sprintf("Close ended with %q.", end.answer()), fix}}
	}
	return nil
}
