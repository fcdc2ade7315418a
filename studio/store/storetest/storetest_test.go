package storetest_test

import (
	"context"
	"os"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/studio/store/storetest"
)

// TestMain prepares the template in two steps, of which the second one finds
// what the first one did.
func TestMain(m *testing.M) {
	os.Exit(storetest.Main(m, createOrders, insertOrder))
}

func createOrders(ctx context.Context, dsn string) error {
	return execute(ctx, dsn, "CREATE TABLE orders (id bigint PRIMARY KEY)")
}

func insertOrder(ctx context.Context, dsn string) error {
	return execute(ctx, dsn, "INSERT INTO orders VALUES (1); GRANT SELECT, INSERT ON orders TO PUBLIC")
}

func execute(ctx context.Context, dsn, statement string) error {
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	_, err = conn.Exec(ctx, statement)
	return err
}

func connect(t *testing.T, dsn string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), dsn)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

func countOrders(t *testing.T, conn *pgx.Conn) (count int) {
	t.Helper()
	require.NoError(t, conn.QueryRow(t.Context(), "SELECT count(*) FROM orders").Scan(&count))
	return count
}

func TestPostgresCopiesTheTemplate(t *testing.T) {
	t.Parallel()
	require.Equal(t, 1, countOrders(t, connect(t, storetest.Postgres(t))))
}

func TestPostgresGivesEveryCallItsOwnDatabase(t *testing.T) {
	t.Parallel()
	first, second := connect(t, storetest.Postgres(t)), connect(t, storetest.Postgres(t))

	_, err := first.Exec(t.Context(), "INSERT INTO orders VALUES (2)")
	require.NoError(t, err)

	require.Equal(t, 2, countOrders(t, first))
	require.Equal(t, 1, countOrders(t, second))
	require.Equal(t, 1, countOrders(t, connect(t, storetest.Postgres(t))), "a later copy")
}

func TestPostgresInParallel(t *testing.T) {
	t.Parallel()
	for range 8 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			require.Equal(t, 1, countOrders(t, connect(t, storetest.Postgres(t))))
		})
	}
}

func TestPostgresDropsTheDatabaseInUse(t *testing.T) {
	t.Parallel()
	var dsn string
	var held *pgx.Conn
	t.Run("a test that leaves its connection open", func(t *testing.T) {
		dsn = storetest.Postgres(t)
		conn, err := pgx.Connect(t.Context(), dsn)
		require.NoError(t, err)
		held = conn
	})
	t.Cleanup(func() { _ = held.Close(context.Background()) })

	require.Error(t, held.Ping(t.Context()))
	_, err := pgx.Connect(t.Context(), dsn)
	require.ErrorContains(t, err, "does not exist")
}

func TestSQLiteGivesEveryCallItsOwnFile(t *testing.T) {
	t.Parallel()
	first, second := storetest.SQLite(t), storetest.SQLite(t)
	require.NotEqual(t, first, second)
	require.NoFileExists(t, first)
	require.NoError(t, os.WriteFile(first, nil, 0o600), "its directory exists")
}
