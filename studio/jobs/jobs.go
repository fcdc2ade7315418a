package jobs

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverdatabasesql"
	"github.com/riverqueue/river/riverdriver/riversqlite"

	"github.com/agentstudio/agentstudio/migrations"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/tenancy"
)

const (
	// maxWorkers bounds the jobs that one replica runs at the same time. Most
	// of them wait for a model or a tool.
	maxWorkers = 16
	// runWithin is how long one job may run before its context ends.
	runWithin = 10 * time.Minute
	// rescueAfter is when a job whose process died is given to another one.
	// Turns do not wait for it: they are enqueued again at start.
	rescueAfter = 15 * time.Minute
	// cooldown is the least time between two looks at the queue. It is also
	// how long River swallows a notification that follows another, so a long
	// one delays jobs until the next poll.
	cooldown = 5 * time.Millisecond
	// pollSQLite and pollPostgres are how often the queue is looked at without
	// a notification; SQLite has none.
	pollSQLite   = 40 * time.Millisecond
	pollPostgres = 250 * time.Millisecond
	// stopWithin is how long jobs may take to end after they were told to.
	stopWithin = 5 * time.Second
)

// Handlers do the work. Both are called again after an error, later each time.
type Handlers struct {
	// AdvanceTurn goes on with a turn until it waits for a person or ends.
	AdvanceTurn func(ctx context.Context, p tenancy.Partition, turnID string) error
	// ExpireApproval closes an approval whose time has come.
	ExpireApproval func(ctx context.Context, p tenancy.Partition, approvalID string) error
}

// Database is where jobs are kept, together with the rows they belong to.
type Database interface {
	// SQL returns the pool that writes.
	SQL() *sql.DB
	// Dialect returns which SQL it speaks.
	Dialect() migrations.Dialect
	// Tx returns the transaction of the unit of work in ctx.
	Tx(ctx context.Context) (*sql.Tx, error)
	// ListenPool returns a pool for LISTEN, which the caller closes, or nil
	// where there is nothing to listen to.
	ListenPool(ctx context.Context) (*pgxpool.Pool, error)
}

// Jobs is the queue of background work, and its workers once it is started.
type Jobs struct {
	db       Database
	log      *slog.Logger
	client   *river.Client[*sql.Tx]
	listen   *pgxpool.Pool // nil on SQLite
	handlers Handlers      // set by Start, before the first worker runs
}

// New returns a queue over a database whose schema is up to date. Jobs can be
// enqueued at once; they run after [Jobs.Start].
func New(db Database, logger *slog.Logger) (*Jobs, error) {
	listen, err := db.ListenPool(context.Background())
	if err != nil {
		return nil, fmt.Errorf("listen for jobs: %w", err)
	}
	j := &Jobs{db: db, log: logger, listen: listen}
	workers := river.NewWorkers()
	err = errors.Join(
		river.AddWorkerSafely(workers, &turnWorker{jobs: j}),
		river.AddWorkerSafely(workers, &expiryWorker{jobs: j}))
	if err != nil {
		return nil, fmt.Errorf("register workers: %w", err)
	}
	j.client, err = river.NewClient(j.driver(), j.config(workers))
	if err != nil {
		j.closeListen()
		return nil, fmt.Errorf("open the queue: %w", err)
	}
	return j, nil
}

func (j *Jobs) driver() riverdriver.Driver[*sql.Tx] {
	if j.listen == nil {
		return riversqlite.New(j.db.SQL())
	}
	return riverdatabasesql.NewWithPgxListener(j.db.SQL(), j.listen)
}

func (j *Jobs) config(workers *river.Workers) *river.Config {
	config := &river.Config{
		ErrorHandler:         errorLog{j.log},
		FetchCooldown:        cooldown,
		FetchPollInterval:    pollPostgres,
		JobTimeout:           runWithin,
		Logger:               slog.New(atLeastWarn{j.log.Handler()}),
		Queues:               map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: maxWorkers}},
		RescueStuckJobsAfter: rescueAfter,
		Workers:              workers,
	}
	if j.db.Dialect() == migrations.SQLite {
		// One process needs no notifications; they would be polled as well.
		config.PollOnly = true
		config.FetchPollInterval = pollSQLite
	}
	return config
}

// AdvanceTurn enqueues work on a turn, in the transaction of the unit of work
// in ctx. Enqueueing a turn twice does no harm: one execution leases it.
func (j *Jobs) AdvanceTurn(ctx context.Context, p tenancy.Partition, turnID string) error {
	return j.enqueue(ctx, turnArgs{Tenant: p.Stored(), Turn: turnID}, time.Time{})
}

// ExpireApproval enqueues the end of an approval for a moment, in the
// transaction of the unit of work in ctx. It runs some seconds after that
// moment; until then the database's clock refuses the approval anyway.
func (j *Jobs) ExpireApproval(ctx context.Context, p tenancy.Partition, approvalID string, at models.Instant) error {
	return j.enqueue(ctx, expiryArgs{Tenant: p.Stored(), Approval: approvalID}, at.Time())
}

func (j *Jobs) enqueue(ctx context.Context, args river.JobArgs, at time.Time) error {
	tx, err := j.db.Tx(ctx)
	if err == nil {
		_, err = j.client.InsertTx(ctx, tx, args, &river.InsertOpts{ScheduledAt: at})
	}
	if err != nil {
		return fmt.Errorf("enqueue %s: %w", args.Kind(), err)
	}
	return nil
}

// Start begins to run jobs with the handlers, and returns. Only [Jobs.Stop]
// ends it, not the end of ctx.
func (j *Jobs) Start(ctx context.Context, handlers Handlers) error {
	if handlers.AdvanceTurn == nil || handlers.ExpireApproval == nil {
		return errors.New("jobs: a handler is missing")
	}
	j.handlers = handlers
	if err := j.client.Start(context.WithoutCancel(ctx)); err != nil {
		return fmt.Errorf("start the workers: %w", err)
	}
	return nil
}

// Stop takes up no more jobs and waits for those that run. When ctx ends
// first, it ends their contexts too, and returns an error if one does not heed
// that; such a job is run again later.
func (j *Jobs) Stop(ctx context.Context) error {
	defer j.closeListen()
	if j.client.Stop(ctx) == nil {
		return nil
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopWithin)
	defer cancel()
	if err := j.client.StopAndCancel(grace); err != nil {
		return fmt.Errorf("stop the workers: %w", err)
	}
	return nil
}

func (j *Jobs) closeListen() {
	if j.listen != nil {
		j.listen.Close()
	}
}
