package agents_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/policy"
	"github.com/agentstudio/agentstudio/studio/agents"
	"github.com/agentstudio/agentstudio/studio/store"
	"github.com/agentstudio/agentstudio/tenancy"
)

// supporter is the owner, in a group.
func supporter() tenancy.Scope {
	s := owner()
	s.Groups = []string{"support", "night"}
	return s
}

func to(visibility models.Visibility, groups ...string) agents.Sharing {
	return agents.Sharing{Visibility: visibility, Groups: groups}
}

func TestSharingIsChecked(t *testing.T) {
	t.Parallel()
	s := setup(t)
	create(t, s, supporter())
	many := make([]string, 101)
	for i := range many {
		many[i] = "g" + strings.Repeat("x", i)
	}
	boss := admin()
	for name, c := range map[string]struct {
		who     tenancy.Scope
		version int
		sharing agents.Sharing
		want    models.Code
	}{
		"no visibility":                   {supporter(), 1, to(""), models.CodeInvalidVisibility},
		"an unknown visibility":           {supporter(), 1, to("public"), models.CodeInvalidVisibility},
		"a visibility in big letters":     {supporter(), 1, to("TENANT"), models.CodeInvalidVisibility},
		"groups without any":              {supporter(), 1, to(models.VisibilityGroups), models.CodeGroupsRequired},
		"groups beside private":           {supporter(), 1, to(models.VisibilityPrivate, "support"), models.CodeGroupsNotAllowed},
		"groups beside everyone":          {supporter(), 1, to(models.VisibilityTenant, "support"), models.CodeGroupsNotAllowed},
		"a group of others":               {supporter(), 1, to(models.VisibilityGroups, "sales"), models.CodeGroupsNotAllowed},
		"one's own and another group":     {supporter(), 1, to(models.VisibilityGroups, "support", "sales"), models.CodeGroupsNotAllowed},
		"a group in big letters":          {supporter(), 1, to(models.VisibilityGroups, "Support"), models.CodeGroupsNotAllowed},
		"no name of a group, of an admin": {boss, 1, to(models.VisibilityGroups, "a\nb"), models.CodeGroupsNotAllowed},
		"too many groups, of an admin":    {boss, 1, to(models.VisibilityGroups, many...), models.CodeGroupsNotAllowed},
		"a stale version":                 {supporter(), 7, to(models.VisibilityPrivate), models.CodeVersionConflict},
		"a peer":                          {peer(), 1, to(models.VisibilityPrivate), models.CodeNotManageable},
		"a stranger":                      {stranger(), 1, to(models.VisibilityPrivate), models.CodeNotFound},
		"an owner without the right": {func() tenancy.Scope {
			o := owner()
			o.MayAuthor = false
			return o
		}(), 1, to(models.VisibilityPrivate), models.CodeAuthoringDenied},
	} {
		_, err := s.Share(as(t, c.who), "desk", c.version, c.sharing)
		require.Equal(t, c.want, models.CodeOf(err), "%s: %v", name, err)
	}
	item, err := s.Get(as(t, owner()), "desk")
	require.NoError(t, err)
	require.Equal(t, 1, item.Agent.Version, "no refusal has an effect")
	require.Equal(t, models.VisibilityTenant, item.Agent.Visibility)
}

