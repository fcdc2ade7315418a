package store_test

import (
	"context"
	"database/sql"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/store"
	"github.com/agentstudio/agentstudio/tenancy"
)

var errTest = errors.New("the test wants this to fail")

func addAgent(ctx context.Context, s *store.Store, name string) error {
	return s.CreateAgent(ctx,
		models.Agent{ID: models.NewID(), Name: name, Visibility: models.VisibilityPrivate, Version: 1},
		models.AgentVersion{})
}

func agentNames(t *testing.T, s *store.Store, p tenancy.Partition) []string {
	t.Helper()
	names := []string{}
	require.NoError(t, s.Read(t.Context(), p, func(ctx context.Context) error {
		agents, err := s.ListAgents(ctx)
		for _, a := range agents {
			names = append(names, a.Name)
		}
		return err
	}))
	return names
}

func TestWriteKeepsAllOrNothing(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		p := partition(t, "alpha")
		require.ErrorIs(t, s.Write(t.Context(), p, func(ctx context.Context) error {
			return errors.Join(addAgent(ctx, s, "lost"), errTest)
		}), errTest)
		require.Panics(t, func() {
			_ = s.Write(t.Context(), p, func(ctx context.Context) error {
				require.NoError(t, addAgent(ctx, s, "lost"))
				panic("the test wants this")
			})
		})
		require.Empty(t, agentNames(t, s, p))

		write(t, s, "alpha", func(ctx context.Context) error { return addAgent(ctx, s, "kept") })
		require.Equal(t, []string{"kept"}, agentNames(t, s, p))
	})
}

func TestInnerUnitsJoin(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		p := partition(t, "alpha")
		require.ErrorIs(t, s.Write(t.Context(), p, func(ctx context.Context) error {
			require.NoError(t, s.Write(ctx, p, func(ctx context.Context) error { return addAgent(ctx, s, "one") }))
			require.NoError(t, s.Read(ctx, p, func(ctx context.Context) error {
				_, err := s.AgentByName(ctx, "one")
				return err
			}))
			return errTest
		}), errTest)
		require.Empty(t, agentNames(t, s, p), "what the inner unit wrote belongs to the outer one")

		require.ErrorIs(t, s.Write(t.Context(), p, func(ctx context.Context) error {
			_ = s.Write(ctx, p, func(ctx context.Context) error {
				return errors.Join(addAgent(ctx, s, "half"), errTest)
			})
			return nil
		}), store.ErrRolledBack)
		require.Empty(t, agentNames(t, s, p), "the outer unit cannot keep half of the inner one")
	})
}

func TestUnitsThatAreRefused(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		p, other := partition(t, "alpha"), partition(t, "beta")
		unreached := func(context.Context) error {
			t.Error("this unit must not run")
			return errTest
		}
		in := func(outer, inner func(context.Context, tenancy.Partition, func(context.Context) error) error, q tenancy.Partition) error {
			return outer(t.Context(), p, func(ctx context.Context) error { return inner(ctx, q, unreached) })
		}
		require.ErrorIs(t, s.Read(t.Context(), tenancy.Partition{}, unreached), store.ErrNoPartition)
		require.ErrorIs(t, s.Write(t.Context(), tenancy.Partition{}, unreached), store.ErrNoPartition)
		require.ErrorIs(t, in(s.Write, s.Write, tenancy.Partition{}), store.ErrNoPartition)
		require.ErrorIs(t, in(s.Write, s.Write, other), store.ErrOtherPartition)
		require.ErrorIs(t, in(s.Write, s.Read, other), store.ErrOtherPartition)
		require.ErrorIs(t, in(s.Read, s.Read, other), store.ErrOtherPartition)
		require.ErrorIs(t, in(s.Write, s.Read, tenancy.Global()), store.ErrOtherPartition)
		require.ErrorIs(t, in(s.Read, s.Write, p), store.ErrReadOnly)
	})
}

func TestGlobalIsAPartitionOfItsOwn(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		require.NoError(t, s.Write(t.Context(), tenancy.Global(), func(ctx context.Context) error {
			return addAgent(ctx, s, "global")
		}))
		write(t, s, "alpha", func(ctx context.Context) error { return addAgent(ctx, s, "local") })
		require.Equal(t, []string{"global"}, agentNames(t, s, tenancy.Global()))
		require.Equal(t, []string{"local"}, agentNames(t, s, partition(t, "alpha")))
	})
}

func TestAfterCommit(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		p := partition(t, "alpha")
		var told []string
		tell := func(ctx context.Context, word string) {
			s.AfterCommit(ctx, func() { told = append(told, word) })
		}
		write(t, s, "alpha", func(ctx context.Context) error {
			tell(ctx, "outer")
			err := s.Write(ctx, p, func(ctx context.Context) error {
				tell(ctx, "inner")
				return nil
			})
			require.Empty(t, told)
			return err
		})
		require.Equal(t, []string{"outer", "inner"}, told)

		require.ErrorIs(t, s.Write(t.Context(), p, func(ctx context.Context) error {
			tell(ctx, "never")
			return errTest
		}), errTest)
		tell(t.Context(), "at once")
		read(t, s, func(ctx context.Context) error {
			tell(ctx, "while reading")
			return nil
		})
		require.Equal(t, []string{"outer", "inner", "at once", "while reading"}, told)
	})
}

func TestTx(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		p := partition(t, "alpha")
		_, err := s.Tx(t.Context())
		require.ErrorIs(t, err, store.ErrNoUnit)
		require.ErrorIs(t, s.Read(t.Context(), p, func(ctx context.Context) error {
			return second(s.Tx(ctx))
		}), store.ErrReadOnly)

		var tx *sql.Tx
		write(t, s, "alpha", func(ctx context.Context) error {
			require.NoError(t, addAgent(ctx, s, "seen"))
			tx, err = s.Tx(ctx)
			require.NoError(t, err)
			var count int
			require.NoError(t, tx.QueryRowContext(ctx, "SELECT count(*) FROM agents").Scan(&count))
			require.Equal(t, 1, count, "the transaction is the unit's own")
			return nil
		})
		require.ErrorIs(t, tx.Commit(), sql.ErrTxDone)
	})
}

func TestUnitsOfTwoStoresDoNotMix(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		onBoth(t, func(t *testing.T, other *store.Store) {
			write(t, s, "alpha", func(ctx context.Context) error {
				return other.Write(ctx, partition(t, "beta"), func(ctx context.Context) error {
					require.NoError(t, addAgent(ctx, other, "theirs"))
					agents, err := s.ListAgents(ctx)
					require.Empty(t, agents)
					return err
				})
			})
		})
	})
}

func TestNowIsTheDatabasesClock(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		earlier, err := s.Now(t.Context())
		require.NoError(t, err)
		require.WithinDuration(t, time.Now(), earlier.Time(), time.Minute)
		write(t, s, "alpha", func(ctx context.Context) error {
			first, err := s.Now(ctx)
			require.NoError(t, err)
			require.Eventually(t, func() bool {
				later, err := s.Now(ctx)
				return err == nil && later > first
			}, 10*time.Second, time.Millisecond, "the clock must not stand still in a transaction")
			return nil
		})
	})
}

func TestVerify(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		require.NoError(t, s.Verify(t.Context()))
		require.NoError(t, s.Migrate(t.Context()), "migrating again changes nothing")
		require.NoError(t, s.Ready(t.Context()))
	})
}
