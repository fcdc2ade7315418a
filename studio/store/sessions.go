package store

import (
	"context"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/agentstudio/agentstudio/models"
)

// CreateSession adds a conversation.
func (s *Store) CreateSession(ctx context.Context, session models.ChatSession) error {
	if err := s.stampTimes(ctx, &session.CreatedAt, &session.UpdatedAt); err != nil {
		return err
	}
	return s.scoped(ctx).Create(&session).Error
}

// Session returns a conversation, or not_found.
func (s *Store) Session(ctx context.Context, id string) (models.ChatSession, error) {
	return one[models.ChatSession](s.scoped(ctx).Where("id = ?", id))
}

// SessionsOf returns at most limit conversations of an owner with an agent,
// newest first.
func (s *Store) SessionsOf(ctx context.Context, agentID, owner string, limit int) ([]models.ChatSession, error) {
	return all[models.ChatSession](s.scoped(ctx).
		Where("agent_id = ? AND owner = ?", agentID, owner).
		Order("created_at DESC, id DESC").Limit(limit))
}

// RenameSession gives a conversation a title, or returns not_found.
func (s *Store) RenameSession(ctx context.Context, id, title string) error {
	renamed, err := changed(s.scoped(ctx).Model(&models.ChatSession{}).Where("id = ?", id),
		map[string]any{"title": title, "updated_at": s.dialect.now()})
	if err == nil && !renamed {
		return models.NotFound()
	}
	return err
}

// AppendEvents adds events to the end of a session's log and returns them with
// their offsets, which follow one another without a gap, and their time. It
// needs a Write; until that ends, other appends to the same log wait.
func (s *Store) AppendEvents(ctx context.Context, sessionID string, events []models.Event) ([]models.Event, error) {
	query := s.scoped(ctx)
	if len(events) == 0 {
		return nil, query.Error
	}
	var log models.ChatSession
	result := query.Model(&log).
		Clauses(clause.Returning{Columns: []clause.Column{{Name: "next_offset"}, {Name: "updated_at"}}}).
		Where("id = ?", sessionID).
		Updates(map[string]any{
			"next_offset": gorm.Expr("next_offset + ?", len(events)),
			"updated_at":  s.dialect.now(),
		})
	if result.Error != nil {
		return nil, result.Error
	}
	if result.RowsAffected == 0 {
		return nil, models.NotFound()
	}
	added := make([]models.Event, 0, len(events))
	for i, e := range events {
		e.SessionID, e.CreatedAt = sessionID, log.UpdatedAt
		e.Offset = log.NextOffset - int64(len(events)-i)
		added = append(added, e)
	}
	return added, s.scoped(ctx).Create(&added).Error
}

// Events returns at most limit events of a session's log from an offset on, in
// order.
func (s *Store) Events(ctx context.Context, sessionID string, from int64, limit int) ([]models.Event, error) {
	return all[models.Event](s.scoped(ctx).
		Where("session_id = ? AND log_offset >= ?", sessionID, from).
		Order("log_offset").Limit(limit))
}
