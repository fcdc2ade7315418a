package studio

import (
	"context"
	"errors"
	"log/slog"
	"runtime/debug"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/migrations"
	"github.com/agentstudio/agentstudio/policy"
	"github.com/agentstudio/agentstudio/studio/agents"
	"github.com/agentstudio/agentstudio/studio/approval"
	"github.com/agentstudio/agentstudio/studio/audit"
	"github.com/agentstudio/agentstudio/studio/engine"
	"github.com/agentstudio/agentstudio/studio/jobs"
	"github.com/agentstudio/agentstudio/studio/session"
	"github.com/agentstudio/agentstudio/studio/store"
	"github.com/agentstudio/agentstudio/studio/toolexec"
	"github.com/agentstudio/agentstudio/tenancy"
)

// Studio is an assembled Agent Studio. Its exported fields are the services.
type Studio struct {
	Agents     *agents.Service
	Approvals  *approval.Service
	Audit      *audit.Service
	Authorizer *policy.Authorizer
	Door       *toolexec.Preparer
	Engine     *engine.Engine
	Logger     *slog.Logger
	Models     []string // that agents may name, the default first
	Registry   *hosttools.Registry
	Resolver   tenancy.Resolver
	Runner     *toolexec.Runner
	Sessions   *session.Service
	Tooling    policy.Frozen

	store  *store.Store
	jobs   *jobs.Jobs
	global bool
	life   lifecycle
}

// New assembles a Studio. It starts nothing; [Studio.Start] does.
func New(config Config) (*Studio, error) {
	c := config.withDefaults()
	if err := c.validate(); err != nil {
		return nil, err
	}
	return assemble(c, config.Resolver == nil)
}

// start begins the background work. See [Studio.Start].
func (s *Studio) start(ctx context.Context) error {
	if s.global {
		s.Logger.WarnContext(ctx, "no resolver is installed: all records live in GLOBAL, outside of tenant policy")
	}
	if err := s.recover(ctx); err != nil {
		return err
	}
	return s.jobs.Start(ctx, jobs.Handlers{
		AdvanceTurn: func(ctx context.Context, p tenancy.Partition, turnID string) error {
			err := s.Engine.Advance(ctx, p, turnID)
			if errors.Is(err, engine.ErrBusy) {
				return jobs.Later(busyDelay)
			}
			return err
		},
		ExpireApproval: s.Approvals.Expire,
	})
}

// recover enqueues every unfinished turn that waits for nobody: it goes on where
// its rows stand. A turn that waits for a person is enqueued by the decision.
func (s *Studio) recover(ctx context.Context) error {
	if s.store.Dialect() == migrations.SQLite { // for one process: nobody else holds a lease
		if err := s.store.ReleaseLeases(ctx); err != nil {
			return err
		}
	}
	open, err := s.store.OpenTurns(ctx)
	if err != nil {
		return err
	}
	for _, turn := range open {
		p, err := tenancy.PartitionFromStored(turn.Tenant)
		if err != nil {
			return err
		}
		err = s.store.Write(ctx, p, func(ctx context.Context) error { return s.jobs.AdvanceTurn(ctx, p, turn.ID) })
		if err != nil {
			return err
		}
	}
	return nil
}

// Ready reports whether the Studio can serve: the database answers and has
// every migration.
func (s *Studio) Ready(ctx context.Context) error { return s.store.Ready(ctx) }

// Global reports whether the Studio works without tenants: the host installed no
// resolver.
func (s *Studio) Global() bool { return s.global }

// buildID names the build by its VCS revision, so that approvals do not
// outlive the code they were given for.
func buildID() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	id := info.Main.Version
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" || setting.Key == "vcs.modified" {
			id += " " + setting.Value
		}
	}
	return id
}
