package agents_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/policy"
	"github.com/agentstudio/agentstudio/studio/agents"
	"github.com/agentstudio/agentstudio/studio/store"
	"github.com/agentstudio/agentstudio/studio/toolexec"
	"github.com/agentstudio/agentstudio/studio/vault"
	"github.com/agentstudio/agentstudio/tenancy"
)

// settingOf returns what desk's fs_export works with for a caller.
func settingOf(t testing.TB, s *agents.Service, scope tenancy.Scope) toolexec.Setting {
	t.Helper()
	return settingWith(t, s, scope, registry(t, "fs_export"))
}

// settingWith is settingOf with another registry.
func settingWith(t testing.TB, s *agents.Service, scope tenancy.Scope, r *hosttools.Registry) toolexec.Setting {
	t.Helper()
	item, err := s.Get(as(t, scope), "desk")
	require.NoError(t, err)
	setting, err := s.Setting(as(t, scope), exportTool(t, r), item.Agent.ID, scope.User)
	require.NoError(t, err)
	return setting
}

func revealed(t testing.TB, s *agents.Service, setting toolexec.Setting) string {
	t.Helper()
	require.Empty(t, setting.Issues)
	config, err := s.Reveal(t.Context(), setting)
	require.NoError(t, err)
	return string(config)
}

func TestSettingWithoutAnything(t *testing.T) {
	t.Parallel()
	s := exporting(t, newStore(t))
	tool := exportTool(t, registry(t, "fs_export"))
	for name, ctx := range map[string]context.Context{"nobody": t.Context(), "olga": as(t, owner())} {
		setting, err := s.Setting(ctx, tool, "", "olga")
		require.NoError(t, err, name)
		require.False(t, setting.Stored)
		require.Empty(t, setting.Version)
		require.Len(t, setting.Issues, 2, "region and api_key have no default")
	}
	_, err := s.Setting(t.Context(), tool, models.NewID(), "olga")
	require.Equal(t, models.CodeUnauthenticated, models.CodeOf(err))
	require.Equal(t, settingOf(t, s, owner()), must(s.Setting(t.Context(), tool, "", "")))
	notRegistered := *tool
	notRegistered.Slug = "fs_gone"
	_, err = s.Setting(t.Context(), &notRegistered, "", "")
	require.Error(t, err)
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestSettingFollowsPrecedence(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *store.Store) {
		s := exporting(t, db)
		configure(t, s, `{"region":"eu","folder":"ours","filter":{"status":"open"},"api_key":"agents-key"}`, "folder", "token", "api_key")
		agents := `{"region":"eu","format":"csv","max_rows":100,"folder":"ours","filter":{"status":"open","limit":10}`
		require.JSONEq(t, agents+`,"api_key":"agents-key"}`, revealed(t, s, settingOf(t, s, owner())))
		require.NotContains(t, text(t, shown(t, s).Params), "limit", "defaults are not stored")

		require.NoError(t, s.SaveOverride(as(t, member()), "desk", "fs_export",
			value(t, `{"folder":"mias","api_key":"mias-key","token":"mias-token"}`)))
		mias := settingOf(t, s, member())
		require.JSONEq(t, strings.Replace(agents, "ours", "mias", 1)+`,"api_key":"mias-key","token":"mias-token"}`, revealed(t, s, mias))
		require.JSONEq(t, agents+`,"api_key":"agents-key"}`, revealed(t, s, settingOf(t, s, owner())), "others do not notice")
		for _, b := range [][]byte{mias.Params, must(json.Marshal(mias))} {
			require.NotContains(t, string(b), "mias-key")
		}

		configure(t, s, `{"region":"eu","api_key":"********"}`, "token")
		require.JSONEq(t,
			`{"region":"eu","format":"csv","max_rows":100,"folder":"inbox","api_key":"agents-key","token":"mias-token"}`,
			revealed(t, s, settingOf(t, s, member())), "what is not left to her any more is ignored")
	})
}

