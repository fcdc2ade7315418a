package store

import (
	"context"
	"maps"
	"slices"

	"gorm.io/gorm"

	"github.com/agentstudio/agentstudio/models"
)

// MapMemberships makes the memberships of a user that follow the groups of a
// source exactly these, in one transaction. Memberships that have another
// source, or none, stay as they are, also in a tenant that is among these.
func (s *Store) MapMemberships(ctx context.Context, user, source string, memberships []models.Membership) error {
	return s.forUser(ctx, user, func(tx *gorm.DB) error {
		wanted := map[string]models.Membership{}
		for _, m := range memberships {
			m.UserID, m.Source = user, source
			if err := s.stampTimes(ctx, &m.CreatedAt); err != nil {
				return err
			}
			wanted[m.TenantID] = m
		}
		have, err := all[models.Membership](tx.Where("user_id = ?", user))
		if err != nil {
			return err
		}
		for _, m := range have {
			if err := follow(tx, m, source, wanted); err != nil {
				return err
			}
			delete(wanted, m.TenantID)
		}
		for _, tenant := range slices.Sorted(maps.Keys(wanted)) {
			m := wanted[tenant]
			if err := tx.Create(&m).Error; err != nil {
				return err
			}
		}
		return nil
	})
}

// follow changes or ends a membership that follows source, as it is wanted.
func follow(tx *gorm.DB, m models.Membership, source string, wanted map[string]models.Membership) error {
	if m.Source != source {
		return nil
	}
	query := tx.Model(&models.Membership{}).
		Where("tenant_id = ? AND user_id = ? AND source = ?", m.TenantID, m.UserID, source)
	next, ok := wanted[m.TenantID]
	if !ok {
		return query.Delete(&models.Membership{}).Error
	}
	return query.Select("role", "groups").Updates(&models.Membership{Role: next.Role, Groups: next.Groups}).Error
}
