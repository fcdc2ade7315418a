package hostguide_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools"
)

type noteIn struct {
	Text string `json:"text" jsonschema:"the note"`
}

type noteOut struct {
	Kept bool `json:"kept" jsonschema:"whether it was kept"`
}

func note(ctx context.Context, _ noteIn) (noteOut, error) { return noteOut{Kept: true}, ctx.Err() }

// kit returns a constructor of a toolkit in order, but for one change.
func kit(change func(*hosttools.Toolkit)) hosttools.Constructor {
	return func() (hosttools.Entry, error) {
		t := hosttools.Toolkit{
			Prefix: "hd", Title: "Notes",
			Methods: []hosttools.Method{hosttools.NewMethod("keep_note", "Keep a note.", note)},
		}
		change(&t)
		return t, nil
	}
}

// method returns a toolkit with one method of a function.
func method[In, Out any](fn func(context.Context, In) (Out, error)) hosttools.Constructor {
	return kit(func(t *hosttools.Toolkit) {
		t.Methods = []hosttools.Method{hosttools.NewMethod("keep_note", "Keep a note.", fn)}
	})
}

func returns[In, Out any](context.Context, In) (out Out, _ error) { return out, nil }

// rejected are entries that break a rule each, by the line of the guide that
// says so.
func rejected() map[string]hosttools.Host {
	type untyped struct {
		Data any `json:"data"`
	}
	type tagged struct {
		Tenant hosttools.TenantID `json:"tenant"`
	}
	type scoped struct {
		Tenant hosttools.TenantID `json:"-"`
	}
	type nested struct {
		Inner scoped `json:"inner"`
	}
	type tenantArgument struct {
		Tenant string `json:"tenant"`
	}
	one := func(slug string, build hosttools.Constructor) hosttools.Host {
		return hosttools.Host{Prefix: "hd_", Tools: map[string]hosttools.Constructor{slug: build}}
	}
	same := func(*hosttools.Toolkit) {}
	return map[string]hosttools.Host{
		"prefix of the slug":      one("notes", kit(same)),
		"prefix of the toolkit":   one("hd_notes", kit(func(t *hosttools.Toolkit) { t.Prefix = "hd_" })),
		"no methods":              one("hd_notes", kit(func(t *hosttools.Toolkit) { t.Methods = nil })),
		"nil constructor":         one("hd_notes", nil),
		"no description":          one("hd_notes", kit(func(t *hosttools.Toolkit) { t.Methods[0] = hosttools.NewMethod("keep_note", "", note) })),
		"untyped argument":        one("hd_notes", method(returns[untyped, noteOut])),
		"tag of a scope field":    one("hd_notes", method(returns[tagged, noteOut])),
		"scope field too deep":    one("hd_notes", method(returns[nested, noteOut])),
		"tenant as an argument":   one("hd_notes", method(returns[tenantArgument, noteOut])),
		"scope field in a config": one("hd_notes", kit(func(t *hosttools.Toolkit) { t.Config = &scoped{} })),
		"shared config": one("hd_notes", func() hosttools.Constructor {
			shared := &noteIn{}
			return kit(func(t *hosttools.Toolkit) { t.Config = shared })
		}()),
		"name twice": {Prefix: "hd_", Tools: map[string]hosttools.Constructor{"hd_a": kit(same), "hd_b": kit(same)}},
	}
}

// TestGuideQuotesRejections holds the guide's table of rejections to what the
// registry says.
func TestGuideQuotesRejections(t *testing.T) {
	t.Parallel()
	guide := withoutMarks(readGuide(t))
	for name, host := range rejected() {
		host.Logger = slog.New(slog.DiscardHandler)
		rejections := hosttools.NewRegistry(host).Rejections()
		require.Len(t, rejections, 1, name)
		require.Contains(t, guide, "| "+withoutMarks(rejections[0].Reason)+" |", name)
	}
}

// withoutMarks leaves out the marks of code.
func withoutMarks(text string) string { return strings.ReplaceAll(text, "`", "") }
