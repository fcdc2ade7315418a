package policy

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/tenancy"
)

// subject names one combination of the rights that a scope can have.
type subject string

// scopes are all combinations of the three rights, in tenant acme.
func scopes() map[subject]tenancy.Scope {
	of := func(superuser, administer, author bool) tenancy.Scope {
		return tenancy.Scope{
			User: "u", Tenant: "acme", StudioEnabled: true,
			Superuser: superuser, MayAdminister: administer, MayAuthor: author,
		}
	}
	return map[subject]tenancy.Scope{
		"member":                 of(false, false, false),
		"author":                 of(false, false, true),
		"admin":                  of(false, true, false),
		"admin+author":           of(false, true, true),
		"superuser":              of(true, false, false),
		"superuser+author":       of(true, false, true),
		"superuser+admin":        of(true, true, false),
		"superuser+admin+author": of(true, true, true),
	}
}

// permissions declares the whole table: each action names every subject once.
func permissions() map[Action]map[bool][]subject {
	everyone := []subject{
		"member", "author", "admin", "admin+author",
		"superuser", "superuser+author", "superuser+admin", "superuser+admin+author",
	}
	authors := map[bool][]subject{ // the right to author, and nothing else
		true:  {"author", "admin+author", "superuser+author", "superuser+admin+author"},
		false: {"member", "admin", "superuser", "superuser+admin"},
	}
	admins := map[bool][]subject{true: everyone[2:], false: everyone[:2]}
	return map[Action]map[bool][]subject{
		AgentsSee:        {true: everyone},
		AgentsAuthor:     authors,
		AgentsAdminister: admins,
		SessionsChat:     {true: everyone},
		ToolsExecute:     authors,
		ToolsCatalogue:   {true: everyone},
		ApprovalsDecide:  {true: everyone},
		AuditRead:        admins,
	}
}

func newAuthorizer(t testing.TB) *Authorizer {
	t.Helper()
	a, err := NewAuthorizer()
	require.NoError(t, err)
	return a
}

func TestAllowFollowsTheDeclaredTable(t *testing.T) {
	t.Parallel()
	a, table := newAuthorizer(t), permissions()
	require.Len(t, table, len(Actions()), "every action needs its line")
	for _, action := range Actions() {
		t.Run(string(action), func(t *testing.T) {
			t.Parallel()
			left := scopes()
			for want, subjects := range table[action] {
				for _, s := range subjects {
					scope, ok := left[s]
					require.True(t, ok, "%s is unknown or named twice", s)
					delete(left, s)
					require.Equal(t, want, a.Allow(scope, "acme", action), s)
				}
			}
			require.Empty(t, left, "subjects without an answer")
		})
	}
}

func TestAllowRefuses(t *testing.T) {
	t.Parallel()
	a := newAuthorizer(t)
	all := tenancy.Scope{
		User: "u", Tenant: "acme", StudioEnabled: true,
		Superuser: true, MayAdminister: true, MayAuthor: true,
	}
	require.True(t, a.Allow(all, "acme", AuditRead), "the scope that all cases start from")

	disabled, homeless, starred := all, all, all
	disabled.StudioEnabled = false
	homeless.Tenant = ""
	starred.Tenant = "*"
	cases := map[string]struct {
		scope  tenancy.Scope
		tenant string
		action Action
	}{
		"another tenant":           {all, "globex", AgentsSee},
		"no tenant asked":          {all, "", AgentsSee},
		"tenant in another case":   {all, "Acme", AgentsSee},
		"every tenant":             {all, "*", AgentsSee},
		"caller without a tenant":  {homeless, "acme", AgentsSee},
		"neither has a tenant":     {homeless, "", AgentsSee},
		"caller of every tenant":   {starred, "acme", AgentsSee},
		"studio switched off":      {disabled, "acme", AgentsSee},
		"zero scope":               {tenancy.Scope{}, "acme", AgentsSee},
		"zero scope and no tenant": {tenancy.Scope{}, "", AgentsSee},
		"no action":                {all, "acme", ""},
		"every action":             {all, "acme", "*"},
		"unknown action":           {all, "acme", "agents.delete_all"},
		"action in another case":   {all, "acme", "Agents.See"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.False(t, a.Allow(c.scope, c.tenant, c.action))
		})
	}
}

func TestZeroAuthorizerAllowsNothing(t *testing.T) {
	t.Parallel()
	var a Authorizer
	for _, scope := range scopes() {
		for _, action := range Actions() {
			require.False(t, a.Allow(scope, "acme", action))
		}
	}
}

func TestCompiledAnswersAreCasbins(t *testing.T) {
	t.Parallel()
	a := newAuthorizer(t)
	enforcer, err := newEnforcer(rulesText)
	require.NoError(t, err)

	odd := []string{"", "*", "**", ".*", "a/*", "admin ", "ADMIN", "r.dom", "\" || true", "'", "\x00"}
	text := rapid.OneOf(rapid.SampledFrom(odd), rapid.String())
	known := func(names ...string) *rapid.Generator[string] {
		return rapid.OneOf(rapid.SampledFrom(names), text)
	}
	actions := make([]string, 0, len(Actions()))
	for _, action := range Actions() {
		actions = append(actions, string(action))
	}
	role, tenant, action := known("member", "author", "admin"), known("acme", "globex"), known(actions...)

	rapid.Check(t, func(t *rapid.T) {
		sub, act := role.Draw(t, "role"), action.Draw(t, "action")
		home, dom := tenant.Draw(t, "home"), tenant.Draw(t, "domain")
		if rapid.Bool().Draw(t, "same tenant") {
			dom = home
		}
		want, err := enforcer.Enforce(sub, home, dom, act)
		require.NoError(t, err)
		require.Equal(t, want, a.decide(models.Role(sub), home, dom, Action(act)))
	})
}

func TestEveryActionIsGrantedToSomeone(t *testing.T) {
	t.Parallel()
	a := newAuthorizer(t)
	for _, action := range Actions() {
		require.True(t, a.decide(models.RoleAdmin, "acme", "acme", action), action)
	}
	require.Len(t, Actions(), strings.Count(rulesText, "\np, ")+1, "one line for each action")
}

func TestCompileRefusesRules(t *testing.T) {
	t.Parallel()
	cases := map[string]struct{ rules, says string }{
		"none":              {"", "read the rules"},
		"unknown action":    {"p, member, agents.sea", "agents.sea"},
		"unknown role":      {"p, members, agents.see", "members"},
		"every action":      {"p, admin, *", "unknown role or action"},
		"unknown heir":      {"p, member, agents.see\ng, root, admin", "root"},
		"unknown ancestor":  {"p, member, agents.see\ng, admin, root", "root"},
		"spelling of a tab": {"p, member, agents.see\t", "unknown role or action"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := compile(c.rules)
			require.ErrorContains(t, err, c.says)
		})
	}
}

func BenchmarkAllow(b *testing.B) {
	a := newAuthorizer(b)
	scope := scopes()["author"]
	b.ReportAllocs()
	for b.Loop() {
		if !a.Allow(scope, "acme", ToolsExecute) {
			b.Fatal("an author may execute")
		}
	}
}
