package approval_test

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/policy"
	"github.com/agentstudio/agentstudio/studio/approval"
	"github.com/agentstudio/agentstudio/studio/store"
	"github.com/agentstudio/agentstudio/studio/store/storetest"
	"github.com/agentstudio/agentstudio/studio/toolexec"
	"github.com/agentstudio/agentstudio/studio/vault"
	"github.com/agentstudio/agentstudio/tenancy"
)

func TestMain(m *testing.M) { os.Exit(storetest.Main(m, migrate)) }

// migrate brings the database at dsn up to date.
func migrate(ctx context.Context, dsn string) error {
	s, err := store.Open(ctx, store.Config{DSN: dsn})
	if err != nil {
		return err
	}
	return errors.Join(s.Migrate(ctx), s.Close())
}

// bundle is the service over a real store, with what it needs besides it.
type bundle struct {
	*approval.Service
	t      *testing.T
	db     *store.Store
	people *people
	judge  *judge
	told   *told
}

// onBoth runs a test on both databases, each time on an empty one. change may
// set the times of the service.
func onBoth(t *testing.T, change func(*approval.Config), test func(t *testing.T, b *bundle)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		dsn := storetest.SQLite(t)
		require.NoError(t, migrate(t.Context(), dsn))
		test(t, newBundle(t, dsn, change))
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		test(t, newBundle(t, storetest.Postgres(t), change))
	})
}

func newBundle(t *testing.T, dsn string, change func(*approval.Config)) *bundle {
	t.Helper()
	db, err := store.Open(t.Context(), store.Config{DSN: dsn})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	key, err := vault.LoadOrCreateKey(filepath.Join(t.TempDir(), "master.key"))
	require.NoError(t, err)
	authorizer, err := policy.NewAuthorizer()
	require.NoError(t, err)
	b := &bundle{
		t: t, db: db, judge: &judge{}, told: &told{db: db, advanced: map[string]int{}},
		people: &people{scopes: map[string]tenancy.Scope{"cara": caller(), "ada": admin()}},
	}
	config := approval.Config{
		Store: db, Queue: b.told, Judge: b.judge, Observer: b.told, Resolver: b.people, Authorizer: authorizer,
		Sealer: key.Sealer(vault.PurposeSeals),
	}
	if change != nil {
		change(&config)
	}
	b.Service = approval.New(config)
	return b
}

// caller asks for everything in these tests, and may decide on it.
func caller() tenancy.Scope {
	return tenancy.Scope{
		User: "cara", Tenant: "acme", MayAuthor: true, StudioEnabled: true,
		Via: tenancy.ViaBrowser, Session: "cara's browser", AuthTime: time.Unix(1_700_000_000, 0),
	}
}

// admin may decide on everything in acme.
func admin() tenancy.Scope {
	s := caller()
	s.User, s.Session, s.MayAdminister = "ada", "ada's browser", true
	return s
}

// as returns a context in which somebody acts.
func as(t *testing.T, scope tenancy.Scope) context.Context {
	t.Helper()
	return tenancy.WithScope(t.Context(), scope)
}

// people resolves scopes from a map. It is safe for concurrent use.
type people struct {
	mu     sync.Mutex
	scopes map[string]tenancy.Scope
}

func (p *people) Resolve(context.Context, *http.Request) (tenancy.Scope, error) {
	return tenancy.Scope{}, errors.New("there is no request here")
}

func (p *people) Reload(_ context.Context, tenant, user string) (tenancy.Scope, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	scope, ok := p.scopes[user]
	if !ok || scope.Tenant != tenant {
		return tenancy.Scope{}, models.NotFound()
	}
	scope.Via, scope.Session = tenancy.ViaJob, ""
	return scope, nil
}

// change changes somebody's rights; nil takes their membership away.
func (p *people) change(user string, change func(*tenancy.Scope)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	scope := p.scopes[user]
	delete(p.scopes, user)
	if change != nil {
		change(&scope)
		p.scopes[user] = scope
	}
}

// judge judges as it is told to.
type judge struct{ refusal error }

func (j *judge) Rejudge(context.Context, models.Approval) (*toolexec.Prepared, error) {
	return nil, j.refusal
}

func (*judge) Version(*toolexec.Prepared) string { return "1" }

// told keeps what was enqueued and observed, once that has committed.
type told struct {
	db *store.Store

	mu       sync.Mutex
	advanced map[string]int // by turn
	expiries []models.Instant
	changes  []models.Approval
}

func (k *told) keep(ctx context.Context, fn func()) error {
	k.db.AfterCommit(ctx, func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		fn()
	})
	return nil
}

