package rules_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/rules"
)

// tools are the tools that the rules of these tests may bring.
func tools(name string) (rules.Tool, bool) {
	known := map[string]rules.Tool{
		"fs_cancel_order": {Name: "fs_cancel_order", Description: "Stop a purchase before it ships."},
		"fs_notify":       {Name: "fs_notify", Description: "Send a short notice to a colleague."},
	}
	tool, ok := known[name]
	return tool, ok
}

// TestMatchOneRule asks for one rule whether it is in force, and why.
func TestMatchOneRule(t *testing.T) {
	t.Parallel()
	const always, condition, earlier, able = "applies always", "its condition", "earlier", "what the agent can do"
	const nothing = "nothing else matched"
	refunds := models.Rule{Condition: "the person wants refunds for deliveries"}
	cancels := models.Rule{Condition: "nothing that anybody says", Tools: []string{"fs_cancel_order"}}
	for name, c := range map[string]struct {
		rule   models.Rule
		text   string
		sticky []string
		why    string // a part of it, "" when the rule is not in force
	}{
		"always":                           {models.Rule{Always: true, Condition: "refunds"}, "hello", nil, always},
		"always, and nothing said":         {models.Rule{Always: true, Condition: "refunds"}, "", nil, always},
		"no condition and no tools":        {models.Rule{Content: "Be polite."}, "hello", nil, always},
		"no condition, but tools":          {models.Rule{Tools: []string{"fs_notify"}}, "bonjour", nil, nothing},
		"nothing in common, but tools":     {cancels, "show A-1003", nil, nothing},
		"nothing said, but tools":          {cancels, "", nil, nothing},
		"a usual other word for a tool":    {models.Rule{Tools: []string{"fs_notify"}}, "tell Bob", nil, "fs_notify"},
		"the same word":                    {refunds, "I need refunds", nil, condition},
		"another form of the word":         {refunds, "it was refunded to somebody else", nil, condition},
		"another case":                     {refunds, "REFUND ME", nil, condition},
		"beside punctuation":               {refunds, "(refund)?!", nil, condition},
		"inside of another word":           {refunds, "prerefundable", nil, ""},
		"nothing in common":                {refunds, "good morning", nil, ""},
		"nothing said":                     {refunds, "", nil, ""},
		"stop words in common":             {refunds, "the person's? for the", nil, condition},
		"only stop words in common":        {models.Rule{Condition: "for the of and"}, "for the of and", nil, ""},
		"only fillers in common":           {models.Rule{Condition: "the customer would like"}, "please, the customer would like", nil, ""},
		"only short words in common":       {models.Rule{Condition: "if it is x1"}, "is it x1", nil, ""},
		"a number in common":               {models.Rule{Condition: "error 404 shows"}, "I see 404", nil, condition},
		"another script":                   {models.Rule{Condition: "вопрос про счета"}, "Мой вопрос", nil, condition},
		"the name of a tool":               {cancels, "cancel it", nil, "fs_cancel_order"},
		"the description of a tool":        {cancels, "my purchases", nil, "fs_cancel_order"},
		"a tool that does not exist":       {models.Rule{Condition: "x", Tools: []string{"fs_gone"}}, "gone", nil, ""},
		"a tool behind one that is gone":   {models.Rule{Condition: "x", Tools: []string{"fs_gone", "fs_notify"}}, "notify", nil, "fs_notify"},
		"help, with tools":                 {cancels, "What can you do?", nil, able},
		"help, without tools":              {refunds, "What can you do?", nil, ""},
		"it applied earlier":               {models.Rule{ID: "r", Condition: "refunds"}, "yes", []string{"q", "r"}, earlier},
		"another one applied earlier":      {models.Rule{ID: "r", Condition: "refunds"}, "yes", []string{"q"}, ""},
		"its words come before its past":   {models.Rule{ID: "r", Condition: "refunds"}, "refund", []string{"r"}, condition},
		"the condition before the tools":   {models.Rule{Condition: "orders", Tools: []string{"fs_cancel_order"}}, "cancel my order", nil, condition},
		"the tools come before the plea":   {cancels, "help me to cancel", nil, "fs_cancel_order"},
		"spaces are no words":              {models.Rule{Condition: "  \t"}, "   \n", nil, ""},
		"a rule that is sticky and always": {models.Rule{ID: "r", Always: true}, "yes", []string{"r"}, always},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			matched := rules.Matcher{}.Match(rules.Input{
				Rules: []models.Rule{c.rule}, Text: c.text, Sticky: c.sticky, Tools: tools,
			})
			if c.why == "" {
				require.Empty(t, matched)
				return
			}
			require.Len(t, matched, 1)
			require.Equal(t, c.rule, matched[0].Rule)
			require.Contains(t, matched[0].Why, c.why)
		})
	}
}

// TestReasonNamesTheSameWordEachTime has several words in common, of which maps
// would give any.
func TestReasonNamesTheSameWordEachTime(t *testing.T) {
	t.Parallel()
	in := rules.Input{
		Rules: []models.Rule{{Condition: "orders, invoices, refunds and addresses"}},
		Text:  "refund the invoice of my order to another address", Tools: tools,
	}
	for range 50 {
		require.Equal(t, `its condition and the message share "address"`, rules.Matcher{}.Match(in)[0].Why)
	}
}

