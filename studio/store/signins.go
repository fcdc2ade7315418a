package store

import (
	"context"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/agentstudio/agentstudio/models"
)

// The methods of this file work on tables without a partition and need no
// unit. Moments come from the caller, whose clock judges sign-ins.

// Password returns how a user proves who they are, or not_found.
func (s *Store) Password(ctx context.Context, user string) (models.Password, error) {
	return one[models.Password](s.global(ctx).Where("user_id = ?", user))
}

// SavePassword sets the password of a user.
func (s *Store) SavePassword(ctx context.Context, p models.Password) error {
	return s.globalWrite(ctx).Clauses(onConflict([]string{"user_id"}, "hash", "changed_at")).Create(&p).Error
}

// RehashPassword replaces the hash of a password that was not changed
// meanwhile, and reports whether it did.
func (s *Store) RehashPassword(ctx context.Context, user, old, hash string) (bool, error) {
	return changed(s.globalWrite(ctx).Model(&models.Password{}).Where("user_id = ? AND hash = ?", user, old),
		map[string]any{"hash": hash})
}

// LoginSession returns a sign-in, or not_found. Whether it is still worth
// anything is for the caller to judge.
func (s *Store) LoginSession(ctx context.Context, id string) (models.LoginSession, error) {
	return one[models.LoginSession](s.global(ctx).Where("id = ?", id))
}

// LoginSessionsOf returns the sign-ins of a user that were not revoked and do
// not expire before at, the newest first.
func (s *Store) LoginSessionsOf(ctx context.Context, user string, at models.Instant) ([]models.LoginSession, error) {
	return all[models.LoginSession](s.global(ctx).
		Where("user_id = ? AND revoked_at = ? AND expires_at > ?", user, 0, at).
		Order("created_at DESC, id DESC"))
}

// CreateLoginSession adds a sign-in.
func (s *Store) CreateLoginSession(ctx context.Context, l models.LoginSession) error {
	return s.globalWrite(ctx).Create(&l).Error
}

// RevokeLoginSession ends a sign-in. One that is revoked or unknown stays so.
func (s *Store) RevokeLoginSession(ctx context.Context, id string, at models.Instant) error {
	_, err := changed(liveSession(s.globalWrite(ctx), id), map[string]any{"revoked_at": at})
	return err
}

// RevokeLoginSessionsOf ends every sign-in of a user but one; "" spares none.
func (s *Store) RevokeLoginSessionsOf(ctx context.Context, user, except string, at models.Instant) error {
	return s.forUser(ctx, user, func(tx *gorm.DB) error {
		return tx.Model(&models.LoginSession{}).
			Where("user_id = ? AND id <> ? AND revoked_at = ?", user, except, 0).
			Updates(map[string]any{"revoked_at": at}).Error
	})
}

// ReplaceLoginSession ends a sign-in and adds the one that follows it, of the
// same user, both or neither. It reports false when the old one had ended.
func (s *Store) ReplaceLoginSession(ctx context.Context, old string, next models.LoginSession, at models.Instant) (replaced bool, err error) {
	err = s.forUser(ctx, next.UserID, func(tx *gorm.DB) error {
		replaced, err = changed(liveSession(tx, old).Where("user_id = ?", next.UserID), map[string]any{"revoked_at": at})
		if err != nil || !replaced {
			return err
		}
		return tx.Create(&next).Error
	})
	return replaced && err == nil, err
}

// TouchLoginSession notes that a sign-in was used, if it was not since before.
func (s *Store) TouchLoginSession(ctx context.Context, id string, before, at models.Instant) error {
	_, err := changed(liveSession(s.globalWrite(ctx), id).Where("last_seen_at <= ?", before), map[string]any{"last_seen_at": at})
	return err
}

func liveSession(db *gorm.DB, id string) *gorm.DB {
	return db.Model(&models.LoginSession{}).Where("id = ? AND revoked_at = ?", id, 0)
}

// forUser runs fn in a transaction that is the only such one for a user, so that
// ending every sign-in misses none that is being replaced.
func (s *Store) forUser(ctx context.Context, user string, fn func(tx *gorm.DB) error) error {
	return s.globalWrite(ctx).Transaction(func(tx *gorm.DB) error {
		_, err := all[models.User](tx.Clauses(clause.Locking{Strength: "UPDATE"}).Where("id = ?", user))
		if err != nil {
			return err
		}
		return fn(tx)
	})
}

// TakeLoginAttempt counts an attempt, and reports whether it may be made. It is
// counted before it is made, so that attempts at once do not pass together.
func (s *Store) TakeLoginAttempt(ctx context.Context, id string, rule models.AttemptRule) (bool, error) {
	result := s.globalWrite(ctx).Exec(`INSERT INTO login_attempts (id, failed, since, locked_until)
		VALUES (?, 1, ?, CASE WHEN ? <= 1 THEN CAST(? AS bigint) ELSE 0 END)
		ON CONFLICT (id) DO UPDATE SET
			failed = CASE WHEN login_attempts.since <= ? THEN 1 ELSE login_attempts.failed + 1 END,
			since = CASE WHEN login_attempts.since <= ? THEN excluded.since ELSE login_attempts.since END,
			locked_until = CASE
				WHEN login_attempts.since <= ? THEN excluded.locked_until
				WHEN login_attempts.failed + 1 >= ? THEN CAST(? AS bigint) ELSE 0 END
		WHERE login_attempts.locked_until <= ?`,
		id, rule.Now, rule.Limit, rule.LockUntil,
		rule.Since, rule.Since, rule.Since, rule.Limit, rule.LockUntil, rule.Now)
	return result.RowsAffected > 0, result.Error
}

// ReturnLoginAttempt takes back an attempt that was successful.
func (s *Store) ReturnLoginAttempt(ctx context.Context, id string) error {
	_, err := changed(s.globalWrite(ctx).Model(&models.LoginAttempts{}).Where("id = ? AND failed > ?", id, 0),
		map[string]any{"failed": gorm.Expr("failed - 1"), "locked_until": 0})
	return err
}

// ForgetLoginAttempts forgets the attempts at an account, whose owner is back.
func (s *Store) ForgetLoginAttempts(ctx context.Context, id string) error {
	return s.globalWrite(ctx).Where("id = ?", id).Delete(&models.LoginAttempts{}).Error
}

// PruneLoginAttempts forgets every count that began before a moment and locks
// nothing at it.
func (s *Store) PruneLoginAttempts(ctx context.Context, before models.Instant) error {
	return s.globalWrite(ctx).Where("since < ? AND locked_until < ?", before, before).Delete(&models.LoginAttempts{}).Error
}
