package toolexec

import (
	"context"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/policy"
	"github.com/agentstudio/agentstudio/tenancy"
)

// permit asks the host's tooling policy and the caller's permission.
func (d *Preparer) permit(_ context.Context, p *Prepared) error {
	err := d.config.Tooling.Judge(p.Scope.Tenant, p.Tool.Slug, string(p.Tool.Origin), policy.PhaseExecute)
	if err != nil {
		return err
	}
	return d.permitted(p.Scope, p.Request.Channel)
}

// Admit reports whether the caller of ctx may use a channel at all, before
// anything they sent is read. It returns authoring_denied on the execute
// channel and permission_denied elsewhere.
func (d *Preparer) Admit(ctx context.Context, channel Channel) error {
	scope, _, _ := tenancy.Caller(ctx)
	return d.permitted(scope, channel)
}

func (d *Preparer) permitted(scope tenancy.Scope, channel Channel) error {
	if channel == ChannelREST {
		if d.config.Authorizer.Allow(scope, scope.Tenant, policy.ToolsExecute) {
			return nil
		}
		return models.Errorf(models.CodeAuthoringDenied,
			"You may not run tools directly here. Ask an admin for the right to author.")
	}
	if d.config.Authorizer.Allow(scope, scope.Tenant, policy.SessionsChat) {
		return nil
	}
	return models.Errorf(models.CodePermissionDenied, "You may not use agents here. Ask an admin to add you.")
}
