package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
	"github.com/labstack/echo/v4"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/hosttools/sample"
	"github.com/agentstudio/agentstudio/studio"
	"github.com/agentstudio/agentstudio/studio/identity"
	"github.com/agentstudio/agentstudio/studio/store"
	"github.com/agentstudio/agentstudio/studio/vault"
	"github.com/agentstudio/agentstudio/web"
	"github.com/agentstudio/agentstudio/web/auth"
)

// shutdownWithin is how long running requests and jobs may take to finish.
const shutdownWithin = 15 * time.Second

// serveCommand serves the demo host with the Studio mounted in it.
type serveCommand struct{}

// Run serves until ctx is done, and then lets what runs finish.
func (serveCommand) Run(ctx context.Context, s *settings) (err error) {
	_, unplaced := s.place()
	if err := errors.Join(s.loopback(), s.ownPrefix(), unplaced); err != nil {
		return err
	}
	d, err := openDemo(ctx, s)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.close()) }()
	provider, err := s.provider(d.key)
	if err != nil {
		return err
	}
	e, err := d.server(s, provider)
	if err != nil {
		return err
	}
	// Nothing runs in the background before the address is ours.
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", s.Addr)
	if err != nil {
		return fmt.Errorf("listen on %s: %w; is another server running there?", s.Addr, err)
	}
	if err := d.app.Start(ctx); err != nil {
		return errors.Join(err, listener.Close())
	}
	return d.serve(ctx, s, e, listener)
}

// demo is the demo host: its company, and the Studio that it mounts.
type demo struct {
	lock    *flock.Flock // of the data folder
	company *sample.Company
	db      *store.Store
	people  *identity.Service
	app     *studio.Studio
	key     vault.MasterKey
}

func openDemo(ctx context.Context, s *settings) (_ *demo, err error) {
	d := &demo{lock: flock.New(filepath.Join(s.Data, "serve.lock"))}
	defer func() {
		if err != nil {
			err = errors.Join(err, d.close())
		}
	}()
	key, err := s.key()
	if err != nil {
		return nil, err
	}
	if err := d.alone(s); err != nil {
		return nil, err
	}
	if d.db, err = s.open(ctx); err != nil {
		return nil, err
	}
	if err := d.migrate(ctx, s); err != nil {
		return nil, err
	}
	orders := filepath.Join(s.Data, "orders.db")
	if err := private(orders); err != nil {
		return nil, err
	}
	if d.company, err = sample.Open(ctx, orders); err != nil {
		return nil, err
	}
	d.people, d.key = people(d.db, key), key
	resolver, err := s.resolver(d.people)
	if err != nil {
		return nil, err
	}
	previous, err := s.previousKeys()
	if err != nil {
		return nil, err
	}
	d.app, err = studio.New(studio.Config{
		Database: d.db, Key: key, PreviousKeys: previous, Registry: hosttools.NewRegistry(d.company.Host()), Resolver: resolver,
	})
	if err != nil {
		return nil, err
	}
	if s.NoDemo {
		return d, nil
	}
	return d, d.seed(ctx)
}

// alone refuses to serve a data folder that another server has: its files are
// for one process.
func (d *demo) alone(s *settings) error {
	locked, err := d.lock.TryLock()
	if err != nil {
		return fmt.Errorf("lock the data folder: %w", err)
	}
	if !locked {
		return fmt.Errorf("another server uses the data folder %s; stop it, or name another folder with --data", s.Data)
	}
	return nil
}

// migrate brings the embedded database up to date. A server database is only
// checked: who runs it decides when its schema changes.
func (d *demo) migrate(ctx context.Context, s *settings) error {
	if s.embedded() {
		return d.db.Migrate(ctx)
	}
	if err := d.db.Verify(ctx); err != nil {
		return fmt.Errorf("the database cannot be served: %w", err)
	}
	return nil
}

// server returns the host's own server: its pages, and the Studio beside them.
func (d *demo) server(s *settings, provider identity.Provider) (*echo.Echo, error) {
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	hosts := []string{"localhost", "127.0.0.1", "::1"}
	place, err := s.place()
	if err != nil {
		return nil, err
	}
	proxies, err := auth.TrustedProxies(s.TrustedProxies)
	if err != nil {
		return nil, err
	}
	e.Pre(web.OnlyHosts(place.Hosts(hosts)))
	orders := echo.WrapHandler(d.company.Page(place.Base, d.people.Names))
	e.GET("/orders", orders)
	e.GET("/orders/*", orders)
	e.GET("/", func(c echo.Context) error { return c.Redirect(http.StatusSeeOther, place.Base+"/") })
	web.MountHealth(e, d.app)
	err = web.Mount(e, d.app, web.Config{
		Prefix: s.Prefix, PublicURL: s.PublicURL, TrustedProxies: proxies, Identity: d.people, Provider: provider, Demo: !s.NoDemo, Hosts: hosts,
	})
	return e, err
}

// serve answers until ctx is done, and then ends requests and jobs.
func (d *demo) serve(ctx context.Context, s *settings, e *echo.Echo, listener net.Listener) error {
	// Streams live as long as their requests' context: it ends with the server.
	streams, endStreams := context.WithCancel(context.WithoutCancel(ctx))
	defer endStreams()
	server := &http.Server{
		Handler: e, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second,
		IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
		BaseContext: func(net.Listener) context.Context { return streams },
	}
	server.RegisterOnShutdown(endStreams)
	printWelcome(listener.Addr(), s)
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return errors.Join(err, d.shutdown(server))
	case <-ctx.Done():
	}
	return d.shutdown(server)
}

func (d *demo) shutdown(server *http.Server) error {
	ctx, cancel := context.WithTimeout(context.Background(), shutdownWithin)
	defer cancel()
	return errors.Join(server.Shutdown(ctx), d.app.Stop(ctx))
}

// close closes both databases, as far as they were opened, and lets go of the
// data folder.
func (d *demo) close() error {
	var err error
	if d.company != nil {
		err = d.company.Close()
	}
	if d.db != nil {
		err = errors.Join(err, d.db.Close())
	}
	return errors.Join(err, d.lock.Unlock())
}

func printWelcome(addr net.Addr, s *settings) {
	base := "http://" + addr.String()
	fmt.Fprintf(os.Stdout, "Agent Studio is ready.\n\n  Studio        %s%s\n  Host's orders %s/orders\n\n", base, s.Prefix, base)
	if s.NoDemo {
		fmt.Fprintln(os.Stdout, "Make a tenant, and a link for its first admin, with: agentstudio tenant create ID --name NAME --admin EMAIL")
		return
	}
	fmt.Fprintln(os.Stdout, "Sign in with one click, as one of:")
	for _, person := range identity.DemoPeople() {
		fmt.Fprintf(os.Stdout, "  %-20s %-7s of %s\n", person.Email, person.Role, person.Tenant)
	}
	fmt.Fprintln(os.Stdout, "\nThe model is the offline planner: rules, not a language model. Stop with Ctrl+C.")
}
