package web_test

import (
	"context"
	"log"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio"
	"github.com/agentstudio/agentstudio/studio/store"
	"github.com/agentstudio/agentstudio/studio/vault"
	"github.com/agentstudio/agentstudio/tenancy"
	"github.com/agentstudio/agentstudio/web"
)

// tickets is a toolkit: typed methods over the host's own data.
type tickets struct{}

type closeIn struct {
	Tenant hosttools.TenantID `json:"-"` // filled by the server, never by a model
	Ticket string             `json:"ticket" jsonschema:"number of the ticket, such as T-17"`
}

type closeOut struct {
	Closed bool `json:"closed"`
}

func (tickets) Close(ctx context.Context, in closeIn) (closeOut, error) {
	return closeOut{Closed: true}, ctx.Err()
}

func newTickets() (hosttools.Entry, error) {
	return hosttools.Toolkit{
		Prefix: "hd", Title: "Tickets", Description: "Look at help desk tickets and close them.",
		Methods: []hosttools.Method{
			// Not declared a read, so it is a write: it runs after a person approved it.
			hosttools.NewMethod("close_ticket", "Close a ticket.", tickets{}.Close, hosttools.Verb("Close a ticket")),
		},
	}, nil
}

// callers says who calls. This host asks its own sessions.
type callers struct{}

func (callers) Resolve(_ context.Context, r *http.Request) (tenancy.Scope, error) {
	user, err := r.Cookie("helpdesk_user")
	if err != nil {
		return tenancy.Scope{}, models.Errorf(models.CodeUnauthenticated, "Sign in to the help desk first.")
	}
	return tenancy.Scope{
		User: user.Value, Name: user.Value, Tenant: "acme", MayAuthor: true, StudioEnabled: true,
		Via: tenancy.ViaBrowser, Session: user.Value,
	}, nil
}

func (callers) Reload(_ context.Context, tenant, user string) (tenancy.Scope, error) {
	return tenancy.Scope{User: user, Tenant: tenant, MayAuthor: true, StudioEnabled: true, Via: tenancy.ViaJob}, nil
}

func (callers) Names(context.Context, string, []string) (map[string]string, error) { return nil, nil }

func (callers) TenantName(context.Context, string) (string, error) { return "Acme", nil }

func Example() {
	ctx := context.Background()
	key, err := vault.LoadOrCreateKey("master.key")
	check(err)
	db, err := store.Open(ctx, store.Config{DSN: "studio.db"})
	check(err)
	check(db.Migrate(ctx))

	app, err := studio.New(studio.Config{
		Database: db, Key: key, Resolver: callers{},
		Registry: hosttools.NewRegistry(hosttools.Host{
			Prefix: "hd_",
			Tools:  map[string]hosttools.Constructor{"hd_tickets": newTickets},
		}),
	})
	check(err)

	e := echo.New() // your server, with your routes and your error handler
	check(web.Mount(e, app, web.Config{Prefix: "/studio", Directory: callers{}}))
	check(app.Start(ctx))
	check(e.Start("127.0.0.1:8080"))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
