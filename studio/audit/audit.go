// Package audit holds who asked, who decided, what ran and what was refused.
// Entries of approvals are written by package approval, in the transaction of
// what they tell; this package writes those of refused writes, and reads.
package audit

import (
	"context"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/policy"
	"github.com/agentstudio/agentstudio/tenancy"
)

// Store is what the audit needs of the database.
type Store interface {
	Read(ctx context.Context, p tenancy.Partition, fn func(ctx context.Context) error) error
	Write(ctx context.Context, p tenancy.Partition, fn func(ctx context.Context) error) error
	Now(ctx context.Context) (models.Instant, error)
	AppendAudit(ctx context.Context, e models.AuditEntry) error
	AuditEntries(ctx context.Context, f models.AuditFilter) ([]models.AuditEntry, error)
}

// Service reads a tenant's audit and records refused writes.
type Service struct {
	store      Store
	authorizer *policy.Authorizer
}

// New returns a service over a store.
func New(store Store, authorizer *policy.Authorizer) *Service {
	return &Service{store: store, authorizer: authorizer}
}

// List returns entries of the caller's tenant, newest first. Only its admins
// may read them; others get admin_required.
func (s *Service) List(ctx context.Context, f models.AuditFilter) ([]models.AuditEntry, error) {
	scope, p, err := tenancy.Caller(ctx)
	if err != nil {
		return nil, err
	}
	if !s.authorizer.Allow(scope, scope.Tenant, policy.AuditRead) {
		return nil, models.Errorf(models.CodeAdminRequired, "Only admins can read the audit. Ask one of yours.")
	}
	var entries []models.AuditEntry
	err = s.store.Read(ctx, p, func(ctx context.Context) error {
		entries, err = s.store.AuditEntries(ctx, f)
		return err
	})
	return entries, err
}

// WriteRefused adds an entry for a write that the door refused. Where no
// tenant is known there is no audit to write to, and nothing is added.
func (s *Service) WriteRefused(ctx context.Context, tool *hosttools.Descriptor, cause error) error {
	scope, p, err := tenancy.Caller(ctx)
	if err != nil {
		return nil //nolint:nilerr // Without a tenant there is no audit to add to.
	}
	agent, _ := tenancy.AgentFromContext(ctx)
	return s.store.Write(ctx, p, func(ctx context.Context) error {
		now, err := s.store.Now(ctx)
		if err != nil {
			return err
		}
		reason := string(models.CodeOf(cause))
		if why := models.ReasonOf(cause); why != "" {
			reason += ": " + why
		}
		return s.store.AppendAudit(ctx, models.AuditEntry{
			ID: models.NewID(), At: now, Action: models.AuditRefused, Actor: scope.User, Requester: scope.User,
			AgentID: agent.ID, AgentVersion: agent.Version, Slug: tool.Slug, Method: tool.Method,
			Reason: reason, Via: string(scope.Via),
		})
	})
}
