package policy

import (
	"fmt"
	"maps"
	"slices"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/tenancy"
)

// Phase is the moment at which the tooling policy judges.
type Phase string

// The phases. What passed one is judged again in the next, since the policy may
// be another one by then.
const (
	PhaseWrite     Phase = "write"     // an agent or draft is saved
	PhaseActivate  Phase = "activate"  // a draft goes live
	PhaseAttach    Phase = "attach"    // a toolkit is assigned
	PhaseCatalogue Phase = "catalogue" // the catalogue is shown
	PhaseExecute   Phase = "execute"   // a tool is called
	PhaseBuild     Phase = "build"     // an agent is put together for a turn
)

// The origins of tools, as the registry names them. Any other is refused. What a
// host offers without a registry, walked, is the host's for every purpose; what
// comes packaged is like what is built in.
const (
	OriginHost     = "host"
	OriginWalk     = "walk"
	OriginBuiltin  = "builtin"
	OriginPackaged = "packaged"
)

// Why the tooling policy refused: details.reason of an error with code
// tooling_not_permitted.
const (
	ReasonToolkitUnavailable  = "toolkit_unavailable"
	ReasonBuiltinNotPermitted = "builtin_not_permitted"
)

// Tooling is what the host lets its tenants configure. The zero value allows
// the host's own toolkits, no built-in ones and no MCP servers. Slugs are
// compared without regard to case.
type Tooling struct {
	// ApplyToGlobal applies the policy to the GLOBAL partition too, which is
	// otherwise outside of it. A host that serves tenants and has GLOBAL records
	// should set it.
	ApplyToGlobal bool
	// BuiltinTools are the slugs of the built-in toolkits that tenants may use.
	BuiltinTools []string
	// DenyHostToolkits keeps the host's own toolkits from all tenants.
	DenyHostToolkits bool
	// TenantToolkits narrows single tenants further. A tenant that has an entry,
	// be it an empty one, may use nothing but these slugs out of what is allowed
	// above; a tenant without an entry may use all of it. It is not asked in
	// [PhaseBuild], so that an agent that was given a toolkit earlier still
	// starts; the toolkit's calls are refused in [PhaseExecute].
	TenantToolkits map[string][]string
}

// Frozen is a tooling policy that can no longer change. It may be used from any
// goroutine. The zero value is the frozen form of the zero [Tooling].
type Frozen struct {
	applyToGlobal bool
	denyHost      bool
	builtins      slugs
	tenants       map[string]slugs
}

// Freeze checks the policy and returns a deep, normalised copy of it. It
// returns an error for what can be no slug or no tenant, since a misspelt rule
// would silently be no rule.
func (t Tooling) Freeze() (Frozen, error) {
	builtins, err := newSlugs(t.BuiltinTools)
	if err != nil {
		return Frozen{}, fmt.Errorf("built-in tools: %w", err)
	}
	tenants := make(map[string]slugs, len(t.TenantToolkits))
	for _, tenant := range slices.Sorted(maps.Keys(t.TenantToolkits)) {
		if !tenancy.ValidTenant(tenant) {
			return Frozen{}, fmt.Errorf("toolkits of a tenant: %q is not the name of a tenant", tenant)
		}
		if tenants[tenant], err = newSlugs(t.TenantToolkits[tenant]); err != nil {
			return Frozen{}, fmt.Errorf("toolkits of tenant %s: %w", tenant, err)
		}
	}
	return Frozen{
		applyToGlobal: t.ApplyToGlobal, denyHost: t.DenyHostToolkits,
		builtins: builtins, tenants: tenants,
	}, nil
}

// Judge returns nil when tenant may have the toolkit slug of the given origin
// in this phase. Otherwise it returns an error with code tooling_not_permitted,
// details.reason, and details.item, which is the slug as it was given. The
// empty tenant stands for GLOBAL.
func (f Frozen) Judge(tenant, slug string, origin string, phase Phase) error {
	if tenant == "" && !f.applyToGlobal {
		return nil
	}
	name, ok := normalise(slug)
	if !ok || !phase.known() {
		return refuse(slug, ReasonToolkitUnavailable)
	}
	switch origin {
	case OriginHost, OriginWalk:
		if f.denyHost {
			return refuse(slug, ReasonToolkitUnavailable)
		}
	case OriginBuiltin, OriginPackaged:
		if !f.builtins.has(name) {
			return refuse(slug, ReasonBuiltinNotPermitted)
		}
	default:
		return refuse(slug, ReasonToolkitUnavailable)
	}
	if only, narrowed := f.tenants[tenant]; narrowed && phase != PhaseBuild && !only.has(name) {
		return refuse(slug, ReasonToolkitUnavailable)
	}
	return nil
}

func (p Phase) known() bool {
	switch p {
	case PhaseWrite, PhaseActivate, PhaseAttach, PhaseCatalogue, PhaseExecute, PhaseBuild:
		return true
	default:
		return false
	}
}

func refuse(slug, reason string) error {
	sentence := "The toolkit %q is not open to you here. Choose another one, or ask whoever runs this server to open it."
	if reason == ReasonBuiltinNotPermitted {
		sentence = "The built-in toolkit %q is switched off here. Choose another one, or ask whoever runs this server to allow it."
	}
	return models.Errorf(models.CodeToolingNotPermitted, sentence, slug).Reason(reason).With("item", slug)
}
