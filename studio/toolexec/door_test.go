package toolexec

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/policy"
	"github.com/agentstudio/agentstudio/tenancy"
)

// TestStagesInOrder is the order that everything else relies on (DESIGN, one
// door for tool calls). Whoever changes it changes the contract.
func TestStagesInOrder(t *testing.T) {
	t.Parallel()
	preparer, err := NewPreparer(Config{Registry: hosttools.NewRegistry(hosttools.Host{})})
	require.NoError(t, err)
	var first []string
	for _, s := range preparer.stages {
		first = append(first, s.name)
	}
	require.Equal(t, []string{"resolve", "gate", "permit", "access", "arguments", "fill"}, first)

	runner := NewRunner(preparer, nil, DefaultLimits())
	names := func(stages []runStage) (names []string) {
		for _, s := range stages {
			names = append(names, s.name)
		}
		return names
	}
	require.Equal(t, []string{"rejudge", "burn", "open", "start", "run", "cap"}, names(runner.stages),
		"and then record, whichever was the last")
	require.Equal(t, []string{"rejudge", "open"}, names(runner.before))
	require.Equal(t, []string{"burn", "start", "run", "cap"}, names(runner.atomic), "and then record, in the transaction")
}

type in struct {
	Tenant hosttools.TenantID `json:"-"`
	Count  int64              `json:"count"`
	Ratio  float64            `json:"ratio,omitempty" minimum:"0"`
	Kind   string             `json:"kind,omitempty" enum:"a,b" default:"\"a\""`
}

type out struct {
	Tenant string   `json:"tenant"`
	Count  int64    `json:"count"`
	Kind   string   `json:"kind"`
	Items  []string `json:"items,omitempty"`
}

// bundle is a door over one toolkit, and counts of what it did.
type bundle struct {
	preparer    *Preparer
	runner      *Runner
	constructed atomic.Int64
	ran         atomic.Int64
	audited     atomic.Int64
	method      func(context.Context, in) (out, error)
}

func (b *bundle) WriteRefused(context.Context, *hosttools.Descriptor, error) error {
	b.audited.Add(1)
	return nil
}

func setup(t *testing.T, limits Limits) *bundle {
	t.Helper()
	b := &bundle{}
	b.method = func(_ context.Context, in in) (out, error) {
		return out{Tenant: string(in.Tenant), Count: in.Count, Kind: in.Kind}, nil
	}
	call := func(ctx context.Context, in in) (out, error) {
		b.ran.Add(1)
		return b.method(ctx, in)
	}
	registry := hosttools.NewRegistry(hosttools.Host{Prefix: "x_", Tools: map[string]hosttools.Constructor{
		"x_kit": func() (hosttools.Entry, error) {
			b.constructed.Add(1)
			return hosttools.Toolkit{Prefix: "x", Title: "Kit", Methods: []hosttools.Method{
				hosttools.NewMethod("read", "Reads.", call, hosttools.Read()),
				hosttools.NewMethod("write", "Writes.", call),
			}}, nil
		},
	}})
	require.Empty(t, registry.Rejections())
	authorizer, err := policy.NewAuthorizer()
	require.NoError(t, err)
	b.preparer, err = NewPreparer(Config{
		Registry: registry, Authorizer: authorizer, Auditor: b, Build: "test", Logger: slog.New(slog.DiscardHandler),
	})
	require.NoError(t, err)
	b.runner = NewRunner(b.preparer, nil, limits)
	t.Cleanup(b.runner.Stop)
	b.constructed.Store(0)
	return b
}

func author() tenancy.Scope {
	return tenancy.Scope{User: "u", Tenant: "acme", MayAuthor: true, StudioEnabled: true, Via: tenancy.ViaAPI}
}

func (b *bundle) prepare(ctx context.Context, name, raw string) (*Prepared, error) {
	return b.preparer.Prepare(ctx, Request{Name: name, Raw: []byte(raw), Channel: ChannelREST})
}

