package approval

import (
	"context"
	"crypto/rand"
	"encoding/base64"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/toolexec"
	"github.com/agentstudio/agentstudio/tenancy"
)

// DecidersCallerOrAdmin is the default rule: the person who asked, or an admin
// of their tenant, in a browser session.
const DecidersCallerOrAdmin = "caller_or_admin"

// Context is where in a conversation a call was proposed. It is empty for a
// request of a program.
type Context struct {
	SessionID string
	TurnID    string
	CallID    string
	Why       models.ApprovalWhy
}

// Ask stores a prepared write as a pending approval, with its expiry job and
// audit entry. It must be called in a write unit of the caller's partition, so
// that the approval commits with what waits for it.
func (s *Service) Ask(ctx context.Context, call *toolexec.Prepared, in Context) (models.Approval, error) {
	p, err := call.Scope.Partition()
	if err != nil {
		return models.Approval{}, err
	}
	a, err := s.bound(ctx, call, in)
	if err != nil {
		return models.Approval{}, err
	}
	a.TenantID = p.Stored()
	if err := s.seal(&a); err != nil {
		return models.Approval{}, err
	}
	if err := s.store(ctx, p, a); err != nil {
		return models.Approval{}, err
	}
	return a, nil
}

// AskWithToken is [Service.Ask] for a program. The returned token is the only
// copy; it is inert until a person approves.
func (s *Service) AskWithToken(ctx context.Context, call *toolexec.Prepared) (models.Approval, string, error) {
	token := rand.Text()
	p, err := call.Scope.Partition()
	if err != nil {
		return models.Approval{}, "", err
	}
	var a models.Approval
	err = s.c.Store.Write(ctx, p, func(ctx context.Context) error {
		if a, err = s.bound(ctx, call, Context{}); err != nil {
			return err
		}
		a.TenantID, a.TokenHash = p.Stored(), tokenHash(token)
		if err := s.seal(&a); err != nil {
			return err
		}
		return s.store(ctx, p, a)
	})
	return a, token, err
}

func (s *Service) store(ctx context.Context, p tenancy.Partition, a models.Approval) error {
	if err := s.c.Store.CreateApproval(ctx, a); err != nil {
		return err
	}
	if err := s.audit(ctx, a, models.AuditRequested, a.Caller); err != nil {
		return err
	}
	return s.c.Queue.ExpireApproval(ctx, p, a.ID, a.ExpiresAt)
}

// bound fills everything that the binding covers.
func (s *Service) bound(ctx context.Context, call *toolexec.Prepared, in Context) (models.Approval, error) {
	now, err := s.c.Store.Now(ctx)
	if err != nil {
		return models.Approval{}, err
	}
	nonce := make([]byte, 16)
	_, _ = rand.Read(nonce) // never fails, as its documentation promises
	return models.Approval{
		ID: models.NewID(), State: models.ApprovalPending, Why: in.Why,
		Caller: call.Scope.User, AgentID: call.Agent.ID, AgentVersion: call.Agent.Version,
		SessionID: in.SessionID, TurnID: in.TurnID, CallID: in.CallID,
		Slug: call.Tool.Slug, Method: call.Tool.Method, ToolkitVersion: s.c.Judge.Version(call),
		SchemaHash: call.Tool.SchemaHash[:], Fingerprint: call.Fingerprint[:], Filled: call.FilledBytes,
		Arguments: call.Arguments, ArgumentsHash: call.ArgumentsHash[:], Deciders: DecidersCallerOrAdmin,
		IssuedAt: now, ExpiresAt: now.Add(s.c.DecideWithin), Nonce: base64.RawURLEncoding.EncodeToString(nonce),
	}, nil
}

func (s *Service) audit(ctx context.Context, a models.Approval, action models.AuditAction, actor string) error {
	now, err := s.c.Store.Now(ctx)
	if err != nil {
		return err
	}
	entry := models.AuditEntry{
		ID: models.NewID(), At: now, Action: action, Actor: actor, Requester: a.Caller,
		AgentID: a.AgentID, AgentVersion: a.AgentVersion, ApprovalID: a.ID,
		Slug: a.Slug, Method: a.Method, ArgumentsHash: a.ArgumentsHash,
		Outcome: string(a.Outcome), Reason: a.Reason,
	}
	scope, _, _ := tenancy.Caller(ctx)
	entry.Via = string(scope.Via)
	return s.c.Store.AppendAudit(ctx, entry)
}
