package studio_test

import (
	"context"
	"database/sql"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio"
	"github.com/agentstudio/agentstudio/studio/store/storetest"
	"github.com/agentstudio/agentstudio/studio/toolexec"
	"github.com/agentstudio/agentstudio/tenancy"
)

type bookIn struct {
	Tenant hosttools.TenantID `json:"-"`
	Entry  string             `json:"entry" jsonschema:"what to book"`
}

type bookOut struct {
	Booked bool `json:"booked" jsonschema:"true once it is booked"`
}

// ledger is a transactional toolkit: it books in the Studio's own database, and
// then ends as the test wants it.
func ledger(end func(context.Context) error) option {
	return func(b *bundle, config *studio.Config) {
		config.Limits = toolexec.Limits{Atomic: 2 * time.Second}
		b.host.Tools["fs_book"] = func() (hosttools.Entry, error) {
			book := func(ctx context.Context, in bookIn) (bookOut, error) {
				tx, ok := hosttools.Tx(ctx)
				if !ok {
					return bookOut{}, errors.New("there is no transaction")
				}
				if _, err := tx.ExecContext(ctx, `INSERT INTO ledger VALUES ('`+string(in.Tenant)+`', '`+in.Entry+`')`); err != nil {
					return bookOut{}, err
				}
				return bookOut{Booked: true}, end(ctx)
			}
			return hosttools.Tool{
				Title: "Ledger", Version: "1", Transactional: true,
				Method: hosttools.NewMethod("fs_book", "Book an entry.", book, hosttools.Write()),
			}, nil
		}
	}
}

// inTx runs a statement in the Studio's database, as the host would.
func (b *bundle) inTx(do func(ctx context.Context, tx *sql.Tx) error) {
	b.t.Helper()
	p, err := tenancy.PartitionOf("acme")
	require.NoError(b.t, err)
	require.NoError(b.t, b.db.Write(b.t.Context(), p, func(ctx context.Context) error {
		tx, err := b.db.Tx(ctx)
		if err != nil {
			return err
		}
		return do(ctx, tx)
	}))
}

func (b *bundle) booked() (count int) {
	b.t.Helper()
	b.inTx(func(ctx context.Context, tx *sql.Tx) error {
		return tx.QueryRowContext(ctx, `SELECT count(*) FROM ledger`).Scan(&count)
	})
	return count
}

// onBothDatabases runs a test with a transactional toolkit that ends with end.
func onBothDatabases(t *testing.T, end func(context.Context) error, test func(*testing.T, *bundle)) {
	t.Helper()
	steps := once(call("fs_book", args{"entry": "one lamp"}))
	for name, dsn := range map[string]func(testing.TB) string{"sqlite": migrated, "postgres": storetest.Postgres} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t, steps, on(t, dsn(t)), ledger(end))
			b.inTx(func(ctx context.Context, tx *sql.Tx) error {
				_, err := tx.ExecContext(ctx, `CREATE TABLE ledger (tenant TEXT, entry TEXT)`)
				return err
			})
			test(t, b)
		})
	}
}

func migrated(t testing.TB) string {
	dsn := storetest.SQLite(t)
	require.NoError(t, migrate(t.Context(), dsn))
	return dsn
}

// TestTransactionalWrites holds that burn, effect and outcome are one: whatever
// does not succeed leaves nothing behind, and nothing is unknown.
func TestTransactionalWrites(t *testing.T) {
	t.Parallel()
	hang := make(chan struct{})
	t.Cleanup(func() { close(hang) })
	for name, c := range map[string]struct {
		end     func(context.Context) error
		booked  int
		outcome models.Outcome
		code    string
	}{
		"succeeds": {func(context.Context) error { return nil }, 1, models.OutcomeSucceeded, ""},
		"refuses":  {func(context.Context) error { return hosttools.Errorf("closed", "The book is closed.") }, 0, models.OutcomeFailed, "closed"},
		"fails":    {func(context.Context) error { return errors.New("disk") }, 0, models.OutcomeFailed, "tool_failed"},
		"panics":   {func(context.Context) error { panic("boom") }, 0, models.OutcomeFailed, "tool_failed"},
		"hangs":    {func(context.Context) error { <-hang; return nil }, 0, models.OutcomeFailed, "tool_timeout"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			onBothDatabases(t, c.end, func(t *testing.T, b *bundle) {
				ctx := b.as("admin@acme.test")
				turn := b.send(ctx, b.desk(ctx, nil), "book one lamp", models.TurnWaiting)
				waiting := b.pending(ctx)
				require.Len(t, waiting, 1)
				_, err := b.app.Approvals.Approve(ctx, decision(waiting[0]))
				require.NoError(t, err)
				b.reaches(ctx, turn.ID, models.TurnDone)
				require.Equal(t, c.booked, b.booked())
				settled, err := b.app.Approvals.Get(ctx, waiting[0].ID)
				require.NoError(t, err)
				require.Equal(t, c.outcome, settled.Outcome)
				envelope, err := toolexec.DecodeEnvelope(settled.Result)
				require.NoError(t, err)
				require.Equal(t, c.code, envelope.ErrorCode)
			})
		})
	}
}

// TestTransactionalRedeemOnce races the redeems of one token.
func TestTransactionalRedeemOnce(t *testing.T) {
	t.Parallel()
	onBothDatabases(t, func(context.Context) error { return nil }, func(t *testing.T, b *bundle) {
		ctx := b.as("admin@acme.test")
		call, err := b.app.Door.Prepare(ctx, toolexec.Request{
			Slug: "fs_book", Raw: []byte(`{"entry":"one lamp"}`), Channel: toolexec.ChannelREST, HasToken: true,
		})
		require.NoError(t, err)
		asked, token, err := b.app.Approvals.AskWithToken(ctx, call)
		require.NoError(t, err)
		_, err = b.app.Approvals.Approve(ctx, decision(asked))
		require.NoError(t, err)
		require.Zero(t, b.booked(), "a decision over REST runs nothing yet")

		var mu sync.Mutex
		counts := map[models.Code]int{}
		var redeems sync.WaitGroup
		for range 40 {
			redeems.Go(func() {
				approved, err := b.app.Approvals.Redeemable(ctx, call, token)
				if err == nil {
					_, err = b.app.Runner.Approved(ctx, approved)
				}
				mu.Lock()
				defer mu.Unlock()
				counts[models.CodeOf(err)]++
			})
		}
		redeems.Wait()
		require.Equal(t, map[models.Code]int{"": 1, models.CodeApprovalConsumed: 39}, counts)
		require.Equal(t, 1, b.booked())
	})
}
