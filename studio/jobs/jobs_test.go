package jobs_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/jobs"
	"github.com/agentstudio/agentstudio/studio/store"
	"github.com/agentstudio/agentstudio/studio/store/storetest"
	"github.com/agentstudio/agentstudio/tenancy"
)

// patience is how long a test waits for what must happen. It is a bound for
// broken code, not an expectation of speed.
const patience = time.Minute

var errTest = errors.New("the test wants this to fail")

func TestMain(m *testing.M) { os.Exit(storetest.Main(m, migrate)) }

func migrate(ctx context.Context, dsn string) error {
	s, err := store.Open(ctx, store.Config{DSN: dsn})
	if err != nil {
		return err
	}
	return errors.Join(s.Migrate(ctx), s.Close())
}

// bench is a queue over a store, and what its handlers were given.
type bench struct {
	store *store.Store
	jobs  *jobs.Jobs
	log   *logBuffer
	ran   chan string // "turn|approval <partition> <id>" of each execution
}

// onBoth runs a test on both databases.
func onBoth(t *testing.T, test func(t *testing.T, b *bench)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		dsn := storetest.SQLite(t)
		require.NoError(t, migrate(t.Context(), dsn))
		test(t, newBench(t, dsn))
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		test(t, newBench(t, storetest.Postgres(t)))
	})
}

func newBench(t *testing.T, dsn string) *bench {
	t.Helper()
	s, err := store.Open(t.Context(), store.Config{DSN: dsn})
	require.NoError(t, err)
	log := &logBuffer{}
	queue, err := jobs.New(s, slog.New(slog.NewTextHandler(log, nil)))
	require.NoError(t, err)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		require.NoError(t, errors.Join(queue.Stop(ctx), s.Close()))
	})
	return &bench{store: s, jobs: queue, log: log, ran: make(chan string, 100)}
}

// start runs jobs with a handler for turns; expiries are only noted.
func (b *bench) start(t *testing.T, turn func(ctx context.Context, id string) error) {
	t.Helper()
	require.NoError(t, b.jobs.Start(t.Context(), jobs.Handlers{
		AdvanceTurn: func(ctx context.Context, p tenancy.Partition, id string) error {
			b.ran <- "turn " + p.Stored() + " " + id
			return turn(ctx, id)
		},
		ExpireApproval: func(_ context.Context, p tenancy.Partition, id string) error {
			b.ran <- "approval " + p.Stored() + " " + id
			return nil
		},
	}))
}

func nothing(context.Context, string) error { return nil }

// enqueue puts a turn into the queue in a unit that ends with err.
func (b *bench) enqueue(t *testing.T, p tenancy.Partition, id string, err error) {
	t.Helper()
	require.ErrorIs(t, b.store.Write(t.Context(), p, func(ctx context.Context) error {
		require.NoError(t, b.jobs.AdvanceTurn(ctx, p, id))
		return err
	}), err)
}

// next returns what runs next.
func (b *bench) next(t *testing.T) string {
	t.Helper()
	select {
	case ran := <-b.ran:
		return ran
	case <-time.After(patience):
		require.FailNow(t, "no job ran", b.log.String())
		return ""
	}
}

func alpha(t *testing.T) tenancy.Partition {
	t.Helper()
	p, err := tenancy.PartitionOf("alpha")
	require.NoError(t, err)
	return p
}

// logBuffer is a log that jobs write and the test reads.
type logBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logBuffer) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(line)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func TestJobsCommitWithTheirUnit(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bench) {
		b.enqueue(t, alpha(t), "lost", errTest)
		b.enqueue(t, alpha(t), "early", nil)
		b.start(t, nothing)
		require.Equal(t, "turn alpha early", b.next(t))
		b.enqueue(t, alpha(t), "lost", errTest)
		b.enqueue(t, tenancy.Global(), "late", nil)
		require.Equal(t, "turn * late", b.next(t))

		require.NoError(t, b.jobs.Stop(t.Context()))
		require.Empty(t, b.ran, "each job ran once, and none of a unit that failed")
	})
}

func TestJobsNeedAWrite(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bench) {
		p := alpha(t)
		require.ErrorIs(t, b.jobs.AdvanceTurn(t.Context(), p, "x"), store.ErrNoUnit)
		require.ErrorIs(t, b.jobs.ExpireApproval(t.Context(), p, "x", 1), store.ErrNoUnit)
		require.ErrorIs(t, b.store.Read(t.Context(), p, func(ctx context.Context) error {
			return b.jobs.AdvanceTurn(ctx, p, "x")
		}), store.ErrReadOnly)
	})
}

func TestExpiryWaitsForItsMoment(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bench) {
		p := alpha(t)
		now, err := b.store.Now(t.Context())
		require.NoError(t, err)
		require.NoError(t, b.store.Write(t.Context(), p, func(ctx context.Context) error {
			return errors.Join(
				b.jobs.ExpireApproval(ctx, p, "tomorrow", now.Add(24*time.Hour)),
				b.jobs.ExpireApproval(ctx, p, "past", now.Add(-time.Second)))
		}))
		b.start(t, nothing)
		require.Equal(t, "approval alpha past", b.next(t))
		require.Equal(t, 1, count(t, b, "state = 'scheduled'"))
	})
}

