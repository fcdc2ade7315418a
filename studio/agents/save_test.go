package agents_test

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/policy"
)

func TestCreate(t *testing.T) {
	t.Parallel()
	s := setup(t)
	agent := create(t, s, owner())
	item, err := s.Get(as(t, owner()), "desk")
	require.NoError(t, err)
	require.Equal(t, agent.ID, item.Agent.ID)
	require.Equal(t, "acme", item.Agent.TenantID)
	require.Equal(t, "olga", item.Agent.Owner)
	require.Equal(t, models.VisibilityTenant, item.Agent.Visibility)
	require.Equal(t, 1, item.Agent.Version)
	require.NotZero(t, item.Agent.CreatedAt)
	require.Equal(t, "offline", item.Live.Definition.Model, "the first model is the default")
	require.Equal(t, models.EffortMedium, item.Live.Definition.Effort)
	require.Equal(t, "olga", item.Live.Author)

	_, err = s.Create(as(t, peer()), shared("desk", models.Definition{Title: "Mine"}))
	require.Equal(t, models.CodeNameTaken, models.CodeOf(err))
	create(t, s, stranger()) // the same name in another tenant
}

func TestNames(t *testing.T) {
	t.Parallel()
	s := setup(t)
	for name, want := range map[string]models.Code{
		"a": "", "0": "", "-": "", "_": "", "desk-2_b": "", strings.Repeat("a", 64): "",
		"": models.CodeInvalidName, strings.Repeat("a", 65): models.CodeInvalidName,
		"Desk": models.CodeInvalidName, "my desk": models.CodeInvalidName, "a.b": models.CodeInvalidName,
		"a/b": models.CodeInvalidName, "..": models.CodeInvalidName, "a\x00": models.CodeInvalidName,
		"dësk": models.CodeInvalidName, "a\n": models.CodeInvalidName, " a": models.CodeInvalidName, "a%": models.CodeInvalidName,
	} {
		_, err := s.Create(as(t, owner()), shared(name, models.Definition{Title: "T"}))
		require.Equal(t, want, models.CodeOf(err), "%q", name)
	}
}

// TestDefinitionsAreChecked asks both ways in, Create and Edit, for the same
// answer.
func TestDefinitionsAreChecked(t *testing.T) {
	t.Parallel()
	s := setup(t)
	create(t, s, owner())
	many := make([]models.Rule, 201)
	for i := range many {
		many[i] = models.Rule{ID: models.NewID(), Kind: models.RulePolicy, Title: "T", Content: "C", Weight: models.WeightLow}
	}
	for name, c := range map[string]struct {
		change func(*models.Definition)
		field  string
	}{
		"no title":              {func(d *models.Definition) { d.Title = " \t" }, "title"},
		"a long title":          {func(d *models.Definition) { d.Title = strings.Repeat("é", 121) }, "title"},
		"a long description":    {func(d *models.Definition) { d.Description = strings.Repeat("é", 501) }, "description"},
		"long instructions":     {func(d *models.Definition) { d.Instructions = strings.Repeat("é", 20_001) }, "instructions"},
		"an unknown model":      {func(d *models.Definition) { d.Model = "huge" }, "model"},
		"an unknown effort":     {func(d *models.Definition) { d.Effort = "medium" }, "effort"},
		"too many rules":        {func(d *models.Definition) { d.Rules = many }, "rules"},
		"an unknown toolkit":    {func(d *models.Definition) { d.Toolkits = []string{"fs_gone"} }, "toolkits"},
		"a toolkit in big case": {func(d *models.Definition) { d.Toolkits = []string{"FS_ORDERS"} }, "toolkits"},
		"a toolkit of no name":  {func(d *models.Definition) { d.Toolkits = []string{""} }, "toolkits"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := models.Definition{Title: "T"}
			c.change(&d)
			_, err := s.Create(as(t, owner()), shared("another", d))
			requireField(t, c.field, err)
			_, err = s.Edit(as(t, owner()), "desk", 1, "x", func(d *models.Definition) error { c.change(d); return nil })
			requireField(t, c.field, err)
			item, err := s.Get(as(t, owner()), "desk")
			require.NoError(t, err)
			require.Equal(t, 1, item.Agent.Version, "nothing was saved")
		})
	}
}

func TestDefinitionsAtTheirLimits(t *testing.T) {
	t.Parallel()
	s := setup(t)
	for i, effort := range models.Efforts() {
		_, err := s.Create(as(t, owner()), shared("agent"+string(rune('0'+i)), models.Definition{
			Title: strings.Repeat("é", 120), Description: strings.Repeat("é", 500), Instructions: strings.Repeat("é", 20_000),
			Model: "large", Effort: effort,
		}))
		require.NoError(t, err)
	}
}

