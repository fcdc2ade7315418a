package studio_test

import (
	"log/slog"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/studio"
	"github.com/agentstudio/agentstudio/studio/store"
	"github.com/agentstudio/agentstudio/studio/store/storetest"
	"github.com/agentstudio/agentstudio/studio/vault"
)

// TestStartAndStopAsOftenAsOneLikes starts one from several places at once.
func TestStartAndStopAsOftenAsOneLikes(t *testing.T) {
	t.Parallel()
	db, err := store.Open(t.Context(), store.Config{DSN: storetest.SQLite(t)})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	require.NoError(t, db.Migrate(t.Context()))
	key, err := vault.LoadOrCreateKey(filepath.Join(t.TempDir(), "master.key"))
	require.NoError(t, err)
	fresh := func() *studio.Studio {
		app, err := studio.New(studio.Config{
			Database: db, Key: key, Registry: hosttools.NewRegistry(hosttools.Host{}), Logger: slog.New(slog.DiscardHandler),
		})
		require.NoError(t, err)
		return app
	}
	app := fresh()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if err := app.Start(t.Context()); err != nil {
				t.Errorf("start: %v", err)
			}
		})
	}
	all.Wait()
	for range 3 {
		require.NoError(t, app.Stop(t.Context()))
	}
	require.ErrorIs(t, app.Start(t.Context()), studio.ErrStopped)
	never := fresh()
	require.NoError(t, never.Stop(t.Context()), "before it was started")
	require.ErrorIs(t, never.Start(t.Context()), studio.ErrStopped)
}
