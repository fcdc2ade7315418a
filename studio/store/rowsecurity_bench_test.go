package store_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/studio/store"
	"github.com/agentstudio/agentstudio/studio/store/storetest"
	"github.com/agentstudio/agentstudio/tenancy"
)

// BenchmarkUnit measures a unit of work that reads once, and five times, as a
// role that row security binds and as one that it does not.
func BenchmarkUnit(b *testing.B) {
	database := storetest.PostgresDatabase(b)
	for _, c := range []struct {
		role, dsn string
		reads     int
	}{
		{"bound", database.App, 1}, {"free", database.Super, 1}, {"bound", database.App, 5}, {"free", database.Super, 5},
	} {
		b.Run(map[int]string{1: "one read", 5: "five reads"}[c.reads]+"/"+c.role, func(b *testing.B) {
			s, err := store.Open(b.Context(), store.Config{DSN: c.dsn, AllowOwner: true})
			require.NoError(b, err)
			defer func() { require.NoError(b, s.Close()) }()
			p, err := tenancy.PartitionOf("alpha")
			require.NoError(b, err)
			for b.Loop() {
				err := s.Read(b.Context(), p, func(ctx context.Context) error {
					for range c.reads {
						if _, err := s.ListAgents(ctx); err != nil {
							return err
						}
					}
					return nil
				})
				require.NoError(b, err)
			}
		})
	}
}
