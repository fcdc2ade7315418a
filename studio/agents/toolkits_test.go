package agents_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/policy"
	"github.com/agentstudio/agentstudio/studio/agents"
	"github.com/agentstudio/agentstudio/studio/store"
	"github.com/agentstudio/agentstudio/tenancy"
)

// oneQuery is a store that fails when toolkits are asked for one by one.
type oneQuery struct {
	*store.Store

	asked int
}

func (o *oneQuery) ToolkitSettings(ctx context.Context, agentID string) ([]models.ToolkitSettings, error) {
	o.asked++
	return o.Store.ToolkitSettings(ctx, agentID)
}

func (o *oneQuery) ToolkitSetting(context.Context, string, string) (models.ToolkitSettings, error) {
	return models.ToolkitSettings{}, fmt.Errorf("asked one by one")
}

func TestToolkitConfig(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *store.Store) {
		s := exporting(t, db)
		configure(t, s, valid, "token")
		v, err := s.Assign(as(t, owner()), "desk", 2, "fs_notify")
		require.NoError(t, err)

		asked := &oneQuery{Store: db}
		s = service(t, asked, registry(t, "fs_export", "fs_notify"), policy.Tooling{})
		got, err := s.ToolkitConfig(as(t, member()), "desk")
		require.NoError(t, err)
		require.Equal(t, 1, asked.asked)
		require.Equal(t, v.Number, got.Item.Agent.Version)
		require.Empty(t, got.Unavailable)
		require.Len(t, got.Toolkits, 2)
		first, second := got.Toolkits[0], got.Toolkits[1]
		require.Equal(t, "Export", first.Title)
		require.True(t, first.Available)
		require.NotNil(t, first.Group.Config)
		require.Equal(t, `{"api_key":"********","region":"eu"}`, text(t, first.Params))
		require.Equal(t, []string{"token"}, first.UserOverridable)
		require.Equal(t, "fs_notify", second.Slug)
		require.Nil(t, second.Group.Config)
		require.False(t, second.Stored)
		require.Equal(t, []string{}, second.UserOverridable)
		require.Empty(t, second.Issues)
	})
}

func TestWhoMaySeeToolkits(t *testing.T) {
	t.Parallel()
	s := exporting(t, newStore(t))
	configure(t, s, valid)
	denied := owner()
	denied.MayAuthor = false
	for name, c := range map[string]struct {
		scope    tenancy.Scope
		seen     bool
		editable bool
		reason   string
	}{
		"owner":         {owner(), true, true, ""},
		"admin":         {admin(), true, true, ""},
		"without right": {denied, true, false, "may not build agents"},
		"peer":          {peer(), true, false, "shared with you"},
		"stranger":      {stranger(), false, false, ""},
	} {
		got, err := s.ToolkitConfig(as(t, c.scope), "desk")
		_, absent := s.ToolkitConfig(as(t, c.scope), "no-such-agent")
		_, one := s.Toolkit(as(t, c.scope), "desk", "fs_export")
		if !c.seen {
			require.Equal(t, absent, err, name)
			require.Equal(t, absent, one, name)
			continue
		}
		require.NoError(t, err, name)
		require.NoError(t, one, name)
		require.Equal(t, c.editable, got.Editable, name)
		require.Contains(t, got.Reason, c.reason, name)
		require.Equal(t, c.editable, got.Reason == "", name)
		_, err = s.Toolkit(as(t, c.scope), "desk", "fs_orders")
		require.Equal(t, models.CodeNotFound, models.CodeOf(err), "it is not assigned")
	}
}

func TestUnavailableToolkitsAreKept(t *testing.T) {
	t.Parallel()
	db := newStore(t)
	s := exporting(t, db)
	configure(t, s, valid)
	_, err := s.Assign(as(t, owner()), "desk", 2, "fs_orders")
	require.NoError(t, err)

	s = service(t, db, registry(t, "fs_orders"), policy.Tooling{TenantToolkits: map[string][]string{"acme": {}}})
	got, err := s.ToolkitConfig(as(t, owner()), "desk")
	require.NoError(t, err)
	require.Equal(t, []string{"fs_export", "fs_orders"}, got.Unavailable)
	gone, refused := got.Toolkits[0], got.Toolkits[1]
	require.False(t, gone.Available)
	require.Nil(t, gone.Group)
	require.Equal(t, `{"api_key":"********","region":"eu"}`, text(t, gone.Params))
	require.Contains(t, gone.Why, "host does not offer")
	require.False(t, refused.Available)
	require.NotNil(t, refused.Group)
	require.Contains(t, refused.Why, "not open to you")

	_, err = s.Configure(as(t, owner()), "desk", "fs_export", agents.Change{Params: value(t, "{}")})
	require.Equal(t, models.CodeNotFound, models.CodeOf(err))
	_, err = s.Override(as(t, owner()), "desk", "fs_export")
	require.Equal(t, models.CodeNotFound, models.CodeOf(err))
	_, err = s.RemoveToolkit(as(t, owner()), "desk", "fs_export", 0)
	require.NoError(t, err, "what is gone can be taken away")
}

