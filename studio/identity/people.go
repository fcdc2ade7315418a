package identity

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/agentstudio/agentstudio/models"
)

// Place is a tenant that a user belongs to, and as what.
type Place struct {
	Tenant     models.Tenant
	Membership models.Membership
}

// Person is a member of a tenant.
type Person struct {
	User       models.User
	Membership models.Membership
}

// Memberships returns the tenants that a user can switch to, by tenant id.
func (s *Service) Memberships(ctx context.Context, user string) ([]Place, error) {
	memberships, err := s.store.MembershipsOf(ctx, user)
	if err != nil {
		return nil, fmt.Errorf("list the memberships of a user: %w", err)
	}
	places := make([]Place, 0, len(memberships))
	for _, m := range slices.SortedFunc(slices.Values(memberships), byTenant) {
		tenant, err := s.store.Tenant(ctx, m.TenantID)
		if err != nil {
			return nil, fmt.Errorf("read tenant %s: %w", m.TenantID, err)
		}
		places = append(places, Place{Tenant: tenant, Membership: m})
	}
	return places, nil
}

// People returns the members of a tenant, by name and then by id.
func (s *Service) People(ctx context.Context, tenant string) ([]Person, error) {
	memberships, err := s.store.MembersOf(ctx, tenant)
	if err != nil {
		return nil, fmt.Errorf("list the members of a tenant: %w", err)
	}
	byUser := make(map[string]models.Membership, len(memberships))
	ids := make([]string, 0, len(memberships))
	for _, m := range memberships {
		byUser[m.UserID] = m
		ids = append(ids, m.UserID)
	}
	users, err := s.store.UsersByID(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("read the members of a tenant: %w", err)
	}
	people := make([]Person, 0, len(users))
	for _, u := range users {
		people = append(people, Person{User: u, Membership: byUser[u.ID]})
	}
	slices.SortFunc(people, func(a, b Person) int {
		return cmp.Or(cmp.Compare(a.User.Name, b.User.Name), cmp.Compare(a.User.ID, b.User.ID))
	})
	return people, nil
}

// Names returns the names of those among ids who are members of the tenant.
// Other people's names are not this tenant's to know.
func (s *Service) Names(ctx context.Context, tenant string, ids []string) (map[string]string, error) {
	people, err := s.People(ctx, tenant)
	if err != nil {
		return nil, err
	}
	names := make(map[string]string, len(ids))
	for _, p := range people {
		if slices.Contains(ids, p.User.ID) {
			names[p.User.ID] = p.User.Name
		}
	}
	return names, nil
}

// GroupNames returns the names of a tenant's groups, sorted.
func (s *Service) GroupNames(ctx context.Context, tenant string) ([]string, error) {
	groups, err := s.Groups(ctx, tenant)
	names := make([]string, 0, len(groups))
	for _, group := range groups {
		names = append(names, group.Name)
	}
	return names, err
}

// TenantName returns what a tenant is called, or not_found.
func (s *Service) TenantName(ctx context.Context, tenant string) (string, error) {
	t, err := s.store.Tenant(ctx, tenant)
	return t.Name, err
}
