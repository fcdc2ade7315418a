package tenancy_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/tenancy"
)

// The answers of the visibility rule.
const (
	unseen  = "unseen"
	seen    = "seen"
	managed = "managed"
)

func answer(s tenancy.Scope, r tenancy.Shared) string {
	switch see, manage := s.CanSee(r), s.CanManage(r); {
	case manage && see:
		return managed
	case see:
		return seen
	case manage:
		return "managed but unseen"
	default:
		return unseen
	}
}

func callers() map[string]tenancy.Scope {
	return map[string]tenancy.Scope{
		"owner":                {User: "owner", Tenant: "acme"},
		"peer":                 {User: "peer", Tenant: "acme"},
		"peer in g1":           {User: "peer", Tenant: "acme", Groups: []string{"g0", "g1"}},
		"author":               {User: "peer", Tenant: "acme", MayAuthor: true},
		"admin":                {User: "admin", Tenant: "acme", MayAdminister: true},
		"superuser":            {User: "root", Tenant: "acme", Superuser: true},
		"owner elsewhere":      {User: "owner", Tenant: "globex", Groups: []string{"g1"}},
		"admin elsewhere":      {User: "admin", Tenant: "globex", MayAdminister: true},
		"superuser elsewhere":  {User: "root", Tenant: "globex", Superuser: true, Groups: []string{"g1"}},
		"owner without tenant": {User: "owner", Groups: []string{"g1"}},
		"root without tenant":  {User: "root", Superuser: true, MayAdminister: true},
		"zero scope":           {},
	}
}

func TestVisibility(t *testing.T) {
	t.Parallel()
	record := func(v models.Visibility, groups ...string) tenancy.Shared {
		return tenancy.Shared{Tenant: "acme", Owner: "owner", Visibility: v, Groups: groups}
	}
	// Each record names every caller.
	cases := map[string]struct {
		record tenancy.Shared
		want   map[string]string
	}{
		"private": {record(models.VisibilityPrivate), map[string]string{
			"owner": managed, "peer": unseen, "peer in g1": unseen, "author": unseen, "admin": managed, "superuser": managed,
		}},
		"private with left-over groups": {record(models.VisibilityPrivate, "g1"), map[string]string{
			"owner": managed, "peer": unseen, "peer in g1": unseen, "author": unseen, "admin": managed, "superuser": managed,
		}},
		"tenant": {record(models.VisibilityTenant), map[string]string{
			"owner": managed, "peer": seen, "peer in g1": seen, "author": seen, "admin": managed, "superuser": managed,
		}},
		"groups": {record(models.VisibilityGroups, "g1", "g2"), map[string]string{
			"owner": managed, "peer": unseen, "peer in g1": seen, "author": unseen, "admin": managed, "superuser": managed,
		}},
		"other groups": {record(models.VisibilityGroups, "g2", "G1", "g1 ", "*", ""), map[string]string{
			"owner": managed, "peer": unseen, "peer in g1": unseen, "author": unseen, "admin": managed, "superuser": managed,
		}},
		"no groups": {record(models.VisibilityGroups), map[string]string{
			"owner": managed, "peer": unseen, "peer in g1": unseen, "author": unseen, "admin": managed, "superuser": managed,
		}},
		"unknown visibility": {record("public"), map[string]string{
			"owner": managed, "peer": unseen, "peer in g1": unseen, "author": unseen, "admin": managed, "superuser": managed,
		}},
		"no visibility": {record(""), map[string]string{
			"owner": managed, "peer": unseen, "peer in g1": unseen, "author": unseen, "admin": managed, "superuser": managed,
		}},
	}
	strangers := []string{
		"owner elsewhere", "admin elsewhere", "superuser elsewhere",
		"owner without tenant", "root without tenant", "zero scope",
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, stranger := range strangers {
				require.NotContains(t, c.want, stranger)
				c.want[stranger] = unseen
			}
			got := map[string]string{}
			for caller, scope := range callers() {
				got[caller] = answer(scope, c.record)
			}
			require.Equal(t, c.want, got)
		})
	}
}

func TestRecordsWithoutATenantAreUnseen(t *testing.T) {
	t.Parallel()
	for _, v := range []models.Visibility{models.VisibilityPrivate, models.VisibilityTenant, models.VisibilityGroups} {
		record := tenancy.Shared{Owner: "owner", Visibility: v, Groups: []string{"g1"}}
		for name, scope := range callers() {
			require.Equal(t, unseen, answer(scope, record), name)
		}
	}
}

func TestVisibilityHolds(t *testing.T) {
	t.Parallel()
	tenant := rapid.SampledFrom([]string{"", "*", "acme", "globex"})
	user := rapid.SampledFrom([]string{"", "ada", "sam"})
	groups := rapid.SliceOfN(rapid.SampledFrom([]string{"", "g1", "g2", "g3"}), 0, 3)
	visibility := rapid.SampledFrom([]models.Visibility{
		models.VisibilityPrivate, models.VisibilityTenant, models.VisibilityGroups, "",
	})
	rapid.Check(t, func(t *rapid.T) {
		scope := tenancy.Scope{
			User: user.Draw(t, "user"), Tenant: tenant.Draw(t, "tenant"), Groups: groups.Draw(t, "groups"),
			Superuser: rapid.Bool().Draw(t, "superuser"), MayAdminister: rapid.Bool().Draw(t, "admin"),
		}
		record := tenancy.Shared{
			Tenant: tenant.Draw(t, "record's tenant"), Owner: user.Draw(t, "owner"),
			Visibility: visibility.Draw(t, "visibility"), Groups: groups.Draw(t, "record's groups"),
		}
		see, manage := scope.CanSee(record), scope.CanManage(record)
		if manage {
			require.True(t, see, "who manages sees")
		}
		if see {
			require.NotEmpty(t, scope.Tenant)
			require.Equal(t, scope.Tenant, record.Tenant, "nothing crosses tenants")
		}
		shared := record
		shared.Visibility = models.VisibilityTenant
		require.Equal(t, manage, scope.CanManage(shared), "sharing never lets anyone edit")
		if see {
			require.True(t, scope.CanSee(shared), "sharing with more people hides from nobody")
		}
	})
}

func TestInAnyGroup(t *testing.T) {
	t.Parallel()
	scope := tenancy.Scope{Groups: []string{"support", "field"}}
	require.True(t, scope.InAnyGroup([]string{"x", "field"}))
	require.False(t, scope.InAnyGroup([]string{"Support", "sup", "*"}))
	require.False(t, scope.InAnyGroup(nil))
	require.False(t, tenancy.Scope{}.InAnyGroup([]string{""}))
}
