package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/tenancy"
)

// TurnRef names a turn and the partition it lives in, as it is stored.
type TurnRef struct {
	Tenant string `gorm:"column:tenant_id"`
	ID     string
}

// unfinished lists the states that are not final.
func unfinished() []models.TurnState {
	return []models.TurnState{models.TurnQueued, models.TurnRunning, models.TurnWaiting}
}

// CreateTurn adds a turn. It returns an error with code turn_running when the
// session has an unfinished one.
func (s *Store) CreateTurn(ctx context.Context, t models.Turn) error {
	if err := s.stampTimes(ctx, &t.CreatedAt); err != nil {
		return err
	}
	return duplicate(s.scoped(ctx).Create(&t).Error,
		models.CodeTurnRunning, "The agent is still answering. Wait for it, or stop it first.")
}

// Turn returns a turn, or not_found.
func (s *Store) Turn(ctx context.Context, id string) (models.Turn, error) {
	return one[models.Turn](s.scoped(ctx).Where("id = ?", id))
}

// OpenTurn returns the unfinished turn of a session, and false without one.
func (s *Store) OpenTurn(ctx context.Context, sessionID string) (models.Turn, bool, error) {
	turn, err := one[models.Turn](s.scoped(ctx).Where("session_id = ? AND state IN ?", sessionID, unfinished()))
	if models.CodeOf(err) == models.CodeNotFound {
		return models.Turn{}, false, nil
	}
	return turn, err == nil, err
}

// OpenTurnsOf returns the unfinished turns of an agent, oldest first.
func (s *Store) OpenTurnsOf(ctx context.Context, agentID string) ([]models.Turn, error) {
	return all[models.Turn](s.scoped(ctx).Where("agent_id = ? AND state IN ?", agentID, unfinished()).Order("created_at, id"))
}

// TurnsOf returns the turns of a session, oldest first.
func (s *Store) TurnsOf(ctx context.Context, sessionID string) ([]models.Turn, error) {
	return all[models.Turn](s.scoped(ctx).Where("session_id = ?", sessionID).Order("created_at, id"))
}

// LeaseTurn takes an unfinished turn for d, by the database's clock, and
// returns it with a new epoch. It returns false when somebody else holds it or
// it has ended.
func (s *Store) LeaseTurn(ctx context.Context, id string, d time.Duration) (models.Turn, bool, error) {
	var turn models.Turn
	now := s.dialect.now()
	result := s.scoped(ctx).Model(&turn).Clauses(clause.Returning{}).
		Where("id = ? AND state IN ? AND lease_until <= ?", id, unfinished(), now).
		Updates(map[string]any{
			"epoch":       gorm.Expr("epoch + 1"),
			"lease_until": gorm.Expr("? + ?", now, d.Milliseconds()),
			"state":       models.TurnRunning,
		})
	if result.Error != nil || result.RowsAffected == 0 {
		return models.Turn{}, false, result.Error
	}
	return turn, true, nil
}

// SaveTurn keeps the state, the memory and the lease of a turn that is held in
// epoch t.Epoch. It returns [models.ErrLeaseLost] when it is not held in that epoch
// any more, or has ended.
func (s *Store) SaveTurn(ctx context.Context, t models.Turn) error {
	var ended any = models.Instant(0)
	if t.State.Ended() {
		ended = s.dialect.now()
	}
	memory, err := json.Marshal(t.Memory)
	if err != nil {
		return fmt.Errorf("encode the memory of a turn: %w", err)
	}
	saved, err := changed(
		s.scoped(ctx).Model(&models.Turn{}).
			Where("id = ? AND epoch = ? AND state IN ?", t.ID, t.Epoch, unfinished()),
		map[string]any{
			"state": t.State, "memory": string(memory), "lease_until": t.LeaseUntil, "ended_at": ended,
		})
	if err == nil && !saved {
		return models.ErrLeaseLost
	}
	return err
}

// RenewTurn extends the lease of a turn that is running in an epoch to d from
// now, and reports whether it still is.
func (s *Store) RenewTurn(ctx context.Context, id string, epoch int64, d time.Duration) (bool, error) {
	return changed(
		s.scoped(ctx).Model(&models.Turn{}).Where("id = ? AND epoch = ? AND state = ?", id, epoch, models.TurnRunning),
		map[string]any{"lease_until": gorm.Expr("? + ?", s.dialect.now(), d.Milliseconds())})
}

// CancelTurn ends an unfinished turn, whoever holds it, and reports whether it
// did. What the holder saves afterwards is refused.
func (s *Store) CancelTurn(ctx context.Context, id string) (bool, error) {
	return changed(s.scoped(ctx).Model(&models.Turn{}).Where("id = ? AND state IN ?", id, unfinished()),
		map[string]any{
			"state": models.TurnCancelled, "epoch": gorm.Expr("epoch + 1"), "ended_at": s.dialect.now(),
		})
}

// OpenTurns returns the unfinished turns of all partitions that wait for nobody,
// so that they are taken up again after a restart, oldest first in each
// partition. It needs no unit: a list without a partition names the turns, and
// each is looked at in a unit of its own partition.
func (s *Store) OpenTurns(ctx context.Context) ([]TurnRef, error) {
	refs := []TurnRef{}
	err := s.eachPartition(ctx, func(p tenancy.Partition) error {
		return s.Read(ctx, p, func(ctx context.Context) error {
			found, err := s.openTurns(ctx)
			refs = append(refs, found...)
			return err
		})
	})
	return refs, err
}

// openTurns is OpenTurns in the partition of a unit.
func (s *Store) openTurns(ctx context.Context) (refs []TurnRef, err error) {
	pending := s.scoped(ctx).Model(&models.Approval{}).Select("1").
		Where("approvals.turn_id = turns.id AND approvals.state = ?", models.ApprovalPending)
	err = s.scoped(ctx).Model(&models.Turn{}).Select("tenant_id", "id").
		Where("state IN ?", unfinished()).
		Where("NOT (state = ? AND EXISTS (?))", models.TurnWaiting, pending).Order("created_at, id").Find(&refs).Error
	return refs, err
}

// ReleaseLeases ends the leases of all unfinished turns, of all partitions. It
// is for a start on a database that no other process uses: who held them is
// dead, and need not be waited for. It needs no unit.
func (s *Store) ReleaseLeases(ctx context.Context) error {
	return s.eachPartition(ctx, func(p tenancy.Partition) error {
		return s.Write(ctx, p, func(ctx context.Context) error {
			return s.scoped(ctx).Model(&models.Turn{}).
				Where("state IN ? AND lease_until > ?", unfinished(), 0).
				Updates(map[string]any{"lease_until": 0}).Error
		})
	})
}

// eachPartition calls fn for each partition that has an unfinished turn.
func (s *Store) eachPartition(ctx context.Context, fn func(p tenancy.Partition) error) error {
	var tenants []string
	err := s.global(ctx).Table("open_turns").Distinct("tenant_id").Order("tenant_id").Find(&tenants).Error
	if err != nil {
		return err
	}
	for _, tenant := range tenants {
		p, err := tenancy.PartitionFromStored(tenant)
		if err != nil {
			return err
		}
		if err := fn(p); err != nil {
			return err
		}
	}
	return nil
}
