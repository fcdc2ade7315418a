package agents_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/models"
)

// policyRule returns a rule that is accepted.
func policyRule(change func(*models.Rule)) models.Rule {
	rule := models.Rule{Kind: models.RulePolicy, Title: "Be polite", Content: "Say please.", Weight: models.WeightMedium}
	if change != nil {
		change(&rule)
	}
	return rule
}

func TestRulesAreChecked(t *testing.T) {
	t.Parallel()
	s := setup(t)
	create(t, s, owner())
	_, err := s.Assign(as(t, owner()), "desk", 1, "fs_orders")
	require.NoError(t, err)
	for name, c := range map[string]struct {
		change func(*models.Rule)
		field  string // "" when the rule is accepted
	}{
		"no title":                      {func(r *models.Rule) { r.Title = " " }, "rule.title"},
		"a long title":                  {func(r *models.Rule) { r.Title = strings.Repeat("é", 121) }, "rule.title"},
		"no content of a policy":        {func(r *models.Rule) { r.Content = "\n" }, "rule.content"},
		"a long content":                {func(r *models.Rule) { r.Content = strings.Repeat("é", 8001) }, "rule.content"},
		"a long condition":              {func(r *models.Rule) { r.Condition = strings.Repeat("é", 8001) }, "rule.condition"},
		"no kind":                       {func(r *models.Rule) { r.Kind = "" }, "rule.kind"},
		"an unknown kind":               {func(r *models.Rule) { r.Kind = "Policy" }, "rule.kind"},
		"no weight":                     {func(r *models.Rule) { r.Weight = "" }, "rule.weight"},
		"an unknown weight":             {func(r *models.Rule) { r.Weight = "medium" }, "rule.weight"},
		"an observation of nothing":     {func(r *models.Rule) { r.Kind = models.RuleObservation }, "rule.condition"},
		"an observation of blanks":      {func(r *models.Rule) { r.Kind, r.Condition = models.RuleObservation, " \t" }, "rule.condition"},
		"a tool that does not exist":    {func(r *models.Rule) { r.Tools = []string{"fs_gone"} }, "rule.tools"},
		"a tool without its toolkit":    {func(r *models.Rule) { r.Tools = []string{"fs_notify"} }, "rule.tools"},
		"a slug in place of a tool":     {func(r *models.Rule) { r.Tools = []string{"fs_orders"} }, "rule.tools"},
		"a tool of no name":             {func(r *models.Rule) { r.Tools = []string{""} }, "rule.tools"},
		"one good and one bad tool":     {func(r *models.Rule) { r.Tools = []string{"fs_get_order", "fs_notify"} }, "rule.tools"},
		"accepted: a policy":            {nil, ""},
		"accepted: at its limits":       {func(r *models.Rule) { r.Title, r.Content = strings.Repeat("é", 120), strings.Repeat("é", 8000) }, ""},
		"accepted: a tool":              {func(r *models.Rule) { r.Tools = []string{"fs_get_order"} }, ""},
		"accepted: an observation":      {func(r *models.Rule) { r.Kind, r.Content, r.Condition = models.RuleObservation, "", "late orders" }, ""},
		"accepted: it always is so":     {func(r *models.Rule) { r.Kind, r.Content, r.Always = models.RuleObservation, "", true }, ""},
		"accepted: with the reviewer":   {func(r *models.Rule) { r.TriggerToolReview = true }, ""},
		"accepted: of the lowest rank":  {func(r *models.Rule) { r.Weight = models.WeightLow }, ""},
		"accepted: of the highest rank": {func(r *models.Rule) { r.Weight = models.WeightHigh }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := s.Create(as(t, owner()), shared("c-"+models.NewID(), models.Definition{
				Title: "T", Toolkits: []string{"fs_orders"}, Rules: []models.Rule{policyRule(c.change)},
			}))
			if c.field == "" {
				require.NoError(t, err)
				return
			}
			requireField(t, c.field, err)
			_, err = s.SaveRule(as(t, owner()), "desk", 2, policyRule(c.change))
			requireField(t, c.field, err)
		})
	}
}

