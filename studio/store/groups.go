package store

import (
	"context"

	"github.com/agentstudio/agentstudio/models"
)

// Groups returns the groups of the partition, sorted by name.
func (s *Store) Groups(ctx context.Context) ([]models.Group, error) {
	return all[models.Group](s.scoped(ctx).Order("name"))
}

// SaveGroup adds a group, or says something else about the one of that name.
func (s *Store) SaveGroup(ctx context.Context, g models.Group) error {
	if err := s.stampTimes(ctx, &g.CreatedAt); err != nil {
		return err
	}
	return s.scoped(ctx).Clauses(onConflict([]string{"tenant_id", "name"}, "about")).Create(&g).Error
}

// DeleteGroup removes a group, and reports whether there was one. Who was in it
// is for the caller to change.
func (s *Store) DeleteGroup(ctx context.Context, name string) (bool, error) {
	result := s.scoped(ctx).Where("name = ?", name).Delete(&models.Group{})
	return result.RowsAffected > 0, result.Error
}
