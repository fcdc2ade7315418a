package hosttoolstest

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/studio/toolexec"
	"github.com/agentstudio/agentstudio/tenancy"
)

// The framework keeps some promises whatever a toolkit does, so no toolkit can
// show that the suite would notice. A broken door does.

// ajar prepares every call as if the best caller had made it.
type ajar struct {
	preparer

	change func(*toolexec.Request)
}

func (d ajar) Prepare(ctx context.Context, request toolexec.Request) (*toolexec.Prepared, error) {
	d.change(&request)
	return d.preparer.Prepare(tenancy.WithScope(bare{ctx}, scopeOf("acme")), request)
}

// yielding runs writes that nobody approved.
type yielding struct{ runner }

func (yielding) Read(context.Context, *toolexec.Prepared) (toolexec.Envelope, error) {
	return toolexec.Envelope{Status: toolexec.StatusSuccess}, nil
}

// choosing computes choices for everybody.
type choosing struct{ runner }

func (choosing) Options(context.Context, string, string) ([]hosttools.Option, error) { return nil, nil }

func suiteOf(t *testing.T, change func(*kit, int)) *suite {
	t.Helper()
	s, problems := newSuite(registryOf(t, change), nil)
	require.Empty(t, problems)
	t.Cleanup(s.stop)
	return s
}

// found applies one check as Check does.
func (s *suite) found(ctx context.Context, name string) []Finding {
	var all []Finding
	for _, check := range checks() {
		if check.name != name {
			continue
		}
		for _, target := range check.targets(s) {
			all = findings(all, name, target.tool, target.find(ctx))
		}
	}
	return all
}

func TestBrokenDoorIsNoticed(t *testing.T) {
	t.Parallel()
	unchanged := func(*toolexec.Request) {}
	t.Run("no gate", func(t *testing.T) {
		t.Parallel()
		s := suiteOf(t, func(*kit, int) {})
		require.Empty(t, s.found(t.Context(), "gate"))
		s.preparer = ajar{s.preparer, unchanged}
		found := s.found(t.Context(), "gate")
		require.Len(t, found, 2, "one for each method")
		require.Contains(t, found[0].Problem, "no_context")
	})
	t.Run("no gate for choices", func(t *testing.T) {
		t.Parallel()
		s := suiteOf(t, func(k *kit, _ int) {
			k.Config = &struct {
				Region string `json:"region,omitempty" jsonschema:"where the notes are"`
			}{}
			k.Options = map[string]hosttools.OptionsFunc{
				"region": func(context.Context) ([]hosttools.Option, error) { return nil, nil },
			}
		})
		require.Empty(t, s.found(t.Context(), "gate"))
		s.runner = choosing{s.runner}
		requireOne(t, s.found(t.Context(), "gate"), "gate", "x_notes", `choices for "region"`)
	})
	t.Run("writes pass for approved", func(t *testing.T) {
		t.Parallel()
		s := suiteOf(t, func(*kit, int) {})
		require.Empty(t, s.found(t.Context(), "approval"))
		s.preparer = ajar{s.preparer, func(r *toolexec.Request) { r.HasToken = true }}
		requireOne(t, s.found(t.Context(), "approval"), "approval", "x_add", "program's call")
	})
	t.Run("writes run as reads", func(t *testing.T) {
		t.Parallel()
		s := suiteOf(t, func(*kit, int) {})
		s.runner = yielding{s.runner}
		requireOne(t, s.found(t.Context(), "approval"), "approval", "x_add", "model's call")
	})
	t.Run("the tenant is an argument", func(t *testing.T) {
		t.Parallel()
		s := suiteOf(t, func(*kit, int) {})
		require.Empty(t, s.found(t.Context(), "tenant"))
		s.preparer = ajar{s.preparer, func(r *toolexec.Request) { r.Channel = toolexec.ChannelChat }}
		require.Len(t, s.found(t.Context(), "tenant"), 2, "one for each method")
	})
}

// listener is a test that only listens.
type listener struct {
	testing.TB

	failures []string
}

func (*listener) Helper() {}

func (l *listener) Errorf(format string, args ...any) {
	l.failures = append(l.failures, fmt.Sprintf(format, args...))
}

func TestFailuresSayWhatToChange(t *testing.T) {
	t.Parallel()
	l := &listener{}
	report(l, []problem{{"It is wrong.", "Make it right."}, {"So is this.", "Change it."}})
	require.Equal(t, []string{"It is wrong.\n\tfix: Make it right.", "So is this.\n\tfix: Change it."}, l.failures)
	require.Equal(t, "gate: x_look: It is wrong. Make it right.",
		Finding{Check: "gate", Tool: "x_look", Problem: "It is wrong.", Fix: "Make it right."}.String())
}
