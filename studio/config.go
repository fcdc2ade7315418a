package studio

import (
	"errors"
	"log/slog"
	"time"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/policy"
	"github.com/agentstudio/agentstudio/studio/llm"
	"github.com/agentstudio/agentstudio/studio/review"
	"github.com/agentstudio/agentstudio/studio/store"
	"github.com/agentstudio/agentstudio/studio/toolexec"
	"github.com/agentstudio/agentstudio/studio/vault"
	"github.com/agentstudio/agentstudio/tenancy"
)

// Config describes a Studio.
type Config struct {
	// Build identifies the host's build. Approvals of toolkits without a version
	// of their own do not outlive it. Empty: the build's own VCS revision.
	Build string
	// Database is an open store. The Studio migrates nothing by itself.
	Database *store.Store
	// DecideWithin is how long a call waits for a person; zero means 15 minutes.
	DecideWithin time.Duration
	// Key is the master key from which all other keys are derived.
	Key vault.MasterKey
	// PreviousKeys still open secrets that were sealed under them, until those are
	// rotated. They do nothing else: sign-ins, tokens and approvals of an old key end.
	PreviousKeys []vault.MasterKey
	// Limits bound each tool call; what is zero is as in [toolexec.DefaultLimits].
	Limits toolexec.Limits
	// Logger takes what people must not see; nil means slog's default.
	Logger *slog.Logger
	// Models are what agents may name; the offline planner is always among
	// them, and the default when DefaultModel is empty.
	Models       []llm.Model
	DefaultModel string
	// Registry is what the host offers.
	Registry *hosttools.Registry
	// Resolver says who calls. What it says is believed only where it makes sense,
	// see [tenancy.Guarded]. Its presence is the opt-in to tenancy. Nil: there are no
	// tenants; all records live in GLOBAL, where every caller sees them, tools that
	// belong to a tenant refuse, and web.Config.Identify says who calls.
	Resolver tenancy.Resolver
	// Reviewer judges proposed calls; nil means the offline checks.
	Reviewer review.Reviewer
	// ToolingPolicy is what the host lets its tenants configure; the zero value
	// allows the host's own toolkits only.
	ToolingPolicy policy.Tooling
}

// withDefaults returns a copy with what may be left out filled in.
func (c Config) withDefaults() Config {
	if c.Build == "" {
		c.Build = buildID()
	}
	c.Limits = c.Limits.WithDefaults()
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	if c.Reviewer == nil {
		c.Reviewer = review.Checks{}
	}
	if c.Resolver == nil {
		c.Resolver = tenancy.Unbound(nil)
	} else {
		c.Resolver = tenancy.Guarded(c.Resolver)
	}
	return c
}

func (c Config) validate() error {
	switch {
	case c.Database == nil:
		return errors.New("studio: Config.Database is nil; open one with store.Open")
	case c.Registry == nil:
		return errors.New("studio: Config.Registry is nil; make one with hosttools.NewRegistry")
	case c.Key.IsZero():
		return errors.New("studio: Config.Key is empty; load one with vault.LoadKey")
	}
	return nil
}