// TestToolkitsOfTwoTenants gives the same name and slug other settings.
func TestToolkitsOfTwoTenants(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *store.Store) {
		s := exporting(t, db)
		theirs := create(t, s, stranger())
		configure(t, s, valid, "folder")
		_, err := s.Configure(as(t, stranger()), "desk", "fs_export", agents.Change{
			Params: value(t, `{"region":"us","api_key":"theirs"}`), UserOverridable: []string{"folder"},
		})
		require.NoError(t, err)
		require.Equal(t, `{"api_key":"********","region":"eu"}`, text(t, shown(t, s).Params))
		got, err := s.Toolkit(as(t, stranger()), "desk", "fs_export")
		require.NoError(t, err)
		require.Equal(t, `{"api_key":"********","region":"us"}`, text(t, got.Params))

		setting, err := s.Setting(as(t, owner()), exportTool(t, registry(t, "fs_export")), theirs.ID, "gus")
		require.NoError(t, err)
		require.False(t, setting.Stored, "an id of another tenant is that of nothing")
		_, err = s.RemoveToolkit(as(t, stranger()), "desk", "fs_export", 0)
		require.NoError(t, err)
		require.True(t, shown(t, s).Stored)
	})
}

// TestChangedTypes lets the host change what can be set after it was set.
func TestChangedTypes(t *testing.T) {
	t.Parallel()
	type before struct {
		Name   string           `json:"name"`
		Key    string           `json:"key"`
		Old    string           `json:"old,omitzero"`
		Secret hosttools.Secret `json:"secret"`
		Count  string           `json:"count,omitzero"`
	}
	type after struct {
		Name   hosttools.Server[string] `json:"name"`
		Key    hosttools.Secret         `json:"key"`
		Secret string                   `json:"secret"`
		Count  int                      `json:"count,omitzero"`
	}
	kit := func(config func() any) *hosttools.Registry {
		r := hosttools.NewRegistry(hosttools.Host{Prefix: "fs_", Tools: map[string]hosttools.Constructor{
			"fs_export": func() (hosttools.Entry, error) {
				return hosttools.Toolkit{
					Prefix: "fs", Title: "Export", Description: "Export orders.", Config: config(),
					Methods: []hosttools.Method{hosttools.NewMethod("export", "Export orders.", nop)},
				}, nil
			},
		}})
		require.Empty(t, r.Rejections())
		return r
	}
	db := newStore(t)
	s := service(t, db, kit(func() any { return &before{} }), policy.Tooling{})
	create(t, s, owner())
	configure(t, s, `{"name":"n","key":"was-plain","old":"o","secret":"x","count":"7"}`, "key", "old")

	r := kit(func() any { return &after{} })
	s = service(t, db, r, policy.Tooling{})
	view := shown(t, s)
	require.Equal(t, `{"count":"7","old":"o"}`, text(t, view.Params), "what has become a secret is not shown, nor what the server sets")
	require.Equal(t, []string{"key"}, view.UserOverridable)
	var said []string
	for _, issue := range view.Issues {
		said = append(said, issue.Pointer+" "+issue.Message)
	}
	require.ElementsMatch(t, []string{
		"/old is not known any more", "/count must be a whole number",
	}, said)
	_, err := s.Reveal(t.Context(), settingWith(t, s, owner(), r))
	require.Equal(t, models.CodeNotConfigured, models.CodeOf(err))

	configure(t, s, `{"key":"k","secret":"plain","count":7}`)
	require.Empty(t, shown(t, s).Issues)
	revealed, err := s.Reveal(t.Context(), settingWith(t, s, owner(), r))
	require.NoError(t, err)
	require.JSONEq(t, `{"key":"k","secret":"plain","count":7}`, string(revealed))
}
