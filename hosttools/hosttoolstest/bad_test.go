package hosttoolstest

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/tenancy"
)

func TestGoodToolkitConforms(t *testing.T) {
	t.Parallel()
	registry := registryOf(t, func(*kit, int) {})
	require.Empty(t, Check(t.Context(), registry))
	require.Empty(t, Check(t.Context(), registry, Writes(), Tenants("north", "south")))
}

type clockIn struct{}

type clockOut struct {
	Zone string `json:"zone" jsonschema:"the zone of the clock" enum:"utc,local"`
}

type bareOut struct {
	Found []note `json:"found" jsonschema:"what was found"`
}

type narrowIn struct {
	Code string `json:"code" jsonschema:"a code" pattern:"^ab?$" minLength:"2"`
}

type secretConfig struct {
	Key hosttools.Secret `json:"key,omitempty" jsonschema:"the key of the service"`
}

// always is a look that does the same for everybody.
func always(k *kit, result notes, err error) {
	k.look = func(context.Context, lookIn) (notes, error) { return result, err }
}

// rowsOf returns a look that finds the rows of a tenant.
func rowsOf(rows map[string][]note) func(context.Context, lookIn) (notes, error) {
	return func(_ context.Context, in lookIn) (notes, error) {
		return hosttools.NewPage(rows[string(in.Tenant)], 20), nil
	}
}

