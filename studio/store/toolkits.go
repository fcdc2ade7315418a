package store

import (
	"context"
	"strings"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/agentstudio/agentstudio/models"
)

// ToolkitSettings returns how the toolkits of an agent are configured, sorted
// by slug.
func (s *Store) ToolkitSettings(ctx context.Context, agentID string) ([]models.ToolkitSettings, error) {
	return all[models.ToolkitSettings](s.scoped(ctx).Where("agent_id = ?", agentID).Order("slug"))
}

// ToolkitSetting returns how one toolkit of an agent is configured, or
// not_found.
func (s *Store) ToolkitSetting(ctx context.Context, agentID, slug string) (models.ToolkitSettings, error) {
	return one[models.ToolkitSettings](s.toolkit(ctx, agentID, slug))
}

// SaveToolkitSettings adds t, or replaces what its agent and slug have. The
// revision and the time of the change are the database's to say, whatever t
// carries.
func (s *Store) SaveToolkitSettings(ctx context.Context, t models.ToolkitSettings) error {
	now, err := s.Now(ctx)
	if err != nil {
		return err
	}
	t.Revision, t.UpdatedAt = 1, now
	replace := nextRevision("agent_tooling", []string{"tenant_id", "agent_id", "slug"},
		"params", "secrets", "user_overridable", "updated_at", "updated_by")
	return s.scoped(ctx).Clauses(replace).Create(&t).Error
}

// DeleteToolkitSettings deletes how a toolkit of an agent is configured, with
// all overrides of it, and reports whether there was anything.
func (s *Store) DeleteToolkitSettings(ctx context.Context, agentID, slug string) (bool, error) {
	return deleted(s.toolkit(ctx, agentID, slug), &models.ToolkitSettings{})
}

// ToolkitOverride returns what a user has set for themselves, or not_found.
func (s *Store) ToolkitOverride(ctx context.Context, agentID, slug, user string) (models.ToolkitOverride, error) {
	return one[models.ToolkitOverride](s.toolkit(ctx, agentID, slug).Where("user_id = ?", user))
}

// SaveToolkitOverride adds o, or replaces what its user has set before, with
// revision and time as in [Store.SaveToolkitSettings]. It fails when there are
// no settings to override.
func (s *Store) SaveToolkitOverride(ctx context.Context, o models.ToolkitOverride) error {
	now, err := s.Now(ctx)
	if err != nil {
		return err
	}
	o.Revision, o.UpdatedAt = 1, now
	replace := nextRevision("toolkit_overrides", []string{"tenant_id", "agent_id", "slug", "user_id"},
		"params", "secrets", "updated_at", "updated_by")
	return s.scoped(ctx).Clauses(replace).Create(&o).Error
}

// DeleteToolkitOverride deletes what a user has set for themselves, and
// reports whether there was anything.
func (s *Store) DeleteToolkitOverride(ctx context.Context, agentID, slug, user string) (bool, error) {
	return deleted(s.toolkit(ctx, agentID, slug).Where("user_id = ?", user), &models.ToolkitOverride{})
}

// ToolkitSettingsFor returns how a toolkit of an agent is configured and what
// the user has set instead, as they are at one moment. What is absent is the
// zero value.
func (s *Store) ToolkitSettingsFor(
	ctx context.Context, agentID, slug, user string,
) (models.ToolkitSettings, models.ToolkitOverride, error) {
	var row struct {
		models.ToolkitSettings
		Own models.ToolkitOverride `gorm:"embedded;embeddedPrefix:own_"`
	}
	// The columns of the override are renamed, so that those of the settings
	// are the only ones of their name.
	own := s.toolkit(ctx, agentID, slug).Model(&models.ToolkitOverride{}).Where("user_id = ?", user).
		Select(renamed("own_", "tenant_id", "agent_id", "slug", "user_id",
			"params", "secrets", "revision", "updated_at", "updated_by"))
	err := s.toolkit(ctx, agentID, slug).Model(&models.ToolkitSettings{}).
		Select("*").Joins("LEFT JOIN (?) AS own ON TRUE", own).Find(&row).Error
	return row.ToolkitSettings, row.Own, err
}

// toolkit finds the rows of one toolkit of an agent.
func (s *Store) toolkit(ctx context.Context, agentID, slug string) *gorm.DB {
	return s.scoped(ctx).Where("agent_id = ? AND slug = ?", agentID, slug)
}

// nextRevision makes an INSERT replace columns of the row with the same key,
// and count its revision up.
func nextRevision(table string, key []string, columns ...string) clause.OnConflict {
	upsert := onConflict(key, columns...)
	upsert.DoUpdates = append(upsert.DoUpdates, clause.Assignment{
		Column: clause.Column{Name: "revision"}, Value: gorm.Expr(table + ".revision + 1"),
	})
	return upsert
}

// renamed lists columns with a prefix to their names.
func renamed(prefix string, columns ...string) string {
	list := make([]string, 0, len(columns))
	for _, name := range columns {
		list = append(list, name+" AS "+prefix+name)
	}
	return strings.Join(list, ", ")
}

// deleted deletes the records of a kind that a query finds, and reports whether
// there were any.
func deleted(query *gorm.DB, kind any) (bool, error) {
	result := query.Delete(kind)
	return result.RowsAffected > 0, result.Error
}