func TestSaveAndDeleteRules(t *testing.T) {
	t.Parallel()
	s := setup(t)
	ctx := as(t, owner())
	create(t, s, owner())
	_, err := s.Assign(ctx, "desk", 1, "fs_orders")
	require.NoError(t, err)
	saved, err := s.SaveRule(ctx, "desk", 2, policyRule(nil))
	require.NoError(t, err)
	require.Len(t, saved.Definition.Rules, 2)
	added := saved.Definition.Rules[1]
	require.True(t, models.ValidID(added.ID))
	require.Contains(t, saved.Note, added.Title)

	changed := saved.Definition.Rules[0]
	changed.Title, changed.Toolkit = "When they ask for orders", ""
	saved, err = s.SaveRule(ctx, "desk", 3, changed)
	require.NoError(t, err)
	require.Equal(t, "When they ask for orders", saved.Definition.Rules[0].Title, "it stays in its place")
	require.Equal(t, "fs_orders", saved.Definition.Rules[0].Toolkit, "what made a rule is not for its editor to change")
	require.Equal(t, added, saved.Definition.Rules[1])

	_, err = s.DeleteRule(ctx, "desk", 4, models.NewID())
	require.Equal(t, models.CodeNotFound, models.CodeOf(err))
	saved, err = s.DeleteRule(ctx, "desk", 4, added.ID)
	require.NoError(t, err)
	require.Len(t, saved.Definition.Rules, 1)
	_, err = s.DeleteRule(ctx, "desk", 4, changed.ID)
	require.Equal(t, models.CodeVersionConflict, models.CodeOf(err))
}

func TestAssign(t *testing.T) {
	t.Parallel()
	s := setup(t)
	ctx := as(t, owner())
	create(t, s, owner())
	saved, err := s.Assign(ctx, "desk", 1, "fs_orders")
	require.NoError(t, err)
	require.Equal(t, []string{"fs_orders"}, saved.Definition.Toolkits)
	require.Len(t, saved.Definition.Rules, 1)
	rule := saved.Definition.Rules[0]
	require.Equal(t, models.RuleObservation, rule.Kind)
	require.Equal(t, "fs_orders", rule.Toolkit)
	require.Equal(t, []string{"fs_cancel_order", "fs_get_order"}, rule.Tools)
	require.Equal(t, "the conversation is about: look up orders and cancel them", rule.Condition)
	require.False(t, rule.Always, "there are no agent-wide tools")

	_, err = s.Assign(ctx, "desk", 2, "fs_orders")
	requireField(t, "toolkits", err)
	_, err = s.Assign(ctx, "desk", 2, "fs_gone")
	require.Equal(t, models.CodeNotFound, models.CodeOf(err))
	_, err = s.Assign(ctx, "desk", 1, "fs_notify")
	require.Equal(t, models.CodeVersionConflict, models.CodeOf(err))
}

func TestUnassign(t *testing.T) {
	t.Parallel()
	s := setup(t)
	ctx := as(t, owner())
	create(t, s, owner())
	for i, slug := range []string{"fs_orders", "fs_notify"} {
		_, err := s.Assign(ctx, "desk", 1+i, slug)
		require.NoError(t, err)
	}
	saved, err := s.SaveRule(ctx, "desk", 3, policyRule(func(r *models.Rule) {
		r.Tools = []string{"fs_get_order", "fs_notify", "fs_cancel_order"}
	}))
	require.NoError(t, err)
	mixed := saved.Definition.Rules[2]

	saved, err = s.Unassign(ctx, "desk", 4, "fs_orders")
	require.NoError(t, err)
	require.Equal(t, []string{"fs_notify"}, saved.Definition.Toolkits)
	require.Len(t, saved.Definition.Rules, 2, "the rule that the assignment made is gone")
	require.Equal(t, "fs_notify", saved.Definition.Rules[0].Toolkit)
	require.Equal(t, mixed.ID, saved.Definition.Rules[1].ID)
	require.Equal(t, []string{"fs_notify"}, saved.Definition.Rules[1].Tools, "and so are its tools in other rules")

	_, err = s.Unassign(ctx, "desk", 5, "fs_orders")
	require.Equal(t, models.CodeNotFound, models.CodeOf(err))
	old, err := s.Versions(ctx, "desk")
	require.NoError(t, err)
	at := slices.IndexFunc(old, func(v models.AgentVersion) bool { return v.Number == 4 })
	require.Equal(t, mixed, old[at].Definition.Rules[2], "the earlier version still has them")
}
