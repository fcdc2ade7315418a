package store_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/store"
)

func toolkitCases() map[string]isolationCase {
	return map[string]isolationCase{
		"ToolkitSettings": finds(func(ctx context.Context, s *store.Store) (any, error) {
			return s.ToolkitSettings(ctx, agentID)
		}),
		"ToolkitSetting": finds(func(ctx context.Context, s *store.Store) (any, error) {
			return s.ToolkitSetting(ctx, agentID, toolkitSlug)
		}),
		"ToolkitSettingsFor": finds(func(ctx context.Context, s *store.Store) (any, error) {
			settings, own, err := s.ToolkitSettingsFor(ctx, agentID, toolkitSlug, userID)
			return struct {
				Settings models.ToolkitSettings
				Own      models.ToolkitOverride
			}{settings, own}, err
		}),
		"SaveToolkitSettings": creates(func(ctx context.Context, s *store.Store) error {
			return s.SaveToolkitSettings(ctx,
				models.ToolkitSettings{TenantID: "beta", AgentID: agentID, Slug: "new", Params: "{}"})
		}),
		"DeleteToolkitSettings": finds(func(ctx context.Context, s *store.Store) (any, error) {
			return s.DeleteToolkitSettings(ctx, agentID, toolkitSlug)
		}),
		"ToolkitOverride": finds(func(ctx context.Context, s *store.Store) (any, error) {
			return s.ToolkitOverride(ctx, agentID, toolkitSlug, userID)
		}),
		"SaveToolkitOverride": creates(func(ctx context.Context, s *store.Store) error {
			return s.SaveToolkitOverride(ctx,
				models.ToolkitOverride{TenantID: "beta", AgentID: agentID, Slug: toolkitSlug, UserID: "new", Params: "{}"})
		}),
		"DeleteToolkitOverride": finds(func(ctx context.Context, s *store.Store) (any, error) {
			return s.DeleteToolkitOverride(ctx, agentID, toolkitSlug, userID)
		}),
	}
}

func newSettings(params string) models.ToolkitSettings {
	return models.ToolkitSettings{
		AgentID: agentID, Slug: "fs_export", Params: params, UpdatedBy: "ann",
		Secrets:         map[string]models.SealedSecret{"key": {ID: models.NewID(), Box: []byte{1, 0, 255}}},
		UserOverridable: []string{"folder", "key"},
	}
}

func newOverride(user, params string) models.ToolkitOverride {
	return models.ToolkitOverride{
		AgentID: agentID, Slug: "fs_export", UserID: user, Params: params, UpdatedBy: user,
		Secrets: map[string]models.SealedSecret{"key": {ID: models.NewID(), Box: []byte(user)}},
	}
}

func TestToolkitSettingsAreReplacedWhole(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		seed(t, s, "alpha")
		first := newSettings(`{"folder":"a \u0000 b","limit":9007199254740993}`)
		first.Revision, first.UpdatedAt = 77, 1 // not the caller's to say
		began, err := s.Now(t.Context())
		require.NoError(t, err)
		write(t, s, "alpha", func(ctx context.Context) error { return s.SaveToolkitSettings(ctx, first) })
		read(t, s, func(ctx context.Context) error {
			got, err := s.ToolkitSetting(ctx, agentID, "fs_export")
			require.GreaterOrEqual(t, got.UpdatedAt, began)
			first.TenantID, first.Revision, first.UpdatedAt = "alpha", 1, got.UpdatedAt
			require.Equal(t, first, got)
			return err
		})

		next := models.ToolkitSettings{AgentID: agentID, Slug: "fs_export", Params: "{}", UpdatedBy: "bob"}
		write(t, s, "alpha", func(ctx context.Context) error { return s.SaveToolkitSettings(ctx, next) })
		read(t, s, func(ctx context.Context) error {
			list, err := s.ToolkitSettings(ctx, agentID)
			require.Len(t, list, 2)
			require.Equal(t, toolkitSlug, list[1].Slug, "sorted by slug")
			require.GreaterOrEqual(t, list[0].UpdatedAt, first.UpdatedAt)
			next.TenantID, next.Revision, next.UpdatedAt = "alpha", 2, list[0].UpdatedAt
			require.Equal(t, next, list[0], "no secret and no list of the first stays behind")
			return err
		})
	})
}

