package policy_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/policy"
)

func phases() []policy.Phase {
	return []policy.Phase{
		policy.PhaseWrite, policy.PhaseActivate, policy.PhaseAttach,
		policy.PhaseCatalogue, policy.PhaseExecute, policy.PhaseBuild,
	}
}

func freeze(t *testing.T, tooling policy.Tooling) policy.Frozen {
	t.Helper()
	frozen, err := tooling.Freeze()
	require.NoError(t, err)
	return frozen
}

// judged is "" for allowed, and the reason otherwise.
func judged(t require.TestingT, err error, item string) string {
	if err == nil {
		return ""
	}
	require.Equal(t, models.CodeToolingNotPermitted, models.CodeOf(err))
	var e *models.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, item, e.Details["item"])
	reason := models.ReasonOf(err)
	require.NotEmpty(t, reason)
	return reason
}

func TestJudge(t *testing.T) {
	t.Parallel()
	const (
		allowed     = ""
		unavailable = policy.ReasonToolkitUnavailable
		builtin     = policy.ReasonBuiltinNotPermitted
	)
	wiki := policy.Tooling{BuiltinTools: []string{"Wiki"}}
	narrowed := policy.Tooling{
		BuiltinTools:   []string{"wiki", "clock"},
		TenantToolkits: map[string][]string{"acme": {"FS_Orders", "wiki", "shell"}, "closed": nil},
	}
	cases := map[string]struct {
		tooling              policy.Tooling
		tenant, slug, origin string
		want                 string
	}{
		"zero: host toolkit":             {policy.Tooling{}, "acme", "fs_orders", policy.OriginHost, allowed},
		"zero: built-in":                 {policy.Tooling{}, "acme", "wiki", policy.OriginBuiltin, builtin},
		"zero: walked is the host's":     {policy.Tooling{}, "acme", "orders", policy.OriginWalk, allowed},
		"zero: packaged is no host's":    {policy.Tooling{}, "acme", "wiki", policy.OriginPackaged, builtin},
		"walked denied as the host's":    {policy.Tooling{DenyHostToolkits: true}, "acme", "orders", policy.OriginWalk, unavailable},
		"zero: MCP server":               {policy.Tooling{}, "acme", "crm", "mcp", unavailable},
		"zero: no origin":                {policy.Tooling{}, "acme", "fs_orders", "", unavailable},
		"origin in another case":         {policy.Tooling{}, "acme", "fs_orders", "Host", unavailable},
		"host denied":                    {policy.Tooling{DenyHostToolkits: true}, "acme", "fs_orders", policy.OriginHost, unavailable},
		"built-in allowed":               {wiki, "acme", "wiki", policy.OriginBuiltin, allowed},
		"built-in in another case":       {wiki, "acme", "WIKI", policy.OriginBuiltin, allowed},
		"built-in with a Kelvin sign":    {wiki, "acme", "wi\u212Ai", policy.OriginBuiltin, unavailable},
		"built-in with a Cyrillic і":     {wiki, "acme", "w\u0456ki", policy.OriginBuiltin, unavailable},
		"built-in with a space":          {wiki, "acme", "wiki ", policy.OriginBuiltin, unavailable},
		"built-in with a zero byte":      {wiki, "acme", "wiki\x00", policy.OriginBuiltin, unavailable},
		"built-in by its class name":     {wiki, "acme", "WikiToolkit", policy.OriginBuiltin, builtin},
		"no slug":                        {wiki, "acme", "", policy.OriginBuiltin, unavailable},
		"endless slug":                   {wiki, "acme", strings.Repeat("w", 65), policy.OriginHost, unavailable},
		"narrowed: on the list":          {narrowed, "acme", "fs_orders", policy.OriginHost, allowed},
		"narrowed: not on the list":      {narrowed, "acme", "fs_export", policy.OriginHost, unavailable},
		"narrowed: built-in":             {narrowed, "acme", "wiki", policy.OriginBuiltin, allowed},
		"narrowed: other built-in":       {narrowed, "acme", "clock", policy.OriginBuiltin, unavailable},
		"narrowed: a list cannot widen":  {narrowed, "acme", "shell", policy.OriginBuiltin, builtin},
		"narrowed to nothing":            {narrowed, "closed", "fs_orders", policy.OriginHost, unavailable},
		"another tenant is not narrowed": {narrowed, "globex", "fs_export", policy.OriginHost, allowed},
		"GLOBAL is outside":              {policy.Tooling{}, "", "wiki", policy.OriginBuiltin, allowed},
		"GLOBAL when it is inside":       {policy.Tooling{ApplyToGlobal: true}, "", "wiki", policy.OriginBuiltin, builtin},
		"GLOBAL inside, host toolkit":    {policy.Tooling{ApplyToGlobal: true}, "", "fs_orders", policy.OriginHost, allowed},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			frozen := freeze(t, c.tooling)
			for _, phase := range phases() {
				want := c.want
				if phase == policy.PhaseBuild && c.tooling.TenantToolkits != nil && want == unavailable {
					want = allowed // a narrowed tenant's agents still start
				}
				require.Equal(t, want, judged(t, frozen.Judge(c.tenant, c.slug, c.origin, phase), c.slug), phase)
			}
		})
	}
}

