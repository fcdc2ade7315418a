package toolexec

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/policy"
	"github.com/agentstudio/agentstudio/studio/canon"
	"github.com/agentstudio/agentstudio/studio/schema"
	"github.com/agentstudio/agentstudio/tenancy"
)

// Channel is where a call comes from. It decides which permission it needs and
// whether a person can be asked.
type Channel string

// The channels.
const (
	ChannelChat Channel = "chat"    // a model's proposal; a person can be asked
	ChannelREST Channel = "execute" // a program; nobody can be asked
)

// Request is a call as somebody asks for it.
type Request struct {
	// Name is what models see. Where it is empty, Slug and Method count.
	Name         string
	Slug, Method string
	// Arguments is the strictly parsed object; where nil, Raw is parsed.
	Arguments *canon.Value
	Raw       []byte
	Channel   Channel
	// HasToken says that the caller redeems an approval, so that a write may
	// pass the access stage of a channel that cannot ask.
	HasToken bool
}

// Prepared is a call that may run: judged, validated, with the exact bytes that
// a person will be shown and the tool will receive.
type Prepared struct {
	Request Request
	Tool    *hosttools.Descriptor
	Scope   tenancy.Scope
	Agent   tenancy.Agent

	Arguments     []byte // canonical bytes
	ArgumentsHash [32]byte
	Filled        map[string]string // server-managed values
	FilledBytes   []byte            // the same, canonical
	Fingerprint   [32]byte          // of the tool instance
	Setting       Setting           // of the toolkit, if it can be configured
	Dropped       []string          // server-managed names a model sent
}

// Write reports whether the call needs a person's approval.
func (p *Prepared) Write() bool { return p.Tool.Access != hosttools.AccessRead }

// Config is what the first half of the door needs.
type Config struct {
	Registry   *hosttools.Registry
	Authorizer *policy.Authorizer
	Tooling    policy.Frozen
	Resolver   tenancy.Resolver
	Auditor    Auditor
	Settings   Settings
	// Build identifies the host's build. It stands in the fingerprint of
	// toolkits that declare no version, so that a new build voids old approvals.
	Build  string
	Logger *slog.Logger
}

// Auditor records refused writes.
type Auditor interface {
	// WriteRefused adds an audit entry for a write that was refused.
	WriteRefused(ctx context.Context, tool *hosttools.Descriptor, err error) error
}

// prepareStage is one stage of the first half. It fills p or refuses.
type prepareStage struct {
	name string
	do   func(*Preparer, context.Context, *Prepared) error
}

// Preparer is the first half of the door.
type Preparer struct {
	config  Config
	schemas map[*hosttools.Descriptor]*schema.Schema
	stages  []prepareStage
}

// NewPreparer returns the first half of the door. All schemas of the registry
// are compiled here, once.
func NewPreparer(config Config) (*Preparer, error) {
	schemas := map[*hosttools.Descriptor]*schema.Schema{}
	for _, group := range config.Registry.Groups() {
		for _, tool := range group.Methods {
			compiled, err := schema.Compile(tool.Input)
			if err != nil {
				return nil, fmt.Errorf("the schema of %s: %w", tool.Name, err)
			}
			schemas[tool] = compiled
		}
	}
	return &Preparer{config: config, schemas: schemas, stages: []prepareStage{
		{"resolve", (*Preparer).resolve},
		{"gate", (*Preparer).gate},
		{"permit", (*Preparer).permit},
		{"access", (*Preparer).access},
		{"arguments", (*Preparer).arguments},
		{"fill", (*Preparer).fill},
	}}, nil
}

// Prepare judges a call and fixes its bytes. It has no effect besides the audit
// entry of a refused write. All errors are [models.Error].
func (d *Preparer) Prepare(ctx context.Context, request Request) (*Prepared, error) {
	p := &Prepared{Request: request}
	for _, stage := range d.stages {
		if err := stage.do(d, ctx, p); err != nil {
			d.refused(ctx, p, err)
			return nil, err
		}
	}
	return p, nil
}

func (d *Preparer) refused(ctx context.Context, p *Prepared, cause error) {
	if p.Tool == nil || !p.Write() || models.CodeOf(cause) == models.CodeInvalidArgs {
		return
	}
	if err := d.config.Auditor.WriteRefused(ctx, p.Tool, cause); err != nil {
		d.config.Logger.ErrorContext(ctx, "audit a refused write", "tool", p.Tool.Name, "error", err)
	}
}