// TestIncompleteSettingsHaveWhatThereIs: choices are computed from it.
func TestIncompleteSettingsHaveWhatThereIs(t *testing.T) {
	t.Parallel()
	s := exporting(t, newStore(t))
	configure(t, s, `{"api_key":"agents-key"}`, "region")
	setting := settingOf(t, s, owner())
	require.Len(t, setting.Issues, 1)
	config, err := s.Reveal(t.Context(), setting)
	require.NoError(t, err)
	require.JSONEq(t, `{"format":"csv","max_rows":100,"folder":"inbox","api_key":"agents-key"}`, string(config))
}

// TestVersionsOfSettings asks that each change makes another version, and that
// nothing else does.
func TestVersionsOfSettings(t *testing.T) {
	t.Parallel()
	s := exporting(t, newStore(t))
	seen := map[string]string{}
	require.Empty(t, settingOf(t, s, owner()).Version)
	for _, c := range []struct {
		name string
		do   func()
	}{
		{"set up", func() { configure(t, s, valid) }},
		{"another value", func() { configure(t, s, `{"region":"us","api_key":"********"}`) }},
		{"another secret", func() { configure(t, s, `{"region":"us","api_key":"another"}`) }},
		{"the same secret anew", func() { configure(t, s, `{"region":"us","api_key":"another"}`) }},
		{"overridable", func() { configure(t, s, `{"region":"us","api_key":"********"}`, "folder") }},
		{"an override", func() {
			require.NoError(t, s.SaveOverride(as(t, owner()), "desk", "fs_export", value(t, `{"folder":"x"}`)))
		}},
		{"set up anew", func() {
			require.NoError(t, must2(s.RemoveToolkit(as(t, owner()), "desk", "fs_export", 0)))
			configure(t, s, valid)
		}},
	} {
		c.do()
		version := settingOf(t, s, owner()).Version
		require.Len(t, version, 64)
		require.NotContains(t, seen, version, "%s is like %s", c.name, seen[version])
		seen[version] = c.name
		require.Equal(t, version, settingOf(t, s, owner()).Version)
	}
	require.NoError(t, s.SaveOverride(as(t, member()), "desk", "fs_export", value(t, `{}`)))
	require.Equal(t, settingOf(t, s, owner()).Version, settingOf(t, s, member()).Version)
}

func must2[T any](_ T, err error) error { return err }

// exec runs a statement past the service, as somebody with the database does.
func exec(t *testing.T, db *store.Store, statement string, args ...any) {
	t.Helper()
	p, err := tenancy.PartitionOf("acme")
	require.NoError(t, err)
	require.NoError(t, db.Write(t.Context(), p, func(ctx context.Context) error {
		tx, err := db.Tx(ctx)
		require.NoError(t, err)
		result, err := tx.ExecContext(ctx, statement, args...)
		require.NoError(t, err)
		affected, err := result.RowsAffected()
		require.EqualValues(t, 1, affected)
		return err
	}))
}

// TestMovedSecretsDoNotOpen moves sealed values by SQL, to everywhere else that
// they could be.
func TestMovedSecretsDoNotOpen(t *testing.T) {
	t.Parallel()
	moves := map[string]string{
		"to another agent":     `UPDATE agent_tooling SET agent_id = (SELECT id FROM agents WHERE name = 'other' AND tenant_id = 'acme') WHERE tenant_id = 'acme'`,
		"to another name":      `UPDATE agent_tooling SET secrets = replace(replace(replace(secrets, '"api_key"', '"x"'), '"token"', '"api_key"'), '"x"', '"token"') WHERE tenant_id = 'acme'`,
		"to another user":      `UPDATE toolkit_overrides SET user_id = 'pete' WHERE user_id = 'mia'`,
		"to an override":       `UPDATE toolkit_overrides SET secrets = (SELECT secrets FROM agent_tooling) WHERE user_id = 'mia'`,
		"from an override":     `UPDATE agent_tooling SET secrets = (SELECT replace(secrets, '"token"', '"api_key"') FROM toolkit_overrides) WHERE tenant_id = 'acme'`,
		"under another number": `UPDATE agent_tooling SET secrets = replace(secrets, '"id":"0', '"id":"1') WHERE tenant_id = 'acme'`,
	}
	for name, move := range moves {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			onBoth(t, func(t *testing.T, db *store.Store) {
				s := exporting(t, db)
				_, err := s.Create(as(t, owner()), shared("other", models.Definition{Title: "other"}))
				require.NoError(t, err)
				configure(t, s, `{"region":"eu","api_key":"s3cret-key","token":"s3cret-token"}`, "token", "api_key")
				mia := as(t, member())
				if strings.Contains(move, "overrides") {
					require.NoError(t, s.SaveOverride(mia, "desk", "fs_export", value(t, `{"token":"mias-token"}`)))
				}
				exec(t, db, move)
				requireSealed(t, s)
			})
		})
	}
}