func TestJudgeRefusesUnknownPhases(t *testing.T) {
	t.Parallel()
	frozen := freeze(t, policy.Tooling{})
	for _, phase := range []policy.Phase{"", "*", "Execute", "delete"} {
		err := frozen.Judge("acme", "fs_orders", policy.OriginHost, phase)
		require.Equal(t, policy.ReasonToolkitUnavailable, judged(t, err, "fs_orders"), phase)
	}
}

func TestFrozenDoesNotFollowItsSource(t *testing.T) {
	t.Parallel()
	builtins, list := []string{"wiki"}, []string{"wiki"}
	tooling := policy.Tooling{BuiltinTools: builtins, TenantToolkits: map[string][]string{"acme": list}}
	frozen := freeze(t, tooling)

	builtins[0], list[0] = "shell", "shell"
	tooling.TenantToolkits["globex"] = nil
	tooling.TenantToolkits["acme"] = append(tooling.TenantToolkits["acme"], "clock")
	delete(tooling.TenantToolkits, "acme")
	tooling.DenyHostToolkits = true

	require.NoError(t, frozen.Judge("acme", "wiki", policy.OriginBuiltin, policy.PhaseExecute))
	require.Error(t, frozen.Judge("acme", "shell", policy.OriginBuiltin, policy.PhaseExecute))
	require.Error(t, frozen.Judge("acme", "fs_orders", policy.OriginHost, policy.PhaseExecute))
	require.NoError(t, frozen.Judge("globex", "fs_orders", policy.OriginHost, policy.PhaseExecute))
}

func TestFreezeRefuses(t *testing.T) {
	t.Parallel()
	cases := map[string]policy.Tooling{
		"every built-in":         {BuiltinTools: []string{"*"}},
		"an empty slug":          {BuiltinTools: []string{"wiki", ""}},
		"a slug with a space":    {BuiltinTools: []string{" wiki"}},
		"every toolkit":          {TenantToolkits: map[string][]string{"acme": {"*"}}},
		"every tenant":           {TenantToolkits: map[string][]string{"*": {"wiki"}}},
		"the empty tenant":       {TenantToolkits: map[string][]string{"": {"wiki"}}},
		"a tenant in upper case": {TenantToolkits: map[string][]string{"Acme": {"wiki"}}},
	}
	for name, tooling := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := tooling.Freeze()
			require.Error(t, err)
		})
	}
}

func TestZeroFrozenIsTheFrozenZero(t *testing.T) {
	t.Parallel()
	frozen := freeze(t, policy.Tooling{})
	text := rapid.OneOf(rapid.SampledFrom([]string{"", "*", "acme", "wiki", "fs_orders", "host", "builtin", "mcp"}), rapid.String())
	rapid.Check(t, func(t *rapid.T) {
		tenant, slug, origin := text.Draw(t, "tenant"), text.Draw(t, "slug"), text.Draw(t, "origin")
		phase := rapid.SampledFrom(phases()).Draw(t, "phase")
		require.Equal(t, frozen.Judge(tenant, slug, origin, phase), policy.Frozen{}.Judge(tenant, slug, origin, phase))
	})
}

func TestJudgeDoesNotDependOnCase(t *testing.T) {
	t.Parallel()
	frozen := freeze(t, policy.Tooling{
		BuiltinTools:   []string{"wiki", "clock"},
		TenantToolkits: map[string][]string{"acme": {"wiki", "fs_orders"}},
	})
	slug := rapid.OneOf(rapid.SampledFrom([]string{"wiki", "clock", "fs_orders"}), rapid.StringMatching(`[a-z0-9_]{1,64}`))
	rapid.Check(t, func(t *rapid.T) {
		lower := slug.Draw(t, "slug")
		mixed := []byte(lower)
		for i := range mixed {
			if rapid.Bool().Draw(t, "upper") {
				mixed[i] = strings.ToUpper(lower)[i]
			}
		}
		origin := rapid.SampledFrom([]string{policy.OriginHost, policy.OriginBuiltin}).Draw(t, "origin")
		phase := rapid.SampledFrom(phases()).Draw(t, "phase")
		a, b := frozen.Judge("acme", lower, origin, phase), frozen.Judge("acme", string(mixed), origin, phase)
		require.Equal(t, models.ReasonOf(a), models.ReasonOf(b))
	})
}