func TestEditMakesAVersionAndLeavesTheOthers(t *testing.T) {
	t.Parallel()
	s := setup(t)
	ctx := as(t, owner())
	agent := create(t, s, owner())
	_, err := s.Assign(ctx, "desk", 1, "fs_orders")
	require.NoError(t, err)
	before, err := s.Versions(ctx, "desk")
	require.NoError(t, err)

	saved, err := s.Edit(ctx, "desk", 2, "Renamed", func(d *models.Definition) error {
		d.Title = "Front desk"
		d.Rules[0].Title, d.Rules[0].Tools[0], d.Toolkits[0] = "Changed", "fs_get_order", "fs_orders"
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, 3, saved.Number)
	after, err := s.Versions(ctx, "desk")
	require.NoError(t, err)
	require.Len(t, after, 3)
	require.Equal(t, before, after[1:], "what was saved never changes")
	require.Equal(t, "Renamed", after[0].Note)
	require.Equal(t, "Front desk", after[0].Definition.Title)
	old, err := s.ByID(ctx, agent.ID, 1)
	require.NoError(t, err)
	require.Equal(t, "desk", old.Definition.Title)
	_, err = s.ByID(ctx, agent.ID, 4)
	require.Equal(t, models.CodeNotFound, models.CodeOf(err))
}

func TestStaleEdits(t *testing.T) {
	t.Parallel()
	s := setup(t)
	ctx := as(t, owner())
	create(t, s, owner())
	_, err := s.Edit(ctx, "desk", 1, "", func(d *models.Definition) error { d.Title = "Second"; return nil })
	require.NoError(t, err)
	for _, expected := range []int{-1, 1, 3, 1 << 30} {
		_, err := s.Edit(ctx, "desk", expected, "", func(d *models.Definition) error { d.Title = "Lost"; return nil })
		require.Equal(t, models.CodeVersionConflict, models.CodeOf(err), expected)
		var e *models.Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, 2, e.Details["current"])
	}
	item, err := s.Get(ctx, "desk")
	require.NoError(t, err)
	require.Equal(t, "Second", item.Live.Definition.Title)
}

// TestOneOfManyEditorsSaves has twenty people save on the same version.
func TestOneOfManyEditorsSaves(t *testing.T) {
	t.Parallel()
	s := setup(t)
	create(t, s, owner())
	codes := make(chan models.Code, 20)
	var all sync.WaitGroup
	for range cap(codes) {
		ctx := as(t, owner())
		all.Go(func() {
			_, err := s.Edit(ctx, "desk", 1, "", func(d *models.Definition) error { d.Title = "Mine"; return nil })
			codes <- models.CodeOf(err)
		})
	}
	all.Wait()
	close(codes)
	count := map[models.Code]int{}
	for code := range codes {
		count[code]++
	}
	require.Equal(t, map[models.Code]int{"": 1, models.CodeVersionConflict: 19}, count)
	versions, err := s.Versions(as(t, owner()), "desk")
	require.NoError(t, err)
	require.Len(t, versions, 2)
}

func TestARefusedChangeSavesNothing(t *testing.T) {
	t.Parallel()
	s := setup(t)
	create(t, s, owner())
	refusal := errors.New("no")
	_, err := s.Edit(as(t, owner()), "desk", 1, "", func(d *models.Definition) error { d.Title = "Lost"; return refusal })
	require.ErrorIs(t, err, refusal)
	versions, err := s.Versions(as(t, owner()), "desk")
	require.NoError(t, err)
	require.Len(t, versions, 1)
}

// TestToolingPolicy lets acme have notices only.
func TestToolingPolicy(t *testing.T) {
	t.Parallel()
	db := newStore(t)
	s := service(t, db, registry(t, "fs_orders", "fs_notify"),
		policy.Tooling{TenantToolkits: map[string][]string{"acme": {"fs_notify"}}})
	create(t, s, owner())
	_, err := s.Assign(as(t, owner()), "desk", 1, "fs_orders")
	require.Equal(t, models.CodeToolingNotPermitted, models.CodeOf(err))
	require.Equal(t, policy.ReasonToolkitUnavailable, models.ReasonOf(err))
	_, err = s.Create(as(t, owner()), shared("other", models.Definition{Title: "T", Toolkits: []string{"fs_orders"}}))
	require.Equal(t, models.CodeToolingNotPermitted, models.CodeOf(err))
	_, err = s.Assign(as(t, owner()), "desk", 1, "fs_notify")
	require.NoError(t, err)
	create(t, s, stranger())
	_, err = s.Assign(as(t, stranger()), "desk", 1, "fs_orders")
	require.NoError(t, err, "another tenant has no such entry")
}

// TestALostToolkitBlocksNoOtherChange takes a toolkit away in two ways: the
// policy denies it, and the host no longer has it.
func TestALostToolkitBlocksNoOtherChange(t *testing.T) {
	t.Parallel()
	for name, lose := range map[string]struct {
		slugs   []string
		tooling policy.Tooling
	}{
		"denied by the policy": {[]string{"fs_orders", "fs_notify"}, policy.Tooling{DenyHostToolkits: true}},
		"gone from the host":   {[]string{"fs_notify"}, policy.Tooling{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := newStore(t)
			ctx := as(t, owner())
			before := service(t, db, registry(t, "fs_orders", "fs_notify"), policy.Tooling{})
			create(t, before, owner())
			_, err := before.Assign(ctx, "desk", 1, "fs_orders")
			require.NoError(t, err)
			_, err = before.SaveRule(ctx, "desk", 2, models.Rule{
				Kind: models.RulePolicy, Title: "Careful", Content: "Look first.", Weight: models.WeightLow, Tools: []string{"fs_get_order"},
			})
			require.NoError(t, err)

			after := service(t, db, registry(t, lose.slugs...), lose.tooling)
			saved, err := after.Edit(ctx, "desk", 3, "", func(d *models.Definition) error { d.Title = "Renamed"; return nil })
			require.NoError(t, err)
			_, err = after.SaveRule(ctx, "desk", 4, models.Rule{
				Kind: models.RulePolicy, Title: "New", Content: "C", Weight: models.WeightLow, Tools: []string{"fs_gone"},
			})
			requireField(t, "rule.tools", err)
			require.Len(t, saved.Definition.Rules, 2)
			_, err = after.Unassign(ctx, "desk", 4, "fs_orders")
			require.NoError(t, err)
			item, err := after.Get(ctx, "desk")
			require.NoError(t, err)
			require.Empty(t, item.Live.Definition.Toolkits)
			require.False(t, slices.ContainsFunc(item.Live.Definition.Rules, func(r models.Rule) bool { return r.Toolkit != "" }))
		})
	}
}
