package tenancy

import "github.com/agentstudio/agentstudio/models"

// Shared is what the visibility rule needs to know of a record.
type Shared struct {
	Tenant     string
	Owner      string
	Visibility models.Visibility
	Groups     []string
}

// CanManage reports whether the caller may change the record: they own it or
// administer its tenant.
func (s Scope) CanManage(r Shared) bool {
	return s.within(r) && s.User != "" && (r.Owner == s.User || s.Administers())
}

// CanSee reports whether the caller may see and test the record: they manage
// it, or it was shared with their tenant or one of their groups.
func (s Scope) CanSee(r Shared) bool {
	if !s.within(r) {
		return false
	}
	switch {
	case s.CanManage(r), r.Visibility == models.VisibilityTenant:
		return true
	case r.Visibility == models.VisibilityGroups:
		return s.InAnyGroup(r.Groups)
	default:
		return false
	}
}

// within holds when both tenants are known and equal. An owner is a stranger
// to their own record under another tenant.
func (s Scope) within(r Shared) bool {
	return s.Tenant != "" && s.Tenant == r.Tenant
}
