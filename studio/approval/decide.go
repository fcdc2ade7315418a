package approval

import (
	"context"
	"crypto/subtle"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/policy"
	"github.com/agentstudio/agentstudio/tenancy"
)

// Decision is what a person sends back from a card.
type Decision struct {
	ID     string
	Nonce  string // of the card
	Hash   string // of the card, as [CardHash] returns it
	Reason string // the person's words; what is over [MaxReason] is cut
}

// MaxReason is how much of a decision's reason is kept, in bytes.
const MaxReason = 2000

// Approve lets the stored call run once. In a conversation, decision, burn,
// intent, audit and job commit together. The same decision by the same person
// is answered again with the approval as it is; anything else after the end is
// an error that says what happened.
func (s *Service) Approve(ctx context.Context, d Decision) (models.Approval, error) {
	return s.decide(ctx, d, models.ApprovalApproved)
}

// Deny closes the approval. Nothing runs.
func (s *Service) Deny(ctx context.Context, d Decision) (models.Approval, error) {
	return s.decide(ctx, d, models.ApprovalDenied)
}

func (s *Service) decide(ctx context.Context, d Decision, to models.ApprovalState) (models.Approval, error) {
	scope, p, err := tenancy.Caller(ctx)
	if err != nil {
		return models.Approval{}, err
	}
	var given answer
	err = s.c.Store.Write(ctx, p, func(ctx context.Context) error {
		a, err := s.visible(ctx, scope, d.ID)
		if err != nil {
			return err
		}
		given = answer{a, s.mayDecide(scope, a)}
		if given.refusal != nil {
			return nil //nolint:nilerr // A refusal is answered, not rolled back.
		}
		given, err = s.decidePending(ctx, scope, a, d, to)
		return err
	})
	if err == nil {
		err = given.refusal
	}
	return given.approval, err
}

// answer is what a decision comes to: the approval as it stands, and why the
// decision does not count, if it does not. The refusal is no error of the
// transaction, since closing a stale approval must commit.
type answer struct {
	approval models.Approval
	refusal  error
}

// mayDecide applies the default rule. Only a person in a live browser session
// decides; a token, an agent or a job never does.
func (s *Service) mayDecide(scope tenancy.Scope, a models.Approval) error {
	switch {
	case scope.Via != tenancy.ViaBrowser || scope.Session == "":
		return models.Errorf(models.CodeDecisionDenied, "Only a person who is signed in in a browser can decide.")
	case a.Caller != scope.User && !scope.Administers(),
		!s.c.Authorizer.Allow(scope, a.TenantID, policy.ApprovalsDecide):
		return models.Errorf(models.CodeDecisionDenied, "Only the person who asked or an admin can decide this.")
	}
	return nil
}

// decidePending decides an approval, or says why it cannot be.
func (s *Service) decidePending(
	ctx context.Context, scope tenancy.Scope, a models.Approval, d Decision, to models.ApprovalState,
) (answer, error) {
	if a.State != models.ApprovalPending {
		return answer{a, again(a, scope, to)}, nil
	}
	if !sameText(d.Nonce, a.Nonce) || !sameText(d.Hash, CardHash(a)) {
		return answer{a, cardChanged()}, nil
	}
	if err := s.verifyBinding(a); err != nil {
		return s.close(ctx, a, models.ApprovalStale, err)
	}
	if to == models.ApprovalApproved {
		if _, err := s.c.Judge.Rejudge(ctx, a); err != nil {
			return s.close(ctx, a, models.ApprovalStale, err)
		}
	}
	return s.commit(ctx, scope, a, d, to)
}

func cardChanged() error {
	return models.Errorf(models.CodeCardChanged, "The card you decided on is not the current one. Look at it again, then decide.")
}

