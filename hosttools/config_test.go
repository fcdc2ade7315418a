package hosttools_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools"
)

// ledger stands for a client that a host shares with its toolkits.
type ledger string

// base holds what several configs have in common.
type base struct {
	Rows int `json:"rows,omitempty" jsonschema:"rows per page" minimum:"1" maximum:"50" default:"20"`
}

// settings has a config parameter of every kind.
type settings struct {
	base
	URL     string                   `json:"url,omitempty" jsonschema:"where it is" format:"uri"`
	Region  string                   `json:"region,omitempty"`
	Count   int64                    `json:"count,omitempty"`
	Token   hosttools.Secret         `json:"token,omitzero" jsonschema:"how to sign in"`
	Build   hosttools.Server[string] `json:"build" jsonschema:"set by the toolkit"`
	Ledger  hosttools.App[ledger]    `json:"ledger" key:"ledger"`
	token   string                   // no parameter, although its name is one's
	Ignored func()                   `json:"-"`
}

// withSettings registers a toolkit with settings, and returns its method and
// the place where a construction leaves its config.
func withSettings(t *testing.T, change func(*hosttools.Host)) (*hosttools.Descriptor, **settings) {
	t.Helper()
	var last *settings
	host := hosttools.Host{
		Prefix: "fs_", App: map[string]any{"ledger": ledger("main")}, Logger: quiet(),
		Tools: map[string]hosttools.Constructor{"fs_kit": func() (hosttools.Entry, error) {
			last = &settings{Build: hosttools.ServerValue("b7"), token: "own"}
			last.Region = "eu"
			return hosttools.Toolkit{
				Prefix: "fs", Config: last, Methods: []hosttools.Method{echo("say")},
				Options: map[string]hosttools.OptionsFunc{
					"region": func(context.Context) ([]hosttools.Option, error) {
						return []hosttools.Option{{Value: "eu", Label: "Europe"}}, nil
					},
					"rows":  func(context.Context) ([]hosttools.Option, error) { return nil, nil },
					"count": func(context.Context) ([]hosttools.Option, error) { return nil, nil },
				},
			}, nil
		}},
	}
	if change != nil {
		change(&host)
	}
	r := hosttools.NewRegistry(host)
	require.NoError(t, r.Err())
	d, ok := r.Lookup("fs_say")
	require.True(t, ok)
	return d, &last
}

func TestConfigSchema(t *testing.T) {
	t.Parallel()
	d, _ := withSettings(t, nil)
	require.JSONEq(t, `{
		"type": "object", "additionalProperties": false,
		"properties": {
			"rows": {"type":"integer","description":"rows per page","minimum":1,"maximum":50,"default":20,"x-go-integer":"int64","x-options":true},
			"url": {"type":"string","description":"where it is","format":"uri"},
			"region": {"type":"string","x-options":true},
			"count": {"type":"integer","x-go-integer":"int64","x-options":true},
			"token": {"type":"string","description":"how to sign in","writeOnly":true,"x-secret":true},
			"build": {"description":"set by the toolkit","readOnly":true,"x-server-managed":true},
			"ledger": {"readOnly":true,"x-server-managed":true}
		}}`, string(d.Config.JSON))
	encoded, err := json.Marshal(d.Config.Schema)
	require.NoError(t, err)
	require.Equal(t, string(d.Config.JSON), string(encoded))

	var names []string
	for _, param := range d.Config.Params {
		names = append(names, param.Name)
		require.Equal(t, param.Name == "token", param.Secret, param.Name)
		require.Equal(t, param.Name == "build" || param.Name == "ledger", param.Managed(), param.Name)
		require.False(t, param.Required, param.Name)
	}
	require.Equal(t, []string{"rows", "url", "region", "count", "token", "build", "ledger"}, names)
	region, ok := d.Config.Param("region")
	require.True(t, ok)
	require.True(t, region.HasOptions)
	_, ok = d.Config.Param("Region")
	require.False(t, ok)
	require.Equal(t, []string{"BUILD", "Tenant_ID", "ledger", "tenant"},
		d.Config.Managed([]string{"tenant", "url", "ledger", "BUILD", "token", "Tenant_ID", "other"}))
	require.Empty(t, d.Config.Managed([]string{"url", "rows", "ten\u0430nt"}))

	other, _ := withSettings(t, func(h *hosttools.Host) { h.Config = map[string]map[string]any{"fs_kit": {"rows": 5}} })
	require.NotEqual(t, d.Config.Hash, other.Config.Hash, "other defaults are another toolkit")
	require.Equal(t, string(d.Config.JSON), string(other.Config.JSON))
	again, _ := withSettings(t, nil)
	require.Equal(t, d.Config.Hash, again.Config.Hash)
}

