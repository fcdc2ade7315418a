package agents

import (
	"context"
	"fmt"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/policy"
	"github.com/agentstudio/agentstudio/tenancy"
)

// Store is what agents need of the database.
type Store interface {
	Read(ctx context.Context, p tenancy.Partition, fn func(ctx context.Context) error) error
	Write(ctx context.Context, p tenancy.Partition, fn func(ctx context.Context) error) error

	ListAgents(ctx context.Context) ([]models.Agent, error)
	AgentByID(ctx context.Context, id string) (models.Agent, error)
	AgentByName(ctx context.Context, name string) (models.Agent, error)
	AgentVersion(ctx context.Context, agentID string, number int) (models.AgentVersion, error)
	LiveVersions(ctx context.Context, agents []models.Agent) (map[string]models.AgentVersion, error)
	AgentVersions(ctx context.Context, agentID string) ([]models.AgentVersion, error)
	CreateAgent(ctx context.Context, a models.Agent, v models.AgentVersion) error
	SaveAgentVersion(ctx context.Context, agentID string, expected int, v models.AgentVersion) error
	ShareAgent(ctx context.Context, agentID string, visibility models.Visibility, groups []string) error
	DeleteAgent(ctx context.Context, agentID string) error

	ToolkitSettings(ctx context.Context, agentID string) ([]models.ToolkitSettings, error)
	ToolkitSetting(ctx context.Context, agentID, slug string) (models.ToolkitSettings, error)
	ToolkitSettingsFor(ctx context.Context, agentID, slug, user string) (models.ToolkitSettings, models.ToolkitOverride, error)
	SaveToolkitSettings(ctx context.Context, t models.ToolkitSettings) error
	DeleteToolkitSettings(ctx context.Context, agentID, slug string) (bool, error)
	SaveToolkitOverride(ctx context.Context, o models.ToolkitOverride) error
	DeleteToolkitOverride(ctx context.Context, agentID, slug, user string) (bool, error)
}

// Box seals secret values, so that they open only in the place they were sealed
// for.
type Box interface {
	// Seal seals in a Write of the tenant's partition.
	Seal(ctx context.Context, tenant string, plaintext []byte, place ...string) ([]byte, error)
	Open(ctx context.Context, tenant string, box []byte, place ...string) ([]byte, error)
	// Fresh reports, in such a Write, whether a box is sealed with the key of today.
	Fresh(ctx context.Context, tenant string, box []byte) (bool, error)
}

// Config is what a [Service] needs.
type Config struct {
	Store      Store
	Registry   *hosttools.Registry
	Authorizer *policy.Authorizer
	Tooling    policy.Frozen
	// Models lists the models that an agent may name; the first is the default.
	Models []string
	// Box keeps the secrets that toolkits are set up with.
	Box Box
	// Groups knows the groups of tenants; nil where nobody does.
	Groups tenancy.Groups
	// Deleted is called in the unit in which an agent is deleted, to end what it
	// is doing; nil does nothing.
	Deleted func(ctx context.Context, p tenancy.Partition, agentID string) error
}

// Service holds agents.
type Service struct {
	c    Config
	kits map[string]*kit // by slug, as registered
}

// New returns a service. It fails when the schema of a toolkit's configuration
// says what no schema may say here.
func New(c Config) (*Service, error) {
	s := &Service{c: c, kits: map[string]*kit{}}
	for _, group := range c.Registry.Groups() {
		k, err := newKit(group)
		if err != nil {
			return nil, fmt.Errorf("agents: the configuration of %s: %w", group.Slug, err)
		}
		s.kits[group.Slug] = k
	}
	return s, nil
}

// Item is an agent as its viewer sees it.
type Item struct {
	Agent     models.Agent
	Live      models.AgentVersion
	Access    tenancy.Access // why the viewer sees it
	CanManage bool
}

func shared(a models.Agent) tenancy.Shared {
	return tenancy.Shared{Tenant: a.TenantID, Owner: a.Owner, Visibility: a.Visibility, Groups: a.AllowedGroups}
}

// List returns the agents that the caller sees, by name.
func (s *Service) List(ctx context.Context) ([]Item, error) {
	scope, p, err := tenancy.Caller(ctx)
	if err != nil {
		return nil, err
	}
	var items []Item
	err = s.c.Store.Read(ctx, p, func(ctx context.Context) error {
		all, err := s.c.Store.ListAgents(ctx)
		if err != nil {
			return err
		}
		live, err := s.c.Store.LiveVersions(ctx, all)
		if err != nil {
			return err
		}
		for _, a := range all {
			if scope.CanSee(shared(a)) {
				items = append(items, s.item(scope, a, live[a.ID]))
			}
		}
		return nil
	})
	return items, err
}

