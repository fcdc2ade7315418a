package policy

import (
	_ "embed" // for the rules
	"fmt"
	"slices"

	"github.com/casbin/casbin/v2"
	"github.com/casbin/casbin/v2/model"
	stringadapter "github.com/casbin/casbin/v2/persist/string-adapter"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/tenancy"
)

//go:embed model.conf
var modelText string

//go:embed policy.csv
var rulesText string

// grant is one thing that a role may do.
type grant struct {
	role   models.Role
	action Action
}

// Authorizer answers what a caller's role allows. It never changes once made
// and may be used from any goroutine. The zero value allows nothing.
type Authorizer struct{ grants map[grant]struct{} }

// NewAuthorizer reads the rules and puts every question to Casbin. It returns
// an error when the rules do not load, or speak of a role or an action that
// does not exist.
func NewAuthorizer() (*Authorizer, error) { return compile(rulesText) }

// compile turns the text of rules into their answers.
func compile(rules string) (*Authorizer, error) {
	enforcer, err := newEnforcer(rules)
	if err != nil {
		return nil, err
	}
	if err := checkRules(enforcer); err != nil {
		return nil, err
	}
	grants := map[grant]struct{}{}
	for _, role := range roles() {
		for _, action := range Actions() {
			// Any tenant stands for all: the model only compares the two.
			allowed, err := enforcer.Enforce(string(role), "tenant", "tenant", string(action))
			if err != nil {
				return nil, fmt.Errorf("decide whether %s may %s: %w", role, action, err)
			}
			if allowed {
				grants[grant{role, action}] = struct{}{}
			}
		}
	}
	return &Authorizer{grants}, nil
}

// Allow reports whether the caller may do action in tenant, the tenant of what
// the call is about. It is false for another tenant than the caller's own, for
// no tenant, where the Studio is switched off, and for an unknown action. What
// authors do needs the right to author itself: who administers without it sees
// and decides, but neither builds nor executes. A token allows no more than what
// it is for. To a caller in GLOBAL, and to nobody else, the empty tenant and the
// stored value stand for it.
func (a *Authorizer) Allow(scope tenancy.Scope, tenant string, action Action) bool {
	if !scope.Permits(string(action)) || action.ofAuthors() && !scope.MayAuthor {
		return false
	}
	home := scope.Tenant
	if scope.IsGlobal() {
		home = tenancy.Global().Stored()
		if tenant == "" {
			tenant = home
		}
	}
	return scope.StudioEnabled && a.decide(roleOf(scope), home, tenant, action)
}

// decide is the compiled form of Casbin's decision.
func (a *Authorizer) decide(role models.Role, home, tenant string, action Action) bool {
	if home == "" || home != tenant {
		return false
	}
	_, ok := a.grants[grant{role, action}]
	return ok
}

// roleOf returns the highest role that a scope's rights amount to.
func roleOf(scope tenancy.Scope) models.Role {
	switch {
	case scope.ManagesAll():
		return models.RoleAdmin
	case scope.MayAuthor:
		return models.RoleAuthor
	default:
		return models.RoleMember
	}
}

func newEnforcer(rules string) (*casbin.Enforcer, error) {
	m, err := model.NewModelFromString(modelText)
	if err != nil {
		return nil, fmt.Errorf("read the model of roles: %w", err)
	}
	enforcer, err := casbin.NewEnforcer(m, stringadapter.NewAdapter(rules))
	if err != nil {
		return nil, fmt.Errorf("read the rules of roles: %w", err)
	}
	return enforcer, nil
}

// checkRules finds misspelt names, which Casbin would take for rules that
// never apply.
func checkRules(enforcer *casbin.Enforcer) error {
	permissions, err := enforcer.GetPolicy()
	if err != nil {
		return fmt.Errorf("list the permissions: %w", err)
	}
	for _, p := range permissions {
		if !slices.Contains(roles(), models.Role(p[0])) || !slices.Contains(Actions(), Action(p[1])) {
			return fmt.Errorf("the permission %q names an unknown role or action", p)
		}
	}
	inherited, err := enforcer.GetGroupingPolicy()
	if err != nil {
		return fmt.Errorf("list the roles: %w", err)
	}
	for _, g := range inherited {
		if !slices.Contains(roles(), models.Role(g[0])) || !slices.Contains(roles(), models.Role(g[1])) {
			return fmt.Errorf("the inheritance %q names an unknown role", g)
		}
	}
	return nil
}
