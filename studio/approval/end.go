package approval

import (
	"context"
	"errors"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/tenancy"
)

// close ends an approval that is not to run, with its reason, and lets the
// turn that waits for it go on. cause becomes the refusal.
func (s *Service) close(
	ctx context.Context, a models.Approval, to models.ApprovalState, cause error,
) (models.Approval, error, error) {
	reason := ""
	if e, ok := errors.AsType[*models.Error](cause); ok {
		reason = e.Message
	}
	from := []models.ApprovalState{models.ApprovalPending, models.ApprovalApproved}
	closed, err := s.c.Store.CloseApproval(ctx, a.ID, from, to, reason)
	if err != nil || !closed {
		return a, cause, err
	}
	a.State, a.Reason = to, reason
	if err := s.audit(ctx, a, models.AuditStale, actorOf(ctx)); err != nil {
		return a, cause, err
	}
	return a, cause, s.resume(ctx, a)
}

func actorOf(ctx context.Context) string {
	scope, _ := tenancy.FromContext(ctx)
	return scope.User
}

// Expire ends an approval whose time is over; it is a job, and does nothing
// when the approval was decided meanwhile or has more time.
func (s *Service) Expire(ctx context.Context, p tenancy.Partition, id string) error {
	return s.c.Store.Write(ctx, p, func(ctx context.Context) error {
		a, err := s.c.Store.Approval(ctx, id)
		if err != nil {
			return err
		}
		return s.expire(ctx, &a)
	})
}

func (s *Service) expire(ctx context.Context, a *models.Approval) error {
	expired, err := s.c.Store.ExpireApproval(ctx, a.ID)
	if err != nil || !expired {
		return err
	}
	a.State = models.ApprovalExpired
	if err := s.audit(ctx, *a, models.AuditExpired, ""); err != nil {
		return err
	}
	return s.resume(ctx, *a)
}

// CancelTurn ends everything of a turn that is not burned, in one UPDATE. It
// needs a write unit and enqueues nothing: whoever cancels goes on themselves.
func (s *Service) CancelTurn(ctx context.Context, turnID, reason string) error {
	cancelled, err := s.c.Store.CancelApprovals(ctx, turnID, reason)
	if err != nil {
		return err
	}
	for _, a := range cancelled {
		a.State, a.Reason = models.ApprovalCancelled, reason
		if err := s.audit(ctx, a, models.AuditCancelled, actorOf(ctx)); err != nil {
			return err
		}
		if err := s.c.Observer.ApprovalChanged(ctx, a); err != nil {
			return err
		}
	}
	return nil
}
