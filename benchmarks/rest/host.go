package main

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/agentstudio/agentstudio/benchmarks/orders"
	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio"
	"github.com/agentstudio/agentstudio/studio/identity"
	"github.com/agentstudio/agentstudio/studio/store"
	"github.com/agentstudio/agentstudio/studio/vault"
	"github.com/agentstudio/agentstudio/web"
)

const (
	tenant = "acme"
	person = "admin@acme.test" // of the demo's people

	// inTable is how many orders the table holds.
	inTable = 10_000

	pathBare   = "/bare"
	pathStudio = "/studio/api/v1/" + tenant + "/tools/fs_orders.list_orders/execute"
)

// host is an application with a table of orders that offers the same read
// twice: by a route of its own and through the Studio that it mounts.
type host struct {
	table *table
	db    *store.Store
	app   *studio.Studio
	echo  *echo.Echo
	token string
}

// newHost builds a host with its files in a folder, which must be empty.
func newHost(ctx context.Context, folder string) (_ *host, err error) {
	h := &host{echo: echo.New()}
	h.echo.HideBanner, h.echo.HidePort = true, true
	defer func() {
		if err != nil {
			err = errors.Join(err, h.close(ctx))
		}
	}()
	if h.table, err = createTable(ctx, filepath.Join(folder, "orders.db"), tenant, inTable); err != nil {
		return nil, err
	}
	key, err := vault.LoadOrCreateKey(filepath.Join(folder, "master.key"))
	if err != nil {
		return nil, err
	}
	if err := h.mount(ctx, folder, key); err != nil {
		return nil, err
	}
	private := key.Derive(vault.PurposeTokens)
	public, ok := ed25519.NewKeyFromSeed(private[:]).Public().(ed25519.PublicKey)
	if !ok {
		return nil, errors.New("the public key has another type")
	}
	h.echo.POST(pathBare, newBare(h.table, public).handle)
	return h, nil
}

// mount opens the Studio's database and mounts the Studio.
func (h *host) mount(ctx context.Context, folder string, key vault.MasterKey) (err error) {
	if h.db, err = store.Open(ctx, store.Config{DSN: filepath.Join(folder, "studio.db")}); err != nil {
		return err
	}
	if err := h.db.Migrate(ctx); err != nil {
		return err
	}
	people := identity.NewService(identity.Config{Store: h.db, Tokens: identity.NewTokens(key.Derive(vault.PurposeTokens), time.Now)})
	if err := identity.SeedDemo(ctx, h.db, models.InstantOf(time.Now())); err != nil {
		return err
	}
	registry := hosttools.NewRegistry(h.tools())
	if rejections := registry.Rejections(); len(rejections) > 0 {
		return fmt.Errorf("the tools were refused: %v", rejections)
	}
	app, err := studio.New(studio.Config{
		Database: h.db, Key: key, Resolver: people, Registry: registry, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		return err
	}
	if err := web.Mount(h.echo, app, web.Config{Prefix: "/studio", Identity: people}); err != nil {
		return err
	}
	if err := app.Start(ctx); err != nil {
		return err
	}
	h.app = app
	h.token, _, err = people.IssueAPIToken(ctx, tenant, identity.NewToken{User: identity.UserID(person), Name: "bench"})
	return err
}

// listIn is what the tool takes.
type listIn struct {
	Tenant hosttools.TenantID `json:"-"`
	Status string             `json:"status" jsonschema:"only orders of this status" enum:"pending,shipped,delivered,cancelled,refunded"`
}

func (h *host) tools() hosttools.Host {
	list := func(ctx context.Context, in listIn) (orders.Page, error) {
		return h.table.list(ctx, string(in.Tenant), in.Status)
	}
	return hosttools.Host{Prefix: "fs_", Tools: map[string]hosttools.Constructor{
		"fs_orders": func() (hosttools.Entry, error) {
			return hosttools.Toolkit{
				Prefix: "fs", Title: "Orders", Version: "1", TenantBound: true,
				Methods: []hosttools.Method{
					hosttools.NewMethod("list_orders", "List the orders of one status.", list, hosttools.Read()),
				},
			}, nil
		},
	}}
}

// close ends what is open.
func (h *host) close(ctx context.Context) error {
	var errs []error
	if h.app != nil {
		errs = append(errs, h.app.Stop(context.WithoutCancel(ctx)))
	}
	if h.db != nil {
		errs = append(errs, h.db.Close())
	}
	if h.table != nil {
		errs = append(errs, h.table.close())
	}
	return errors.Join(errs...)
}
