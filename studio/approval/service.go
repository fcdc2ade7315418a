package approval

import (
	"context"
	"database/sql"
	"time"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/policy"
	"github.com/agentstudio/agentstudio/studio/toolexec"
	"github.com/agentstudio/agentstudio/studio/vault"
	"github.com/agentstudio/agentstudio/tenancy"
)

// Store is what approvals need of the database. Every method but the units
// needs a unit of work in its context.
type Store interface {
	Read(ctx context.Context, p tenancy.Partition, fn func(ctx context.Context) error) error
	Write(ctx context.Context, p tenancy.Partition, fn func(ctx context.Context) error) error
	Tx(ctx context.Context) (*sql.Tx, error)
	Now(ctx context.Context) (models.Instant, error)

	CreateApproval(ctx context.Context, a models.Approval) error
	Approval(ctx context.Context, id string) (models.Approval, error)
	ApprovalByToken(ctx context.Context, hash []byte) (models.Approval, error)
	Approvals(ctx context.Context, f models.ApprovalFilter) ([]models.Approval, error)
	CountApprovals(ctx context.Context) (map[models.ApprovalState]int, error)
	DecideApproval(ctx context.Context, a models.Approval) (bool, error)
	BurnApproval(ctx context.Context, a models.Approval) (bool, error)
	CloseApproval(ctx context.Context, id string, from []models.ApprovalState, to models.ApprovalState, reason string) (bool, error)
	ExpireApproval(ctx context.Context, id string) (bool, error)
	CancelApprovals(ctx context.Context, turnID, reason string) ([]models.Approval, error)
	SettleApproval(ctx context.Context, id string, outcome models.Outcome, result []byte) (bool, error)

	CreateIntent(ctx context.Context, i models.Intent) error
	IntentOf(ctx context.Context, approvalID string) (models.Intent, error)
	StartIntent(ctx context.Context, id string) (bool, error)
	SettleIntent(ctx context.Context, id string) (bool, error)

	AppendAudit(ctx context.Context, e models.AuditEntry) error
}

// Queue is the background work that approvals ask for, in their transaction.
type Queue interface {
	AdvanceTurn(ctx context.Context, p tenancy.Partition, turnID string) error
	ExpireApproval(ctx context.Context, p tenancy.Partition, approvalID string, at models.Instant) error
}

// Judge judges a stored call anew.
type Judge interface {
	Rejudge(ctx context.Context, a models.Approval) (*toolexec.Prepared, error)
	Version(call *toolexec.Prepared) string
}

// Observer is told, in the transaction of a change, what became of an approval
// that a conversation waits for.
type Observer interface {
	ApprovalChanged(ctx context.Context, a models.Approval) error
}

// Config is what a [Service] needs.
type Config struct {
	Store      Store
	Queue      Queue
	Judge      Judge
	Observer   Observer
	Resolver   tenancy.Resolver
	Authorizer *policy.Authorizer
	Sealer     vault.Sealer
	// DecideWithin is how long a call waits for a decision; zero means 15 min.
	DecideWithin time.Duration
	// RedeemWithin is how long a decided REST request can be redeemed; zero
	// means 10 min.
	RedeemWithin time.Duration
}

// Service is the life of approvals.
type Service struct{ c Config }

// New returns a service with the defaults filled in.
func New(c Config) *Service {
	if c.DecideWithin == 0 {
		c.DecideWithin = 15 * time.Minute
	}
	if c.RedeemWithin == 0 {
		c.RedeemWithin = 10 * time.Minute
	}
	return &Service{c: c}
}

// Get returns an approval that the caller may see: their own, or any of the
// tenant for its admins. Others are not_found.
func (s *Service) Get(ctx context.Context, id string) (models.Approval, error) {
	scope, p, err := tenancy.Caller(ctx)
	if err != nil {
		return models.Approval{}, err
	}
	var a models.Approval
	err = s.c.Store.Read(ctx, p, func(ctx context.Context) error {
		a, err = s.visible(ctx, scope, id)
		return err
	})
	return a, err
}

func (s *Service) visible(ctx context.Context, scope tenancy.Scope, id string) (models.Approval, error) {
	if !models.ValidID(id) {
		return models.Approval{}, models.NotFound()
	}
	a, err := s.c.Store.Approval(ctx, id)
	if err != nil {
		return models.Approval{}, err
	}
	if a.Caller != scope.User && !scope.Administers() {
		return models.Approval{}, models.NotFound()
	}
	return a, nil
}

// Waiting returns how many approvals the caller may see that nobody has decided.
func (s *Service) Waiting(ctx context.Context) (int, error) {
	scope, p, err := tenancy.Caller(ctx)
	if err != nil {
		return 0, err
	}
	count := 0
	err = s.c.Store.Read(ctx, p, func(ctx context.Context) error {
		if scope.Administers() {
			counts, err := s.c.Store.CountApprovals(ctx)
			count = counts[models.ApprovalPending]
			return err
		}
		own, err := s.c.Store.Approvals(ctx, models.ApprovalFilter{
			States: []models.ApprovalState{models.ApprovalPending}, Caller: scope.User, Limit: maxCounted,
		})
		count = len(own)
		return err
	})
	return count, err
}

// maxCounted bounds what is counted of one caller's approvals.
const maxCounted = 1000

// List returns the approvals in any of the states that the caller may see,
// newest first, at most limit.
func (s *Service) List(ctx context.Context, states []models.ApprovalState, limit int) ([]models.Approval, error) {
	scope, p, err := tenancy.Caller(ctx)
	if err != nil {
		return nil, err
	}
	filter := models.ApprovalFilter{States: states, Limit: limit}
	if !scope.Administers() {
		filter.Caller = scope.User
	}
	var found []models.Approval
	err = s.c.Store.Read(ctx, p, func(ctx context.Context) error {
		found, err = s.c.Store.Approvals(ctx, filter)
		return err
	})
	return found, err
}
