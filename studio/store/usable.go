package store

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/agentstudio/agentstudio/models"
)

const (
	// checkEvery is how old a verdict may become.
	checkEvery = 10 * time.Second
	// checkWithin bounds one check.
	checkWithin = 5 * time.Second
)

// health is what is known of the state that the database is in.
type health struct {
	every   time.Duration
	opened  time.Time
	due     atomic.Int64 // when to look again, since opened
	verdict atomic.Pointer[verdict]
}

type verdict struct{ err error }

// Usable returns nil when the database was as it must be when it was last looked
// at, which is a few seconds ago at most: it has exactly this build's
// migrations, and on PostgreSQL row security holds for the role that serves.
// Otherwise it returns an error with code studio_storage_unavailable, and so
// does everything else that the store is asked for, until the database is set
// right. It costs an atomic load, and now and then a few queries.
func (s *Store) Usable(ctx context.Context) error {
	now := int64(time.Since(s.health.opened))
	due := s.health.due.Load()
	if now >= due && s.health.due.CompareAndSwap(due, now+int64(s.health.every)) {
		s.look(ctx)
	}
	return s.health.verdict.Load().err
}

// look renews the verdict, unless the database does not answer: then there is
// nothing to judge, and whatever is asked of it fails by itself.
func (s *Store) look(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), checkWithin)
	defer cancel()
	err := s.Verify(ctx)
	if err != nil && (ctx.Err() != nil || s.ping(ctx) != nil) {
		return
	}
	s.conclude(ctx, err)
}

// conclude keeps a verdict, and logs it when it is another than before.
func (s *Store) conclude(ctx context.Context, reason error) {
	next := &verdict{}
	if reason != nil {
		next.err = models.Errorf(models.CodeStorageUnavailable,
			"The Studio's database is not in a state in which it may be used. Its administrator finds the reason in the log.").
			Because(reason)
	}
	before := s.health.verdict.Swap(next)
	if s.log == nil || before == nil || (before.err == nil) == (reason == nil) {
		return // the first verdict is for whoever opened the store to tell
	}
	if reason == nil {
		s.log.InfoContext(ctx, "the database is usable again")
		return
	}
	s.log.ErrorContext(ctx, "the database may not be used", slog.Any("error", reason))
}
