package hostguide_test

import (
	"bytes"
	"context"
	"database/sql"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/tenancy"
)

func example() (*mailServer, contacts) {
	return &mailServer{subjects: map[string][]string{"service": {"Hello", "Invoice"}, "support": nil}},
		contacts{owner: map[int64]string{1: "acme", 2: "globex"}}
}

// acme returns a context of a caller of the tenant acme.
func acme(t *testing.T) context.Context {
	t.Helper()
	return tenancy.WithScope(t.Context(), tenancy.Scope{User: "ann", Tenant: "acme"})
}

func TestMailOpensOnceAndCloses(t *testing.T) {
	t.Parallel()
	server, customers := example()
	tool, found := hosttools.MustRegistry(hostOf(server, customers)).Lookup("hd_list_mail")
	require.True(t, found)
	require.JSONEq(t, `{"mailbox":"service"}`, string(tool.Config.Defaults))

	instance, err := tool.Construct([]byte(`{"mailbox":"service","password":"pw"}`))
	require.NoError(t, err)
	require.Zero(t, server.opened, "constructing opens nothing")
	require.Error(t, instance.Open(t.Context()), "not outside of a tenant")
	require.NoError(t, instance.Open(acme(t)))
	options, err := instance.ConfigOptions(acme(t), "mailbox")
	require.NoError(t, err)
	require.Equal(t, []hosttools.Option{
		{Value: "service", Label: "Mailbox service"}, {Value: "support", Label: "Mailbox support"},
	}, options)
	page, err := instance.Call(acme(t), "list_mail", []byte(`{"max_rows":1}`), nil)
	require.NoError(t, err)
	require.JSONEq(t, `{"items":["Hello"],"count":1,"truncated":true}`, string(page))
	require.NoError(t, instance.Close(acme(t)))
	require.Equal(t, 1, server.closed)
}

func TestContactIsOneOf(t *testing.T) {
	t.Parallel()
	tool, found := hosttools.MustRegistry(hostOf(example())).Lookup("hd_set_contact")
	require.True(t, found)
	instance, err := tool.Construct(nil)
	require.NoError(t, err)
	filled := map[string]string{"tenant": "acme", "caller": "ann"}
	out, err := instance.Call(acme(t), "set_contact",
		[]byte(`{"customer":1,"contact":{"kind":"phone","number":"+4930123456"}}`), filled)
	require.NoError(t, err)
	require.JSONEq(t, `{"line":"+4930123456, by ann"}`, string(out))

	_, err = instance.Call(acme(t), "set_contact", []byte(`{"customer":2,"contact":{"kind":"mail","address":"a@b.test"}}`), filled)
	require.Equal(t, string(tenancy.HostTenantMismatch), models.ReasonOf(err))
	_, err = instance.Call(acme(t), "set_contact", []byte(`{"customer":3,"contact":{"kind":"mail","address":"a@b.test"}}`), filled)
	var own *hosttools.Error
	require.ErrorAs(t, err, &own)
	require.Equal(t, "customer_not_found", own.Code)
}

func TestCreditIsInTheTransaction(t *testing.T) {
	t.Parallel()
	db, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "credits.db"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	_, err = db.ExecContext(t.Context(), `CREATE TABLE credits (tenant TEXT, customer INTEGER, cents INTEGER)`)
	require.NoError(t, err)
	tool, found := hosttools.MustRegistry(hostOf(example())).Lookup("hd_grant_credit")
	require.True(t, found)
	require.True(t, tool.Transactional)
	instance, err := tool.Construct(nil)
	require.NoError(t, err)
	filled := map[string]string{"tenant": "acme"}

	_, err = instance.Call(acme(t), "grant_credit", []byte(`{"customer":1,"cents":500}`), filled)
	require.ErrorContains(t, err, "no transaction")
	tx, err := db.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	out, err := instance.Call(hosttools.WithTx(acme(t), tx), "grant_credit", []byte(`{"customer":1,"cents":500}`), filled)
	require.NoError(t, err)
	require.JSONEq(t, `{"balance":500}`, string(out))
	require.NoError(t, tx.Rollback())
	var rows int
	require.NoError(t, db.QueryRowContext(t.Context(), `SELECT count(*) FROM credits`).Scan(&rows))
	require.Zero(t, rows, "undone with the transaction")
}

// TestFileOffersTheSame reads the guide's toolkits.yaml.
func TestFileOffersTheSame(t *testing.T) {
	t.Parallel()
	server, customers := example()
	file := blocks(t, "yaml")
	require.Len(t, file, 1)
	fromYAML, err := fromFile([]byte(file[0]), server, customers)
	require.NoError(t, err)
	fromGo := hosttools.MustRegistry(hostOf(server, customers))
	require.Len(t, fromGo.Groups(), 3)
	for _, want := range fromGo.Groups() {
		got, found := fromYAML.Group(want.Slug)
		require.True(t, found, want.Slug)
		require.Len(t, got.Methods, len(want.Methods))
		if want.Config != nil {
			require.Equal(t, want.Config.Hash, got.Config.Hash)
		}
	}
}

func TestTolerantRegistryKeepsTheRest(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	host := hostOf(example())
	host.Tools["wrong"] = newCredits
	host.Logger = slog.New(slog.DiscardHandler)
	registry := tolerant(host, slog.New(slog.NewTextHandler(&log, nil)))
	require.Len(t, registry.Groups(), 3)
	require.Contains(t, log.String(), "slug=wrong")
}

// nobody is a resolver that knows no people.
type nobody struct{ tenancy.Resolver }

func (nobody) Resolve(context.Context, *http.Request) (tenancy.Scope, error) {
	return tenancy.Scope{}, models.Errorf(models.CodeUnauthenticated, "Sign in first.")
}

func TestProgramsComeByToken(t *testing.T) {
	t.Parallel()
	resolver := programs{Resolver: nobody{}, tokens: map[string]tenancy.Scope{
		"good": {User: "shop", Tenant: "acme", MayAuthor: true, StudioEnabled: true, Session: "none of its business"},
	}}
	for header, user := range map[string]string{"Bearer good": "shop", "Bearer bad": "", "": ""} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		r.Header.Set("Authorization", header)
		scope, err := resolver.Resolve(t.Context(), r)
		require.Equal(t, user, scope.User, header)
		if user == "" {
			require.Equal(t, models.CodeUnauthenticated, models.CodeOf(err), header)
			continue
		}
		require.Equal(t, tenancy.ViaAPI, scope.Via)
		require.Empty(t, scope.Session)
	}
}
