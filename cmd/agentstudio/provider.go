package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/identity"
	"github.com/agentstudio/agentstudio/studio/identity/sso"
	"github.com/agentstudio/agentstudio/studio/vault"
	"github.com/agentstudio/agentstudio/tenancy"
)

// provider returns the identity provider of the settings, nil without one.
func (s *settings) provider(key vault.MasterKey) (identity.Provider, error) {
	if s.OIDCIssuer == "" {
		return nil, nil //nolint:nilnil // There is none, and that is no error.
	}
	rules, err := groupRules(s.OIDCGroups)
	if err != nil {
		return nil, err
	}
	secret := ""
	if s.OIDCSecret != "" {
		data, err := os.ReadFile(s.OIDCSecret)
		if err != nil {
			return nil, fmt.Errorf("read the client secret: %w", err)
		}
		secret = strings.TrimSpace(string(data))
	}
	return sso.New(sso.Config{
		Title: s.OIDCName, Issuer: s.OIDCIssuer, ClientID: s.OIDCClient, Secret: secret, Rules: rules,
		Box: key.Box(vault.PurposeFlows),
	})
}

// groupRules reads rules such as staff=acme:author:support.
func groupRules(texts []string) ([]identity.GroupRule, error) {
	var rules []identity.GroupRule
	for _, text := range texts {
		group, gives, ok := strings.Cut(text, "=")
		parts := strings.Split(gives, ":")
		const least = 2
		if !ok || group == "" || len(parts) < least || !tenancy.ValidTenant(parts[0]) || !isRole(parts[1]) {
			return nil, fmt.Errorf("%q is no rule such as staff=acme:author:support", text)
		}
		rule := identity.GroupRule{Group: group, Tenant: parts[0], Role: models.Role(parts[1])}
		for _, name := range parts[least:] {
			if !tenancy.ValidGroup(name) {
				return nil, fmt.Errorf("%q in the rule %q names no group", name, text)
			}
			rule.Groups = append(rule.Groups, name)
		}
		rules = append(rules, rule)
	}
	return rules, nil
}

func isRole(text string) bool {
	switch models.Role(text) {
	case models.RoleMember, models.RoleAuthor, models.RoleAdmin:
		return true
	}
	return false
}
