package studio

import (
	"context"
	"fmt"
	"time"

	"github.com/agentstudio/agentstudio/policy"
	"github.com/agentstudio/agentstudio/studio/agents"
	"github.com/agentstudio/agentstudio/studio/approval"
	"github.com/agentstudio/agentstudio/studio/audit"
	"github.com/agentstudio/agentstudio/studio/engine"
	"github.com/agentstudio/agentstudio/studio/jobs"
	"github.com/agentstudio/agentstudio/studio/llm"
	"github.com/agentstudio/agentstudio/studio/llm/planner"
	"github.com/agentstudio/agentstudio/studio/session"
	"github.com/agentstudio/agentstudio/studio/toolexec"
	"github.com/agentstudio/agentstudio/studio/vault"
	"github.com/agentstudio/agentstudio/tenancy"
)

// busyDelay is when a turn that another execution has is tried again.
const busyDelay = 250 * time.Millisecond

// assemble builds the services from the bottom up. Nothing below this file
// knows both a domain and the store.
func assemble(c Config, global bool) (*Studio, error) {
	authorizer, err := policy.NewAuthorizer()
	if err != nil {
		return nil, fmt.Errorf("studio: %w", err)
	}
	tooling, err := c.ToolingPolicy.Freeze()
	if err != nil {
		return nil, fmt.Errorf("studio: tooling policy: %w", err)
	}
	queue, err := jobs.New(c.Database, c.Logger)
	if err != nil {
		return nil, fmt.Errorf("studio: %w", err)
	}
	s := &Studio{
		Authorizer: authorizer, Tooling: tooling, Registry: c.Registry, Resolver: c.Resolver, Logger: c.Logger,
		store: c.Database, jobs: queue, global: global,
		Sessions: session.New(c.Database),
		Audit:    audit.New(c.Database, authorizer),
	}
	keys, err := vault.NewKeyring(c.Database, c.Key, c.PreviousKeys...)
	if err != nil {
		return nil, fmt.Errorf("studio: %w", err)
	}
	models, names := modelsOf(c)
	s.Models = names
	if s.Agents, err = agents.New(agents.Config{
		Store: c.Database, Registry: c.Registry, Authorizer: authorizer, Tooling: tooling, Models: names,
		Box: keys, Groups: groupsOf(c.Resolver),
		Deleted: func(ctx context.Context, p tenancy.Partition, agentID string) error {
			return s.Engine.EndTurnsOf(ctx, p, agentID)
		},
	}); err != nil {
		return nil, fmt.Errorf("studio: %w", err)
	}
	if err := s.door(c); err != nil {
		return nil, fmt.Errorf("studio: %w", err)
	}
	s.Engine = engine.New(engine.Config{
		Store: c.Database, Queue: queue, Door: s.Door, Runner: s.Runner, Approvals: s.Approvals, Log: s.Sessions,
		Registry: c.Registry, Tooling: tooling, Resolver: c.Resolver, Reviewer: c.Reviewer,
		Models: models, Logger: c.Logger,
	})
	return s, nil
}

// door builds the two halves of the door with the approvals between them.
func (s *Studio) door(c Config) (err error) {
	s.Door, err = toolexec.NewPreparer(toolexec.Config{
		Registry: c.Registry, Authorizer: s.Authorizer, Tooling: s.Tooling, Resolver: c.Resolver,
		Auditor: s.Audit, Settings: s.Agents, Build: c.Build, Logger: c.Logger,
	})
	if err != nil {
		return err
	}
	s.Approvals = approval.New(approval.Config{
		Store: c.Database, Queue: s.jobs, Judge: s.Door, Observer: engine.Observer{Log: s.Sessions},
		Resolver: c.Resolver, Authorizer: s.Authorizer, Sealer: c.Key.Sealer(vault.PurposeSeals),
		DecideWithin: c.DecideWithin,
	})
	s.Runner = toolexec.NewRunner(s.Door, s.Approvals, c.Limits)
	return nil
}

// groupsOf returns who knows the groups of tenants, nil where nobody does.
func groupsOf(resolver tenancy.Resolver) tenancy.Groups {
	groups, ok := resolver.(tenancy.Groups)
	if !ok {
		return nil
	}
	return groups
}

// modelsOf returns the models by name, and their names with the default first.
func modelsOf(c Config) (map[string]llm.Model, []string) {
	byName := map[string]llm.Model{}
	var names []string
	for _, model := range append([]llm.Model{planner.New()}, c.Models...) {
		byName[model.Name()] = model
		if model.Name() == c.DefaultModel {
			names = append([]string{model.Name()}, names...)
			continue
		}
		names = append(names, model.Name())
	}
	return byName, names
}
