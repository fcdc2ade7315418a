package store

import (
	"context"

	"github.com/agentstudio/agentstudio/models"
)

// AppendAudit adds an entry. Entries are neither changed nor removed.
func (s *Store) AppendAudit(ctx context.Context, e models.AuditEntry) error {
	if err := s.stampTimes(ctx, &e.At); err != nil {
		return err
	}
	return s.scoped(ctx).Create(&e).Error
}

// AuditEntries returns the entries that f lets through, newest first.
func (s *Store) AuditEntries(ctx context.Context, f models.AuditFilter) ([]models.AuditEntry, error) {
	query := s.scoped(ctx).Order("id DESC")
	if f.Action != "" {
		query = query.Where("action = ?", f.Action)
	}
	if f.ApprovalID != "" {
		query = query.Where("approval_id = ?", f.ApprovalID)
	}
	if f.Before != "" {
		query = query.Where("id < ?", f.Before)
	}
	if f.Limit > 0 {
		query = query.Limit(f.Limit)
	}
	return all[models.AuditEntry](query)
}
