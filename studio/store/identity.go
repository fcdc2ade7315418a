package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"gorm.io/gorm/clause"

	"github.com/agentstudio/agentstudio/models"
)

// The methods of this file work on tables without a partition and need no
// unit. Inside of a unit they join it.

// Tenant returns a tenant, or not_found.
func (s *Store) Tenant(ctx context.Context, id string) (models.Tenant, error) {
	return one[models.Tenant](s.global(ctx).Where("id = ?", id))
}

// Tenants returns all tenants, sorted by id.
func (s *Store) Tenants(ctx context.Context) ([]models.Tenant, error) {
	return all[models.Tenant](s.global(ctx).Order("id"))
}

// UpsertTenant adds a tenant, or gives the one with its id its name.
func (s *Store) UpsertTenant(ctx context.Context, t models.Tenant) error {
	if err := s.stampTimes(ctx, &t.CreatedAt); err != nil {
		return err
	}
	return s.globalWrite(ctx).Clauses(onConflict([]string{"id"}, "name")).Create(&t).Error
}

// User returns a user, or not_found.
func (s *Store) User(ctx context.Context, id string) (models.User, error) {
	return one[models.User](s.global(ctx).Where("id = ?", id))
}

// UserByEmail returns the user of an address, spelled as it was stored, or
// not_found.
func (s *Store) UserByEmail(ctx context.Context, email string) (models.User, error) {
	return one[models.User](s.global(ctx).Where("email = ?", email))
}

// UsersByID returns the users that exist among ids, sorted by id.
func (s *Store) UsersByID(ctx context.Context, ids []string) ([]models.User, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return all[models.User](s.global(ctx).Where("id IN ?", ids).Order("id"))
}

// UpsertUser adds a user, or gives the one with their id their address and
// name. It returns an error with code name_taken when another user has the
// address.
func (s *Store) UpsertUser(ctx context.Context, u models.User) error {
	u, err := s.fresh(ctx, u)
	if err != nil {
		return err
	}
	return taken(s.globalWrite(ctx).Clauses(onConflict([]string{"id"}, "email", "name")).Create(&u).Error)
}

// Membership returns what a user is in a tenant, or not_found.
func (s *Store) Membership(ctx context.Context, tenant, user string) (models.Membership, error) {
	return one[models.Membership](s.global(ctx).Where("tenant_id = ? AND user_id = ?", tenant, user))
}

// Member returns a user with their membership in a tenant, in one query, or
// not_found when one of the two is absent.
func (s *Store) Member(ctx context.Context, tenant, user string) (models.User, models.Membership, error) {
	u, m := models.User{ID: user}, models.Membership{TenantID: tenant, UserID: user}
	var groups sql.NullString
	query := s.global(ctx).Raw(`SELECT u.kind, u.email, u.name, u.created_at, m.role, m."groups", m.created_at
		FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.tenant_id = ? AND m.user_id = ?`, tenant, user)
	row := query.Row()
	if row == nil { // A refused statement has no row.
		return u, m, fmt.Errorf("read a member: %w", query.Error)
	}
	err := row.Scan(&u.Kind, &u.Email, &u.Name, &u.CreatedAt, &m.Role, &groups, &m.CreatedAt)
	if errors.Is(err, sql.ErrNoRows) {
		return models.User{}, models.Membership{}, models.NotFound()
	}
	if err == nil && groups.Valid {
		err = json.Unmarshal([]byte(groups.String), &m.Groups)
	}
	if err != nil {
		return models.User{}, models.Membership{}, fmt.Errorf("read a member: %w", err)
	}
	return u, m, nil
}

// MembershipsOf returns the memberships of a user, sorted by tenant.
func (s *Store) MembershipsOf(ctx context.Context, user string) ([]models.Membership, error) {
	return all[models.Membership](s.global(ctx).Where("user_id = ?", user).Order("tenant_id"))
}

// MembersOf returns the memberships of a tenant, sorted by user.
func (s *Store) MembersOf(ctx context.Context, tenant string) ([]models.Membership, error) {
	return all[models.Membership](s.global(ctx).Where("tenant_id = ?", tenant).Order("user_id"))
}

// UpsertMembership adds a membership, or gives the one of the same user and
// tenant its role and groups.
func (s *Store) UpsertMembership(ctx context.Context, m models.Membership) error {
	if err := s.stampTimes(ctx, &m.CreatedAt); err != nil {
		return err
	}
	return s.globalWrite(ctx).
		Clauses(onConflict([]string{"tenant_id", "user_id"}, "role", "groups")).Create(&m).Error
}

// onConflict makes an INSERT update some columns of the row with the same key.
func onConflict(key []string, columns ...string) clause.OnConflict {
	target := make([]clause.Column, 0, len(key))
	for _, name := range key {
		target = append(target, clause.Column{Name: name})
	}
	return clause.OnConflict{Columns: target, DoUpdates: clause.AssignmentColumns(columns)}
}
