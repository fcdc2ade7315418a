package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"github.com/agentstudio/agentstudio/models"
)

// CreateAPIToken adds an API token to the partition.
func (s *Store) CreateAPIToken(ctx context.Context, t models.APIToken) error {
	if err := s.stampTimes(ctx, &t.CreatedAt); err != nil {
		return err
	}
	return s.scoped(ctx).Create(&t).Error
}

// APIToken returns an API token, or not_found.
func (s *Store) APIToken(ctx context.Context, id string) (models.APIToken, error) {
	return one[models.APIToken](s.scoped(ctx).Where("id = ?", id))
}

// APITokens returns all API tokens, the newest first.
func (s *Store) APITokens(ctx context.Context) ([]models.APIToken, error) {
	return all[models.APIToken](s.scoped(ctx).Order("created_at DESC, id DESC"))
}

// APITokensOf returns the API tokens of a user, the newest first.
func (s *Store) APITokensOf(ctx context.Context, user string) ([]models.APIToken, error) {
	return all[models.APIToken](s.scoped(ctx).Where("user_id = ?", user).Order("created_at DESC, id DESC"))
}

// TokenMember returns an API token together with its user and their membership,
// in one query, or not_found when one of the three is absent.
func (s *Store) TokenMember(ctx context.Context, id string) (models.TokenMember, error) {
	query := s.scoped(ctx).Model(&models.APIToken{}).
		Select(`t.tenant_id, t.user_id, t.name, t.permissions, t.created_by, t.created_at, t.expires_at, t.last_used_at,
			t.revoked_at, u.kind, u.email, u.name, u.created_at, m.role, m."groups", m.joined_at`).
		Table("api_tokens AS t").
		Joins("JOIN users u ON u.id = t.user_id").
		// Only the token's tenant_id is called so, which is what the filter names.
		Joins(`JOIN (SELECT tenant_id AS home, user_id, role, "groups", created_at AS joined_at FROM memberships) m
			ON m.home = t.tenant_id AND m.user_id = t.user_id`).
		Where("t.id = ?", id)
	row := query.Row()
	if row == nil { // A refused statement has no row.
		return models.TokenMember{}, fmt.Errorf("read a token: %w", query.Error)
	}
	found := models.TokenMember{Token: models.APIToken{ID: id}}
	t, u, m := &found.Token, &found.User, &found.Membership
	var permissions, groups sql.NullString
	err := row.Scan(&t.TenantID, &t.UserID, &t.Name, &permissions, &t.CreatedBy, &t.CreatedAt, &t.ExpiresAt, &t.LastUsedAt,
		&t.RevokedAt, &u.Kind, &u.Email, &u.Name, &u.CreatedAt, &m.Role, &groups, &m.CreatedAt)
	if errors.Is(err, sql.ErrNoRows) {
		return models.TokenMember{}, models.NotFound()
	}
	if err == nil {
		u.ID, m.TenantID, m.UserID = t.UserID, t.TenantID, t.UserID
		err = errors.Join(list(permissions, &t.Permissions), list(groups, &m.Groups))
	}
	if err != nil {
		return models.TokenMember{}, fmt.Errorf("read a token: %w", err)
	}
	return found, nil
}

// list reads a column of JSON.
func list(column sql.NullString, into *[]string) error {
	if !column.Valid {
		return nil
	}
	return json.Unmarshal([]byte(column.String), into)
}

// TouchAPIToken notes that an API token was used, if it was not since before.
func (s *Store) TouchAPIToken(ctx context.Context, id string, before, at models.Instant) (bool, error) {
	return changed(s.liveToken(ctx).Where("id = ? AND last_used_at <= ?", id, before), map[string]any{"last_used_at": at})
}

// RevokeAPIToken ends an API token, and reports whether it had not ended.
func (s *Store) RevokeAPIToken(ctx context.Context, id string, at models.Instant) (bool, error) {
	return changed(s.liveToken(ctx).Where("id = ?", id), map[string]any{"revoked_at": at})
}

// RevokeAPITokensOf ends all API tokens of a user, and reports whether there
// were any.
func (s *Store) RevokeAPITokensOf(ctx context.Context, user string, at models.Instant) (bool, error) {
	return changed(s.liveToken(ctx).Where("user_id = ?", user), map[string]any{"revoked_at": at})
}

func (s *Store) liveToken(ctx context.Context) *gorm.DB {
	return s.scoped(ctx).Model(&models.APIToken{}).Where("revoked_at = ?", 0)
}
