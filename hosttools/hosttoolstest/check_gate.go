package hosttoolstest

import (
	"context"
	"fmt"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/tenancy"
)

const gateFix = "Let the framework's scope gate stand in front of it: make the entry of hosttools.Toolkit or hosttools.Tool, " +
	"and keep the registry's own way to it."

// outside is a context in which nothing that is bound to a tenant may run.
type outside struct {
	ctx    context.Context
	reason tenancy.Refusal
}

// outsides returns a context for each refusal of the gate.
func (s *suite) outsides(ctx context.Context) []outside {
	home, other := scopeOf(s.tenants[0]), s.tenants[1]
	nowhere := home
	nowhere.Tenant = ""
	return []outside{
		{ctx, tenancy.NoContext},
		{tenancy.WithoutScope(ctx), tenancy.NoScope},
		{tenancy.WithScope(ctx, nowhere), tenancy.NoTenant},
		{tenancy.WithAgent(tenancy.WithScope(ctx, home), tenancy.Agent{ID: "agent", Version: 1}), tenancy.AgentTenantUnset},
		{tenancy.WithAgent(tenancy.WithScope(ctx, home), tenancy.Agent{ID: "agent", Version: 1, Tenant: other}), tenancy.TenantMismatch},
	}
}

// refused reports where f is not refused for the reason that applies, or opens
// a configuration before it is.
func (s *suite) refused(ctx context.Context, what string, f func(context.Context) error) []problem {
	for _, o := range s.outsides(ctx) {
		before := s.setups.revealed.Load()
		end := contained(o.ctx, s.deadline, func() error { return f(o.ctx) })
		if models.CodeOf(end.err) != models.CodeToolScopeUnavailable || models.ReasonOf(end.err) != string(o.reason) {
			return []problem{{
				fmt.Sprintf("%s is not refused with %s where that applies; it ends with %q.", what, o.reason, end.answer()), gateFix,
			}}
		}
		if s.setups.revealed.Load() != before {
			return []problem{{fmt.Sprintf("%s opens the configuration before it is refused with %s.", what, o.reason), gateFix}}
		}
	}
	return nil
}

// answer says how code ended that should have been refused.
func (e ending) answer() string {
	switch {
	case e.says() != "":
		return e.says()
	case e.err != nil:
		return e.err.Error()
	default:
		return "success"
	}
}

// gatedToolkit reports a tenant-bound entry that opens, or computes choices,
// outside of a tenant.
func (s *suite) gatedToolkit(ctx context.Context, kit *toolkit) []problem {
	if !kit.TenantBound || len(s.faults(ctx, kit)) > 0 {
		return nil
	}
	instance, err := s.constructed(ctx, kit)
	if err != nil {
		return nil // The check "construction" reports it.
	}
	problems := s.refused(ctx, "Open", instance.Open)
	for _, param := range kit.choosable() {
		problems = append(problems, s.refused(ctx, fmt.Sprintf("The provider of choices for %q", param),
			func(ctx context.Context) error {
				_, err := s.runner.Options(ctx, kit.Slug, param)
				return err
			})...)
		problems = append(problems, s.refused(ctx, fmt.Sprintf("ConfigOptions(%q)", param),
			func(ctx context.Context) error {
				_, err := instance.ConfigOptions(ctx, param)
				return err
			})...)
	}
	return problems
}

// gatedTool reports a tenant-bound method that runs outside of a tenant,
// through the door or past it.
func (s *suite) gatedTool(ctx context.Context, t *tool) []problem {
	if !t.TenantBound || len(s.faults(ctx, t.kit)) > 0 {
		return nil
	}
	instance, err := s.constructed(ctx, t.kit)
	if err != nil {
		return nil
	}
	raw := t.raw
	if raw == nil {
		raw = []byte(`{}`) // The gate comes before the arguments.
	}
	filled := map[string]string{}
	for _, managed := range t.Managed {
		filled[managed.Name] = s.tenants[0]
	}
	problems := s.refused(ctx, "A call through the door", func(ctx context.Context) error {
		_, err := s.preparer.Prepare(ctx, request(t, raw))
		return err
	})
	return append(problems, s.refused(ctx, "A call past the door", func(ctx context.Context) error {
		_, err := instance.Call(ctx, t.Method, raw, filled)
		return err
	})...)
}
