package agents_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/policy"
	"github.com/agentstudio/agentstudio/studio/agents"
	"github.com/agentstudio/agentstudio/studio/store"
	"github.com/agentstudio/agentstudio/tenancy"
)

// shareAll writes one agent of olga's for each visibility, named after it.
func shareAll(t *testing.T, db *store.Store) map[string]models.Agent {
	t.Helper()
	p, err := tenancy.PartitionOf("acme")
	require.NoError(t, err)
	made := map[string]models.Agent{}
	for name, groups := range map[string][]string{"private": {}, "tenant": {}, "groups": {"support"}, "others": {"sales"}} {
		visibility := models.Visibility(name)
		if name == "others" {
			visibility = models.VisibilityGroups
		}
		agent := models.Agent{
			TenantID: "acme", ID: models.NewID(), Name: name, Owner: "olga", Visibility: visibility, AllowedGroups: groups, Version: 1,
		}
		d := models.Definition{Title: name, Model: "offline", Effort: models.EffortLow}
		require.NoError(t, db.Write(t.Context(), p, func(ctx context.Context) error {
			return db.CreateAgent(ctx, agent, models.AgentVersion{Definition: d, Author: "olga"})
		}))
		made[name] = agent
	}
	return made
}

// TestVisibility declares for everybody what they see and what they may change.
func TestVisibility(t *testing.T) {
	t.Parallel()
	db := newStore(t)
	s := service(t, db, registry(t), policy.Tooling{})
	made := shareAll(t, db)
	ownerWithoutRight, off := owner(), owner()
	ownerWithoutRight.MayAuthor = false
	off.StudioEnabled = false
	elsewhere := owner()
	elsewhere.Tenant = "globex"
	super := tenancy.Scope{User: "sue", Tenant: "acme", Superuser: true, MayAuthor: true, StudioEnabled: true}
	adminWithoutRight := admin()
	adminWithoutRight.MayAuthor = false
	const ok, unseen, shared, denied = models.Code(""), models.CodeNotFound, models.CodeNotManageable, models.CodeAuthoringDenied
	all := func(code models.Code) map[string]models.Code {
		return map[string]models.Code{"private": code, "tenant": code, "groups": code, "others": code}
	}
	for name, c := range map[string]struct {
		scope tenancy.Scope
		want  map[string]models.Code
	}{
		"its owner":                {owner(), all(ok)},
		"an admin":                 {admin(), all(ok)},
		"an admin without right":   {adminWithoutRight, all(denied)},
		"a superuser":              {super, all(ok)},
		"its owner without right":  {ownerWithoutRight, all(denied)},
		"a peer":                   {peer(), map[string]models.Code{"private": unseen, "tenant": shared, "groups": unseen, "others": unseen}},
		"somebody of the group":    {member(), map[string]models.Code{"private": unseen, "tenant": shared, "groups": shared, "others": unseen}},
		"another tenant":           {stranger(), all(unseen)},
		"its owner, elsewhere":     {elsewhere, all(unseen)},
		"a studio that is off":     {off, all(denied)},
		"nobody of another tenant": {tenancy.Scope{Tenant: "globex", StudioEnabled: true}, all(unseen)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seen := map[string]bool{}
			items, err := s.List(as(t, c.scope))
			require.NoError(t, err)
			for _, item := range items {
				seen[item.Agent.Name] = true
				require.Equal(t, c.want[item.Agent.Name] == ok, item.CanManage, item.Agent.Name)
				require.Equal(t, item.Agent.Name, item.Live.Definition.Title)
			}
			for agent, code := range c.want {
				require.Equal(t, code != unseen, seen[agent], agent)
				requireAnswers(t, s, as(t, c.scope), made[agent], code)
			}
		})
	}
}

