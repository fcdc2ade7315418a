package store

import (
	"context"

	"github.com/agentstudio/agentstudio/models"
)

// CreateApproval adds an approval.
func (s *Store) CreateApproval(ctx context.Context, a models.Approval) error {
	if len(a.TokenHash) == 0 {
		a.TokenHash = nil // stored as NULL, of which there may be many
	}
	return s.scoped(ctx).Create(&a).Error
}

// Approval returns an approval, or not_found.
func (s *Store) Approval(ctx context.Context, id string) (models.Approval, error) {
	return one[models.Approval](s.scoped(ctx).Where("id = ?", id))
}

// ApprovalByToken returns the approval of a token's hash, or not_found.
func (s *Store) ApprovalByToken(ctx context.Context, hash []byte) (models.Approval, error) {
	return one[models.Approval](s.scoped(ctx).Where("token_hash = ?", hash))
}

// Approvals returns the approvals that f lets through, newest first.
func (s *Store) Approvals(ctx context.Context, f models.ApprovalFilter) ([]models.Approval, error) {
	query := s.scoped(ctx).Order("issued_at DESC, id DESC")
	if len(f.States) > 0 {
		query = query.Where("state IN ?", f.States)
	}
	if f.Caller != "" {
		query = query.Where("caller = ?", f.Caller)
	}
	if f.TurnID != "" {
		query = query.Where("turn_id = ?", f.TurnID)
	}
	if f.Limit > 0 {
		query = query.Limit(f.Limit)
	}
	return all[models.Approval](query)
}

// CountApprovals returns how many approvals are in each state. States without
// any are absent.
func (s *Store) CountApprovals(ctx context.Context) (map[models.ApprovalState]int, error) {
	var rows []struct {
		State models.ApprovalState
		Total int
	}
	err := s.scoped(ctx).Model(&models.Approval{}).
		Select("state, count(*) AS total").Group("state").Find(&rows).Error
	counts := make(map[models.ApprovalState]int, len(rows))
	for _, row := range rows {
		counts[row.State] = row.Total
	}
	return counts, err
}
