package hosttoolstest

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/toolexec"
	"github.com/agentstudio/agentstudio/tenancy"
)

// caller is who calls in every test.
const caller = "conformance@example.test"

// problem is what a check found, in words for the host's developers.
type problem struct{ what, fix string }

// preparer is the first half of the door, a [toolexec.Preparer].
type preparer interface {
	Prepare(ctx context.Context, request toolexec.Request) (*toolexec.Prepared, error)
	Version(call *toolexec.Prepared) string
}

// runner is the second half of the door, a [toolexec.Runner].
type runner interface {
	Read(ctx context.Context, call *toolexec.Prepared) (toolexec.Envelope, error)
	Approved(ctx context.Context, approval models.Approval) (toolexec.Envelope, error)
	Options(ctx context.Context, slug, param string) ([]hosttools.Option, error)
	Stop()
}

// suite is one run over a registry. It is used by one goroutine at a time.
type suite struct {
	settings

	registry  *hosttools.Registry
	preparer  preparer
	runner    runner
	setups    *setups
	approvals *approvals
	toolkits  []*toolkit
}

// toolkit is an entry under test.
type toolkit struct {
	hosttools.Group

	config []byte // nil where nothing is configured
	tools  []*tool

	tried bool      // whether it works was tried
	wrong []problem // why it does not
}

// tool is a method under test.
type tool struct {
	*hosttools.Descriptor

	kit  *toolkit
	args map[string]any
	raw  []byte  // of args; nil where there are none that fit
	why  problem // why there are none

	calls map[string]call // the ordinary call, by tenant
}

// newSuite returns a suite that has to be stopped, or the problems that leave
// nothing to test.
func newSuite(registry *hosttools.Registry, options []Option) (*suite, []problem) {
	s := &suite{
		settings: settingsOf(options), registry: registry,
		setups: &setups{configs: map[string][]byte{}}, approvals: newApprovals(),
	}
	s.approvals.db = s.db
	for _, tenant := range s.tenants {
		if !tenancy.ValidTenant(tenant) {
			return nil, []problem{{
				fmt.Sprintf("%q is not the name of a tenant.", tenant), "Pass Tenants two names of tenants with test data.",
			}}
		}
	}
	if err := s.openDoor(); err != nil {
		return nil, []problem{{
			fmt.Sprintf("The Studio cannot take the registry: %v.", err), "Change the schema that it names.",
		}}
	}
	for _, group := range registry.Groups() {
		if group.Origin == hosttools.OriginHost || group.Origin == hosttools.OriginWalk {
			s.add(group)
		}
	}
	return s, nil
}

// add lists an entry and makes up what its calls need.
func (s *suite) add(group hosttools.Group) {
	kit := &toolkit{Group: group}
	var err error
	if kit.config, err = s.configOf(group); err == nil {
		s.setups.configs[group.Slug] = kit.config
	} else {
		kit.tried, kit.wrong = true, []problem{{
			fmt.Sprintf("No configuration of it fits its schema: %v.", err),
			fmt.Sprintf("Pass Config(%q, …) with one that works in tests.", group.Slug),
		}}
	}
	for _, descriptor := range group.Methods {
		t := &tool{Descriptor: descriptor, kit: kit, calls: map[string]call{}}
		if err == nil {
			s.addArguments(t)
		}
		kit.tools = append(kit.tools, t)
	}
	s.toolkits = append(s.toolkits, kit)
}

func (s *suite) stop() { s.runner.Stop() }

// runs reports whether the suite can and may run a method.
func (s *suite) runs(ctx context.Context, t *tool) bool {
	return t.raw != nil && (t.reads() || s.writes) && len(s.faults(ctx, t.kit)) == 0
}

func (t *tool) reads() bool { return t.Access == hosttools.AccessRead }

// scoped returns a context in which the caller works for a tenant.
func scoped(ctx context.Context, tenant string) context.Context {
	return tenancy.WithScope(ctx, scopeOf(tenant))
}

func scopeOf(tenant string) tenancy.Scope {
	return tenancy.Scope{
		User: caller, Name: "Conformance", Tenant: tenant, MayAuthor: true, StudioEnabled: true, Via: tenancy.ViaAPI,
	}
}

// unknown returns the names in the options that are no tool's.
func (s *suite) unknown() []string {
	names := slices.Collect(maps.Keys(s.args))
	names = slices.AppendSeq(names, maps.Keys(s.shared))
	names = slices.DeleteFunc(names, func(name string) bool {
		_, known := s.registry.Lookup(name)
		return known
	})
	for slug := range s.settings.config {
		if group, known := s.registry.Group(slug); !known || group.Slug != slug {
			names = append(names, slug)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
