package store

import (
	"context"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/agentstudio/agentstudio/models"
)

// CurrentDataKey returns the key that the partition's secrets are sealed with
// now, and false without one. In a Write it stays the current one until the unit
// has ended.
func (s *Store) CurrentDataKey(ctx context.Context) (models.DataKey, bool, error) {
	key, err := one[models.DataKey](s.scoped(ctx).Clauses(clause.Locking{Strength: "SHARE"}).Where("retired_at = ?", 0))
	if models.CodeOf(err) == models.CodeNotFound {
		return models.DataKey{}, false, nil
	}
	return key, err == nil, err
}

// DataKey returns a key of the partition, or not_found.
func (s *Store) DataKey(ctx context.Context, id string) (models.DataKey, error) {
	return one[models.DataKey](s.scoped(ctx).Where("id = ?", id))
}

// DataKeys returns all keys of the partition, the oldest first. Units that seal
// wait until a Write in which it was called has ended.
func (s *Store) DataKeys(ctx context.Context) ([]models.DataKey, error) {
	return all[models.DataKey](s.scoped(ctx).Clauses(clause.Locking{Strength: "UPDATE"}).Order("number"))
}

// CreateDataKey adds a key. It changes nothing when the partition has one with its
// number, or another that is not retired.
func (s *Store) CreateDataKey(ctx context.Context, k models.DataKey) error {
	if err := s.stampTimes(ctx, &k.CreatedAt); err != nil {
		return err
	}
	return s.scoped(ctx).Clauses(clause.OnConflict{DoNothing: true}).Create(&k).Error
}

// RetireDataKey ends that secrets are sealed with a key, and reports whether it
// was the current one.
func (s *Store) RetireDataKey(ctx context.Context, id string) (bool, error) {
	return changed(s.scoped(ctx).Model(&models.DataKey{}).Where("id = ? AND retired_at = ?", id, 0),
		map[string]any{"retired_at": s.dialect.now()})
}

// DeleteDataKey deletes a retired key. Whether a secret needs it, is for the
// caller to know.
func (s *Store) DeleteDataKey(ctx context.Context, id string) (bool, error) {
	return deleted(s.scoped(ctx).Where("id = ? AND retired_at > ?", id, 0), &models.DataKey{})
}

// VaultTenants returns the tenants that have secrets, as stored, sorted. It needs
// no unit.
func (s *Store) VaultTenants(ctx context.Context) ([]string, error) {
	found, err := all[models.VaultTenant](s.global(ctx).Order("id"))
	tenants := make([]string, 0, len(found))
	for _, t := range found {
		tenants = append(tenants, t.ID)
	}
	return tenants, err
}

// SealedRows returns every record of the partition that holds secrets.
func (s *Store) SealedRows(ctx context.Context) ([]models.SealedRow, error) {
	var settings, overrides []models.SealedRow
	held := "secrets IS NOT NULL AND secrets NOT IN ('', '{}', 'null')"
	if err := s.scoped(ctx).Model(&models.ToolkitSettings{}).Select("tenant_id, agent_id, slug, '' AS user_id, secrets").
		Where(held).Order("agent_id, slug").Find(&settings).Error; err != nil {
		return nil, err
	}
	err := s.scoped(ctx).Model(&models.ToolkitOverride{}).Select("tenant_id, agent_id, slug, user_id, secrets").
		Where(held).Order("agent_id, slug, user_id").Find(&overrides).Error
	return append(settings, overrides...), err
}

// ResealRow replaces the secrets of a record that holds just what it held when it
// was read, and reports whether it did. Nothing else of the record changes: the
// values are the same ones.
func (s *Store) ResealRow(ctx context.Context, row models.SealedRow, secrets string) (bool, error) {
	var record any = &models.ToolkitSettings{}
	query := s.toolkit(ctx, row.AgentID, row.Slug)
	if row.UserID != "" {
		record, query = &models.ToolkitOverride{}, query.Where("user_id = ?", row.UserID)
	}
	return changed(query.Model(record).Where("secrets = ?", row.Secrets), map[string]any{"secrets": gorm.Expr("?", secrets)})
}