// requireSealed asks for every setting there is: one of them does not open, and
// the answer has nothing of what is inside.
func requireSealed(t *testing.T, s *agents.Service) {
	t.Helper()
	var refusals int
	for _, name := range []string{"desk", "other"} {
		for _, scope := range []tenancy.Scope{owner(), member(), peer()} {
			item, err := s.Get(as(t, scope), name)
			require.NoError(t, err)
			setting, err := s.Setting(as(t, scope), exportTool(t, registry(t, "fs_export")), item.Agent.ID, scope.User)
			require.NoError(t, err)
			config, err := s.Reveal(t.Context(), setting)
			if models.CodeOf(err) == models.CodeVaultUnavailable {
				refusals++
				require.Nil(t, config)
				require.NotContains(t, err.Error(), "s3cret")
				continue
			}
			require.NotContains(t, string(config), "mias-token", scope.User)
		}
	}
	require.NotZero(t, refusals)
}

func TestAnotherKeyOpensNothing(t *testing.T) {
	t.Parallel()
	db := newStore(t)
	s := exporting(t, db)
	configure(t, s, valid)
	other := serviceWith(t, db, registry(t, "fs_export"), policy.Tooling{}, keyring(t, db, 2))
	_, err := other.Reveal(t.Context(), settingOf(t, other, owner()))
	require.Equal(t, models.CodeVaultUnavailable, models.CodeOf(err))
	require.ErrorIs(t, err, vault.ErrSealed)
}

// TestDamagedRowsAreErrors: what is stored is never taken for something else.
func TestDamagedRowsAreErrors(t *testing.T) {
	t.Parallel()
	for _, damage := range []string{`[]`, `{"region":`} {
		for _, table := range []string{"agent_tooling", "toolkit_overrides"} {
			db := newStore(t)
			s := exporting(t, db)
			configure(t, s, valid, "folder")
			require.NoError(t, s.SaveOverride(as(t, owner()), "desk", "fs_export", value(t, `{"folder":"x"}`)))
			item, err := s.Get(as(t, owner()), "desk")
			require.NoError(t, err)
			exec(t, db, "UPDATE "+table+" SET params = ?", damage)
			_, err = s.Setting(as(t, owner()), exportTool(t, registry(t, "fs_export")), item.Agent.ID, "olga")
			require.Equal(t, models.CodeInternal, models.CodeOf(err))
			if table == "toolkit_overrides" {
				_, err = s.Override(as(t, owner()), "desk", "fs_export")
			} else {
				_, err = s.ToolkitConfig(as(t, owner()), "desk")
			}
			require.Equal(t, models.CodeInternal, models.CodeOf(err))
		}
	}
}

// TestSecretsAreNowhere looks at everything that is stored and shown.
func TestSecretsAreNowhere(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *store.Store) {
		s := exporting(t, db)
		configure(t, s, valid, "token")
		require.NoError(t, s.SaveOverride(as(t, member()), "desk", "fs_export", value(t, `{"token":"mias-token"}`)))
		_, err := s.Configure(as(t, owner()), "desk", "fs_export", agents.Change{
			Params: value(t, `{"region":"mars","api_key":"s3cret-key","token":"mias-token\u0000"}`),
		})
		require.Error(t, err)
		for name, shown := range map[string]any{
			"error": err.Error(), "overview": must(s.ToolkitConfig(as(t, owner()), "desk")),
			"override": must(s.Override(as(t, member()), "desk", "fs_export")),
			"versions": must(s.Versions(as(t, owner()), "desk")),
			"setting":  settingOf(t, s, member()),
			"rows":     rows(t, db, "SELECT params, secrets FROM agent_tooling") + rows(t, db, "SELECT params, secrets FROM toolkit_overrides"),
		} {
			printed := fmt.Sprintf("%+v %#v", shown, shown)
			for _, secret := range []string{"s3cret-key", "mias-token"} {
				require.NotContains(t, printed, secret, name)
				require.NotContains(t, printed, base64.StdEncoding.EncodeToString([]byte(secret))[:8], name)
			}
		}
	})
}