// TestSharingTakesEffectAtOnce shares an agent with one after the other, and asks
// everybody each time.
func TestSharingTakesEffectAtOnce(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *store.Store) {
		s := service(t, db, registry(t, "fs_orders"), policy.Tooling{})
		create(t, s, supporter())
		boss := admin()
		boss.MayAuthor = true
		for i, c := range []struct {
			who     tenancy.Scope
			sharing agents.Sharing
			member  tenancy.Access // mia is in support
			peer    tenancy.Access // pete is in no group
		}{
			{supporter(), to(models.VisibilityPrivate), tenancy.AccessNone, tenancy.AccessNone},
			{supporter(), to(models.VisibilityGroups, "support", "night", "support"), tenancy.AccessGroups, tenancy.AccessNone},
			{supporter(), to(models.VisibilityGroups, "night"), tenancy.AccessNone, tenancy.AccessNone},
			{boss, to(models.VisibilityGroups, "sales", "night"), tenancy.AccessNone, tenancy.AccessNone},
			{owner(), to(models.VisibilityGroups, "sales"), tenancy.AccessNone, tenancy.AccessNone}, // it has that already
			{owner(), to(models.VisibilityTenant), tenancy.AccessTenant, tenancy.AccessTenant},
		} {
			shared, err := s.Share(as(t, c.who), "desk", i+1, c.sharing)
			require.NoError(t, err)
			require.Equal(t, i+2, shared.Agent.Version, "a version says who shared it")
			require.Equal(t, shared.Agent.Version, shared.Live.Number)
			for who, want := range map[*tenancy.Scope]tenancy.Access{
				new(member()): c.member, new(peer()): c.peer, new(owner()): tenancy.AccessOwner, new(boss): tenancy.AccessAdmin,
				new(stranger()): tenancy.AccessNone,
			} {
				item, err := s.Get(as(t, *who), "desk")
				if want == tenancy.AccessNone {
					require.Equal(t, models.CodeNotFound, models.CodeOf(err), who.User)
					continue
				}
				require.NoError(t, err, who.User)
				require.Equal(t, want, item.Access, who.User)
				require.Equal(t, want == tenancy.AccessOwner || want == tenancy.AccessAdmin, item.CanManage)
			}
		}
		same, err := s.Share(as(t, owner()), "desk", 0, to(models.VisibilityTenant))
		require.NoError(t, err)
		require.Equal(t, 7, same.Agent.Version, "nothing changed, so there is no version")
	})
}

func TestGroupsToShareWith(t *testing.T) {
	t.Parallel()
	known := groupsOf{"acme": {"sales", "support"}, "globex": {"spies"}}
	s := serviceOf(t, agents.Config{Store: newStore(t), Registry: registry(t), Groups: known})
	for who, want := range map[*tenancy.Scope][]string{
		new(supporter()): {"night", "support"},
		new(peer()):      {},
		new(admin()):     {"sales", "support"},
	} {
		groups, err := s.Groups(as(t, *who))
		require.NoError(t, err)
		require.Equal(t, want, groups, who.User)
	}
}

type groupsOf map[string][]string

func (g groupsOf) GroupNames(_ context.Context, tenant string) ([]string, error) {
	return g[tenant], nil
}

// TestDeleteLeavesNothing deletes an agent whose toolkit holds a secret, and makes
// one of the same name.
func TestDeleteLeavesNothing(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *store.Store) {
		s := service(t, db, registry(t, "fs_export"), policy.Tooling{})
		old := create(t, s, owner())
		saved := configure(t, s, valid)
		for who, want := range map[*tenancy.Scope]models.Code{
			new(peer()): models.CodeNotManageable, new(stranger()): models.CodeNotFound,
		} {
			require.Equal(t, want, models.CodeOf(s.Delete(as(t, *who), "desk", 0)))
		}
		require.Equal(t, models.CodeVersionConflict, models.CodeOf(s.Delete(as(t, owner()), "desk", 1)))
		require.NoError(t, s.Delete(as(t, owner()), "desk", saved.Number))
		require.Equal(t, models.CodeNotFound, models.CodeOf(s.Delete(as(t, owner()), "desk", 0)))
		_, err := s.Get(as(t, owner()), "desk")
		require.Equal(t, models.CodeNotFound, models.CodeOf(err))
		_, err = s.ByID(as(t, owner()), old.ID, 1)
		require.Equal(t, models.CodeNotFound, models.CodeOf(err), "by its id neither")
		items, err := s.List(as(t, owner()))
		require.NoError(t, err)
		require.Empty(t, items)
		var left int
		require.NoError(t, db.SQL().QueryRowContext(t.Context(), "SELECT count(*) FROM agent_tooling").Scan(&left))
		require.Zero(t, left, "secrets go with the agent")

		again := create(t, s, owner())
		require.NotEqual(t, old.ID, again.ID)
		view, err := s.ToolkitConfig(as(t, owner()), "desk")
		require.NoError(t, err)
		require.Empty(t, view.Toolkits)
	})
}
