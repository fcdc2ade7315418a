package store

import (
	"context"

	"gorm.io/gorm"

	"github.com/agentstudio/agentstudio/models"
)

// CreateInvitation adds an invitation to the partition.
func (s *Store) CreateInvitation(ctx context.Context, i models.Invitation) error {
	if err := s.stampTimes(ctx, &i.CreatedAt); err != nil {
		return err
	}
	return s.scoped(ctx).Create(&i).Error
}

// Invitations returns all invitations, the newest first.
func (s *Store) Invitations(ctx context.Context) ([]models.Invitation, error) {
	return all[models.Invitation](s.scoped(ctx).Order("created_at DESC, id DESC"))
}

// InvitationByToken returns the invitation whose link has the secret with this
// hash, or not_found. Whether it is still open is for the caller to judge.
func (s *Store) InvitationByToken(ctx context.Context, hash []byte) (models.Invitation, error) {
	return one[models.Invitation](s.scoped(ctx).Where("token_hash = ?", hash))
}

// AcceptInvitation uses an invitation up, and reports whether it was still
// open at a moment.
func (s *Store) AcceptInvitation(ctx context.Context, id, user string, at models.Instant) (bool, error) {
	return changed(s.openInvitation(ctx, id).Where("expires_at > ?", at),
		map[string]any{"accepted_at": at, "accepted_by": user})
}

// RevokeInvitation withdraws an invitation, and reports whether it was neither
// used nor withdrawn before.
func (s *Store) RevokeInvitation(ctx context.Context, id string, at models.Instant) (bool, error) {
	return changed(s.openInvitation(ctx, id), map[string]any{"revoked_at": at})
}

func (s *Store) openInvitation(ctx context.Context, id string) *gorm.DB {
	return s.scoped(ctx).Model(&models.Invitation{}).
		Where("id = ? AND accepted_at = ? AND revoked_at = ?", id, 0, 0)
}
