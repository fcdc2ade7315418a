package store

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/agentstudio/agentstudio/models"
)

// Every method of this file is one conditional UPDATE, and reports whether it
// changed the approval. That it did not is an answer, not an error.

func (s *Store) approval(ctx context.Context, id string) *gorm.DB {
	return s.scoped(ctx).Model(&models.Approval{}).Where("id = ?", id)
}

// DecideApproval writes the decision that a carries (a.State is approved or
// denied) on an approval that is pending, has the same binding and has not
// expired by the database's clock.
func (s *Store) DecideApproval(ctx context.Context, a models.Approval) (bool, error) {
	return changed(
		s.approval(ctx, a.ID).
			Where("state = ? AND binding = ?", models.ApprovalPending, a.Binding).
			Where("expires_at > ?", s.dialect.now()),
		map[string]any{
			"state":             a.State,
			"decided_by":        a.DecidedBy,
			"decided_at":        a.DecidedAt,
			"decision_session":  a.DecisionSession,
			"decision_auth":     a.DecisionAuth,
			"reason":            a.Reason,
			"decision_seal":     a.DecisionSeal,
			"redeem_expires_at": a.RedeemExpiresAt,
		})
}

// BurnApproval spends an approval that is approved, has the same binding,
// decision seal and token hash as a, and can still be redeemed by the
// database's clock. Of any number of racing burns exactly one reports true.
func (s *Store) BurnApproval(ctx context.Context, a models.Approval) (bool, error) {
	query := s.approval(ctx, a.ID).
		Where("state = ? AND binding = ? AND decision_seal = ?", models.ApprovalApproved, a.Binding, a.DecisionSeal).
		Where("redeem_expires_at > ?", s.dialect.now())
	if len(a.TokenHash) == 0 {
		query = query.Where("token_hash IS NULL")
	} else {
		query = query.Where("token_hash = ?", a.TokenHash)
	}
	return changed(query, map[string]any{
		"state": models.ApprovalConsumed, "consumed_at": s.dialect.now(),
	})
}

// CloseApproval ends an approval that is in one of the states from, with a
// reason.
func (s *Store) CloseApproval(
	ctx context.Context, id string, from []models.ApprovalState, to models.ApprovalState, reason string,
) (bool, error) {
	return changed(s.approval(ctx, id).Where("state IN ?", from),
		map[string]any{"state": to, "reason": reason})
}

// ExpireApproval ends an approval whose time has come by the database's clock:
// to be decided, or once approved to be redeemed.
func (s *Store) ExpireApproval(ctx context.Context, id string) (bool, error) {
	now := s.dialect.now()
	return changed(
		s.approval(ctx, id).Where(
			"((state = ? AND expires_at <= ?) OR (state = ? AND redeem_expires_at <= ?))",
			models.ApprovalPending, now, models.ApprovalApproved, now),
		map[string]any{"state": models.ApprovalExpired})
}

// CancelApprovals cancels everything of a turn that is not burned, and returns
// what it cancelled, oldest first.
func (s *Store) CancelApprovals(ctx context.Context, turnID, reason string) ([]models.Approval, error) {
	cancelled := []models.Approval{}
	err := s.scoped(ctx).Model(&cancelled).Clauses(clause.Returning{}).
		Where("turn_id = ?", turnID).
		Where("state IN ?", []models.ApprovalState{models.ApprovalPending, models.ApprovalApproved}).
		Updates(map[string]any{"state": models.ApprovalCancelled, "reason": reason}).Error
	slices.SortFunc(cancelled, func(a, b models.Approval) int {
		return cmp.Or(cmp.Compare(a.IssuedAt, b.IssuedAt), strings.Compare(a.ID, b.ID))
	})
	return cancelled, err
}

// SettleApproval records how a burned call ended, once.
func (s *Store) SettleApproval(ctx context.Context, id string, outcome models.Outcome, result []byte) (bool, error) {
	return changed(s.approval(ctx, id).Where("state = ? AND outcome = ?", models.ApprovalConsumed, ""),
		map[string]any{"outcome": outcome, "result": result, "settled_at": s.dialect.now()})
}
