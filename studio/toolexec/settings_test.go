package toolexec

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/policy"
	"github.com/agentstudio/agentstudio/studio/schema"
	"github.com/agentstudio/agentstudio/tenancy"
)

// config is what the toolkit of these tests is configured with.
type config struct {
	Region string           `json:"region,omitempty"`
	Key    hosttools.Secret `json:"key,omitempty"`
}

// shop is a door over one configurable toolkit, and its own Settings.
type shop struct {
	preparer *Preparer
	runner   *Runner
	setting  Setting
	whole    string // the configuration with its secrets
	revealed atomic.Int64
	opened   atomic.Int64
	choices  func(context.Context) ([]hosttools.Option, error)
	closed   bool // whether the toolkit does not open
	log      logged
}

// logged is a log that is read while it is written.
type logged struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func (s *shop) Setting(context.Context, *hosttools.Descriptor, string, string) (Setting, error) {
	return s.setting, nil
}

func (s *shop) Reveal(context.Context, Setting) ([]byte, error) {
	s.revealed.Add(1)
	if s.whole == "" {
		return nil, models.Errorf(models.CodeVaultUnavailable, "A secret does not open.")
	}
	return []byte(s.whole), nil
}

func (s *shop) toolkit() (hosttools.Entry, error) {
	c := &config{}
	look := func(context.Context, in) (out, error) {
		return out{Kind: c.Region, Items: []string{"key is " + c.Key.Reveal()}}, nil
	}
	fail := func(context.Context, in) (out, error) {
		return out{}, hosttools.Errorf("refused", "The shop refused %s.", c.Key.Reveal())
	}
	return hosttools.Toolkit{
		Prefix: "x", Title: "Shop", Config: c,
		Methods: []hosttools.Method{
			hosttools.NewMethod("look", "Looks.", look, hosttools.Read()),
			hosttools.NewMethod("fail", "Fails.", fail, hosttools.Read()),
			hosttools.NewMethod("crash", "Fails without words for people.", func(context.Context, in) (out, error) {
				return out{}, errors.New("connect with " + c.Key.Reveal())
			}, hosttools.Read()),
			hosttools.NewMethod("panic", "Panics.", func(context.Context, in) (out, error) {
				panic("connect with " + c.Key.Reveal())
			}, hosttools.Read()),
			hosttools.NewMethod("sell", "Sells.", look),
		},
		Options: map[string]hosttools.OptionsFunc{
			"region": func(ctx context.Context) ([]hosttools.Option, error) { return s.choices(ctx) },
		},
		Open: func(context.Context) error {
			s.opened.Add(1)
			if s.closed {
				return errors.New("no door for " + c.Key.Reveal())
			}
			return nil
		},
		Close: func(context.Context) error { return errors.New("no way out for " + c.Key.Reveal()) },
	}, nil
}

func setupShop(t *testing.T) *shop {
	t.Helper()
	s := &shop{
		setting: Setting{Stored: true, Version: "1", Params: []byte(`{"region":"north"}`)},
		whole:   `{"region":"north","key":"very \"secret\" key"}`,
	}
	registry := hosttools.MustRegistry(hosttools.Host{
		Prefix: "x_", Tools: map[string]hosttools.Constructor{"x_shop": s.toolkit},
	})
	authorizer, err := policy.NewAuthorizer()
	require.NoError(t, err)
	s.preparer, err = NewPreparer(Config{
		Registry: registry, Authorizer: authorizer, Auditor: &bundle{}, Settings: s, Resolver: members{},
		Logger: slog.New(slog.NewTextHandler(&s.log, nil)),
	})
	require.NoError(t, err)
	s.runner = NewRunner(s.preparer, &ledger{}, Limits{Options: 2 * time.Second})
	t.Cleanup(s.runner.Stop)
	return s
}

func (s *shop) call(t *testing.T, name string) Envelope {
	t.Helper()
	ctx := tenancy.WithScope(t.Context(), author())
	call, err := s.preparer.Prepare(ctx, Request{Name: name, Raw: []byte(`{"count":1}`), Channel: ChannelREST})
	require.NoError(t, err)
	envelope, err := s.runner.Read(ctx, call)
	require.NoError(t, err)
	return envelope
}

