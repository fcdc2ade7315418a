package planner_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/studio/llm"
	"github.com/agentstudio/agentstudio/studio/review"
)

// TestCallsPassTheOfflineChecks says that planner and checks agree on what was
// asked for: no write that the planner understood is stopped for its words.
func TestCallsPassTheOfflineChecks(t *testing.T) {
	t.Parallel()
	tools := map[string]llm.Tool{}
	for _, one := range demoTools() {
		tools[one.Name] = one
	}
	for _, test := range writeSentences() {
		t.Run(test.said, func(t *testing.T) {
			t.Parallel()
			got := answerTo(t, llm.Request{Messages: []llm.Message{user(test.said)}, Tools: demoTools()})
			require.NotEmpty(t, got.Calls)
			in := review.Input{Said: []string{test.said}}
			for _, call := range got.Calls {
				tool := tools[call.Name]
				in.Calls = append(in.Calls, review.Call{
					Name: tool.Name, Description: tool.Description, Verb: tool.Description,
					Write: tool.Write, Consequential: tool.Consequential, Arguments: call.Arguments,
				})
			}
			verdict, err := review.Checks{}.Review(t.Context(), in)
			require.NoError(t, err)
			require.True(t, verdict.Passed, "%q", verdict.Breaches)
		})
	}
}