func sameText(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// commit writes the decision and everything that must commit with it.
func (s *Service) commit(
	ctx context.Context, scope tenancy.Scope, a models.Approval, d Decision, to models.ApprovalState,
) (answer, error) {
	now, err := s.c.Store.Now(ctx)
	if err != nil {
		return answer{a, nil}, err
	}
	a.State, a.Reason = to, cut(d.Reason, MaxReason)
	a.DecidedBy, a.DecidedAt = scope.User, now
	a.DecisionSession, a.DecisionAuth = scope.Session, models.InstantOf(scope.AuthTime)
	if to == models.ApprovalApproved {
		a.RedeemExpiresAt = now.Add(s.c.RedeemWithin)
	}
	if err := s.sealDecision(&a); err != nil {
		return answer{a, nil}, err
	}
	won, err := s.c.Store.DecideApproval(ctx, a)
	if err != nil {
		return answer{a, nil}, err
	}
	if !won {
		return s.lost(ctx, scope, a.ID, to)
	}
	action := models.AuditApproved
	if to == models.ApprovalDenied {
		action = models.AuditDenied
	}
	if err := s.audit(ctx, a, action, scope.User); err != nil {
		return answer{a, nil}, err
	}
	return s.follow(ctx, a)
}

// follow does what a decision in a conversation brings at once: burn, intent,
// and the job that goes on with the turn. A program redeems by itself, in time.
func (s *Service) follow(ctx context.Context, a models.Approval) (answer, error) {
	if a.TurnID == "" && a.State == models.ApprovalApproved {
		return answer{a, nil}, s.lookAfter(ctx, a, a.RedeemExpiresAt)
	}
	if a.TurnID == "" {
		return answer{a, nil}, nil
	}
	if a.State == models.ApprovalApproved {
		if _, err := s.burn(ctx, &a); err != nil {
			return answer{a, nil}, err
		}
	}
	return answer{a, nil}, s.resume(ctx, a)
}

// resume tells the conversation and enqueues its turn.
func (s *Service) resume(ctx context.Context, a models.Approval) error {
	if a.TurnID == "" {
		return nil
	}
	if err := s.c.Observer.ApprovalChanged(ctx, a); err != nil {
		return err
	}
	p, err := tenancy.PartitionFromStored(a.TenantID)
	if err != nil {
		return err
	}
	return s.c.Queue.AdvanceTurn(ctx, p, a.TurnID)
}

// lost answers a decision that came second or too late.
func (s *Service) lost(
	ctx context.Context, scope tenancy.Scope, id string, to models.ApprovalState,
) (answer, error) {
	a, err := s.c.Store.Approval(ctx, id)
	if err == nil && a.State == models.ApprovalPending {
		// The database's clock has passed its end.
		err = s.expire(ctx, &a)
	}
	if err == nil && a.State == models.ApprovalPending {
		// Somebody else ended it just then.
		a, err = s.c.Store.Approval(ctx, id)
	}
	if err != nil {
		return answer{a, nil}, err
	}
	if a.State == models.ApprovalPending {
		return answer{a, cardChanged()}, nil
	}
	return answer{a, again(a, scope, to)}, nil
}

// again answers a decision on an approval that is not pending any more: the
// same decision by the same person changes nothing and is no error.
func again(a models.Approval, scope tenancy.Scope, to models.ApprovalState) error {
	said := a.State
	if said == models.ApprovalConsumed {
		said = models.ApprovalApproved
	}
	if said == to && a.DecidedBy == scope.User {
		return nil
	}
	return Ended(a)
}

// Ended returns the error that says why an approval cannot be decided or
// redeemed any more, and nil while it can.
func Ended(a models.Approval) error {
	switch a.State {
	case models.ApprovalConsumed:
		return models.Errorf(models.CodeApprovalConsumed, "This was approved already, and it runs only once.")
	case models.ApprovalApproved:
		return models.Errorf(models.CodeApprovalDecided, "This was approved already.")
	case models.ApprovalDenied:
		return models.Errorf(models.CodeApprovalDecided, "This was denied already. Nothing ran.")
	case models.ApprovalCancelled:
		return models.Errorf(models.CodeApprovalDecided, "This was cancelled with its turn. Nothing ran.")
	case models.ApprovalExpired:
		return models.Errorf(models.CodeApprovalExpired, "The time to decide is over. Nothing ran. Ask for it again.")
	case models.ApprovalStale:
		return models.Errorf(models.CodeApprovalStale, "This no longer fits what it was asked for. Nothing ran. Ask for it again.").
			Reason("stale")
	default:
		return nil
	}
}

// cut shortens text to at most n bytes, at a character's end.
func cut(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && text[n]&0xC0 == 0x80 {
		n--
	}
	return text[:n]
}