// TestFirstRefusalWins holds the order of answers of the execute route.
func TestFirstRefusalWins(t *testing.T) {
	t.Parallel()
	other := tenancy.Agent{ID: "a", Tenant: "globex"}
	member := author()
	member.MayAuthor = false
	tenantless := author()
	tenantless.Tenant = ""
	base := t.Context()
	for name, c := range map[string]struct {
		ctx    context.Context
		tool   string
		raw    string
		code   models.Code
		reason string
	}{
		"unknown before the gate":             {base, "x_none", `{`, models.CodeNotFound, ""},
		"no context":                          {base, "x_write", `{`, models.CodeToolScopeUnavailable, "no_context"},
		"no scope":                            {tenancy.WithoutScope(base), "x_write", `{`, models.CodeToolScopeUnavailable, "no_scope"},
		"no tenant":                           {tenancy.WithScope(base, tenantless), "x_write", `{`, models.CodeToolScopeUnavailable, "no_tenant"},
		"agent without a tenant":              {tenancy.WithAgent(tenancy.WithScope(base, author()), tenancy.Agent{ID: "a"}), "x_read", `{`, models.CodeToolScopeUnavailable, "agent_tenant_unset"},
		"agent of another tenant":             {tenancy.WithAgent(tenancy.WithScope(base, author()), other), "x_read", `{`, models.CodeToolScopeUnavailable, "tenant_mismatch"},
		"permission before access":            {tenancy.WithScope(base, member), "x_write", `{`, models.CodeAuthoringDenied, ""},
		"access before arguments":             {tenancy.WithScope(base, author()), "x_write", `{`, models.CodeConfirmationRequired, "no_approval"},
		"server-managed before the rest":      {tenancy.WithScope(base, author()), "x_read", `{"tenant":"globex","count":"x"}`, models.CodeServerManaged, ""},
		"invalid arguments":                   {tenancy.WithScope(base, author()), "x_read", `{"count":"x"}`, models.CodeInvalidArgs, ""},
		"a float that underflows to zero":     {tenancy.WithScope(base, author()), "x_read", `{"count":1,"ratio":1e-400}`, models.CodeInvalidArgs, ""},
		"an integer that its type can't hold": {tenancy.WithScope(base, author()), "x_read", `{"count":9223372036854775808}`, models.CodeInvalidArgs, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t, DefaultLimits())
			_, err := b.prepare(c.ctx, c.tool, c.raw)
			require.Equal(t, c.code, models.CodeOf(err), "%v", err)
			require.Equal(t, c.reason, models.ReasonOf(err))
			require.Zero(t, b.constructed.Load(), "a refused call constructs nothing")
			require.Zero(t, b.ran.Load())
		})
	}
}

func TestRefusedWriteIsAudited(t *testing.T) {
	t.Parallel()
	b := setup(t, DefaultLimits())
	_, err := b.prepare(tenancy.WithScope(t.Context(), author()), "x_write", `{"count":1}`)
	require.Error(t, err)
	require.EqualValues(t, 1, b.audited.Load())
	call, err := b.preparer.Prepare(tenancy.WithScope(t.Context(), author()),
		Request{Name: "x_write", Raw: []byte(`{"count":1}`), Channel: ChannelChat})
	require.NoError(t, err, "in chat a person can be asked")
	_, err = b.runner.Read(t.Context(), call)
	require.Equal(t, models.CodeConfirmationRequired, models.CodeOf(err), "a write never runs as a read")
	require.Zero(t, b.ran.Load())
}

func TestArgumentsAreCanonicalAndExact(t *testing.T) {
	t.Parallel()
	b := setup(t, DefaultLimits())
	ctx := tenancy.WithScope(t.Context(), author())
	a, err := b.prepare(ctx, "x_read", ` { "ratio" : 1.50, "count":9007199254740993 }`)
	require.NoError(t, err)
	require.Equal(t, `{"count":9007199254740993,"kind":"a","ratio":1.5}`, string(a.Arguments), "digits kept, default added")
	same, err := b.prepare(ctx, "x_read", `{"kind":"a","count":9007199254740993.0,"ratio":15e-1}`)
	require.NoError(t, err)
	require.Equal(t, a.ArgumentsHash, same.ArgumentsHash)
	near, err := b.prepare(ctx, "x_read", `{"count":9007199254740992,"ratio":1.5}`)
	require.NoError(t, err)
	require.NotEqual(t, a.ArgumentsHash, near.ArgumentsHash)

	envelope, err := b.runner.Read(ctx, a)
	require.NoError(t, err)
	require.JSONEq(t, `{"tenant":"acme","count":9007199254740993,"kind":"a"}`, string(envelope.Result), "the tenant is filled")
	require.EqualValues(t, 1, b.constructed.Load())
}

func TestModelsServerManagedNamesAreDropped(t *testing.T) {
	t.Parallel()
	b := setup(t, DefaultLimits())
	ctx := tenancy.WithScope(t.Context(), author())
	call, err := b.preparer.Prepare(ctx, Request{Name: "x_read", Raw: []byte(`{"tenant":"globex","count":1}`), Channel: ChannelChat})
	require.NoError(t, err)
	require.Equal(t, []string{"tenant"}, call.Dropped)
	require.Equal(t, "acme", call.Filled["tenant"])
	require.NotContains(t, string(call.Arguments), "tenant")
}