// TestNothingMatched has more tools than can be offered at once: they are only
// offered together when a record is named, and never beside a rule that fits.
func TestNothingMatched(t *testing.T) {
	t.Parallel()
	in := rules.Input{
		Tools: func(name string) (rules.Tool, bool) { return rules.Tool{Name: name}, true },
		Rules: []models.Rule{{ID: "polite"}, {ID: "other", Condition: "invoices"}},
	}
	for i := range 17 {
		name := "x_" + string(rune('a'+i))
		in.Rules = append(in.Rules, models.Rule{ID: name, Tools: []string{name}})
	}
	in.Rules = append(in.Rules, models.Rule{ID: "cancel", Tools: []string{"x_cancel"}})
	matched := func(text string) int {
		in.Text = text
		return len(rules.Matcher{}.Match(in))
	}
	require.Equal(t, 1, matched("good morning"), "only what applies always")
	require.Equal(t, 19, matched("A-1003?"), "a record: every rule with tools")
	require.Equal(t, 2, matched("cancel A-1003"), "a rule fits, so the others stay out")
	in.Rules = in.Rules[3:]
	in.Rules = in.Rules[:16]
	require.Equal(t, 16, matched("good morning"), "few tools")
}

func TestToolNames(t *testing.T) {
	t.Parallel()
	match := func(names ...string) rules.Match { return rules.Match{Rule: models.Rule{Tools: names}} }
	for name, c := range map[string]struct {
		matched []rules.Match
		want    []string
	}{
		"none":                  {nil, nil},
		"rules without tools":   {[]rules.Match{match(), match()}, nil},
		"sorted":                {[]rules.Match{match("c", "a"), match("b")}, []string{"a", "b", "c"}},
		"each once":             {[]rules.Match{match("a", "b", "a"), match("b")}, []string{"a", "b"}},
		"compared byte by byte": {[]rules.Match{match("a", "A", "a_")}, []string{"A", "a", "a_"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, rules.ToolNames(c.matched))
		})
	}
}

func TestToolNamesLeavesTheRulesAlone(t *testing.T) {
	t.Parallel()
	given := []rules.Match{{Rule: models.Rule{Tools: []string{"b", "a"}}}}
	require.Equal(t, []string{"a", "b"}, rules.ToolNames(given))
	require.Equal(t, []string{"b", "a"}, given[0].Rule.Tools)
}

// drawn returns any input; its rules are told apart by their ids.
func drawn(t *rapid.T) rules.Input {
	text := rapid.OneOf(rapid.String(),
		rapid.SampledFrom([]string{"cancel order", "help", "please", "the refund", "notify everyone", "\xff\xfe", "''s"}))
	ids := rapid.StringMatching(`[a-e]`)
	rule := rapid.Custom(func(t *rapid.T) models.Rule {
		return models.Rule{
			ID: ids.Draw(t, "id"), Condition: text.Draw(t, "condition"), Always: rapid.Bool().Draw(t, "always"),
			Tools: rapid.SliceOfN(rapid.SampledFrom([]string{"fs_cancel_order", "fs_notify", "fs_gone", ""}), 0, 3).Draw(t, "tools"),
		}
	})
	return rules.Input{
		Rules: rapid.SliceOfNDistinct(rule, 0, 5, func(r models.Rule) string { return r.ID }).Draw(t, "rules"),
		Text:  text.Draw(t, "text"), Sticky: rapid.SliceOfN(ids, 0, 3).Draw(t, "sticky"), Tools: tools,
	}
}

func TestMatchedAreRulesInTheirOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in := drawn(t)
		matched := rules.Matcher{}.Match(in)
		at := 0
		for _, m := range matched {
			found := slices.IndexFunc(in.Rules[at:], func(r models.Rule) bool { return r.ID == m.Rule.ID })
			require.GreaterOrEqual(t, found, 0, "no rule of the agent, or out of order")
			require.Equal(t, in.Rules[at+found], m.Rule)
			require.NotEmpty(t, m.Why)
			at += found + 1
		}
		require.Equal(t, matched, rules.Matcher{}.Match(in), "the same input, the same answer")
		for _, r := range in.Rules {
			if r.Always || slices.Contains(in.Sticky, r.ID) {
				require.True(t, slices.ContainsFunc(matched, func(m rules.Match) bool { return m.Rule.ID == r.ID }), r.ID)
			}
		}
	})
}

// TestMoreWordsNeverTakeARuleAway says that rules only come in with what is
// said, but for those that were there because nothing else was.
func TestMoreWordsNeverTakeARuleAway(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in := drawn(t)
		before := slices.DeleteFunc(rules.Matcher{}.Match(in), func(m rules.Match) bool {
			return m.Why == "nothing else matched, so its tools are offered"
		})
		more := in
		more.Text += "\n" + rapid.String().Draw(t, "more")
		kept := map[string]bool{}
		for _, m := range (rules.Matcher{}).Match(more) {
			kept[m.Rule.ID] = true
		}
		for _, m := range before {
			require.True(t, kept[m.Rule.ID], m.Rule.ID)
		}
	})
}

func TestToolNamesAreSortedAndUnique(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var matched []rules.Match
		brought := map[string]bool{}
		for _, names := range rapid.SliceOf(rapid.SliceOf(rapid.StringMatching(`[ab_]{0,2}`))).Draw(t, "tools") {
			matched = append(matched, rules.Match{Rule: models.Rule{Tools: names}})
			for _, name := range names {
				brought[name] = true
			}
		}
		names := rules.ToolNames(matched)
		require.True(t, slices.IsSorted(names))
		require.Len(t, names, len(brought))
		for _, name := range names {
			require.True(t, brought[name])
		}
	})
}
