package toolexec

import (
	"context"

	"github.com/agentstudio/agentstudio/tenancy"
)

// gate is the scope gate for tenant-bound tools. Others take the scope as it
// is, which may be none.
func (d *Preparer) gate(ctx context.Context, p *Prepared) error {
	p.Agent, _ = tenancy.AgentFromContext(ctx)
	if !p.Tool.TenantBound {
		p.Scope, _, _ = tenancy.Caller(ctx)
		return nil
	}
	scope, err := tenancy.Gate(ctx)
	if err != nil {
		return err
	}
	p.Scope = scope
	return nil
}