// TestBrokenToolsAreContained lets a method panic, hang, fail and return too
// much.
func TestBrokenToolsAreContained(t *testing.T) {
	t.Parallel()
	limits := Limits{Deadline: 2 * time.Second, ResultBytes: 10_000}
	for name, c := range map[string]struct {
		method func(context.Context, in) (out, error)
		code   string
	}{
		"panic":     {func(context.Context, in) (out, error) { panic("boom") }, "tool_failed"},
		"hang":      {func(ctx context.Context, _ in) (out, error) { <-make(chan struct{}); return out{}, ctx.Err() }, "tool_timeout"},
		"own error": {func(context.Context, in) (out, error) { return out{}, hosttools.Errorf("not_pending", "No.") }, "not_pending"},
		"any error": {func(context.Context, in) (out, error) { return out{}, errors.New("password=secret") }, "tool_failed"},
		"host gate": {func(context.Context, in) (out, error) { return out{}, tenancy.Refuse(tenancy.HostTenantMismatch) }, "tool_scope_unavailable"},
		"one huge item": {func(context.Context, in) (out, error) {
			return out{Items: []string{strings.Repeat("x", 20_000)}}, nil
		}, "result_unreadable"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t, limits)
			b.method = c.method
			ctx := tenancy.WithScope(t.Context(), author())
			call, err := b.prepare(ctx, "x_read", `{"count":1}`)
			require.NoError(t, err)
			envelope, err := b.runner.Read(ctx, call)
			require.NoError(t, err)
			require.Equal(t, StatusError, envelope.Status)
			require.Equal(t, c.code, envelope.ErrorCode)
			require.NotEmpty(t, envelope.Message)
			require.NotContains(t, envelope.Message, "secret")
		})
	}
}

func TestLargeResultsAreCutAndMarked(t *testing.T) {
	t.Parallel()
	b := setup(t, Limits{Deadline: time.Second, ResultBytes: 10_000})
	b.method = func(context.Context, in) (out, error) {
		items := make([]string, 1_000)
		for i := range items {
			items[i] = strings.Repeat("y", 50)
		}
		return out{Items: items}, nil
	}
	ctx := tenancy.WithScope(t.Context(), author())
	call, err := b.prepare(ctx, "x_read", `{"count":1}`)
	require.NoError(t, err)
	envelope, err := b.runner.Read(ctx, call)
	require.NoError(t, err)
	require.True(t, *envelope.Truncated)
	require.LessOrEqual(t, len(envelope.Result), 10_000)
	require.Greater(t, len(envelope.Result), 8_000)
}

func TestSecretsAreTakenOutOfResults(t *testing.T) {
	t.Parallel()
	b := setup(t, DefaultLimits())
	b.method = func(context.Context, in) (out, error) {
		return out{Items: []string{
			"postgres://app:hunter2@db.internal/app", "sk-abcdefghijklmnopqrstuvwx", "plain text",
			"eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJlc2lnbmF0dXJl",
		}}, nil
	}
	ctx := tenancy.WithScope(t.Context(), author())
	call, err := b.prepare(ctx, "x_read", `{"count":1}`)
	require.NoError(t, err)
	envelope, err := b.runner.Read(ctx, call)
	require.NoError(t, err)
	require.Equal(t, 3, strings.Count(string(envelope.Result), "[secret removed]"))
	require.Contains(t, string(envelope.Result), "plain text")
	require.Equal(t, 3, envelope.Metadata.SecretsRemoved)
}

func BenchmarkRead(b *testing.B) {
	registry := hosttools.NewRegistry(hosttools.Host{Prefix: "x_", Tools: map[string]hosttools.Constructor{
		"x_read": func() (hosttools.Entry, error) {
			return hosttools.Tool{Title: "Read", Method: hosttools.NewMethod("x_read", "Reads.",
				func(_ context.Context, in in) (out, error) { return out{Count: in.Count}, nil }, hosttools.Read())}, nil
		},
	}})
	authorizer, err := policy.NewAuthorizer()
	require.NoError(b, err)
	preparer, err := NewPreparer(Config{Registry: registry, Authorizer: authorizer, Logger: slog.New(slog.DiscardHandler)})
	require.NoError(b, err)
	runner := NewRunner(preparer, nil, DefaultLimits())
	b.Cleanup(runner.Stop)
	ctx := tenancy.WithScope(b.Context(), author())
	raw := []byte(`{"count":20,"kind":"b"}`)
	b.ReportAllocs()
	for b.Loop() {
		call, err := preparer.Prepare(ctx, Request{Name: "x_read", Raw: raw, Channel: ChannelREST})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := runner.Read(ctx, call); err != nil {
			b.Fatal(err)
		}
	}
}

func TestToolsSayWhatTheyTruncated(t *testing.T) {
	t.Parallel()
	for result, want := range map[string]bool{
		`{"items":[],"truncated":true}`:                true,
		`{"items":[],"truncated":false}`:               false,
		`{"truncated":true,"items":[]}`:                true,
		`{"truncated":false,"items":[]}`:               false,
		`{"items":[{"truncated":true}]}`:               false,
		`{"part":{"truncated":true}}`:                  false,
		`{"part":{"truncated":true},"truncated":true}`: true,
		`{"part":"\"truncated\":true}"}`:               false,
		`{}`:                                           false,
	} {
		require.Equal(t, want, saysTruncated([]byte(result)), result)
	}
}
