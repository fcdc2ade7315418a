package tenancy

import "github.com/agentstudio/agentstudio/models"

// globalValue is how GLOBAL is stored. No tenant name can take it.
const globalValue = "*"

// GlobalSegment is the URL segment of the GLOBAL partition.
const GlobalSegment = "-"

// Partition is where a record lives: a tenant, or GLOBAL. The zero value is
// neither, and no query accepts it.
type Partition struct{ value string }

// Global is the partition of a host that serves no tenants. It is outside
// tenant policy.
func Global() Partition { return Partition{globalValue} }

// ValidTenant reports whether name has the form of a tenant name: lower-case
// letters, digits, "_" and "-", at most 63, the first a letter or a digit.
func ValidTenant(name string) bool {
	if name == "" || len(name) > 63 || name[0] == '-' || name[0] == '_' {
		return false
	}
	for _, c := range []byte(name) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_' && c != '-' {
			return false
		}
	}
	return true
}

// PartitionOf returns the partition of a tenant. It returns an error with code
// tenant_required when name is not the name of a tenant.
func PartitionOf(name string) (Partition, error) {
	if !ValidTenant(name) {
		return Partition{}, models.Errorf(models.CodeTenantRequired, "This needs a tenant, and you belong to none here.")
	}
	return Partition{name}, nil
}

// PartitionFromStored returns the partition that a stored value names.
func PartitionFromStored(value string) (Partition, error) {
	if value == globalValue {
		return Global(), nil
	}
	return PartitionOf(value)
}

// IsZero reports whether the partition names nothing.
func (p Partition) IsZero() bool { return p.value == "" }

// Stored returns the value that records of the partition carry.
func (p Partition) Stored() string { return p.value }

// Segment returns the partition as a URL segment.
func (p Partition) Segment() string {
	if p.value == globalValue {
		return GlobalSegment
	}
	return p.value
}

// Tenant returns the tenant's name, and "" for GLOBAL.
func (p Partition) Tenant() string {
	if p.value == globalValue {
		return ""
	}
	return p.value
}