// requireAnswers asks every method for an agent.
func requireAnswers(t *testing.T, s *agents.Service, ctx context.Context, a models.Agent, code models.Code) {
	t.Helper()
	read := models.Code("")
	if code == models.CodeNotFound {
		read = code
	}
	refusal := map[string]func() error{
		"managed":  func() error { _, err := s.Managed(ctx, a.Name); return err },
		"get":      func() error { _, err := s.Get(ctx, a.Name); return err },
		"by id":    func() error { _, err := s.ByID(ctx, a.ID, 1); return err },
		"versions": func() error { _, err := s.Versions(ctx, a.Name); return err },
		// The version is wrong, so that whoever may edit changes nothing.
		"edit": func() error {
			_, err := s.Edit(ctx, a.Name, 99, "", func(*models.Definition) error { return nil })
			return err
		},
	}
	for name, want := range map[string]models.Code{"managed": code, "get": read, "by id": read, "versions": read} {
		require.Equal(t, want, models.CodeOf(refusal[name]()), "%s %s", name, a.Name)
	}
	edit := code
	if edit == "" {
		edit = models.CodeVersionConflict
	}
	require.Equal(t, edit, models.CodeOf(refusal["edit"]()), "edit %s", a.Name)
}

// TestUnseenIsAbsent compares the whole errors: nothing may tell an agent that
// is not shared from one that does not exist.
func TestUnseenIsAbsent(t *testing.T) {
	t.Parallel()
	db := newStore(t)
	s := service(t, db, registry(t), policy.Tooling{})
	made := shareAll(t, db)
	for _, scope := range []tenancy.Scope{peer(), stranger()} {
		ctx := as(t, scope)
		_, absent := s.Get(ctx, "no-such-agent")
		for name, ask := range map[string]func() error{
			"get":           func() error { _, err := s.Get(ctx, "private"); return err },
			"managed":       func() error { _, err := s.Managed(ctx, "private"); return err },
			"versions":      func() error { _, err := s.Versions(ctx, "private"); return err },
			"by id":         func() error { _, err := s.ByID(ctx, made["private"].ID, 1); return err },
			"by absent id":  func() error { _, err := s.ByID(ctx, models.NewID(), 1); return err },
			"edit":          func() error { _, err := s.SaveRule(ctx, "private", 1, models.Rule{}); return err },
			"delete a rule": func() error { _, err := s.DeleteRule(ctx, "private", 1, ""); return err },
			"unassign":      func() error { _, err := s.Unassign(ctx, "private", 1, "fs_orders"); return err },
		} {
			require.Equal(t, absent, ask(), "%s as %s", name, scope.User)
		}
	}
}

func TestWhoMayCreate(t *testing.T) {
	t.Parallel()
	s := setup(t)
	off := owner()
	off.StudioEnabled = false
	homeless := owner()
	homeless.Tenant = ""
	for name, c := range map[string]struct {
		ctx  context.Context
		want models.Code
	}{
		"an author":              {as(t, owner()), ""},
		"an admin":               {as(t, admin()), ""},
		"a member":               {as(t, member()), models.CodeAuthoringDenied},
		"a studio that is off":   {as(t, off), models.CodeAuthoringDenied},
		"somebody of no tenant":  {as(t, homeless), models.CodeTenantRequired},
		"nobody":                 {t.Context(), models.CodeUnauthenticated},
		"no scope was resolved":  {tenancy.WithoutScope(t.Context()), models.CodeUnauthenticated},
		"denied before the name": {as(t, member()), models.CodeAuthoringDenied},
	} {
		agent := "a-" + models.NewID()
		if name == "denied before the name" {
			agent = "NOT A NAME"
		}
		_, err := s.Create(c.ctx, shared(agent, models.Definition{Title: "T"}))
		require.Equal(t, c.want, models.CodeOf(err), name)
		if c.want == models.CodeUnauthenticated || c.want == models.CodeTenantRequired {
			_, err := s.List(c.ctx)
			require.Equal(t, c.want, models.CodeOf(err), name)
		}
	}
}
