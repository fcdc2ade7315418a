package approval

import (
	"context"
	"errors"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/toolexec"
	"github.com/agentstudio/agentstudio/tenancy"
)

// close ends an approval that is not to run, with its reason, and lets the
// turn that waits for it go on. cause becomes the refusal.
func (s *Service) close(
	ctx context.Context, a models.Approval, to models.ApprovalState, cause error,
) (answer, error) {
	reason := ""
	if e, ok := errors.AsType[*models.Error](cause); ok {
		reason = e.Message
	}
	from := []models.ApprovalState{models.ApprovalPending, models.ApprovalApproved}
	closed, err := s.c.Store.CloseApproval(ctx, a.ID, from, to, reason)
	if err != nil || !closed {
		return answer{a, cause}, err
	}
	a.State, a.Reason = to, reason
	if err := s.audit(ctx, a, models.AuditStale, actorOf(ctx)); err != nil {
		return answer{a, cause}, err
	}
	return answer{a, cause}, s.resume(ctx, a)
}

func actorOf(ctx context.Context) string {
	scope, _, _ := tenancy.Caller(ctx)
	return scope.User
}

// Expire looks after an approval; it is a job. One whose time is over ends. A
// burned call that has not ended is taken up again where a turn waits for it,
// and otherwise ends as what is known of it. It does nothing when all is well.
func (s *Service) Expire(ctx context.Context, p tenancy.Partition, id string) error {
	var a models.Approval
	var intent models.Intent
	err := s.c.Store.Write(ctx, p, func(ctx context.Context) error {
		var err error
		if a, err = s.c.Store.Approval(ctx, id); err != nil {
			return err
		}
		if a.State != models.ApprovalConsumed || a.Outcome != "" {
			return s.expire(ctx, &a)
		}
		if a.TurnID != "" {
			return s.c.Queue.AdvanceTurn(ctx, p, a.TurnID)
		}
		now, err := s.c.Store.Now(ctx)
		if err != nil || now < a.ConsumedAt.Add(abandonedAfter) {
			return err
		}
		intent, err = s.c.Store.IntentOf(ctx, a.ID)
		return err
	})
	if err != nil || intent.ID == "" {
		return err
	}
	return s.abandon(ctx, a, intent)
}

// abandon ends a burned call of a program whose execution did not live to end
// it. Before its mark nothing ran; after it nobody knows.
func (s *Service) abandon(ctx context.Context, a models.Approval, intent models.Intent) error {
	end := toolexec.Ending{Outcome: models.OutcomeUnknown}
	cause := models.Errorf(models.CodeOutcomeUnknown, "The call was started, and whether it finished is not known.")
	if intent.State == models.IntentBurned {
		end.Outcome = models.OutcomeFailed
		cause = models.Errorf(models.CodeInternal, "The server stopped before the call ran. Nothing ran.")
	}
	var err error
	if end.Envelope, err = toolexec.Failed(cause).Encode(); err != nil {
		return err
	}
	return s.Settle(ctx, a, intent, end)
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
