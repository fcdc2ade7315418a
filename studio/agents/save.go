package agents

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/policy"
	"github.com/agentstudio/agentstudio/tenancy"
)

// The limits of what a definition may hold, in characters.
const (
	maxName         = 64
	maxTitle        = 120
	maxDescription  = 500
	maxInstructions = 20_000
	maxRules        = 200
)

// ReservedName names no agent: the address of the form for a new one has it.
const ReservedName = "new"

// Create makes an agent of the caller with its first version. The name is
// ^[a-z0-9_-]{1,64}$, unique in the tenant, and not [ReservedName]. New agents
// are seen by their tenant, so that others can test them.
func (s *Service) Create(ctx context.Context, name string, d models.Definition) (models.Agent, error) {
	scope, p, err := tenancy.Caller(ctx)
	if err != nil {
		return models.Agent{}, err
	}
	if err := s.mayAuthor(scope); err != nil {
		return models.Agent{}, err
	}
	if !validName(name) {
		return models.Agent{}, models.Errorf(models.CodeInvalidName,
			"A name has lower-case letters, digits, \"-\" and \"_\", at most %d.", maxName).With("field", "name")
	}
	if name == ReservedName {
		return models.Agent{}, models.Errorf(models.CodeInvalidName,
			"No agent can be named %q: its address leads to the form for a new one.", name).With("field", "name")
	}
	d = s.withDefaults(d)
	if err := s.validate(scope, d, models.Definition{}); err != nil {
		return models.Agent{}, err
	}
	agent := models.Agent{
		TenantID: p.Stored(), ID: models.NewID(), Name: name, Owner: scope.User,
		Visibility: models.VisibilityTenant, AllowedGroups: []string{}, Version: 1,
	}
	version := models.AgentVersion{AgentID: agent.ID, Number: 1, Definition: d, Author: scope.User, Note: "Created"}
	err = s.c.Store.Write(ctx, p, func(ctx context.Context) error { return s.c.Store.CreateAgent(ctx, agent, version) })
	return agent, err
}

// Edit changes a copy of the live definition and saves it as the next version.
// It returns version_conflict when expected is not the live version any more.
func (s *Service) Edit(
	ctx context.Context, name string, expected int, note string, change func(*models.Definition) error,
) (models.AgentVersion, error) {
	scope, p, err := tenancy.Caller(ctx)
	if err != nil {
		return models.AgentVersion{}, err
	}
	var saved models.AgentVersion
	err = s.c.Store.Write(ctx, p, func(ctx context.Context) error {
		item, err := s.managed(ctx, scope, name)
		if err != nil {
			return err
		}
		if item.Agent.Version != expected {
			return conflict(item.Agent.Version)
		}
		d := clone(item.Live.Definition)
		if err := change(&d); err != nil {
			return err
		}
		if err := s.validate(scope, d, item.Live.Definition); err != nil {
			return err
		}
		saved = models.AgentVersion{
			AgentID: item.Agent.ID, Number: expected + 1, Definition: d, Author: scope.User, Note: note,
		}
		return s.c.Store.SaveAgentVersion(ctx, item.Agent.ID, expected, saved)
	})
	return saved, err
}

func conflict(current int) error {
	return models.Errorf(models.CodeVersionConflict,
		"Somebody saved version %d meanwhile. Look at it, then make your change again.", current).With("current", current)
}

// clone copies what a change may write to, so that no version shares a slice.
func clone(d models.Definition) models.Definition {
	d.Toolkits = slices.Clone(d.Toolkits)
	d.Rules = slices.Clone(d.Rules)
	for i := range d.Rules {
		d.Rules[i].Tools = slices.Clone(d.Rules[i].Tools)
	}
	return d
}

func (s *Service) withDefaults(d models.Definition) models.Definition {
	if d.Model == "" {
		d.Model = s.c.Models[0]
	}
	if d.Effort == "" {
		d.Effort = models.EffortMedium
	}
	return d
}

// validate checks a whole resulting definition. Toolkits that are new in it
// must be permitted by the tenant's tooling policy; those that had, the live
// one, has too are judged when they are used, so that losing one does not block
// other changes. Errors name the field in details.field.
func (s *Service) validate(scope tenancy.Scope, d, had models.Definition) error {
	switch {
	case strings.TrimSpace(d.Title) == "" || utf8.RuneCountInString(d.Title) > maxTitle:
		return field("title", "Give the agent a name of at most %d characters.", maxTitle)
	case utf8.RuneCountInString(d.Description) > maxDescription:
		return field("description", "The description may have at most %d characters.", maxDescription)
	case utf8.RuneCountInString(d.Instructions) > maxInstructions:
		return field("instructions", "The instructions may have at most %d characters.", maxInstructions)
	case !slices.Contains(s.c.Models, d.Model):
		return field("model", "Choose one of the models that are set up here.")
	case !slices.Contains(models.Efforts(), d.Effort):
		return field("effort", "Choose one of the efforts.")
	case len(d.Rules) > maxRules:
		return field("rules", "An agent may have at most %d rules.", maxRules)
	}
	if err := readable(d); err != nil {
		return err
	}
	for _, slug := range d.Toolkits {
		if slices.Contains(had.Toolkits, slug) {
			continue
		}
		if err := s.permitted(scope, slug); err != nil {
			return err
		}
	}
	for _, rule := range d.Rules {
		if err := s.validateRule(d, had, rule); err != nil {
			return err
		}
	}
	return nil
}

// permitted checks that a toolkit exists and that the tenant may use it.
func (s *Service) permitted(scope tenancy.Scope, slug string) error {
	group, ok := s.c.Registry.Group(slug)
	if !ok {
		return field("toolkits", "There is no toolkit %q. The catalogue lists the ones you can use.", slug)
	}
	return s.c.Tooling.Judge(scope.Tenant, slug, string(group.Origin), policy.PhaseWrite)
}

func field(name, format string, args ...any) error {
	return models.Errorf(models.CodeValidation, format, args...).With("field", name)
}

func validName(name string) bool {
	if name == "" || len(name) > maxName {
		return false
	}
	for _, c := range []byte(name) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_' && c != '-' {
			return false
		}
	}
	return true
}
