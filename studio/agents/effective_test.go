package agents_test

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/agents"
)

// drawParams draws what one person sets: any of the names, each to a value that
// its type takes.
func drawParams(t *rapid.T, label string, names []string) map[string]any {
	values := map[string]*rapid.Generator[any]{
		"region":   rapid.Map(rapid.SampledFrom([]string{"eu", "us"}), boxed),
		"format":   rapid.Map(rapid.StringMatching("[a-z]{0,3}"), boxed),
		"folder":   rapid.Map(rapid.StringMatching("[a-zé]{0,3}"), boxed),
		"max_rows": rapid.Map(rapid.IntRange(1, 1000), func(n int) any { return json.Number(jsonOf(n)) }),
		"api_key":  rapid.Map(rapid.StringMatching("[a-z*]{1,7}"), boxed),
		"token":    rapid.Map(rapid.StringMatching("[a-z*]{1,7}"), boxed),
	}
	params := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if slices.Contains(names, name) && rapid.Bool().Draw(t, label+" sets "+name) {
			params[name] = values[name].Draw(t, label+" "+name)
		}
	}
	return params
}

func boxed(s string) any { return s }

func jsonOf(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func drawNames(t *rapid.T, label string, all []string) []string {
	names := []string{}
	for _, name := range all {
		if rapid.Bool().Draw(t, label+" "+name) {
			names = append(names, name)
		}
	}
	return names
}

// TestEffectiveIsByPrecedence compares what the toolkit gets with the rule in
// its simplest form: the last layer that says something counts.
func TestEffectiveIsByPrecedence(t *testing.T) {
	t.Parallel()
	s := exporting(t, newStore(t))
	all := []string{"api_key", "folder", "format", "max_rows", "region", "token"}
	rapid.Check(t, func(rt *rapid.T) {
		allowed, later := drawNames(rt, "allowed", all), drawNames(rt, "still allowed", all)
		ours, mias := drawParams(rt, "agent", all), drawParams(rt, "mia", allowed)
		save := func(overridable []string) error {
			_, err := s.Configure(as(t, owner()), "desk", "fs_export", agents.Change{
				Params: value(t, jsonOf(ours)), UserOverridable: overridable,
			})
			return err
		}
		for _, name := range []string{"region", "api_key"} {
			if _, set := ours[name]; !set && (!slices.Contains(allowed, name) || !slices.Contains(later, name)) {
				ours[name] = "us"
			}
		}
		require.NoError(rt, save(allowed))
		require.NoError(rt, s.SaveOverride(as(t, member()), "desk", "fs_export", value(t, jsonOf(mias))))
		require.NoError(rt, save(later))

		want := map[string]any{"max_rows": json.Number("100"), "format": "csv", "folder": "inbox"}
		maps.Copy(want, ours)
		for name, v := range mias {
			if slices.Contains(later, name) {
				want[name] = v
			}
		}
		setting := settingOf(t, s, member())
		missing := []string{}
		for _, name := range []string{"region", "api_key"} {
			if _, set := want[name]; !set {
				missing = append(missing, "/"+name)
			}
		}
		if len(missing) > 0 {
			said := []string{}
			for _, issue := range setting.Issues {
				said = append(said, issue.Pointer)
			}
			require.Equal(rt, missing, said)
			return
		}
		config, err := s.Reveal(t.Context(), setting)
		require.NoError(rt, err)
		require.JSONEq(rt, jsonOf(want), string(config))
	})
}

// TestRequiredIsAskedAtSave draws what is set and what is left to users.
func TestRequiredIsAskedAtSave(t *testing.T) {
	t.Parallel()
	s := exporting(t, newStore(t))
	all := []string{"api_key", "folder", "region"}
	rapid.Check(t, func(rt *rapid.T) {
		overridable, params := drawNames(rt, "left", all), drawParams(rt, "agent", all)
		_, err := s.Configure(as(t, owner()), "desk", "fs_export", agents.Change{
			Params: value(t, jsonOf(params)), UserOverridable: overridable,
		})
		missing := map[string]string{}
		for _, name := range []string{"api_key", "region"} {
			if _, set := params[name]; !set && !slices.Contains(overridable, name) {
				missing["/"+name] = "is missing"
			}
		}
		if len(missing) == 0 {
			require.NoError(rt, err)
			return
		}
		require.Equal(rt, models.CodeInvalidParams, models.CodeOf(err))
		require.Equal(rt, missing, issuesOf(t, err))
	})
}

// BenchmarkSetting is what a call of a configured toolkit pays for its setting,
// with an override, on SQLite.
func BenchmarkSetting(b *testing.B) {
	s := exporting(b, newStore(b))
	configure(b, s, valid, "folder")
	require.NoError(b, s.SaveOverride(as(b, owner()), "desk", "fs_export", value(b, `{"folder":"mine"}`)))
	item, err := s.Get(as(b, owner()), "desk")
	require.NoError(b, err)
	ctx, tool := as(b, owner()), exportTool(b, registry(b, "fs_export"))
	for name, agentID := range map[string]string{"stored": item.Agent.ID, "no agent": ""} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := s.Setting(ctx, tool, agentID, "olga"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
