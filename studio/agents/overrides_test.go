package agents_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/store"
)

func TestOverrides(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *store.Store) {
		s := exporting(t, db)
		configure(t, s, valid, "folder", "max_rows", "token", "api_key")
		mia, pete := as(t, member()), as(t, peer())
		none, err := s.Override(mia, "desk", "fs_export")
		require.NoError(t, err)
		require.False(t, none.Configured)
		require.Equal(t, "{}", text(t, none.Params))
		require.Equal(t, []string{"api_key", "folder", "max_rows", "token"}, none.Overridable)

		require.NoError(t, s.SaveOverride(mia, "desk", "FS_EXPORT", value(t, `{"max_rows":2.0,"token":"mias-token"}`)))
		view, err := s.Override(mia, "desk", "fs_export")
		require.NoError(t, err)
		require.True(t, view.Configured)
		require.Equal(t, `{"max_rows":2,"token":"********"}`, text(t, view.Params))
		require.Empty(t, view.NotApplied)
		others, err := s.Override(pete, "desk", "fs_export")
		require.NoError(t, err)
		require.Equal(t, none, others, "it is hers alone")

		require.NoError(t, s.SaveOverride(mia, "desk", "fs_export", value(t, `{"token":"********","folder":"mine"}`)))
		view, err = s.Override(mia, "desk", "fs_export")
		require.NoError(t, err)
		require.Equal(t, `{"folder":"mine","token":"********"}`, text(t, view.Params), "it is replaced whole")

		configure(t, s, `{"region":"eu","api_key":"********"}`, "token")
		view, err = s.Override(mia, "desk", "fs_export")
		require.NoError(t, err)
		require.Equal(t, `{"token":"********"}`, text(t, view.Params))
		require.Equal(t, []string{"folder"}, view.NotApplied)
		require.Equal(t, []string{"token"}, view.Overridable)

		require.NoError(t, s.DeleteOverride(mia, "desk", "fs_export"))
		require.NoError(t, s.DeleteOverride(mia, "desk", "fs_export"), "again changes nothing")
		view, err = s.Override(mia, "desk", "fs_export")
		require.NoError(t, err)
		require.False(t, view.Configured)
	})
}

func TestWhatOverridesRefuse(t *testing.T) {
	t.Parallel()
	s := exporting(t, newStore(t))
	mia := as(t, member())
	save := func(params string) error { return s.SaveOverride(mia, "desk", "fs_export", value(t, params)) }
	require.Equal(t, models.CodeNotFound, models.CodeOf(save(`{}`)), "it is not assigned")
	_, err := s.Assign(as(t, owner()), "desk", 1, "fs_export")
	require.NoError(t, err)
	require.Equal(t, []string{"folder"}, paramsOf(t, models.CodeNotOverridable, save(`{"folder":"x"}`)), "nothing is set up")
	require.NoError(t, save(`{}`))

	configure(t, s, valid, "folder", "max_rows", "token")
	require.Equal(t, []string{"Build", "tenant"},
		paramsOf(t, models.CodeServerManaged, save(`{"region":"eu","Build":1,"tenant":"x","max_rows":"x"}`)))
	require.Equal(t, []string{"api_key", "region", "what"},
		paramsOf(t, models.CodeNotOverridable, save(`{"what":1,"region":"eu","api_key":"********","max_rows":"x"}`)))
	require.Contains(t, issuesOf(t, save(`{"max_rows":"x","folder":"f"}`))["/max_rows"], "must be")
	require.Contains(t, issuesOf(t, save(`{"token":"********"}`))["/token"], "no stored value")
	require.Contains(t, issuesOf(t, save(`"x"`))[""], "must be an object")

	require.NoError(t, save(`{"token":"mias-token"}`))
	require.NoError(t, save(`{"token":""}`))
	view, err := s.Override(mia, "desk", "fs_export")
	require.NoError(t, err)
	require.False(t, view.Configured, "nothing is left of it")
}

// TestWhoMayOverride compares whole errors: unseen is absent.
func TestWhoMayOverride(t *testing.T) {
	t.Parallel()
	s := exporting(t, newStore(t))
	configure(t, s, valid, "folder")
	ctx := as(t, stranger())
	_, absent := s.Override(ctx, "no-such-agent", "fs_export")
	_, err := s.Override(ctx, "desk", "fs_export")
	require.Equal(t, absent, err)
	require.Equal(t, absent, s.SaveOverride(ctx, "desk", "fs_export", value(t, `{"tenant":1}`)))
	require.Equal(t, absent, s.DeleteOverride(ctx, "desk", "fs_export"))
	for _, code := range []models.Code{
		models.CodeOf(s.DeleteOverride(as(t, peer()), "desk", "fs_orders")),
		models.CodeOf(s.DeleteOverride(as(t, peer()), "desk", "fs_gone")),
	} {
		require.Equal(t, models.CodeNotFound, code)
	}
	require.Equal(t, models.CodeUnauthenticated, models.CodeOf(s.DeleteOverride(t.Context(), "desk", "fs_export")))
}
