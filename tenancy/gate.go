package tenancy

import (
	"context"

	"github.com/agentstudio/agentstudio/models"
)

// Refusal is why the scope gate refused. It is details.reason of an error with
// code tool_scope_unavailable.
type Refusal string

// The refusals, in the order in which they are tried (contract 1, section 2).
// [HostTenantMismatch] is raised by host code only.
const (
	NoContext          Refusal = "no_context"
	NoScope            Refusal = "no_scope"
	NoTenant           Refusal = "no_tenant"
	AgentTenantUnset   Refusal = "agent_tenant_unset"
	TenantMismatch     Refusal = "tenant_mismatch"
	HostTenantMismatch Refusal = "host_tenant_mismatch"
)

// Gate is the scope gate: it returns the scope under which a tenant-bound tool
// may act, or an error with code tool_scope_unavailable and the first refusal
// that applies. The principal is the caller, never the agent's author. Without
// an agent the two agent checks are skipped.
func Gate(ctx context.Context) (Scope, error) {
	if !bound(ctx) {
		return Scope{}, Refuse(NoContext)
	}
	scope, ok := FromContext(ctx) // in GLOBAL there is none
	if !ok {
		return Scope{}, Refuse(NoScope)
	}
	if scope.Tenant == "" {
		return Scope{}, Refuse(NoTenant)
	}
	agent, ok := AgentFromContext(ctx)
	if !ok {
		return scope, nil
	}
	switch agent.Tenant {
	case "":
		return Scope{}, Refuse(AgentTenantUnset)
	case scope.Tenant:
		return scope, nil
	default:
		return Scope{}, Refuse(TenantMismatch)
	}
}

// Refuse returns the error of the scope gate for a refusal.
func Refuse(why Refusal) error {
	return models.Errorf(models.CodeToolScopeUnavailable, "This tool works for one tenant, and %s.", why.sentence()).
		Reason(string(why))
}

func (r Refusal) sentence() string {
	switch r {
	case NoContext:
		return "it was called outside of any request"
	case NoScope:
		return "nothing says who calls"
	case NoTenant:
		return "the caller belongs to none"
	case AgentTenantUnset:
		return "the agent belongs to none"
	case TenantMismatch:
		return "the agent belongs to another one than the caller"
	case HostTenantMismatch:
		return "the record belongs to another one than the caller"
	default:
		return "the caller's is not known"
	}
}
