package store

import (
	"context"

	"gorm.io/gorm"

	"github.com/agentstudio/agentstudio/models"
)

// CreateIntent adds the promise to run a burned approval. It returns an error
// with code approval_consumed when the approval has one already.
func (s *Store) CreateIntent(ctx context.Context, i models.Intent) error {
	if err := s.stampTimes(ctx, &i.BurnedAt); err != nil {
		return err
	}
	return duplicate(s.scoped(ctx).Create(&i).Error,
		models.CodeApprovalConsumed, "This call was already started. It runs only once.")
}

// IntentOf returns the intent of an approval, or not_found.
func (s *Store) IntentOf(ctx context.Context, approvalID string) (models.Intent, error) {
	return one[models.Intent](s.scoped(ctx).Where("approval_id = ?", approvalID))
}

// StartIntent marks an intent as started, and reports whether it was not yet.
func (s *Store) StartIntent(ctx context.Context, id string) (bool, error) {
	return changed(s.intent(ctx, id).Where("state = ?", models.IntentBurned),
		map[string]any{"state": models.IntentStarted, "started_at": s.dialect.now()})
}

// SettleIntent marks an intent as settled, and reports whether it was not yet.
func (s *Store) SettleIntent(ctx context.Context, id string) (bool, error) {
	return changed(
		s.intent(ctx, id).Where("state IN ?", []models.IntentState{models.IntentBurned, models.IntentStarted}),
		map[string]any{"state": models.IntentSettled, "settled_at": s.dialect.now()})
}

func (s *Store) intent(ctx context.Context, id string) *gorm.DB {
	return s.scoped(ctx).Model(&models.Intent{}).Where("id = ?", id)
}
