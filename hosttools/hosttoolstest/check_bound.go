package hosttoolstest

import (
	"bytes"
	"context"
	"fmt"
)

// bound reports a read that is not tenant-bound and yet answers two tenants
// differently. One that answers the same tenant differently, for example with
// the time, cannot be judged.
func (s *suite) bound(ctx context.Context, t *tool) []problem {
	if _, works := s.home(ctx, t); t.TenantBound || !t.reads() || !works {
		return nil
	}
	first, other := s.ordinaryCall(ctx, t, s.tenants[0]), s.ordinaryCall(ctx, t, s.tenants[1])
	again := s.through(ctx, t, s.tenants[0], t.raw)
	if !first.sameAs(again) || first.sameAs(other) {
		return nil
	}
	return []problem{{
		fmt.Sprintf("It is not tenant-bound, and answers %s differently than %s: %s, and %s.",
			first.tenant, other.tenant, first.short(), other.short()),
		"Declare the entry TenantBound, or take the tenant from a field of type hosttools.TenantID, which implies it.",
	}}
}

// sameAs reports whether two calls ended alike.
func (c call) sameAs(other call) bool {
	return c.String() == other.String() && bytes.Equal(c.envelope.Result, other.envelope.Result)
}

// short returns the result, or how else a call ended, in a few words.
func (c call) short() string {
	if c.succeeded() {
		return cut(string(c.envelope.Result))
	}
	return cut(c.String())
}

// shown is how many characters of a result stand in a problem.
const shown = 200

func cut(text string) string {
	if runes := []rune(text); len(runes) > shown {
		return string(runes[:shown]) + "…"
	}
	return text
}
