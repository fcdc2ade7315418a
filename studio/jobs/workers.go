package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/riverqueue/river"

	"github.com/agentstudio/agentstudio/tenancy"
)

// Kinds are stored with each job, so they must not change.
const (
	kindTurn   = "advance_turn"
	kindExpiry = "expire_approval"
)

// Attempts before a job is given up, with pauses that grow from a second to
// hours. A turn has a person waiting, who is told much earlier by the turn
// itself; an expiry only tidies up.
const (
	turnAttempts   = 10
	expiryAttempts = 15
)

// turnArgs is a job's stored form. Tenant is the partition as records carry it.
type turnArgs struct {
	Tenant string `json:"tenant"`
	Turn   string `json:"turn"`
}

// Kind names the job for River.
func (turnArgs) Kind() string { return kindTurn }

// InsertOpts sets how often the job is tried.
func (turnArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: turnAttempts}
}

type expiryArgs struct {
	Tenant   string `json:"tenant"`
	Approval string `json:"approval"`
}

// Kind names the job for River.
func (expiryArgs) Kind() string { return kindExpiry }

// InsertOpts sets how often the job is tried.
func (expiryArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: expiryAttempts}
}

type turnWorker struct {
	river.WorkerDefaults[turnArgs]
	jobs *Jobs
}

// Work hands the turn to its handler.
func (w *turnWorker) Work(ctx context.Context, job *river.Job[turnArgs]) error {
	return work(ctx, w.jobs.handlers.AdvanceTurn, job.Args.Tenant, job.Args.Turn)
}

type expiryWorker struct {
	river.WorkerDefaults[expiryArgs]
	jobs *Jobs
}

// Work hands the approval to its handler.
func (w *expiryWorker) Work(ctx context.Context, job *river.Job[expiryArgs]) error {
	return work(ctx, w.jobs.handlers.ExpireApproval, job.Args.Tenant, job.Args.Approval)
}

type handler func(ctx context.Context, p tenancy.Partition, id string) error

// work runs a handler in the partition that the job carries. A partition that
// is none will not become one, so that job is not tried again.
func work(ctx context.Context, handle handler, tenant, id string) error {
	p, err := tenancy.PartitionFromStored(tenant)
	if err != nil {
		return river.JobCancel(fmt.Errorf("job without a partition: %w", err))
	}
	err = handle(ctx, p, id)
	if later, ok := errors.AsType[*laterError](err); ok {
		return river.JobSnooze(later.after)
	}
	return err
}

// Later returns an error with which a handler asks to be run again after d,
// without this counting as a failure. A negative d is none.
func Later(d time.Duration) error { return &laterError{after: max(d, 0)} }

type laterError struct{ after time.Duration }

// Error says when the handler wants to be run again.
func (e *laterError) Error() string { return fmt.Sprintf("run again in %s", e.after) }
