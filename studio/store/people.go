package store

import (
	"context"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/agentstudio/agentstudio/models"
)

// The methods of this file work on tables without a partition and need no
// unit. Inside of a unit they join it.

// CreateTenant adds a tenant. It returns an error with code name_taken when
// its id is taken.
func (s *Store) CreateTenant(ctx context.Context, t models.Tenant) error {
	if err := s.stampTimes(ctx, &t.CreatedAt); err != nil {
		return err
	}
	return duplicate(s.globalWrite(ctx).Create(&t).Error, models.CodeNameTaken, "Another tenant has this name.")
}

// RenameTenant gives a tenant another name for people, and reports whether it
// exists.
func (s *Store) RenameTenant(ctx context.Context, id, name string) (bool, error) {
	return changed(s.globalWrite(ctx).Model(&models.Tenant{}).Where("id = ?", id), map[string]any{"name": name})
}

// LockTenant makes other units that lock the same tenant wait until the Write
// of ctx has ended, so that what is counted stays so. On SQLite a Write is the
// only one anyway.
func (s *Store) LockTenant(ctx context.Context, id string) error {
	_, err := one[models.Tenant](s.global(ctx).Clauses(clause.Locking{Strength: "UPDATE"}).Where("id = ?", id))
	return err
}

// CreateUser adds a user. It returns an error with code name_taken when
// another user has the address.
func (s *Store) CreateUser(ctx context.Context, u models.User) error {
	u, err := s.fresh(ctx, u)
	if err != nil {
		return err
	}
	return taken(s.globalWrite(ctx).Create(&u).Error)
}

// UpdateUser gives a user another address and name, and reports whether they
// exist. It returns an error with code name_taken when another user has the
// address.
func (s *Store) UpdateUser(ctx context.Context, u models.User) (bool, error) {
	found, err := changed(s.globalWrite(ctx).Model(&models.User{}).Where("id = ?", u.ID),
		map[string]any{"email": u.Email, "name": u.Name})
	return found, taken(err)
}

// fresh fills in what a new user may leave out.
func (s *Store) fresh(ctx context.Context, u models.User) (models.User, error) {
	if u.Kind == "" {
		u.Kind = models.UserPerson
	}
	err := s.stampTimes(ctx, &u.CreatedAt)
	return u, err
}

func taken(err error) error {
	return duplicate(err, models.CodeNameTaken, "Another user has this address.")
}

// CountAdmins returns how many people other than a user administer a tenant.
// Service accounts do not count: nobody can sign in as one.
func (s *Store) CountAdmins(ctx context.Context, tenant, except string) (int64, error) {
	var count int64
	err := s.global(ctx).Model(&models.Membership{}).
		Joins("JOIN users ON users.id = memberships.user_id").
		Where("memberships.tenant_id = ? AND memberships.user_id <> ?", tenant, except).
		Where("memberships.role = ? AND users.kind = ?", models.RoleAdmin, models.UserPerson).
		Count(&count).Error
	return count, err
}

// DeleteMembership ends a membership, and reports whether there was one.
func (s *Store) DeleteMembership(ctx context.Context, tenant, user string) (bool, error) {
	result := s.globalWrite(ctx).Where("tenant_id = ? AND user_id = ?", tenant, user).Delete(&models.Membership{})
	return result.RowsAffected > 0, result.Error
}

// UserByIdentity returns the user who is linked to an account at an identity
// provider, or not_found.
func (s *Store) UserByIdentity(ctx context.Context, issuer, subject string) (models.User, error) {
	link, err := one[models.UserIdentity](s.global(ctx).Where("issuer = ? AND subject = ?", issuer, subject))
	if err != nil {
		return models.User{}, err
	}
	return s.User(ctx, link.UserID)
}

// LinkIdentity links a user to an account at an identity provider. It returns
// an error with code name_taken when the account is linked already.
func (s *Store) LinkIdentity(ctx context.Context, link models.UserIdentity) error {
	if err := s.stampTimes(ctx, &link.CreatedAt); err != nil {
		return err
	}
	return duplicate(s.globalWrite(ctx).Create(&link).Error,
		models.CodeNameTaken, "This account at the identity provider is linked already.")
}

// CreateLinkedUser adds a user with the account that they have at an identity
// provider, both or neither. It returns an error with code name_taken when one
// of the two is there already.
func (s *Store) CreateLinkedUser(ctx context.Context, u models.User, link models.UserIdentity) error {
	u, err := s.fresh(ctx, u)
	if err != nil {
		return err
	}
	link.UserID, link.CreatedAt = u.ID, u.CreatedAt
	return taken(s.globalWrite(ctx).Transaction(func(tx *gorm.DB) error {
		if err := tx.Create(&u).Error; err != nil {
			return err
		}
		return tx.Create(&link).Error
	}))
}
