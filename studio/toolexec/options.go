package toolexec

import (
	"context"
	"fmt"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/policy"
)

// Options returns the choices that a toolkit computes for one of its config
// parameters, for the agent and the caller in ctx, from what is stored and
// nothing else. Who may ask is the caller's business.
//
// Its errors are not_found for an unknown slug or a parameter without choices,
// tool_scope_unavailable, tooling_not_permitted, not_configured while nothing is
// stored, vault_unavailable, instantiation_failed, and options_failed when the
// toolkit fails or takes longer than the limit.
func (r *Runner) Options(ctx context.Context, slug, param string) ([]hosttools.Option, error) {
	call, err := r.preparer.asked(ctx, slug, param)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, r.limits.Options)
	defer cancel()
	opened, err := r.acquire(ctx, call)
	if err != nil {
		return nil, r.notOpened(ctx, call.Tool, err)
	}
	e := &execution{call: call, instance: opened}
	defer r.release(e)
	var options []hosttools.Option // as the result of a method: not read of one that is left behind
	err = r.contain(ctx, e, func() (err error) {
		options, err = opened.ConfigOptions(ctx, param)
		return err
	})
	if err != nil {
		return nil, r.noOptions(ctx, call.Tool, scrub(err, opened.Secrets()))
	}
	return options, nil
}

func (r *Runner) noOptions(ctx context.Context, tool *hosttools.Descriptor, err error) error {
	if ours, ok := asError(err); ok && ours.Code == models.CodeToolScopeUnavailable {
		return ours
	}
	r.logger.WarnContext(ctx, "compute choices", "slug", tool.Slug, "error", err)
	return models.Errorf(models.CodeOptionsFailed,
		"%s could not list its choices. Check what is set so far, or type the value.", tool.Title).Because(err)
}

// asked judges a request for choices: gate, policy, parameter, setting.
func (d *Preparer) asked(ctx context.Context, slug, param string) (*Prepared, error) {
	group, ok := d.config.Registry.Group(slug)
	if !ok {
		return nil, models.NotFound()
	}
	p := &Prepared{Tool: group.Methods[0]} // Any method stands for the instance that all share.
	if err := d.gate(ctx, p); err != nil {
		return nil, err
	}
	if err := d.config.Tooling.Judge(p.Scope.Tenant, group.Slug, string(group.Origin), policy.PhaseExecute); err != nil {
		return nil, err
	}
	if !offersChoices(group, param) {
		return nil, models.Errorf(models.CodeNotFound, "There are no choices for %q.", param)
	}
	var err error
	if p.Setting, err = d.config.Settings.Setting(ctx, p.Tool, p.Agent.ID, p.Scope.User); err != nil {
		return nil, fmt.Errorf("settings of %s: %w", slug, err)
	}
	if !p.Setting.Stored {
		return nil, models.Errorf(models.CodeNotConfigured, "Save the settings of %s first; its choices come from what is saved.", group.Title)
	}
	return p, nil
}

func offersChoices(group hosttools.Group, name string) bool {
	if group.Config == nil {
		return false
	}
	param, ok := group.Config.Param(name)
	return ok && param.HasOptions
}
