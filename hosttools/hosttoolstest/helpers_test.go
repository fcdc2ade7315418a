package hosttoolstest

import (
	"context"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools"
)

// within shortens what the suite waits for.
func within(construct, grace time.Duration) Option {
	return func(s *settings) { s.construct, s.grace = construct, grace }
}

type lookIn struct {
	Tenant hosttools.TenantID `json:"-"`
	Word   string             `json:"word" jsonschema:"what to look for" maxLength:"20"`
}

type note struct {
	Text string `json:"text" jsonschema:"what was noted"`
}

type addIn struct {
	Tenant hosttools.TenantID `json:"-"`
	Text   string             `json:"text" jsonschema:"what to note" minLength:"1" maxLength:"20"`
}

type notes = hosttools.Page[note]

// kit is a toolkit with a read and a write that keep the contract, of which a
// test breaks a part.
type kit struct {
	hosttools.Toolkit

	description string
	look        func(context.Context, lookIn) (notes, error)
	add         func(context.Context, addIn) (note, error)
	more        []hosttools.Method
}

func goodKit() *kit {
	return &kit{
		Toolkit: hosttools.Toolkit{
			Prefix: "x", Title: "Notes", Description: "Keeps notes for each tenant.", Version: "1",
		},
		description: "Look for notes with a word.",
		look: func(ctx context.Context, in lookIn) (notes, error) {
			return hosttools.NewPage([]note{{"Call the landlord of " + string(in.Tenant)}}, 20), ctx.Err()
		},
		add: func(ctx context.Context, in addIn) (note, error) {
			return note{in.Text + " for " + string(in.Tenant)}, ctx.Err()
		},
	}
}

// registryOf offers the toolkit as x_notes, changed by a test. n counts the
// constructions, the first of which is 1.
func registryOf(t *testing.T, change func(k *kit, n int)) *hosttools.Registry {
	t.Helper()
	var count atomic.Int64
	return hosttools.NewRegistry(hosttools.Host{
		Prefix: "x_", Logger: slog.New(slog.DiscardHandler),
		Tools: map[string]hosttools.Constructor{"x_notes": func() (hosttools.Entry, error) {
			k := goodKit()
			change(k, int(count.Add(1)))
			k.Methods = append([]hosttools.Method{
				hosttools.NewMethod("look", k.description, k.look, hosttools.Read()),
				hosttools.NewMethod("add", "Add a note to the others.", k.add),
			}, k.more...)
			return k.Toolkit, nil
		}},
	})
}

// requireOne requires one finding and no other.
func requireOne(t *testing.T, found []Finding, check, tool, problem string) {
	t.Helper()
	require.Len(t, found, 1)
	require.Equal(t, check, found[0].Check, "%s", found[0])
	require.Equal(t, tool, found[0].Tool, "%s", found[0])
	require.Contains(t, found[0].Problem, problem)
	require.NotEmpty(t, found[0].Fix)
}