func TestConfiguredToolkitsKeepTheirSecrets(t *testing.T) {
	t.Parallel()
	s := setupShop(t)
	envelope := s.call(t, "x_look")
	require.Contains(t, string(envelope.Result), `"kind":"north"`)
	require.Contains(t, string(envelope.Result), removed)
	require.NotContains(t, string(envelope.Result), "secret\\\" key")
	failure := s.call(t, "x_fail")
	require.Equal(t, "The shop refused "+removed+".", failure.Message)
	require.EqualValues(t, 1, s.opened.Load(), "both calls had one instance")
	require.EqualValues(t, 1, s.revealed.Load())

	s.setting.Version = "2"
	s.call(t, "x_look")
	require.EqualValues(t, 2, s.opened.Load(), "another configuration is another instance")
}

func TestRefusedCallsOfConfiguredToolkitsOpenNoSecret(t *testing.T) {
	t.Parallel()
	s := setupShop(t)
	s.setting.Issues = []schema.Issue{{Pointer: "/region", Message: "is missing"}}
	ctx := tenancy.WithScope(t.Context(), author())
	_, err := s.preparer.Prepare(ctx, Request{Name: "x_look", Raw: []byte(`{"count":1}`), Channel: ChannelREST})
	require.Equal(t, models.CodeNotConfigured, models.CodeOf(err))
	require.ErrorContains(t, err, "region is missing")
	require.Zero(t, s.revealed.Load())

	s.setting.Issues, s.whole = nil, ""
	call, err := s.preparer.Prepare(ctx, Request{Name: "x_look", Raw: []byte(`{"count":1}`), Channel: ChannelREST})
	require.NoError(t, err)
	_, err = s.runner.Read(ctx, call)
	require.Equal(t, models.CodeVaultUnavailable, models.CodeOf(err))
	require.Zero(t, s.opened.Load())
}

// TestAnotherConfigurationIsStale holds that an approval does not outlive the
// configuration and the credentials that it was given under.
func TestAnotherConfigurationIsStale(t *testing.T) {
	t.Parallel()
	s := setupShop(t)
	ctx := tenancy.WithScope(t.Context(), author())
	call, err := s.preparer.Prepare(ctx, Request{Name: "x_sell", Raw: []byte(`{"count":1}`), Channel: ChannelREST, HasToken: true})
	require.NoError(t, err)
	given := models.Approval{
		TenantID: "acme", Caller: "u", Slug: "x_shop", Method: "sell", ToolkitVersion: s.preparer.Version(call),
		SchemaHash: call.Tool.SchemaHash[:], Fingerprint: call.Fingerprint[:], Filled: call.FilledBytes,
		Arguments: call.Arguments, ArgumentsHash: call.ArgumentsHash[:],
	}
	_, err = s.preparer.Rejudge(t.Context(), given)
	require.NoError(t, err)
	for name, change := range map[string]func(*Setting){
		"params":      func(c *Setting) { c.Params = []byte(`{"region":"south"}`) },
		"credentials": func(c *Setting) { c.Version = "2" },
		"not set up":  func(c *Setting) { c.Issues = []schema.Issue{{Pointer: "/region", Message: "is missing"}} },
	} {
		before := s.setting
		change(&s.setting)
		_, err := s.preparer.Rejudge(t.Context(), given)
		require.Equal(t, models.CodeApprovalStale, models.CodeOf(err), name)
		s.setting = before
	}
}

