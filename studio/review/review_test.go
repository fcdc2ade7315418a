package review_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/review"
	"github.com/agentstudio/agentstudio/studio/rules"
)

// TestTriggered tries every set of triggers at every effort: any one of them is
// enough, and at MIN none is.
func TestTriggered(t *testing.T) {
	t.Parallel()
	for _, effort := range append(models.Efforts(), "") {
		for bits := range 8 {
			agentAsks, ruleAsks, consequential := bits&1 != 0, bits&2 != 0, bits&4 != 0
			t.Run(fmt.Sprintf("%s agent %t rule %t consequential %t", effort, agentAsks, ruleAsks, consequential), func(t *testing.T) {
				t.Parallel()
				d := models.Definition{Effort: effort, ToolReview: agentAsks}
				matched := []rules.Match{{}, {Rule: models.Rule{TriggerToolReview: ruleAsks}}, {}}
				calls := []review.Call{{Write: true}, {Consequential: consequential}, {}}
				want := effort != models.EffortMin && bits != 0
				require.Equal(t, want, review.Triggered(d, matched, calls))
				require.False(t, review.Triggered(d, matched, nil), "there is nothing to review")
			})
		}
	}
}

func TestRestarts(t *testing.T) {
	t.Parallel()
	want := map[models.Effort]int{
		models.EffortMin: 0, models.EffortLow: 2, models.EffortMedium: 3, models.EffortHigh: 5, models.EffortMax: 10,
	}
	for _, effort := range models.Efforts() {
		restarts, ok := want[effort]
		require.True(t, ok, "%s has no line here", effort)
		require.Equal(t, restarts, review.Restarts(effort), effort)
	}
	require.Equal(t, 3, review.Restarts(""), "an effort that is not known is the default one")
}

// says is a reviewer that always gives the same answer.
type says struct {
	verdict review.Verdict
	err     error
}

func (says) Name() string { return "says" }

func (s says) Review(context.Context, review.Input) (review.Verdict, error) { return s.verdict, s.err }

// TestJudge tries every kind of verdict on harmless and on consequential calls.
func TestJudge(t *testing.T) {
	t.Parallel()
	todo := "Ask for the id."
	gone := errors.New("the reviewer is gone")
	clean := review.Verdict{Passed: true, Todo: &todo}
	breach := review.Verdict{Breaches: []string{"Wrong."}, Correction: "I ask first."}
	for name, c := range map[string]struct {
		says          review.Verdict
		err           error
		harmless      bool // whether harmless calls pass
		consequential bool // whether consequential ones do
	}{
		"clean":                          {clean, nil, true, true},
		"a breach":                       {breach, nil, false, false},
		"a breach without a reason":      {review.Verdict{Correction: "I ask first."}, nil, false, false},
		"no verdict":                     {review.Verdict{}, nil, false, false},
		"an error":                       {review.Verdict{}, gone, true, false},
		"an error beside a clean one":    {clean, gone, true, false},
		"an error beside a breach":       {breach, gone, true, false},
		"out of time":                    {review.Verdict{}, context.DeadlineExceeded, true, false},
		"passed, and yet with a breach":  {review.Verdict{Passed: true, Breaches: []string{"Wrong."}}, nil, true, false},
		"passed, with an empty sentence": {review.Verdict{Passed: true, Breaches: []string{""}}, nil, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for consequential, pass := range map[bool]bool{false: c.harmless, true: c.consequential} {
				in := review.Input{Calls: []review.Call{{Name: "a"}, {Name: "b", Consequential: consequential}}}
				verdict := review.Judge(t.Context(), says{c.says, c.err}, in)
				require.Equal(t, pass, verdict.Passed, "consequential: %t", consequential)
				require.Equal(t, pass, verdict.Correction == "", "whoever is stopped is told how to go on")
				if pass {
					require.Empty(t, verdict.Breaches, "a pass is clean")
				}
			}
		})
	}
}

// TestJudgeKeepsAUsableVerdict says that what a reviewer said is not changed,
// but for a correction where there is none.
func TestJudgeKeepsAUsableVerdict(t *testing.T) {
	t.Parallel()
	todo := ""
	in := review.Input{Calls: []review.Call{{Consequential: true}}}
	for _, given := range []review.Verdict{
		{Passed: true, Todo: &todo},
		{Breaches: []string{"Wrong."}, Correction: "I ask first.", Todo: &todo},
	} {
		require.Equal(t, given, review.Judge(t.Context(), says{verdict: given}, in))
	}
	bare := review.Verdict{Breaches: []string{"Wrong."}}
	judged := review.Judge(t.Context(), says{verdict: bare}, in)
	require.NotEmpty(t, judged.Correction)
	require.Equal(t, bare.Breaches, judged.Breaches)
}

func TestJudgeSaysWhyItStopsWithoutAVerdict(t *testing.T) {
	t.Parallel()
	in := review.Input{Calls: []review.Call{{Consequential: true}}}
	verdict := review.Judge(t.Context(), says{err: errors.New("secret text")}, in)
	require.Len(t, verdict.Breaches, 1)
	require.NotContains(t, verdict.Breaches[0]+verdict.Correction, "secret text")
}