func TestToolkitOverridesAreOfOneUser(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		seed(t, s, "alpha")
		write(t, s, "alpha", func(ctx context.Context) error {
			require.NoError(t, s.SaveToolkitSettings(ctx, newSettings("{}")))
			require.NoError(t, s.SaveToolkitOverride(ctx, newOverride("ann", `{"folder":"first"}`)))
			require.NoError(t, s.SaveToolkitOverride(ctx, newOverride("bob", `{"folder":"bob"}`)))
			return s.SaveToolkitOverride(ctx, newOverride("ann", `{"folder":"ann"}`))
		})
		for user, revision := range map[string]int{"ann": 2, "bob": 1} {
			read(t, s, func(ctx context.Context) error {
				got, err := s.ToolkitOverride(ctx, agentID, "fs_export", user)
				require.Equal(t, `{"folder":"`+user+`"}`, got.Params)
				require.Equal(t, []byte(user), got.Secrets["key"].Box)
				require.Equal(t, revision, got.Revision)
				require.NotZero(t, got.UpdatedAt)
				return err
			})
		}
		write(t, s, "alpha", func(ctx context.Context) error {
			for _, want := range []bool{true, false} {
				found, err := s.DeleteToolkitOverride(ctx, agentID, "fs_export", "ann")
				require.NoError(t, err)
				require.Equal(t, want, found)
			}
			_, err := s.ToolkitOverride(ctx, agentID, "fs_export", "ann")
			require.Equal(t, models.CodeNotFound, models.CodeOf(err))
			return second(s.ToolkitOverride(ctx, agentID, "fs_export", "bob"))
		})
	})
}

func TestDeletedToolkitSettingsTakeTheOverridesAlong(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		seed(t, s, "alpha")
		write(t, s, "alpha", func(ctx context.Context) error {
			require.NoError(t, s.SaveToolkitSettings(ctx, newSettings("{}")))
			require.NoError(t, s.SaveToolkitOverride(ctx, newOverride("ann", "{}")))
			for _, want := range []bool{true, false} {
				found, err := s.DeleteToolkitSettings(ctx, agentID, "fs_export")
				require.NoError(t, err)
				require.Equal(t, want, found)
			}
			_, err := s.ToolkitSetting(ctx, agentID, "fs_export")
			require.Equal(t, models.CodeNotFound, models.CodeOf(err))

			require.NoError(t, s.SaveToolkitSettings(ctx, newSettings("{}")))
			_, err = s.ToolkitOverride(ctx, agentID, "fs_export", "ann")
			require.Equal(t, models.CodeNotFound, models.CodeOf(err), "what is made anew inherits nothing")
			return second(s.ToolkitOverride(ctx, agentID, toolkitSlug, userID))
		})
		require.Error(t, s.Write(t.Context(), partition(t, "alpha"), func(ctx context.Context) error {
			o := newOverride("ann", "{}")
			o.Slug = "fs_absent"
			return s.SaveToolkitOverride(ctx, o)
		}), "there is nothing to override")
	})
}

func TestToolkitSettingsFor(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		seed(t, s, "alpha")
		seed(t, s, "beta")
		settings, own := newSettings(`{"a":1}`), newOverride("ann", `{"a":2}`)
		write(t, s, "alpha", func(ctx context.Context) error {
			require.NoError(t, s.SaveToolkitSettings(ctx, settings))
			return s.SaveToolkitOverride(ctx, own)
		})
		read(t, s, func(ctx context.Context) error {
			settings, err := s.ToolkitSetting(ctx, agentID, "fs_export")
			require.NoError(t, err)
			own, err := s.ToolkitOverride(ctx, agentID, "fs_export", "ann")
			require.NoError(t, err)
			for _, c := range []struct {
				slug, user string
				settings   models.ToolkitSettings
				own        models.ToolkitOverride
			}{
				{"fs_export", "ann", settings, own},
				{"fs_export", "bob", settings, models.ToolkitOverride{}},
				{"fs_absent", "ann", models.ToolkitSettings{}, models.ToolkitOverride{}},
			} {
				gotSettings, gotOwn, err := s.ToolkitSettingsFor(ctx, agentID, c.slug, c.user)
				require.NoError(t, err)
				require.Equal(t, c.settings, gotSettings, c)
				require.Equal(t, c.own, gotOwn, c)
			}
			return nil
		})
	})
}

func TestEveryChangeOfAToolkitCounts(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		seed(t, s, "alpha")
		const changes = 20
		require.Empty(t, race(t, s, changes, func(ctx context.Context, _ int) error {
			if err := s.SaveToolkitSettings(ctx, newSettings("{}")); err != nil {
				return err
			}
			return s.SaveToolkitOverride(ctx, newOverride("ann", "{}"))
		}))
		read(t, s, func(ctx context.Context) error {
			settings, own, err := s.ToolkitSettingsFor(ctx, agentID, "fs_export", "ann")
			require.Equal(t, changes, settings.Revision)
			require.Equal(t, changes, own.Revision)
			return err
		})
	})
}
