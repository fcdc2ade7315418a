package store

import (
	"context"

	"github.com/agentstudio/agentstudio/models"
)

// CreateCalls adds the calls of a step.
func (s *Store) CreateCalls(ctx context.Context, calls []models.Call) error {
	query := s.scoped(ctx)
	if len(calls) == 0 {
		return query.Error
	}
	now, err := s.Now(ctx)
	if err != nil {
		return err
	}
	added := make([]models.Call, 0, len(calls))
	for _, c := range calls {
		if c.CreatedAt == 0 {
			c.CreatedAt = now
		}
		added = append(added, c)
	}
	return query.Create(&added).Error
}

// CallsOf returns the calls of a turn by step and position.
func (s *Store) CallsOf(ctx context.Context, turnID string) ([]models.Call, error) {
	return all[models.Call](s.scoped(ctx).Where("turn_id = ?", turnID).Order("step, position, id"))
}

// CallsOfSession returns the calls of a session in the order of their making.
func (s *Store) CallsOfSession(ctx context.Context, sessionID string) ([]models.Call, error) {
	return all[models.Call](s.scoped(ctx).Where("session_id = ?", sessionID).Order("created_at, step, position, id"))
}

// Call returns a call, or not_found.
func (s *Store) Call(ctx context.Context, id string) (models.Call, error) {
	return one[models.Call](s.scoped(ctx).Where("id = ?", id))
}

// UpdateCall sets the arguments, the state, the approval and the result of a
// call that is in state from, and reports whether it was.
func (s *Store) UpdateCall(ctx context.Context, c models.Call, from models.CallState) (bool, error) {
	var settled any = models.Instant(0)
	if c.State == models.CallSettled {
		settled = s.dialect.now()
	}
	return changed(s.scoped(ctx).Model(&models.Call{}).Where("id = ? AND state = ?", c.ID, from),
		map[string]any{
			"arguments": c.Arguments, "state": c.State, "approval_id": c.ApprovalID,
			"result": c.Result, "settled_at": settled,
		})
}
