package agents

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/canon"
	"github.com/agentstudio/agentstudio/studio/schema"
	"github.com/agentstudio/agentstudio/studio/toolexec"
	"github.com/agentstudio/agentstudio/tenancy"
)

// A service is where the door reads how toolkits are set up.
var _ toolexec.Settings = (*Service)(nil)

// Setting returns how a tool's toolkit is set up for an agent and a user, in
// the tenant of the caller. Without an agent it is the defaults. Its contents
// are shared; they must not be changed.
func (s *Service) Setting(
	ctx context.Context, tool *hosttools.Descriptor, agentID, user string,
) (toolexec.Setting, error) {
	k := s.kits[tool.Slug]
	if k == nil {
		return toolexec.Setting{}, fmt.Errorf("agents: there is no toolkit %q", tool.Slug)
	}
	if agentID == "" {
		return k.unset, nil
	}
	_, p, err := tenancy.Caller(ctx)
	if err != nil {
		return toolexec.Setting{}, err
	}
	var settings models.ToolkitSettings
	var own models.ToolkitOverride
	err = s.c.Store.Read(ctx, p, func(ctx context.Context) error {
		settings, own, err = s.c.Store.ToolkitSettingsFor(ctx, agentID, k.group.Slug, user)
		return err
	})
	if err != nil {
		return toolexec.Setting{}, err
	}
	return k.effective(settings, own)
}

// Reveal returns a whole configuration as JSON with the secrets opened, for the
// toolkit and nobody else. It returns vault_unavailable when one does not open,
// and not_configured when something in it does not fit.
func (s *Service) Reveal(ctx context.Context, setting toolexec.Setting) ([]byte, error) {
	if setting.Params == nil {
		return nil, models.Errorf(models.CodeNotConfigured, "What is set does not fit: %s.", schema.Sentence(setting.Issues))
	}
	if len(setting.Secrets) == 0 {
		return setting.Params, nil
	}
	params, err := canon.Parse(setting.Params)
	if err != nil {
		return nil, fmt.Errorf("agents: read a configuration: %w", err)
	}
	members := membersOf(params)
	for _, name := range slices.Sorted(maps.Keys(setting.Secrets)) {
		sealed := setting.Secrets[name]
		value, err := s.reveal(ctx, sealed)
		if err != nil {
			return nil, models.Errorf(models.CodeVaultUnavailable,
				"The stored value of %q cannot be opened. Enter it again in the toolkit's settings, "+
					"or ask whoever runs this server about its master key.", name).Because(err)
		}
		members = append(members, canon.Member{Name: name, Value: canon.String(string(value))})
	}
	object, err := canon.ObjectOf(members...)
	if err != nil {
		return nil, fmt.Errorf("agents: complete a configuration: %w", err)
	}
	return canon.Bytes(object)
}

// reveal opens a secret. Where it does not open, its key may just have gone: the
// same value is stored under the next one then.
func (s *Service) reveal(ctx context.Context, sealed toolexec.SealedSecret) ([]byte, error) {
	at := placeFrom(sealed.Bound)
	value, err := s.c.Box.Open(ctx, at.tenant, sealed.Box, sealed.Bound...)
	if err == nil {
		return value, nil
	}
	p, unknown := tenancy.PartitionFromStored(at.tenant)
	if unknown != nil {
		return nil, err
	}
	var settings models.ToolkitSettings
	var own models.ToolkitOverride
	if failed := s.c.Store.Read(ctx, p, func(ctx context.Context) (err error) {
		settings, own, err = s.c.Store.ToolkitSettingsFor(ctx, at.agent, at.slug, at.user)
		return err
	}); failed != nil {
		return nil, failed
	}
	stored := settings.Secrets
	if at.user != "" {
		stored = own.Secrets
	}
	for _, again := range stored {
		if again.ID == sealed.ID && !bytes.Equal(again.Box, sealed.Box) {
			return s.c.Box.Open(ctx, at.tenant, again.Box, sealed.Bound...)
		}
	}
	return nil, err
}

// ForOptions returns a context in which the choices for a toolkit's parameters
// are computed on behalf of an agent that the caller may change. Its errors are
// those of [Service.Managed], and then not_found for an unknown slug.
func (s *Service) ForOptions(ctx context.Context, name, slug string) (context.Context, error) {
	item, err := s.Managed(ctx, name)
	if err != nil {
		return nil, err
	}
	if _, err := s.kit(slug); err != nil {
		return nil, err
	}
	return tenancy.WithAgent(ctx, tenancy.Agent{
		ID: item.Agent.ID, Version: item.Agent.Version, Tenant: item.Agent.TenantID,
	}), nil
}