// Get returns an agent that the caller sees, with its live version. Absent and
// unseen agents are not_found alike.
func (s *Service) Get(ctx context.Context, name string) (Item, error) {
	scope, p, err := tenancy.Caller(ctx)
	if err != nil {
		return Item{}, err
	}
	var item Item
	err = s.c.Store.Read(ctx, p, func(ctx context.Context) error {
		item, err = s.seen(ctx, scope, name)
		return err
	})
	return item, err
}

// Managed returns an agent that the caller may change, with its live version:
// not_found when they do not see it, not_manageable when they only see it, and
// authoring_denied when they may not build agents.
func (s *Service) Managed(ctx context.Context, name string) (Item, error) {
	scope, p, err := tenancy.Caller(ctx)
	if err != nil {
		return Item{}, err
	}
	var item Item
	err = s.c.Store.Read(ctx, p, func(ctx context.Context) error {
		item, err = s.managed(ctx, scope, name)
		return err
	})
	return item, err
}

// ByID returns one version of an agent that the caller sees. Absent and unseen
// ones are not_found alike.
func (s *Service) ByID(ctx context.Context, id string, number int) (models.AgentVersion, error) {
	scope, p, err := tenancy.Caller(ctx)
	if err != nil {
		return models.AgentVersion{}, err
	}
	var version models.AgentVersion
	err = s.c.Store.Read(ctx, p, func(ctx context.Context) error {
		a, err := s.c.Store.AgentByID(ctx, id)
		if err != nil {
			return err
		}
		if !scope.CanSee(shared(a)) {
			return models.NotFound()
		}
		version, err = s.c.Store.AgentVersion(ctx, id, number)
		return err
	})
	return version, err
}

// Versions returns all versions of an agent that the caller sees, newest first.
func (s *Service) Versions(ctx context.Context, name string) ([]models.AgentVersion, error) {
	scope, p, err := tenancy.Caller(ctx)
	if err != nil {
		return nil, err
	}
	var versions []models.AgentVersion
	err = s.c.Store.Read(ctx, p, func(ctx context.Context) error {
		item, err := s.seen(ctx, scope, name)
		if err != nil {
			return err
		}
		versions, err = s.c.Store.AgentVersions(ctx, item.Agent.ID)
		return err
	})
	return versions, err
}

func (s *Service) seen(ctx context.Context, scope tenancy.Scope, name string) (Item, error) {
	a, err := s.c.Store.AgentByName(ctx, name)
	if err != nil {
		return Item{}, err
	}
	if !scope.CanSee(shared(a)) {
		return Item{}, models.NotFound()
	}
	live, err := s.c.Store.AgentVersion(ctx, a.ID, a.Version)
	if err != nil {
		return Item{}, err
	}
	return s.item(scope, a, live), nil
}

func (s *Service) item(scope tenancy.Scope, a models.Agent, live models.AgentVersion) Item {
	return Item{Agent: a, Live: live, Access: scope.Access(shared(a)), CanManage: s.canManage(scope, a)}
}

func (s *Service) canManage(scope tenancy.Scope, a models.Agent) bool {
	return scope.CanManage(shared(a)) && s.c.Authorizer.Allow(scope, a.TenantID, policy.AgentsAuthor)
}

// managed returns an agent that the caller may change: 404 unseen comes before
// 403 not_manageable, and that before 403 authoring_denied.
func (s *Service) managed(ctx context.Context, scope tenancy.Scope, name string) (Item, error) {
	item, err := s.seen(ctx, scope, name)
	if err != nil {
		return item, err
	}
	return item, s.mayManage(scope, item.Agent)
}

func (s *Service) mayManage(scope tenancy.Scope, a models.Agent) error {
	if !scope.CanManage(shared(a)) {
		return models.Errorf(models.CodeNotManageable,
			"This agent is shared with you to see and test. Its owner or an admin can change it.")
	}
	return s.mayAuthor(scope)
}

func (s *Service) mayAuthor(scope tenancy.Scope) error {
	if s.c.Authorizer.Allow(scope, scope.Tenant, policy.AgentsAuthor) {
		return nil
	}
	return models.Errorf(models.CodeAuthoringDenied, "You may not build agents here. Ask an admin for the right to author.")
}
