package tenancy

import "github.com/agentstudio/agentstudio/models"

// Shared is what the visibility rule needs to know of a record.
type Shared struct {
	Tenant     string // as it is stored
	Owner      string
	Visibility models.Visibility
	Groups     []string
}

// Access says why a caller sees a record.
type Access string

// The accesses, the strongest first: whoever has several has the first of them.
const (
	AccessOwner  Access = "owner"
	AccessAdmin  Access = "admin"
	AccessTenant Access = "tenant"
	AccessGroups Access = "groups"
	AccessGlobal Access = "global" // there are no tenants, and everybody sees it
	AccessNone   Access = ""       // they do not see it
)

// Access returns why the caller sees the record: they own it, administer its
// tenant, or it was shared with their tenant or one of their groups. In GLOBAL
// there is nobody to share with, and every caller sees every record.
func (s Scope) Access(r Shared) Access {
	switch {
	case !s.within(r):
		return AccessNone
	case s.User != "" && r.Owner == s.User:
		return AccessOwner
	case s.User != "" && s.ManagesAll():
		return AccessAdmin
	case s.global && s.User != "":
		return AccessGlobal
	case r.Visibility == models.VisibilityTenant:
		return AccessTenant
	case r.Visibility == models.VisibilityGroups && s.InAnyGroup(r.Groups):
		return AccessGroups
	default:
		return AccessNone
	}
}

// CanManage reports whether the caller may change the record: they own it or
// administer its tenant.
func (s Scope) CanManage(r Shared) bool {
	access := s.Access(r)
	return access == AccessOwner || access == AccessAdmin
}

// CanSee reports whether the caller may see and test the record: they manage
// it, or it was shared with their tenant or one of their groups.
func (s Scope) CanSee(r Shared) bool { return s.Access(r) != AccessNone }

// within holds when both tenants are known and equal. An owner is a stranger
// to their own record under another tenant.
func (s Scope) within(r Shared) bool {
	home := s.home()
	if home == globalValue && !s.global {
		return false // a tenant by that name is none
	}
	return home != "" && home == r.Tenant
}

// CanShare returns an error with code tenant_required for a visibility that needs
// a tenant, where the caller is in none.
func (s Scope) CanShare(v models.Visibility) error {
	if v == models.VisibilityPrivate {
		return nil
	}
	if p, err := s.Partition(); err != nil || p.Tenant() == "" {
		return models.Errorf(models.CodeTenantRequired, "Only records of a tenant can be shared, and there is none here.")
	}
	return nil
}