func TestRequiredParams(t *testing.T) {
	t.Parallel()
	type required struct {
		URL   string                  `json:"url"`
		Token hosttools.Secret        `json:"token"`
		Build hosttools.Server[int]   `json:"build"`
		Maybe *string                 `json:"maybe"`
		Owner hosttools.App[[]string] `json:"owner" key:"owner"`
	}
	r := hosttools.NewRegistry(hosttools.Host{
		Prefix: "fs_", Tools: map[string]hosttools.Constructor{"fs_kit": configured[required]()},
		App: map[string]any{"owner": []string{"ada"}},
	})
	require.NoError(t, r.Err())
	group, _ := r.Group("fs_kit")
	require.Equal(t, []string{"url", "token"}, group.Config.Schema.Required)
	for _, param := range group.Config.Params {
		require.Equal(t, param.Name == "url" || param.Name == "token", param.Required, param.Name)
	}
}

func TestConfigure(t *testing.T) {
	t.Parallel()
	d, last := withSettings(t, nil)
	instance, err := d.Construct([]byte(`{"url":"https://a.example","rows":7,"token":"s3cret","count":9007199254740993}`))
	require.NoError(t, err)
	got := *last
	require.Equal(t, "https://a.example", got.URL)
	require.Equal(t, 7, got.Rows)
	require.Equal(t, int64(9007199254740993), got.Count)
	require.Equal(t, "eu", got.Region, "what nobody set stays as the constructor made it")
	require.Equal(t, "s3cret", got.Token.Reveal())
	require.Equal(t, "b7", got.Build.Value(), "a server-managed value survives")
	require.Equal(t, ledger("main"), got.Ledger.Value())
	require.Equal(t, "own", got.token)
	require.Equal(t, []string{"s3cret"}, instance.Secrets())

	plain, err := d.Construct(nil)
	require.NoError(t, err)
	require.NotSame(t, got, *last, "each instance has its own config")
	require.Empty(t, (*last).URL)
	require.Empty(t, plain.Secrets())
	require.Equal(t, ledger("main"), (*last).Ledger.Value())

	options, err := instance.ConfigOptions(t.Context(), "region")
	require.NoError(t, err)
	require.Equal(t, []hosttools.Option{{Value: "eu", Label: "Europe"}}, options)
	_, err = instance.ConfigOptions(t.Context(), "url")
	require.ErrorContains(t, err, `"url" has no choices of its own`)
}

func TestConfigsThatDoNotFit(t *testing.T) {
	t.Parallel()
	d, _ := withSettings(t, nil)
	for _, config := range []string{
		`[]`, `{`, `{"rows":"7"}`, `{"Rows":7}`, `{"rows":7,"rows":8}`, `{"other":1}`, `{"token":{}}`, `{"Ignored":1}`,
		`{"build":"b8"}`, `{"build":null}`, `{"build":{}}`, `{"ledger":"other"}`, `{"ledger":null}`, `{"count":1e20}`,
	} {
		_, err := d.Construct([]byte(config))
		require.ErrorContains(t, err, "decode the config", config)
	}
	_, err := d.Construct([]byte(`{"token":null}`))
	require.NoError(t, err, "a secret that is not set")
}

// TestSecretsOfTheHost has secrets that come from the host itself: they stay out
// of results too.
func TestSecretsOfTheHost(t *testing.T) {
	t.Parallel()
	type held struct {
		Mine   hosttools.App[hosttools.Secret]    `json:"mine" key:"mine"`
		Ours   hosttools.Server[hosttools.Secret] `json:"ours"`
		Theirs hosttools.Secret                   `json:"theirs,omitzero"`
	}
	var last *held
	r := hosttools.NewRegistry(hosttools.Host{
		Prefix: "fs_", App: map[string]any{"mine": hosttools.NewSecret("one")},
		Tools: map[string]hosttools.Constructor{"fs_say": func() (hosttools.Entry, error) {
			last = &held{Ours: hosttools.ServerValue(hosttools.NewSecret("two"))}
			return hosttools.Tool{Config: last, Method: echo("fs_say")}, nil
		}},
	})
	require.NoError(t, r.Err())
	d, _ := r.Find("fs_say", "")
	instance, err := d.Construct([]byte(`{"theirs":"three"}`))
	require.NoError(t, err)
	require.Equal(t, []string{"one", "two", "three"}, instance.Secrets())
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d"} {
		printed := fmt.Sprintf(verb, *last) + fmt.Sprintf(verb, last)
		require.NotRegexp(t, "one|two|three", printed, verb)
	}
}

func TestDefaults(t *testing.T) {
	t.Parallel()
	d, _ := withSettings(t, func(h *hosttools.Host) {
		h.Config = map[string]map[string]any{"fs_kit": {"url": "https://a.example", "rows": 50, "count": int64(math.MaxInt64)}}
	})
	require.Equal(t, `{"count":9223372036854775807,"rows":50,"url":"https://a.example"}`, string(d.Config.Defaults))
	reason := rejectionOf(t, hosttools.Host{
		Tools:  map[string]hosttools.Constructor{"fs_kit": toolkit(echo("say"))},
		Config: map[string]map[string]any{"fs_kit": {"rows": 1}},
	})
	require.Contains(t, reason, "no Config to fill")
	require.True(t, strings.HasSuffix(reason, "give it one"))
}
