package hosttools_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools"
)

type (
	scopeInside struct {
		Who struct {
			List []map[string]hosttools.CallerID `json:"list"`
		} `json:"who"`
	}
	scopeHidden struct {
		Agent hosttools.AgentID `json:"-"`
	}
	scopeUnexported struct {
		Rows   int `json:"rows,omitempty"`
		tenant hosttools.TenantID
	}
	nestedSecret struct {
		Login struct {
			Token hosttools.Secret `json:"token"`
		} `json:"login"`
	}
	namedBase struct {
		SettingsBase `json:"base"`
	}
	SettingsBase struct {
		Token hosttools.Secret `json:"token"`
	}
)

func TestRefusedConfigs(t *testing.T) {
	t.Parallel()
	_ = scopeUnexported{tenant: ""}.tenant
	const scope = "takes its value from the scope, which an instance does not have"
	const nested = "holds a secret or a server-managed value inside; move that to the top of the Config"
	for want, build := range map[string]hosttools.Constructor{
		"its Config is a int and must point to a struct":                  with(func(k *hosttools.Toolkit) { k.Config = 7 }),
		"its Config is a hosttools_test.base and must point":              with(func(k *hosttools.Toolkit) { k.Config = base{} }),
		"its Config is a *int and must":                                   with(func(k *hosttools.Toolkit) { k.Config = new(int) }),
		"its Config is a *hosttools_test.base and must point to a struct": with(func(k *hosttools.Toolkit) { k.Config = (*base)(nil) }),
		"its Config: struct.V: an untyped value may hold anything":        configured[struct{ V any }](),
		"its Config: the field Tenant " + scope:                           configured[struct{ Tenant hosttools.TenantID }](),
		"its Config: the field Caller " + scope:                           configured[struct{ Caller *hosttools.CallerID }](),
		"its Config: the field Agent " + scope:                            configured[scopeHidden](),
		"its Config: the field tenant " + scope:                           configured[scopeUnexported](),
		"its Config: the field Who " + scope:                              configured[scopeInside](),
		"its Config: the field Served " + scope: configured[struct {
			Served hosttools.Server[hosttools.TenantID]
		}](),
		"its Config: the field Filled " + scope: configured[struct {
			Filled hosttools.App[hosttools.AgentID] `key:"a"`
		}](),
		"its Config: the field Login " + nested:        configured[nestedSecret](),
		"its Config: the field SettingsBase " + nested: configured[namedBase](),
		"its Config: the field Tokens " + nested:       configured[struct{ Tokens []hosttools.Secret }](),
		"its Config: the field Token " + nested:        configured[struct{ Token *hosttools.Secret }](),
		"its Config: the field Build " + nested:        configured[struct{ Build *hosttools.Server[int] }](),
		`the field Org is named "TENANT", and the tenant never comes from`: configured[struct {
			Org string `json:"TENANT"`
		}](),
		"the field Ledger needs the tag `key:\"…\"`": configured[struct{ Ledger hosttools.App[ledger] }](),
		`the field Ledger needs Host.App["other"], and there is none`: configured[struct {
			Ledger hosttools.App[ledger] `key:"other"`
		}](),
		"the field Ledger does not fit: it takes a int, and Host.App has a": configured[struct {
			Ledger hosttools.App[int] `key:"ledger"`
		}](),
		"the field None does not fit: it takes a error, and Host.App has": configured[struct {
			None hosttools.App[error] `key:"none"`
		}](),
		"every instance has the same Config, so tenants would share":       with(func(k *hosttools.Toolkit) { k.Config = shared }),
		"it has config defaults or choices, and no Config to fill":         options("url", choices),
		`there are choices for "other", which is no parameter that people`: optionsOf("other", choices),
		`there are choices for "token", which is no parameter that people`: optionsOf("token", choices),
		`there are choices for "build", which is no parameter that people`: optionsOf("build", choices),
		`the function that computes the choices for "url" is nil`:          optionsOf("url", nil),
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			r := hosttools.NewRegistry(hosttools.Host{
				Prefix: "fs_", Tools: map[string]hosttools.Constructor{"fs_kit": build}, Logger: quiet(),
				App: map[string]any{"ledger": ledger("main"), "none": nil},
			})
			require.Empty(t, r.Groups())
			require.Len(t, r.Rejections(), 1)
			require.Contains(t, r.Rejections()[0].Reason, want)
		})
	}
}

