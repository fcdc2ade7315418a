package policy

import "github.com/agentstudio/agentstudio/models"

// Action is something that a role may be allowed to do in a tenant.
type Action string

// The actions. Which role has which is decided in policy.csv.
const (
	// AgentsSee is to list and open the agents that one's visibility reaches.
	AgentsSee Action = "agents.see"
	// AgentsAuthor is to create agents and to change those one may manage.
	AgentsAuthor Action = "agents.author"
	// AgentsAdminister is to manage every agent of the tenant.
	AgentsAdminister Action = "agents.administer"
	// SessionsChat is to talk with an agent that one may see.
	SessionsChat Action = "sessions.chat"
	// ToolsExecute is to run a tool directly, without an agent.
	ToolsExecute Action = "tools.execute"
	// ToolsCatalogue is to see which tools the tenant has.
	ToolsCatalogue Action = "tools.catalogue"
	// ApprovalsDecide is to decide on calls at all; on which ones is decided in
	// package approval, for each call.
	ApprovalsDecide Action = "approvals.decide"
	// AuditRead is to read the tenant's audit.
	AuditRead Action = "audit.read"
)

// ofAuthors reports an action that no other right stands in for.
func (a Action) ofAuthors() bool { return a == AgentsAuthor || a == ToolsExecute }

// Actions lists every action.
func Actions() []Action {
	return []Action{
		AgentsSee, AgentsAuthor, AgentsAdminister, SessionsChat,
		ToolsExecute, ToolsCatalogue, ApprovalsDecide, AuditRead,
	}
}

// roles lists every role.
func roles() []models.Role {
	return []models.Role{models.RoleMember, models.RoleAuthor, models.RoleAdmin}
}