func (k *told) AdvanceTurn(ctx context.Context, _ tenancy.Partition, turnID string) error {
	return k.keep(ctx, func() { k.advanced[turnID]++ })
}

func (k *told) ExpireApproval(ctx context.Context, _ tenancy.Partition, _ string, at models.Instant) error {
	return k.keep(ctx, func() { k.expiries = append(k.expiries, at) })
}

func (k *told) ApprovalChanged(ctx context.Context, a models.Approval) error {
	return k.keep(ctx, func() { k.changes = append(k.changes, a) })
}

// prepared returns a call of cara's that the door let through.
func prepared(arguments string) *toolexec.Prepared {
	return &toolexec.Prepared{
		Tool:  &hosttools.Descriptor{Name: "fs_cancel_order", Slug: "fs_orders", Method: "cancel_order", SchemaHash: [32]byte{1}},
		Scope: caller(), Agent: tenancy.Agent{ID: "agent", Version: 3, Tenant: "acme"},
		Arguments: []byte(arguments), ArgumentsHash: toolexec.ArgumentsHash([]byte(arguments)),
		FilledBytes: []byte(`{"tenant":"acme"}`), Fingerprint: [32]byte{2},
	}
}

const someArguments = `{"order_id":"A-1002"}`

// ask asks for a decision on a call of a turn.
func (b *bundle) ask(turnID string) models.Approval {
	b.t.Helper()
	var a models.Approval
	b.write(func(ctx context.Context) error {
		var err error
		a, err = b.Ask(ctx, prepared(someArguments), approval.Context{
			SessionID: "session", TurnID: turnID, CallID: "call", Why: models.ApprovalWhy{Words: "cancel it", Rules: []string{"Orders"}},
		})
		return err
	})
	return a
}

// request asks for a decision as a program.
func (b *bundle) request() (models.Approval, string) {
	b.t.Helper()
	a, token, err := b.AskWithToken(as(b.t, caller()), prepared(someArguments))
	require.NoError(b.t, err)
	return a, token
}

// approved returns a program's request that cara approved, and its token.
func (b *bundle) approved() (models.Approval, string) {
	b.t.Helper()
	a, token := b.request()
	a, err := b.Approve(as(b.t, caller()), decision(a))
	require.NoError(b.t, err)
	require.Equal(b.t, models.ApprovalApproved, a.State)
	return a, token
}

// decision returns the decision of somebody who saw the card.
func decision(a models.Approval) approval.Decision {
	return approval.Decision{ID: a.ID, Nonce: a.Nonce, Hash: approval.CardHash(a)}
}

func (b *bundle) partition() tenancy.Partition {
	b.t.Helper()
	p, err := tenancy.PartitionOf("acme")
	require.NoError(b.t, err)
	return p
}

func (b *bundle) write(fn func(ctx context.Context) error) {
	b.t.Helper()
	require.NoError(b.t, b.db.Write(as(b.t, caller()), b.partition(), fn))
}

// stored returns an approval as it is in the database.
func (b *bundle) stored(id string) models.Approval {
	b.t.Helper()
	var a models.Approval
	require.NoError(b.t, b.db.Read(b.t.Context(), b.partition(), func(ctx context.Context) error {
		var err error
		a, err = b.db.Approval(ctx, id)
		return err
	}))
	return a
}

// intentOf returns the intent of an approval, and whether it has one.
func (b *bundle) intentOf(id string) (models.Intent, bool) {
	b.t.Helper()
	var intent models.Intent
	err := b.db.Read(b.t.Context(), b.partition(), func(ctx context.Context) error {
		var err error
		intent, err = b.db.IntentOf(ctx, id)
		return err
	})
	if models.CodeOf(err) != models.CodeNotFound {
		require.NoError(b.t, err)
	}
	return intent, err == nil
}

// audited returns the actions of an approval's audit entries, oldest first.
func (b *bundle) audited(id string) []models.AuditAction {
	b.t.Helper()
	var actions []models.AuditAction
	require.NoError(b.t, b.db.Read(b.t.Context(), b.partition(), func(ctx context.Context) error {
		entries, err := b.db.AuditEntries(ctx, models.AuditFilter{ApprovalID: id})
		for i := range entries {
			actions = append(actions, entries[len(entries)-1-i].Action)
		}
		return err
	}))
	return actions
}

// waitFor waits until the database's clock has passed a moment.
func (b *bundle) waitFor(at models.Instant) {
	b.t.Helper()
	require.Eventually(b.t, func() bool {
		now, err := b.db.Now(b.t.Context())
		require.NoError(b.t, err)
		return now > at
	}, time.Minute, time.Millisecond)
}
