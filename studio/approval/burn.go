package approval

import (
	"context"
	"time"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/toolexec"
	"github.com/agentstudio/agentstudio/tenancy"
)

// Burn spends an approval before its call runs; it is the eighth stage of the
// door. An approval that was burned when it was decided is verified, and its
// intent returned, together with an error where its seals or the decider's
// right do not hold any more.
func (s *Service) Burn(ctx context.Context, asked models.Approval) (models.Intent, error) {
	p, err := tenancy.PartitionFromStored(asked.TenantID)
	if err != nil {
		return models.Intent{}, err
	}
	var intent models.Intent
	var refusal error
	err = s.c.Store.Write(ctx, p, func(ctx context.Context) error {
		a, err := s.c.Store.Approval(ctx, asked.ID)
		if err != nil {
			return err
		}
		if a.State == models.ApprovalConsumed && a.TurnID != "" {
			if intent, err = s.c.Store.IntentOf(ctx, a.ID); err != nil {
				return err
			}
			refusal = s.verify(ctx, a)
			return nil
		}
		if a.State == models.ApprovalPending {
			refusal = pending()
			return nil
		}
		if a.State != models.ApprovalApproved {
			refusal = Ended(a)
			return nil
		}
		if refusal = s.verify(ctx, a); refusal != nil {
			_, err := s.close(ctx, a, models.ApprovalStale, refusal)
			return err
		}
		intent, err = s.burn(ctx, &a)
		return err
	})
	if err != nil {
		return models.Intent{}, err
	}
	return intent, refusal
}

// verify checks both seals, and that who decided still may.
func (s *Service) verify(ctx context.Context, a models.Approval) error {
	if err := s.verifyBinding(a); err != nil {
		return err
	}
	if err := s.verifyDecision(a); err != nil {
		return err
	}
	scope, err := s.c.Resolver.Reload(ctx, a.TenantID, a.DecidedBy)
	p, without := scope.Partition()
	if err == nil && without == nil && p.Stored() == a.TenantID && (a.DecidedBy == a.Caller || scope.Administers()) {
		return nil
	}
	return models.Errorf(models.CodeApprovalStale, "Nothing ran: the person who approved no longer may. Ask for it again.").
		Reason("stale").Because(err)
}

// burn spends an approved approval by one conditional UPDATE and writes its
// intent. Of any number of racing burns one wins; the others get
// approval_consumed or what else ended it.
func (s *Service) burn(ctx context.Context, a *models.Approval) (models.Intent, error) {
	won, err := s.c.Store.BurnApproval(ctx, *a)
	if err != nil {
		return models.Intent{}, err
	}
	if !won {
		return models.Intent{}, s.notBurned(ctx, a.ID)
	}
	now, err := s.c.Store.Now(ctx)
	if err != nil {
		return models.Intent{}, err
	}
	a.State, a.ConsumedAt = models.ApprovalConsumed, now
	intent := models.Intent{ID: models.NewID(), ApprovalID: a.ID, State: models.IntentBurned, BurnedAt: now}
	if err := s.c.Store.CreateIntent(ctx, intent); err != nil {
		return models.Intent{}, err
	}
	return intent, s.lookAfter(ctx, *a, now.Add(abandonedAfter))
}

// abandonedAfter is when a burned call that has not ended counts as abandoned:
// longer than any call may take.
const abandonedAfter = 3 * time.Minute

// lookAfter enqueues another look at an approval for a moment.
func (s *Service) lookAfter(ctx context.Context, a models.Approval, at models.Instant) error {
	p, err := tenancy.PartitionFromStored(a.TenantID)
	if err != nil {
		return err
	}
	return s.c.Queue.ExpireApproval(ctx, p, a.ID, at)
}

func (s *Service) notBurned(ctx context.Context, id string) error {
	a, err := s.c.Store.Approval(ctx, id)
	if err != nil {
		return err
	}
	if a.State == models.ApprovalApproved {
		return Ended(models.Approval{State: models.ApprovalExpired})
	}
	return Ended(a)
}

// Start marks a burned call as started, once. One that was started before
// counts as running until within has passed by the database's clock.
func (s *Service) Start(
	ctx context.Context, a models.Approval, intent models.Intent, within time.Duration,
) (toolexec.Start, error) {
	p, err := tenancy.PartitionFromStored(a.TenantID)
	if err != nil {
		return 0, err
	}
	start := toolexec.StartFirst
	err = s.c.Store.Write(ctx, p, func(ctx context.Context) error {
		first, err := s.c.Store.StartIntent(ctx, intent.ID)
		if err != nil || first {
			return err
		}
		start, err = s.startedBefore(ctx, a.ID, within)
		return err
	})
	return start, err
}

func (s *Service) startedBefore(ctx context.Context, approvalID string, within time.Duration) (toolexec.Start, error) {
	intent, err := s.c.Store.IntentOf(ctx, approvalID)
	if err != nil {
		return 0, err
	}
	now, err := s.c.Store.Now(ctx)
	if err != nil {
		return 0, err
	}
	if intent.State == models.IntentStarted && now < intent.StartedAt.Add(within) {
		return toolexec.StartRunning, nil
	}
	return toolexec.StartAbandoned, nil
}

// Atomic runs f in one transaction, which f finds by [hosttools.Tx], and in
// which Burn, Start and Settle take part.
func (s *Service) Atomic(ctx context.Context, a models.Approval, f func(ctx context.Context) error) error {
	p, err := tenancy.PartitionFromStored(a.TenantID)
	if err != nil {
		return err
	}
	return s.c.Store.Write(ctx, p, func(ctx context.Context) error {
		tx, err := s.c.Store.Tx(ctx)
		if err != nil {
			return err
		}
		return f(hosttools.WithTx(ctx, tx))
	})
}

// Settle records how a burned call ended, once.
func (s *Service) Settle(ctx context.Context, a models.Approval, intent models.Intent, end toolexec.Ending) error {
	p, err := tenancy.PartitionFromStored(a.TenantID)
	if err != nil {
		return err
	}
	return s.c.Store.Write(ctx, p, func(ctx context.Context) error {
		settled, err := s.c.Store.SettleApproval(ctx, a.ID, end.Outcome, end.Envelope)
		if err != nil || !settled {
			return err
		}
		if _, err := s.c.Store.SettleIntent(ctx, intent.ID); err != nil {
			return err
		}
		now, err := s.c.Store.Now(ctx)
		if err != nil {
			return err
		}
		a.State, a.Outcome, a.Result, a.SettledAt = models.ApprovalConsumed, end.Outcome, end.Envelope, now
		if err := s.audit(ctx, a, models.AuditRan, a.DecidedBy); err != nil {
			return err
		}
		if a.TurnID == "" {
			return nil
		}
		return s.c.Observer.ApprovalChanged(ctx, a)
	})
}
