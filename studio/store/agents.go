package store

import (
	"context"
	"encoding/json"
	"fmt"

	"gorm.io/gorm"

	"github.com/agentstudio/agentstudio/models"
)

// ListAgents returns all agents, sorted by name.
func (s *Store) ListAgents(ctx context.Context) ([]models.Agent, error) {
	return all[models.Agent](s.liveAgents(ctx).Order("name"))
}

// AgentByName returns the agent of a name, or not_found.
func (s *Store) AgentByName(ctx context.Context, name string) (models.Agent, error) {
	return one[models.Agent](s.liveAgents(ctx).Where("name = ?", name))
}

// AgentByID returns an agent, or not_found.
func (s *Store) AgentByID(ctx context.Context, id string) (models.Agent, error) {
	return one[models.Agent](s.liveAgents(ctx).Where("id = ?", id))
}

// liveAgents finds the agents that were not deleted. Nothing else asks for
// agents: a deleted one is absent.
func (s *Store) liveAgents(ctx context.Context) *gorm.DB {
	return s.scoped(ctx).Where("deleted_at = ?", 0)
}

// AgentVersion returns one version of an agent, or not_found.
func (s *Store) AgentVersion(ctx context.Context, agentID string, number int) (models.AgentVersion, error) {
	return one[models.AgentVersion](s.scoped(ctx).Where("agent_id = ? AND number = ?", agentID, number))
}

// LiveVersions returns the newest version of each of the agents, by agent id.
func (s *Store) LiveVersions(ctx context.Context, agents []models.Agent) (map[string]models.AgentVersion, error) {
	live := make(map[string]models.AgentVersion, len(agents))
	query := s.scoped(ctx)
	if len(agents) == 0 {
		return live, query.Error
	}
	ids := make([]string, 0, len(agents))
	for _, a := range agents {
		ids = append(ids, a.ID)
	}
	versions, err := all[models.AgentVersion](query.Where("agent_id IN ?", ids).Where(
		"number = (SELECT a.version FROM agents a WHERE a.tenant_id = agent_versions.tenant_id AND a.id = agent_id)"))
	for _, v := range versions {
		live[v.AgentID] = v
	}
	return live, err
}

// AgentVersions returns all versions of an agent, newest first.
func (s *Store) AgentVersions(ctx context.Context, agentID string) ([]models.AgentVersion, error) {
	return all[models.AgentVersion](s.scoped(ctx).Where("agent_id = ?", agentID).Order("number DESC"))
}

// CreateAgent adds an agent with its first version, whose number is
// a.Version. It returns an error with code name_taken when another agent of
// the tenant has the name.
func (s *Store) CreateAgent(ctx context.Context, a models.Agent, v models.AgentVersion) error {
	if err := s.stampTimes(ctx, &a.CreatedAt, &a.UpdatedAt, &v.CreatedAt); err != nil {
		return err
	}
	if err := s.scoped(ctx).Create(&a).Error; err != nil {
		return duplicate(err, models.CodeNameTaken, "Another agent has this name. Choose a different one.")
	}
	v.AgentID, v.Number = a.ID, a.Version
	return s.scoped(ctx).Create(&v).Error
}

// SaveAgentVersion adds a version after the expected one and makes it live. It
// returns an error with code version_conflict, and the newest number in
// details.current, when the agent is at another version.
func (s *Store) SaveAgentVersion(ctx context.Context, agentID string, expected int, v models.AgentVersion) error {
	saved, err := changed(
		s.liveAgents(ctx).Model(&models.Agent{}).Where("id = ? AND version = ?", agentID, expected),
		map[string]any{"version": gorm.Expr("version + 1"), "updated_at": s.dialect.now()})
	if err != nil {
		return err
	}
	if !saved {
		return s.versionConflict(ctx, agentID)
	}
	if err := s.stampTimes(ctx, &v.CreatedAt); err != nil {
		return err
	}
	v.AgentID, v.Number = agentID, expected+1
	return s.scoped(ctx).Create(&v).Error
}

// ShareAgent sets who sees an agent, or returns not_found.
func (s *Store) ShareAgent(ctx context.Context, agentID string, visibility models.Visibility, groups []string) error {
	list, err := json.Marshal(groups)
	if err != nil {
		return fmt.Errorf("encode the groups of an agent: %w", err)
	}
	return s.changeAgent(ctx, agentID, map[string]any{
		"visibility": visibility, "allowed_groups": string(list), "updated_at": s.dialect.now(),
	})
}

// DeleteAgent makes an agent absent, deletes how its toolkits were set up and
// frees its name, or returns not_found. Its versions stay, for the conversations
// and approvals that name them.
func (s *Store) DeleteAgent(ctx context.Context, agentID string) error {
	err := s.changeAgent(ctx, agentID, map[string]any{
		"name": deletedName + agentID, "deleted_at": s.dialect.now(), "updated_at": s.dialect.now(),
	})
	if err != nil {
		return err
	}
	return s.scoped(ctx).Where("agent_id = ?", agentID).Delete(&models.ToolkitSettings{}).Error
}

// deletedName begins the names of deleted agents; no agent can be named so.
const deletedName = "*deleted:"

func (s *Store) changeAgent(ctx context.Context, agentID string, values map[string]any) error {
	found, err := changed(s.liveAgents(ctx).Model(&models.Agent{}).Where("id = ?", agentID), values)
	if err == nil && !found {
		return models.NotFound()
	}
	return err
}

func (s *Store) versionConflict(ctx context.Context, agentID string) error {
	agent, err := s.AgentByID(ctx, agentID)
	if err != nil {
		return err
	}
	return models.Errorf(models.CodeVersionConflict,
		"Somebody saved this agent in the meantime. Look at version %d, then save again.", agent.Version).
		With("current", agent.Version)
}

// stampTimes sets those of the moments that are unset to the database's time.
func (s *Store) stampTimes(ctx context.Context, moments ...*models.Instant) error {
	now, err := s.Now(ctx)
	if err != nil {
		return err
	}
	for _, moment := range moments {
		if *moment == 0 {
			*moment = now
		}
	}
	return nil
}