// rows returns two columns of text, as they are stored.
func rows(t *testing.T, db *store.Store, query string) string {
	t.Helper()
	var all strings.Builder
	p, err := tenancy.PartitionOf("acme")
	require.NoError(t, err)
	require.NoError(t, db.Write(t.Context(), p, func(ctx context.Context) error {
		tx, err := db.Tx(ctx)
		require.NoError(t, err)
		found, err := tx.QueryContext(ctx, query)
		require.NoError(t, err)
		defer func() { require.NoError(t, found.Close()) }()
		for found.Next() {
			var params, secrets string
			require.NoError(t, found.Scan(&params, &secrets))
			all.WriteString(params + secrets)
		}
		return found.Err()
	}))
	require.NotEmpty(t, all.String())
	return all.String()
}

func TestForOptions(t *testing.T) {
	t.Parallel()
	s := exporting(t, newStore(t))
	configure(t, s, valid)
	denied := owner()
	denied.MayAuthor = false
	for _, c := range []struct {
		scope tenancy.Scope
		slug  string
		want  models.Code
	}{
		{stranger(), "fs_gone", models.CodeNotFound},
		{peer(), "fs_gone", models.CodeNotManageable},
		{denied, "fs_gone", models.CodeAuthoringDenied},
		{owner(), "fs_gone", models.CodeNotFound},
		{owner(), "FS_EXPORT", ""},
	} {
		ctx, err := s.ForOptions(as(t, c.scope), "desk", c.slug)
		require.Equal(t, c.want, models.CodeOf(err))
		if c.want != "" {
			require.Nil(t, ctx)
			continue
		}
		agent, ok := tenancy.AgentFromContext(ctx)
		require.True(t, ok)
		item, err := s.Get(ctx, "desk")
		require.NoError(t, err)
		require.Equal(t, tenancy.Agent{ID: item.Agent.ID, Version: 2, Tenant: "acme"}, agent)
	}
}

// TestConcurrentChanges lets many set up and take away at once. Each answer is
// a success, a conflict or, of what was taken away, not_found.
func TestConcurrentChanges(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *store.Store) {
		s := exporting(t, db)
		v := configure(t, s, valid)
		var done sync.WaitGroup
		errs := make([]error, 24)
		for i := range errs {
			done.Go(func() {
				if i%3 == 0 {
					_, errs[i] = s.RemoveToolkit(as(t, owner()), "desk", "fs_export", 0)
					return
				}
				_, errs[i] = s.Configure(as(t, owner()), "desk", "fs_export", agents.Change{
					Params: value(t, fmt.Sprintf(`{"region":"eu","api_key":"key","max_rows":%d}`, i+1)),
				})
			})
		}
		done.Wait()
		succeeded := 0
		for _, err := range errs {
			switch models.CodeOf(err) {
			case "":
				succeeded++
			case models.CodeVersionConflict, models.CodeNotFound:
			default:
				require.NoError(t, err)
			}
		}
		item, err := s.Get(as(t, owner()), "desk")
		require.NoError(t, err)
		require.Equal(t, v.Number+succeeded, item.Agent.Version)
		overview, err := s.ToolkitConfig(as(t, owner()), "desk")
		require.NoError(t, err)
		require.Len(t, overview.Toolkits, len(item.Live.Definition.Toolkits))
		require.Equal(t, len(overview.Toolkits) == 1, settingOf(t, s, owner()).Stored, "settings are those of what is assigned")
	})
}
