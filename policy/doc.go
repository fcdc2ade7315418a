// Package policy holds the two sets of rules that a call must pass besides the
// scope gate: what a role may do, and what the host lets its tenants configure.
//
// Roles are written down for Casbin in model.conf and policy.csv. An
// [Authorizer] asks Casbin every question once, at start, and answers from the
// frozen result afterwards.
//
//	authorizer, err := policy.NewAuthorizer()
//	…
//	if !authorizer.Allow(scope, tenant, policy.AgentsAuthor) { … }
//
// A [Tooling] is written by the host and frozen before the first request:
//
//	tooling, err := policy.Tooling{BuiltinTools: []string{"wiki"}}.Freeze()
//	…
//	err = tooling.Judge(scope.Tenant, "wiki", policy.OriginBuiltin, policy.PhaseWrite)
package policy
