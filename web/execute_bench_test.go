package web_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/hosttools/sample"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio"
	"github.com/agentstudio/agentstudio/studio/identity"
	"github.com/agentstudio/agentstudio/studio/store"
	"github.com/agentstudio/agentstudio/studio/vault"
	"github.com/agentstudio/agentstudio/web"
)

// BenchmarkExport compares the execute route with a bare echo handler that runs
// the same query on the same file, over HTTP on loopback.
func BenchmarkExport(b *testing.B) {
	ctx := b.Context()
	folder := b.TempDir()
	company, err := sample.Open(ctx, filepath.Join(folder, "orders.db"))
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, company.Close()) })
	e := echo.New()
	e.POST("/bare", func(c echo.Context) error {
		out, err := company.Export(c.Request().Context(), "acme", "pending")
		if err != nil {
			return err
		}
		return c.JSON(http.StatusOK, out)
	})
	token := mounted(b, e, company, folder)
	server := httptest.NewServer(e)
	b.Cleanup(server.Close)

	b.Run("bare", func(b *testing.B) { load(b, server.URL+"/bare", "") })
	b.Run("execute", func(b *testing.B) {
		load(b, server.URL+"/studio/api/v1/acme/tools/fs_export/execute", token)
	})
}

// mounted mounts a Studio over the company and returns a token for it.
func mounted(b *testing.B, e *echo.Echo, company *sample.Company, folder string) string {
	b.Helper()
	ctx := b.Context()
	db, err := store.Open(ctx, store.Config{DSN: filepath.Join(folder, "studio.db")})
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, db.Close()) })
	require.NoError(b, db.Migrate(ctx))
	key, err := vault.LoadOrCreateKey(filepath.Join(folder, "master.key"))
	require.NoError(b, err)
	people := identity.NewService(identity.Config{Store: db, Tokens: identity.NewTokens(key.Derive(vault.PurposeTokens), time.Now)})
	require.NoError(b, identity.SeedDemo(ctx, db, models.InstantOf(time.Now())))
	app, err := studio.New(studio.Config{
		Database: db, Key: key, Resolver: people, Registry: hosttools.NewRegistry(company.Host()),
		Logger: slog.New(slog.DiscardHandler),
	})
	require.NoError(b, err)
	require.NoError(b, web.Mount(e, app, web.Config{Prefix: "/studio", Identity: people}))
	require.NoError(b, app.Start(ctx))
	b.Cleanup(func() { require.NoError(b, app.Stop(context.WithoutCancel(ctx))) })
	token, _, err := people.IssueAPIToken(ctx, "acme", identity.NewToken{
		User: identity.UserID("admin@acme.test"), Name: "bench", TTL: time.Hour,
	})
	require.NoError(b, err)
	return token
}

// load posts the same request from many connections.
func load(b *testing.B, url, token string) {
	b.Helper()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	b.SetParallelism(16)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			request, err := http.NewRequestWithContext(b.Context(), http.MethodPost, url, strings.NewReader(`{"args":{"status":"pending"}}`))
			if err != nil {
				b.Error(err)
				return
			}
			request.Header.Set("Content-Type", "application/json")
			request.Header.Set("Authorization", "Bearer "+token)
			response, err := client.Do(request)
			if err != nil {
				b.Error(err)
				return
			}
			_, _ = io.Copy(io.Discard, response.Body)
			_ = response.Body.Close()
			if response.StatusCode != http.StatusOK {
				b.Errorf("answered %d", response.StatusCode)
				return
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
}
