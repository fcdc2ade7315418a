package toolexec

import (
	"context"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/schema"
)

// Setting is what is configured of a toolkit for an agent and a caller: the
// defaults, what the agent's people set, and what the caller overrode.
type Setting struct {
	// Stored reports whether anybody saved a configuration for the agent.
	Stored bool
	// Version names the stored configuration and credentials: another one is
	// another instance. It is "" where nothing is stored.
	Version string
	// Params is the whole configuration as canonical JSON, without the secrets.
	Params []byte
	// Secrets are still sealed.
	Secrets map[string]SealedSecret
	// Issues say why the toolkit cannot run with it, for example that a
	// required parameter is missing.
	Issues []schema.Issue
}

// SealedSecret is a secret with what its seal is bound to.
type SealedSecret struct {
	models.SealedSecret

	Bound []string
}

// Settings reads how toolkits are configured.
type Settings interface {
	// Setting returns the setting of a tool's toolkit for an agent, which may be
	// "", and a caller. It needs no secret to be opened.
	Setting(ctx context.Context, tool *hosttools.Descriptor, agentID, user string) (Setting, error)
	// Reveal returns the whole configuration as JSON, the secrets opened: for the
	// toolkit only. It returns vault_unavailable when one cannot be opened.
	Reveal(ctx context.Context, setting Setting) ([]byte, error)
}

// configured reads the setting of a call's toolkit.
func (d *Preparer) configured(ctx context.Context, p *Prepared) error {
	if p.Tool.Config == nil {
		return nil
	}
	setting, err := d.config.Settings.Setting(ctx, p.Tool, p.Agent.ID, p.Scope.User)
	if err != nil {
		return err
	}
	if len(setting.Issues) > 0 {
		return notConfigured(p.Tool, setting.Issues)
	}
	p.Setting = setting
	return nil
}

func notConfigured(tool *hosttools.Descriptor, issues []schema.Issue) error {
	return models.Errorf(models.CodeNotConfigured,
		"%s is not set up yet: %s. Set it up in the Tools tab of the agent.", tool.Title, schema.Sentence(issues)).
		With("issues", issues)
}
