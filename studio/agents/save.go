package agents

import (
	"context"
	"fmt"
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

// NewAgent is an agent to be made.
type NewAgent struct {
	Name       string // ^[a-z0-9_-]{1,64}$, unique in the tenant, and not [ReservedName]
	Definition models.Definition
	Sharing    Sharing // the zero value keeps it to its owner and the admins
}

// MayCreate returns authoring_denied when the caller may not make agents, before
// anything that they sent is read.
func (s *Service) MayCreate(ctx context.Context) error {
	scope, _, err := tenancy.Caller(ctx)
	if err != nil {
		return err
	}
	return s.mayAuthor(scope)
}

// Create makes an agent of the caller with its first version. It returns
// invalid_name, name_taken, validation_error with details.field, and what
// [Service.Share] returns for a sharing.
func (s *Service) Create(ctx context.Context, n NewAgent) (models.Agent, error) {
	scope, p, err := tenancy.Caller(ctx)
	if err != nil {
		return models.Agent{}, err
	}
	if err := s.mayAuthor(scope); err != nil {
		return models.Agent{}, err
	}
	if err := checkName(n.Name); err != nil {
		return models.Agent{}, err
	}
	d := s.withDefaults(n.Definition)
	if err := s.validate(scope, d, models.Definition{}); err != nil {
		return models.Agent{}, err
	}
	agent := models.Agent{
		TenantID: p.Stored(), ID: models.NewID(), Name: n.Name, Owner: scope.User,
		Visibility: models.VisibilityPrivate, AllowedGroups: []string{}, Version: 1,
	}
	if n.Sharing.Visibility != "" {
		sharing, err := mayShare(scope, agent, n.Sharing)
		if err != nil {
			return models.Agent{}, err
		}
		agent.Visibility, agent.AllowedGroups = sharing.Visibility, sharing.Groups
	}
	version := models.AgentVersion{AgentID: agent.ID, Number: 1, Definition: d, Author: scope.User, Note: "Created"}
	err = s.c.Store.Write(ctx, p, func(ctx context.Context) error { return s.c.Store.CreateAgent(ctx, agent, version) })
	return agent, err
}

func checkName(name string) error {
	switch {
	case !validName(name):
		return models.Errorf(models.CodeInvalidName,
			"A name has lower-case letters, digits, \"-\" and \"_\", at most %d.", maxName).With("field", "name")
	case name == ReservedName:
		return models.Errorf(models.CodeInvalidName,
			"No agent can be named %q: its address leads to the form for a new one.", name).With("field", "name")
	}
	return nil
}

// Delete deletes an agent that the caller may change, with how its toolkits were
// set up. What it is doing ends; what a person approved and began runs to its
// end. An agent that is made again under its name inherits nothing. It returns
// version_conflict when expected is not the live version; 0 expects any.
func (s *Service) Delete(ctx context.Context, name string, expected int) error {
	scope, p, err := tenancy.Caller(ctx)
	if err != nil {
		return err
	}
	return s.c.Store.Write(ctx, p, func(ctx context.Context) error {
		item, err := s.managed(ctx, scope, name)
		if err != nil {
			return err
		}
		if expected != 0 && expected != item.Agent.Version {
			return conflict(item.Agent.Version)
		}
		if err := s.c.Store.DeleteAgent(ctx, item.Agent.ID); err != nil {
			return err
		}
		if s.c.Deleted == nil {
			return nil
		}
		return s.c.Deleted(ctx, p, item.Agent.ID)
	})
}

// Edit changes a copy of the live definition and saves it as the next version.
// It returns version_conflict when expected is not the live version any more; 0
// expects whichever is live.
func (s *Service) Edit(
	ctx context.Context, name string, expected int, note string, change func(*models.Definition) error,
) (models.AgentVersion, error) {
	return s.edit(ctx, name, func(_ context.Context, d *draft) error {
		if err := d.expect(expected); err != nil {
			return err
		}
		d.note = note
		return change(&d.definition)
	})
}

// draft is a version in the making.
type draft struct {
	scope      tenancy.Scope
	item       Item              // the agent as it is
	definition models.Definition // a copy, to be changed
	note       string
	unchanged  bool // there is nothing to save
	// also is stored with the version, after it: whoever changes the same agent
	// waits for its row first, so that no two wait for each other.
	also func(ctx context.Context) error
}

// edit lets change work on a draft of an agent that the caller may change, and
// saves it as the next version, in one transaction. It returns the live version
// when there is nothing to save.
func (s *Service) edit(
	ctx context.Context, name string, change func(ctx context.Context, d *draft) error,
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
		saved = item.Live
		d := draft{scope: scope, item: item, definition: clone(item.Live.Definition)}
		if err := change(ctx, &d); err != nil || d.unchanged {
			return err
		}
		saved, err = s.save(ctx, d)
		return err
	})
	if err != nil {
		return models.AgentVersion{}, err
	}
	return saved, nil
}

// save checks a draft and saves it as the next version. How a toolkit was set
// up ends with its assignment, whoever ends that.
func (s *Service) save(ctx context.Context, d draft) (models.AgentVersion, error) {
	had := d.item.Live.Definition
	d.definition = s.withDefaults(d.definition)
	if err := s.validate(d.scope, d.definition, had); err != nil {
		return models.AgentVersion{}, err
	}
	agent := d.item.Agent
	version := models.AgentVersion{
		AgentID: agent.ID, Number: agent.Version + 1, Definition: d.definition, Author: d.scope.User, Note: d.note,
	}
	if err := s.c.Store.SaveAgentVersion(ctx, agent.ID, agent.Version, version); err != nil {
		return models.AgentVersion{}, err
	}
	if d.also != nil {
		if err := d.also(ctx); err != nil {
			return models.AgentVersion{}, err
		}
	}
	return version, s.forget(ctx, agent.ID, had.Toolkits, d.definition.Toolkits)
}

// forget deletes how the toolkits were set up that are no longer assigned.
func (s *Service) forget(ctx context.Context, agentID string, had, has []string) error {
	for _, slug := range had {
		if slices.Contains(has, slug) {
			continue
		}
		if _, err := s.c.Store.DeleteToolkitSettings(ctx, agentID, slug); err != nil {
			return fmt.Errorf("delete how %s was set up: %w", slug, err)
		}
	}
	return nil
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
	if !ok || group.Slug != slug {
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
