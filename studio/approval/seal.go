package approval

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/canon"
	"github.com/agentstudio/agentstudio/studio/toolexec"
)

// The domains keep hashes and seals of different things apart.
const (
	bindingDomain  = "agent-studio/approval/v1"
	decisionDomain = "agent-studio/decision/v1"
	tokenDomain    = "agent-studio/approval-token/v1"
)

// binding is the hash over everything that makes a call this call (DESIGN:
// approvals, binding).
func binding(a models.Approval) ([]byte, error) {
	why, err := json.Marshal(a.Why)
	if err != nil {
		return nil, fmt.Errorf("encode why a call was asked for: %w", err)
	}
	bytes, err := fields(map[string]string{
		"tenant": a.TenantID, "id": a.ID, "caller": a.Caller,
		"agent": a.AgentID, "agent_version": strconv.Itoa(a.AgentVersion),
		"session": a.SessionID, "turn": a.TurnID, "call": a.CallID,
		"slug": a.Slug, "method": a.Method, "toolkit_version": a.ToolkitVersion,
		"schema_hash": hex.EncodeToString(a.SchemaHash), "fingerprint": hex.EncodeToString(a.Fingerprint),
		"filled": string(a.Filled), "arguments_hash": hex.EncodeToString(a.ArgumentsHash),
		"deciders": a.Deciders, "issued": instant(a.IssuedAt), "expires": instant(a.ExpiresAt), "nonce": a.Nonce, "why": string(why),
	})
	if err != nil {
		return nil, err
	}
	sum := canon.Hash(bindingDomain, bytes)
	return sum[:], nil
}

// decided is what the seal of a decision covers.
func decided(a models.Approval) ([]byte, error) {
	decision := models.ApprovalApproved
	if a.State == models.ApprovalDenied {
		decision = models.ApprovalDenied
	}
	return fields(map[string]string{
		"binding": hex.EncodeToString(a.Binding), "decision": string(decision), "approver": a.DecidedBy,
		"session": a.DecisionSession, "auth_time": instant(a.DecisionAuth),
		"token_hash": hex.EncodeToString(a.TokenHash), "redeem_expires": instant(a.RedeemExpiresAt),
	})
}

func fields(values map[string]string) ([]byte, error) {
	members := make([]canon.Member, 0, len(values))
	for name, value := range values {
		members = append(members, canon.Member{Name: name, Value: canon.String(value)})
	}
	object, err := canon.ObjectOf(members...)
	if err != nil {
		return nil, err
	}
	return canon.Bytes(object)
}

func instant(i models.Instant) string { return strconv.FormatInt(int64(i), 10) }

// seal binds an approval.
func (s *Service) seal(a *models.Approval) error {
	var err error
	if a.Binding, err = binding(*a); err != nil {
		return err
	}
	a.Seal = s.c.Sealer.Seal(bindingDomain, a.Binding)
	return nil
}

// sealDecision seals the decision that an approval carries.
func (s *Service) sealDecision(a *models.Approval) error {
	bytes, err := decided(*a)
	if err != nil {
		return err
	}
	a.DecisionSeal = s.c.Sealer.Seal(decisionDomain, bytes)
	return nil
}

// verifyBinding checks that the stored call is the one that was sealed.
func (s *Service) verifyBinding(a models.Approval) error {
	want, err := binding(a)
	if err != nil {
		return err
	}
	sum := toolexec.ArgumentsHash(a.Arguments)
	switch {
	case subtle.ConstantTimeCompare(want, a.Binding) != 1,
		subtle.ConstantTimeCompare(sum[:], a.ArgumentsHash) != 1,
		!s.c.Sealer.Valid(bindingDomain, a.Binding, a.Seal):
		return tampered()
	}
	return nil
}

// verifyDecision checks that the decision is one that this service sealed.
func (s *Service) verifyDecision(a models.Approval) error {
	bytes, err := decided(a)
	if err != nil {
		return err
	}
	if !s.c.Sealer.Valid(decisionDomain, bytes, a.DecisionSeal) {
		return tampered()
	}
	return nil
}

func tampered() error {
	return models.Errorf(models.CodeApprovalStale,
		"Nothing ran: the stored call or decision is not what it was. Ask for it again.").Reason("stale")
}

func tokenHash(token string) []byte {
	sum := sha256.Sum256([]byte(tokenDomain + "\x00" + token))
	return sum[:]
}

// CardHash is the short name of what a card shows: the arguments' hash, in hex.
// A decision carries it back, so that it counts only for the card that was seen.
func CardHash(a models.Approval) string { return hex.EncodeToString(a.ArgumentsHash) }