// TestBadToolkits has one toolkit for each way to break the contract that does
// not concern the whole process. Each is found by its check and by no other.
func TestBadToolkits(t *testing.T) {
	t.Parallel()
	forever := make(chan struct{})
	t.Cleanup(func() { close(forever) })
	quick := []Option{Deadline(time.Second)}
	var busy sync.Mutex
	for name, c := range map[string]struct {
		change  func(k *kit, n int)
		options []Option
		check   string
		tool    string
		problem string
	}{
		"another prefix": {
			func(k *kit, _ int) { k.Prefix = "y" }, nil, "registered", "registry", "prefix",
		},
		"options of nothing": {
			func(*kit, int) {}, []Option{Args("x_gone", nil)}, "registered", "registry", "x_gone",
		},
		"no title": {
			func(k *kit, _ int) { k.Title = " " }, nil, "described", "x_notes", "title",
		},
		"no sentence": {
			func(k *kit, _ int) { k.description = "Looks for notes" }, nil, "described", "x_look", "Looks for notes",
		},
		"undescribed members": {
			func(k *kit, _ int) {
				type out struct {
					Seen  bool `json:"seen" jsonschema:"whether it was seen"`
					Inner struct {
						By string `json:"by"`
					} `json:"inner"`
				}
				k.more = append(k.more, hosttools.NewMethod("peek", "Look whether a note was seen.",
					func(context.Context, lookIn) (out, error) { return out{}, nil }))
			}, nil, "described", "x_peek", "inner, inner.by",
		},
		"no arguments that fit": {
			func(k *kit, _ int) {
				k.more = append(k.more, hosttools.NewMethod("code", "Look for a note by its code.",
					func(context.Context, narrowIn) (note, error) { return note{}, nil }))
			}, nil, "call", "x_code", "no arguments",
		},
		"arguments that do not fit": {
			func(*kit, int) {}, []Option{Args("x_look", map[string]any{"word": 1})}, "call", "x_look", "do not fit",
		},
		"a configuration that does not fit": {
			func(k *kit, _ int) {
				k.Config = &secretConfig{}
			}, []Option{Config("x_notes", map[string]any{"kee": "x"})}, "call", "x_notes", "kee",
		},
		"found for nobody": {
			func(k *kit, _ int) { always(k, notes{}, hosttools.Errorf("not_found", "There is none.")) },
			nil, "call", "x_look", "neither tenant: not_found",
		},
		"does not open": {
			func(k *kit, _ int) { k.Open = func(context.Context) error { return errors.New("no such server") } },
			nil, "call", "x_notes", "no such server",
		},
		"panics always": {
			func(k *kit, _ int) { k.look = func(context.Context, lookIn) (notes, error) { panic("boom") } },
			nil, "call", "x_look", "panicked: boom",
		},
		"hangs always": {
			func(k *kit, _ int) {
				k.look = func(context.Context, lookIn) (notes, error) { <-forever; return notes{}, nil }
			}, quick, "call", "x_look", "tool_timeout",
		},
		"choices fail": {
			func(k *kit, _ int) {
				type config struct {
					Region string `json:"region,omitempty" jsonschema:"where the notes are"`
				}
				k.Config = &config{}
				k.Options = map[string]hosttools.OptionsFunc{
					"region": func(context.Context) ([]hosttools.Option, error) { return nil, errors.New("no regions") },
				}
			}, nil, "call", "x_notes", "no regions",
		},
		"not constructed any more": {
			func(_ *kit, n int) {
				if n > 40 {
					panic("used up")
				}
			}, nil, "construction", "x_notes", "used up",
		},
		"hangs in a later construction": {
			func(_ *kit, n int) {
				if n > 40 {
					<-forever
				}
			}, []Option{within(250*time.Millisecond, time.Second)}, "construction", "x_notes", "did not return",
		},
		"a goroutine in the constructor": {
			func(*kit, int) { go func() { <-forever }() },
			[]Option{within(5*time.Second, 100*time.Millisecond)},
			"construction", "x_notes", "goroutines behind, in github.com",
		},
		"a goroutine that Close leaves": {
			func(k *kit, _ int) {
				k.Open = func(context.Context) error { go func() { <-forever }(); return nil }
			}, []Option{within(5*time.Second, 100*time.Millisecond)}, "lifecycle", "x_notes", "goroutines behind",
		},
		"close of what is not open": {
			func(k *kit, _ int) {
				var open chan struct{}
				k.Open = func(context.Context) error { open = make(chan struct{}); return nil }
				k.Close = func(context.Context) error { close(open); return nil }
			}, nil, "lifecycle", "x_notes", "not opened panicked",
		},
		"one open at a time": {
			func(k *kit, _ int) {
				k.Open = func(context.Context) error {
					if !busy.TryLock() {
						return errors.New("in use")
					}
					return nil
				}
				k.Close = func(context.Context) error { busy.Unlock(); return nil }
			}, nil, "call", "x_notes", "in use",
		},
		"close fails": {
			func(k *kit, _ int) { k.Close = func(context.Context) error { return errors.New("stuck") } },
			nil, "lifecycle", "x_notes", "stuck",
		},
		"the same for both tenants": {
			func(k *kit, _ int) { always(k, hosttools.NewPage([]note{{"Call the landlord"}}, 20), nil) },
			nil, "isolation", "x_look", `{"text":"Call the landlord"}`,
		},
		"one foreign row": {
			func(k *kit, _ int) {
				k.look = rowsOf(map[string][]note{"acme": {{"Call the landlord"}}, "globex": {{"Buy bread"}, {"Call the landlord"}}})
			}, nil, "isolation", "x_look", "Call the landlord",
		},
		"one foreign line": {
			func(k *kit, _ int) {
				k.look = rowsOf(map[string][]note{"acme": {{"text\nCall Bob Weiss\n"}}, "globex": {{"text\nBuy bread\nCall Bob Weiss\n"}}})
			}, nil, "isolation", "x_look", "Call Bob Weiss",
		},
		"nothing for one tenant": {
			func(k *kit, _ int) { k.look = rowsOf(map[string][]note{"acme": {{"Call the landlord"}}}) },
			nil, "isolation", "x_look", "nothing for the tenant globex",
		},
		"10 MB": {
			func(k *kit, _ int) {
				k.look = func(_ context.Context, in lookIn) (notes, error) {
					return hosttools.NewPage([]note{{strings.Repeat(string(in.Tenant), 2_000_000)}}, 20), nil
				}
			}, []Option{Deadline(time.Minute)}, "results", "x_look", "bytes",
		},
		"a list without a mark": {
			func(k *kit, _ int) {
				k.more = append(k.more, hosttools.NewMethod("find", "Find notes by a word.",
					func(_ context.Context, in lookIn) (bareOut, error) {
						return bareOut{[]note{{"Found for " + string(in.Tenant)}}}, nil
					}, hosttools.Read()))
			}, nil, "results", "x_find", `"found"`,
		},
		"a result beside its schema": {
			func(k *kit, _ int) {
				k.more = append(k.more, hosttools.NewMethod("clock", "Say which clock the notes go by.",
					func(context.Context, clockIn) (clockOut, error) { return clockOut{"mars"}, nil }, hosttools.Read()))
			}, []Option{Shared("x_clock")}, "results", "x_clock", "enum",
		},
		"a configured secret in a result": {
			func(k *kit, _ int) {
				config := &secretConfig{}
				k.Config = config
				k.look = func(_ context.Context, in lookIn) (notes, error) {
					return hosttools.NewPage([]note{{string(in.Tenant) + " has " + config.Key.Reveal()}}, 20), nil
				}
			}, nil, "secrets", "x_look", "in its result",
		},
		"a token in a result": {
			func(k *kit, _ int) {
				k.look = func(_ context.Context, in lookIn) (notes, error) {
					return hosttools.NewPage([]note{{string(in.Tenant) + " postgres://app:hunter2@db/app"}}, 20), nil
				}
			}, nil, "secrets", "x_look", "in its result",
		},
		"a secret in a message": {
			func(k *kit, _ int) {
				config := &secretConfig{}
				k.Config = config
				good := k.look
				k.look = func(ctx context.Context, in lookIn) (notes, error) {
					if in.Tenant == "globex" {
						return notes{}, hosttools.Errorf("denied", "The service refused %s.", config.Key.Reveal())
					}
					return good(ctx, in)
				}
			}, []Option{Config("x_notes", map[string]any{"key": "swordfish"})}, "secrets", "x_look", "in its message",
		},
		"panics on empty text": {
			func(k *kit, _ int) {
				good := k.look
				k.look = func(ctx context.Context, in lookIn) (notes, error) {
					_ = in.Word[0]
					return good(ctx, in)
				}
			}, nil, "robustness", "x_look", `{"word":""}`,
		},
		"hangs on empty text": {
			func(k *kit, _ int) {
				good := k.look
				k.look = func(ctx context.Context, in lookIn) (notes, error) {
					if in.Word == "" {
						<-forever
					}
					return good(ctx, in)
				}
			}, quick, "robustness", "x_look", "in time",
		},
		"a write that panics on a blank": {
			func(k *kit, _ int) {
				good := k.add
				k.add = func(ctx context.Context, in addIn) (note, error) {
					return good(ctx, addIn{in.Tenant, strings.Fields(in.Text)[0]})
				}
			}, []Option{Writes()}, "robustness", "x_add", "index out of range",
		},
		"retries when cancelled": {
			func(k *kit, _ int) {
				good := k.look
				k.look = func(ctx context.Context, in lookIn) (notes, error) {
					if ctx.Err() != nil {
						<-forever // As a loop does that tries until it succeeds.
					}
					return good(ctx, in)
				}
			}, quick, "cancellation", "x_look", "did not return in time",
		},
		"writes when cancelled": {
			func(k *kit, _ int) {
				k.add = func(_ context.Context, in addIn) (note, error) {
					return note{in.Text + " for " + string(in.Tenant)}, nil
				}
			}, []Option{Writes()}, "cancellation", "x_add", "cancelled before it began",
		},
		"one call at a time": {
			func(k *kit, _ int) {
				good := k.look
				var mu sync.Mutex
				k.look = func(ctx context.Context, in lookIn) (notes, error) {
					if !mu.TryLock() {
						return notes{}, hosttools.Errorf("busy", "Come back later.")
					}
					defer mu.Unlock()
					time.Sleep(30 * time.Millisecond)
					return good(ctx, in)
				}
			}, nil, "concurrency", "x_look", "busy",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := Check(t.Context(), registryOf(t, c.change), c.options...)
			requireOne(t, found, c.check, c.tool, c.problem)
		})
	}
}

// TestUnboundRead reads the caller's tenant and does not say so.
func TestUnboundRead(t *testing.T) {
	t.Parallel()
	type out struct {
		Office string `json:"office" jsonschema:"where the caller works"`
	}
	registry := hosttools.NewRegistry(hosttools.Host{Prefix: "x_", Tools: map[string]hosttools.Constructor{
		"x_office": func() (hosttools.Entry, error) {
			return hosttools.Tool{Title: "Office", Version: "1", Method: hosttools.NewMethod("x_office", "Say where the office is.",
				func(ctx context.Context, _ clockIn) (out, error) {
					scope, _ := tenancy.FromContext(ctx)
					return out{"Office of " + scope.Tenant}, nil
				}, hosttools.Read())}, nil
		},
	}})
	requireOne(t, Check(t.Context(), registry), "bound", "x_office", "Office of globex")
}