func TestOptions(t *testing.T) {
	t.Parallel()
	hang := make(chan struct{})
	t.Cleanup(func() { close(hang) })
	good := func(context.Context) ([]hosttools.Option, error) {
		return []hosttools.Option{{Value: "n", Label: "North"}}, nil
	}
	for name, c := range map[string]struct {
		slug, param string
		setting     Setting
		choices     hosttools.OptionsFunc
		code        models.Code
	}{
		"good":         {slug: "x_shop", param: "region", setting: Setting{Stored: true}, choices: good},
		"unknown slug": {slug: "x_none", param: "region", code: models.CodeNotFound},
		"no choices":   {slug: "x_shop", param: "key", setting: Setting{Stored: true}, code: models.CodeNotFound},
		"unknown":      {slug: "x_shop", param: "nothing", setting: Setting{Stored: true}, code: models.CodeNotFound},
		"not stored":   {slug: "x_shop", param: "region", choices: good, code: models.CodeNotConfigured},
		"fails": {
			slug: "x_shop", param: "region", setting: Setting{Stored: true}, code: models.CodeOptionsFailed,
			choices: func(context.Context) ([]hosttools.Option, error) { return nil, errors.New("down") },
		},
		"panics": {
			slug: "x_shop", param: "region", setting: Setting{Stored: true}, code: models.CodeOptionsFailed,
			choices: func(context.Context) ([]hosttools.Option, error) { panic("boom") },
		},
		"hangs": {
			slug: "x_shop", param: "region", setting: Setting{Stored: true}, code: models.CodeOptionsFailed,
			choices: func(context.Context) ([]hosttools.Option, error) { <-hang; return nil, nil },
		},
		"host's own tenant check": {
			slug: "x_shop", param: "region", setting: Setting{Stored: true}, code: models.CodeToolScopeUnavailable,
			choices: func(context.Context) ([]hosttools.Option, error) { return nil, hosttools.HostTenantMismatch() },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := setupShop(t)
			s.setting, s.choices = c.setting, c.choices
			options, err := s.runner.Options(tenancy.WithScope(t.Context(), author()), c.slug, c.param)
			if c.code != "" {
				require.Equal(t, c.code, models.CodeOf(err), "%v", err)
				require.NotContains(t, strings.ToLower(err.Error()), "secret")
				return
			}
			require.NoError(t, err)
			require.Equal(t, []hosttools.Option{{Value: "n", Label: "North"}}, options)
		})
	}
}

// TestOptionsPassTheGateFirst holds that without a scope nothing is looked at.
func TestOptionsPassTheGateFirst(t *testing.T) {
	t.Parallel()
	s := setupShop(t)
	for want, ctx := range map[tenancy.Refusal]context.Context{
		tenancy.NoContext:        t.Context(),
		tenancy.NoScope:          tenancy.WithoutScope(t.Context()),
		tenancy.NoTenant:         tenancy.WithScope(t.Context(), tenancy.Scope{User: "u"}),
		tenancy.AgentTenantUnset: tenancy.WithAgent(tenancy.WithScope(t.Context(), author()), tenancy.Agent{ID: "a"}),
		tenancy.TenantMismatch:   tenancy.WithAgent(tenancy.WithScope(t.Context(), author()), tenancy.Agent{ID: "a", Tenant: "globex"}),
	} {
		_, err := s.runner.Options(ctx, "x_shop", "region")
		require.Equal(t, string(want), models.ReasonOf(err))
	}
	require.Zero(t, s.revealed.Load())
	require.Zero(t, s.opened.Load())
}

// TestNoLogHoldsASecret lets a toolkit fail in every way with its secret in its
// words.
func TestNoLogHoldsASecret(t *testing.T) {
	t.Parallel()
	s := setupShop(t)
	s.choices = func(context.Context) ([]hosttools.Option, error) {
		return nil, errors.New(`choose with very "secret" key`)
	}
	for _, name := range []string{"x_crash", "x_panic", "x_fail"} {
		require.NotContains(t, s.call(t, name).Message, "secret\" key", name)
	}
	ctx := tenancy.WithAgent(tenancy.WithScope(t.Context(), author()), tenancy.Agent{ID: "a", Tenant: author().Tenant})
	_, err := s.runner.Options(ctx, "x_shop", "region")
	require.Equal(t, models.CodeOptionsFailed, models.CodeOf(err))
	s.closed, s.setting.Version = true, "2"
	call, err := s.preparer.Prepare(tenancy.WithScope(t.Context(), author()), Request{
		Name: "x_look", Raw: []byte(`{"count":1}`), Channel: ChannelREST,
	})
	require.NoError(t, err)
	_, err = s.runner.Read(tenancy.WithScope(t.Context(), author()), call)
	require.Equal(t, models.CodeInstantiationFailed, models.CodeOf(err))
	s.runner.Stop()
	for _, want := range []string{"a tool failed", "compute choices", "construct or open", "close a toolkit"} {
		require.Contains(t, s.log.String(), want)
	}
	require.NotContains(t, s.log.String(), `secret" key`)
	require.NotContains(t, s.log.String(), `secret\" key`)
	require.NotContains(t, s.log.String(), `secret\\\" key`)
}
