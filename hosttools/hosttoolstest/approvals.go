package hosttoolstest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/toolexec"
)

// errNoDatabase is the failure of a transactional write without Database.
var errNoDatabase = errors.New("a transactional write needs a transaction; pass Database(db)")

// approvals gives one approval for each write that the suite runs, for exactly
// that call, and lets it be spent once.
type approvals struct {
	db      *sql.DB
	pending map[string]bool
	count   int
}

func newApprovals() *approvals { return &approvals{pending: map[string]bool{}} }

// grant returns an approval of a prepared write of a toolkit in a version.
func (a *approvals) grant(p *toolexec.Prepared, version string) models.Approval {
	a.count++
	id := strconv.Itoa(a.count)
	a.pending[id] = true
	return models.Approval{
		TenantID: p.Scope.Tenant, ID: id, Caller: p.Scope.User, Slug: p.Tool.Slug, Method: p.Tool.Method,
		State: models.ApprovalApproved, ToolkitVersion: version, SchemaHash: p.Tool.SchemaHash[:],
		Fingerprint: p.Fingerprint[:], Filled: p.FilledBytes, Arguments: p.Arguments, ArgumentsHash: p.ArgumentsHash[:],
	}
}

// Burn spends an approval.
func (a *approvals) Burn(_ context.Context, approval models.Approval) (models.Intent, error) {
	if !a.pending[approval.ID] {
		return models.Intent{}, models.Errorf(models.CodeApprovalConsumed, "This call ran already. It runs only once.")
	}
	delete(a.pending, approval.ID)
	return models.Intent{TenantID: approval.TenantID, ID: approval.ID, ApprovalID: approval.ID, State: models.IntentBurned}, nil
}

// Start lets a burned call start.
func (*approvals) Start(context.Context, models.Approval, models.Intent, time.Duration) (toolexec.Start, error) {
	return toolexec.StartFirst, nil
}

// Atomic runs f in one transaction of the database. An approval that f burned
// counts as pending again when the transaction is rolled back.
func (a *approvals) Atomic(ctx context.Context, approval models.Approval, f func(context.Context) error) error {
	if a.db == nil {
		return errNoDatabase
	}
	tx, err := a.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	if err := f(hosttools.WithTx(ctx, tx)); err != nil {
		a.pending[approval.ID] = true
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// Settle accepts the end of a call.
func (*approvals) Settle(context.Context, models.Approval, models.Intent, toolexec.Ending) error {
	return nil
}
