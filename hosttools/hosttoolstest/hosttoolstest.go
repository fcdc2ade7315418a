package hosttoolstest

import (
	"context"
	"testing"

	"github.com/agentstudio/agentstudio/hosttools"
)

// Finding is one thing that is wrong with a toolkit.
type Finding struct {
	Check   string // which check found it, such as "isolation"
	Tool    string // name of the method, slug of the toolkit, or "registry"
	Problem string // what is wrong, a sentence
	Fix     string // what to change, a sentence
}

// String returns the finding in one line.
func (f Finding) String() string {
	return f.Check + ": " + f.Tool + ": " + f.Problem + " " + f.Fix
}

// Run holds the host's own toolkits of a registry to the contract. Each check
// of each tool is a subtest, and each problem fails it with what to change.
//
// The suite calls every read for two tenants, so the registry must work on test
// data. Open files and the environment belong to the whole process: do not run
// it in parallel to tests that change them.
func Run(t *testing.T, registry *hosttools.Registry, options ...Option) {
	t.Helper()
	s, problems := newSuite(registry, options)
	if s == nil {
		report(t, problems)
		return
	}
	defer s.stop()
	for _, check := range checks() {
		t.Run(check.name, func(t *testing.T) {
			for _, target := range check.targets(s) {
				t.Run(target.tool, func(t *testing.T) {
					report(t, target.find(bare{t.Context()}))
				})
			}
		})
	}
}

func report(t testing.TB, problems []problem) {
	t.Helper()
	for _, p := range problems {
		t.Errorf("%s\n\tfix: %s", p.what, p.fix)
	}
}

// Check is [Run] without a test: it returns what is wrong, in the order of the
// checks, and nothing for a registry that keeps the contract. Of ctx only the
// end counts; its values reach no tool.
func Check(ctx context.Context, registry *hosttools.Registry, options ...Option) []Finding {
	s, problems := newSuite(registry, options)
	if s == nil {
		return findings(nil, registered, wholeRegistry, problems)
	}
	defer s.stop()
	var found []Finding
	for _, check := range checks() {
		for _, target := range check.targets(s) {
			found = findings(found, check.name, target.tool, target.find(bare{ctx}))
		}
	}
	return found
}

func findings(found []Finding, check, tool string, problems []problem) []Finding {
	for _, p := range problems {
		found = append(found, Finding{Check: check, Tool: tool, Problem: p.what, Fix: p.fix})
	}
	return found
}

// bare is a context without values, so that nothing is bound to it.
type bare struct{ context.Context }

// Value returns nil.
func (bare) Value(any) any { return nil }