// count returns how many stored jobs match a condition.
func count(t *testing.T, b *bench, where string) int {
	t.Helper()
	var n int
	require.NoError(t, b.store.SQL().QueryRowContext(t.Context(), "SELECT count(*) FROM river_job WHERE "+where).Scan(&n))
	return n
}

func TestLaterIsNotAFailure(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bench) {
		tries := 0 // of one job, which is not run twice at a time
		b.start(t, func(context.Context, string) error {
			if tries++; tries <= 12 {
				return jobs.Later(time.Millisecond)
			}
			return nil
		})
		b.enqueue(t, alpha(t), "busy", nil)
		for range 13 { // more often than a job may fail
			require.Equal(t, "turn alpha busy", b.next(t))
		}
		require.Eventually(t, func() bool { return count(t, b, "state = 'completed' AND attempt = 1") == 1 },
			patience, 10*time.Millisecond)
		require.NotContains(t, b.log.String(), "failed")
	})
}

func TestFailuresAreLoggedAndTriedAgain(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bench) {
		tries := 0
		b.start(t, func(context.Context, string) error {
			switch tries++; tries {
			case 1:
				return errTest
			case 2:
				panic("the test wants this panic")
			default:
				return nil
			}
		})
		b.enqueue(t, alpha(t), "turn", nil)
		require.Equal(t, "turn alpha turn", b.next(t))
		require.Equal(t, "turn alpha turn", b.next(t))
		require.Eventually(t, func() bool { return count(t, b, "state = 'retryable' AND attempt = 2") == 1 },
			patience, 10*time.Millisecond)
		require.Contains(t, b.log.String(), errTest.Error())
		require.Contains(t, b.log.String(), "the test wants this panic")
		require.NotContains(t, b.log.String(), "client started", "River's own life is not news")
	})
}

func TestJobWithoutAPartitionIsGivenUp(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bench) {
		b.enqueue(t, alpha(t), "turn", nil)
		_, err := b.store.SQL().ExecContext(t.Context(), `UPDATE river_job SET args = '{"tenant":"","turn":"turn"}'`)
		require.NoError(t, err)
		b.start(t, nothing)
		require.Eventually(t, func() bool { return count(t, b, "state = 'cancelled'") == 1 }, patience, 10*time.Millisecond)
		require.Empty(t, b.ran)
	})
}

func TestStopWaits(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bench) {
		release, ended := make(chan struct{}), make(chan error, 1)
		b.start(t, func(ctx context.Context, _ string) error {
			<-release
			ended <- ctx.Err()
			return nil
		})
		b.enqueue(t, alpha(t), "long", nil)
		b.next(t)
		stopped := make(chan error, 1)
		go func() { stopped <- b.jobs.Stop(t.Context()) }()
		select {
		case err := <-stopped:
			require.Fail(t, "stop did not wait", "it returned %v", err)
		case <-time.After(50 * time.Millisecond):
		}
		close(release)
		require.NoError(t, <-stopped)
		require.NoError(t, <-ended, "a job that runs is not disturbed")
		require.Equal(t, 1, count(t, b, "state = 'completed'"))
	})
}

func TestStopEndsWhatTakesTooLong(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bench) {
		b.start(t, func(ctx context.Context, _ string) error {
			<-ctx.Done()
			return ctx.Err()
		})
		b.enqueue(t, alpha(t), "endless", nil)
		b.next(t)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		require.NoError(t, b.jobs.Stop(ctx))
		require.Equal(t, 1, count(t, b, "state IN ('available', 'retryable', 'scheduled')"), "it is run again later")
	})
}

func TestStartNeedsItsHandlers(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bench) {
		require.Error(t, b.jobs.Start(t.Context(), jobs.Handlers{}))
	})
}

func TestManyUnitsAndWorkers(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bench) {
		p := alpha(t)
		// Each job works on the database itself, beside those that enqueue.
		b.start(t, func(ctx context.Context, id string) error {
			return b.store.Write(ctx, p, func(ctx context.Context) error {
				return b.store.AppendAudit(ctx, models.AuditEntry{ID: id, Action: models.AuditRan})
			})
		})
		const units = 60
		var group sync.WaitGroup
		errs := make([]error, units)
		for i := range units {
			group.Go(func() {
				errs[i] = b.store.Write(t.Context(), p, func(ctx context.Context) error {
					return b.jobs.AdvanceTurn(ctx, p, models.NewID())
				})
			})
		}
		group.Wait()
		require.NoError(t, errors.Join(errs...))
		require.Eventually(t, func() bool { return count(t, b, "state = 'completed' AND attempt = 1") == units },
			patience, 10*time.Millisecond)
		require.Empty(t, b.log.String())
	})
}

func TestBusyTurnsDoNotStarveExpiries(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bench) {
		p := alpha(t)
		release := make(chan struct{})
		b.start(t, func(context.Context, string) error {
			<-release
			return nil
		})
		for range 8 {
			b.enqueue(t, p, models.NewID(), nil)
		}
		require.NoError(t, b.store.Write(t.Context(), p, func(ctx context.Context) error {
			return b.jobs.ExpireApproval(ctx, p, "now", 1)
		}))
		require.Eventually(t, func() bool { return b.next(t) == "approval alpha now" }, patience, time.Millisecond)
		close(release)
	})
}