func TestSecondConstructionForTheConfigFails(t *testing.T) {
	t.Parallel()
	first := true
	reason := rejection(t, func() (hosttools.Entry, error) {
		if !first {
			return nil, errors.New("only once")
		}
		first = false
		return hosttools.Toolkit{Prefix: "fs", Config: &base{}, Methods: []hosttools.Method{echo("say")}}, nil
	})
	require.Contains(t, reason, "only once")
}

func TestRefusedDefaults(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		param string
		value any
		want  string
	}{
		"unknown":       {"other", 1, `there is a default for "other", which is no parameter`},
		"other case":    {"Rows", 1, `there is a default for "Rows", which is no parameter`},
		"unexported":    {"Ignored", 1, `there is a default for "Ignored", which is no parameter`},
		"server":        {"build", "b8", `there is a default for "build", which the server fills`},
		"app":           {"ledger", "other", `there is a default for "ledger", which the server fills`},
		"secret":        {"token", "s3cret", `there is a default for the secret "token"; pass it through Host.App instead`},
		"type":          {"rows", "7", `the default for "rows" does not fit`},
		"null":          {"rows", nil, `the default for "rows" does not fit`},
		"bounds":        {"rows", 51, `the default for "rows" does not fit`},
		"fraction":      {"rows", 1.5, `the default for "rows" does not fit`},
		"too large":     {"count", 1e20, `the default for "count" does not fit`},
		"beyond int64":  {"count", uint64(math.MaxUint64), `the default for "count" does not fit`},
		"no number":     {"count", math.NaN(), `the default for "count" does not fit`},
		"no JSON":       {"url", func() {}, `the default for "url" does not fit`},
		"invalid UTF-8": {"url", "\xff", `the default for "url" does not fit`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := hosttools.NewRegistry(hosttools.Host{
				Prefix: "fs_", Tools: map[string]hosttools.Constructor{"fs_kit": configured[settings]()}, Logger: quiet(),
				App:    map[string]any{"ledger": ledger("main")},
				Config: map[string]map[string]any{"fs_kit": {tc.param: tc.value, "region": "eu"}},
			})
			require.Len(t, r.Rejections(), 1)
			require.Contains(t, r.Rejections()[0].Reason, "its Config: "+tc.want)
			require.NotContains(t, r.Rejections()[0].Reason, "s3cret")
		})
	}
}

var shared = &base{} // what no constructor must do

func choices(context.Context) ([]hosttools.Option, error) { return nil, nil }

// with constructs a toolkit with something changed.
func with(change func(*hosttools.Toolkit)) hosttools.Constructor {
	return func() (hosttools.Entry, error) {
		kit := hosttools.Toolkit{Prefix: "fs", Methods: []hosttools.Method{echo("say")}}
		change(&kit)
		return kit, nil
	}
}

func options(name string, compute hosttools.OptionsFunc) hosttools.Constructor {
	return with(func(k *hosttools.Toolkit) { k.Options = map[string]hosttools.OptionsFunc{name: compute} })
}

func optionsOf(name string, compute hosttools.OptionsFunc) hosttools.Constructor {
	return with(func(k *hosttools.Toolkit) {
		k.Config, k.Options = &settings{}, map[string]hosttools.OptionsFunc{name: compute}
	})
}

// rejectionOf registers a host with one entry, and returns what refuses it.
func rejectionOf(t *testing.T, host hosttools.Host) string {
	t.Helper()
	host.Prefix, host.Logger = "fs_", quiet()
	r := hosttools.NewRegistry(host)
	require.Len(t, r.Rejections(), 1)
	return r.Rejections()[0].Reason
}
