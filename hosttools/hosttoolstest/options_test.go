package hosttoolstest

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/agentstudio/agentstudio/hosttools"
)

func TestAllowEmpty(t *testing.T) {
	t.Parallel()
	registry := registryOf(t, func(k *kit, _ int) { k.look = rowsOf(nil) })
	requireOne(t, Check(t.Context(), registry), "isolation", "x_look", "nothing for the tenant acme")
	require.Empty(t, Check(t.Context(), registry, AllowEmpty()))
}

func TestShared(t *testing.T) {
	t.Parallel()
	registry := registryOf(t, func(k *kit, _ int) { always(k, hosttools.NewPage([]note{{"EUR, USD"}}, 20), nil) })
	requireOne(t, Check(t.Context(), registry), "isolation", "x_look", "EUR, USD")
	require.Empty(t, Check(t.Context(), registry, Shared("x_look")))
}

func TestResultBytes(t *testing.T) {
	t.Parallel()
	registry := registryOf(t, func(*kit, int) {})
	requireOne(t, Check(t.Context(), registry, ResultBytes(10)), "results", "x_look", "at most 10")
}

func TestTenantsAreChecked(t *testing.T) {
	t.Parallel()
	registry := registryOf(t, func(*kit, int) {})
	requireOne(t, Check(t.Context(), registry, Tenants("acme", "No Tenant")), "registered", "registry", "No Tenant")
}

// TestForeignRecordIsRefused has records that only one tenant has, as ids
// mostly are.
func TestForeignRecordIsRefused(t *testing.T) {
	t.Parallel()
	for _, refusal := range []error{hosttools.Errorf("not_found", "There is none."), hosttools.HostTenantMismatch()} {
		registry := registryOf(t, func(k *kit, _ int) {
			good := k.look
			k.look = func(ctx context.Context, in lookIn) (notes, error) {
				if in.Tenant != "globex" || in.Word != "invoice" {
					return notes{}, refusal
				}
				return good(ctx, in)
			}
		})
		require.Empty(t, Check(t.Context(), registry, Args("x_look", map[string]any{"word": "invoice"})))
	}
}

// TestSecretInAnErrorOfTheLog fails with a secret in words that only the log
// has, so that two checks have something to say.
func TestSecretInAnErrorOfTheLog(t *testing.T) {
	t.Parallel()
	registry := registryOf(t, func(k *kit, _ int) {
		config := &secretConfig{}
		k.Config = config
		k.look = func(context.Context, lookIn) (notes, error) {
			return notes{}, errors.New("dial with " + config.Key.Reveal())
		}
	})
	found := Check(t.Context(), registry)
	require.Len(t, found, 1, "the door takes the secret out before it is logged")
	require.Equal(t, "call", found[0].Check)
	require.Contains(t, found[0].Problem, "dial with [secret removed]")
}

// TestTransactionalWrites runs writes in the transaction of a database, and
// finds them refused without one.
func TestTransactionalWrites(t *testing.T) {
	t.Parallel()
	db, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "notes.db"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	_, err = db.ExecContext(t.Context(), "CREATE TABLE notes (tenant TEXT, text TEXT)")
	require.NoError(t, err)
	registry := registryOf(t, func(k *kit, _ int) {
		k.Transactional = true
		k.add = func(ctx context.Context, in addIn) (note, error) {
			tx, ok := hosttools.Tx(ctx)
			if !ok {
				return note{}, errors.New("no transaction")
			}
			if strings.TrimSpace(in.Text) == "" {
				return note{}, hosttools.Errorf("blank", "Say something.")
			}
			_, err := tx.ExecContext(ctx, "INSERT INTO notes VALUES (?, ?)", string(in.Tenant), in.Text)
			return note{in.Text + " for " + string(in.Tenant)}, err
		}
	})
	requireOne(t, Check(t.Context(), registry, Writes()), "call", "x_add", "transaction")
	require.Empty(t, Check(t.Context(), registry, Writes(), Database(db)))
	var ordinary int
	require.NoError(t, db.QueryRowContext(t.Context(),
		"SELECT count(*) FROM notes WHERE text = 'example' AND tenant IN ('acme', 'globex')").Scan(&ordinary))
	require.GreaterOrEqual(t, ordinary, 2, "the writes of both tenants are committed")
}

// TestWritesNeverRunUnasked counts the runs of a write.
func TestWritesNeverRunUnasked(t *testing.T) {
	t.Parallel()
	registry := registryOf(t, func(k *kit, _ int) {
		k.add = func(context.Context, addIn) (note, error) { panic("it ran") }
	})
	require.Empty(t, Check(t.Context(), registry))
	requireOne(t, Check(t.Context(), registry, Writes()), "call", "x_add", "it ran")
}

func TestValuesOfTheContextReachNoTool(t *testing.T) {
	t.Parallel()
	ctx := scoped(t.Context(), "acme")
	require.Empty(t, Check(ctx, registryOf(t, func(*kit, int) {})), "no scope counts as bound")
}
