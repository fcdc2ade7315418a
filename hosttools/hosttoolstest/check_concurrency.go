package hosttoolstest

import (
	"context"
	"fmt"
	"sync"
)

// atOnce is how many calls the check makes at the same time.
const atOnce = 8

// concurrency reports a read that answers differently, or breaks, when it is
// called several times at once on one instance. One that answers differently
// each time anyway must only not break.
func (s *suite) concurrency(ctx context.Context, t *tool) []problem {
	tenant, works := s.handy(ctx, t)
	if !t.reads() || !works {
		return nil
	}
	const fix = "One instance serves many calls at once: keep nothing of a call in the toolkit's fields, or guard it with a mutex."
	alone, again := s.through(ctx, t, tenant, t.raw), s.through(ctx, t, tenant, t.raw)
	stable := alone.sameAs(again)
	calls := make([]call, atOnce)
	var group sync.WaitGroup
	for i := range calls {
		group.Go(func() { calls[i] = s.through(ctx, t, tenant, t.raw) })
	}
	group.Wait()
	for _, c := range calls {
		switch {
		case c.broken():
			return []problem{{fmt.Sprintf("Called %d times at once, it ends so: %s.", atOnce, c), fix}}
		case stable && !c.sameAs(alone):
			return []problem{{
				fmt.Sprintf("Called %d times at once, it answers %s, and alone %s.", atOnce, c.short(), alone.short()), fix,
			}}
		}
	}
	return nil
}
