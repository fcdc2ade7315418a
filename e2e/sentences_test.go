package e2e_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/hosttools/sample"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/agents"
	"github.com/agentstudio/agentstudio/studio/llm"
	"github.com/agentstudio/agentstudio/studio/llm/planner"
	"github.com/agentstudio/agentstudio/studio/review"
	"github.com/agentstudio/agentstudio/studio/rules"
)

// desk is an agent with the sample host's real tools, from the words of a
// person to the calls that pass the checks.
type desk struct {
	registry *hosttools.Registry
	rules    []models.Rule
}

func newDesk(t *testing.T) desk {
	t.Helper()
	company, err := sample.Open(t.Context(), filepath.Join(t.TempDir(), "company.db"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, company.Close()) })
	registry := hosttools.NewRegistry(company.Host())
	require.Empty(t, registry.Rejections())
	d := desk{registry: registry, rules: []models.Rule{
		{ID: "cancel", Condition: "the customer wants to cancel or call off something", Content: "Give the customer's own reason."},
		{ID: "refund", Condition: "the customer wants a refund, or money back", Content: "Name the reason."},
		{ID: "honest", Always: true, Content: "Say only what a result says."},
	}}
	for _, group := range registry.Groups() {
		d.rules = append(d.rules, agents.ToolkitRule(group))
	}
	return d
}

func (d desk) tool(name string) (rules.Tool, bool) {
	found, ok := d.registry.Lookup(name)
	if !ok {
		return rules.Tool{}, false
	}
	return rules.Tool{Name: found.Name, Description: found.Description}, true
}

// answer matches, offers the tools of the matched rules and plans, for the
// first message of a conversation.
func (d desk) answer(t *testing.T, said string) llm.Response {
	t.Helper()
	req := llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Text: said}}}
	for _, name := range rules.ToolNames(rules.Matcher{}.Match(rules.Input{Rules: d.rules, Text: said, Tools: d.tool})) {
		found, ok := d.registry.Lookup(name)
		require.True(t, ok, name)
		req.Tools = append(req.Tools, llm.Tool{
			Name: found.Name, Description: found.Description, Parameters: found.InputJSON,
			Write: found.Access == hosttools.AccessWrite, Consequential: found.Consequential,
		})
	}
	response, err := llm.Collect(planner.New().Generate(t.Context(), req))
	require.NoError(t, err)
	return response
}

// checked requires that calls fit their schemas and pass the offline checks.
func (d desk) checked(t *testing.T, said string, calls []llm.Call) []string {
	t.Helper()
	in := review.Input{Said: []string{said}}
	var shown []string
	for _, call := range calls {
		found, ok := d.registry.Lookup(call.Name)
		require.True(t, ok, call.Name)
		in.Calls = append(in.Calls, review.Call{
			Name: found.Name, Description: found.Description, Verb: found.Verb,
			Write: found.Access == hosttools.AccessWrite, Consequential: found.Consequential, Arguments: call.Arguments,
		})
		shown = append(shown, call.Name+" "+string(call.Arguments))
	}
	verdict, err := review.Checks{}.Review(t.Context(), in)
	require.NoError(t, err)
	require.True(t, verdict.Passed, "%q", verdict.Breaches)
	return shown
}

// TestFirstMessages says that a fresh chat finds its tools however short the
// message is, and that the calls pass the checks.
func TestFirstMessages(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	for said, want := range map[string]string{
		"A-1003":                                           `fs_get_order {"order_id":"A-1003"}`,
		"show A-1003":                                      `fs_get_order {"order_id":"A-1003"}`,
		"details for a-1001":                               `fs_get_order {"order_id":"A-1001"}`,
		"who is the customer of A-1002?":                   `fs_get_order {"order_id":"A-1002"}`,
		"is A-1002 still open?":                            `fs_get_order {"order_id":"A-1002"}`,
		"send notice to bob: meeting at 5":                 `fs_notify {"message":"meeting at 5","recipient":"bob"}`,
		"tell support the printer is broken":               `fs_notify {"message":"the printer is broken","recipient":"support"}`,
		"email ops saying the server is down":              `fs_notify {"message":"the server is down","recipient":"ops"}`,
		"set note on A-1001 to call back tomorrow":         `fs_set_note {"order_id":"A-1001","note":"call back tomorrow"}`,
		"clear the note of order A-1001":                   `fs_set_note {"order_id":"A-1001","note":""}`,
		"remove the note from A-1001 please":               `fs_set_note {"order_id":"A-1001","note":""}`,
		"give 10.50 back on A-1003 because it was damaged": `fs_refund_order {"order_id":"A-1003","amount":10.50,"reason":"it was damaged"}`,
		"list the 2 most recent pending orders":            `fs_list_orders {"status":"pending","max_rows":2}`,
		"how many orders are shipped?":                     `fs_list_orders {"status":"shipped"}`,
		"show orders from globex":                          `fs_list_orders {}`,
		"tell the warehouse that order A-1002 is late":     `fs_notify {"message":"order A-1002 is late","recipient":"warehouse"}`,
		"call off A-1002 because it is late":               `fs_cancel_order {"order_id":"A-1002","reason":"it is late"}`,
	} {
		t.Run(said, func(t *testing.T) {
			t.Parallel()
			got := d.answer(t, said)
			require.Equal(t, []string{want}, d.checked(t, said, got.Calls), "text: %s", got.Text)
		})
	}
}

func TestTwoRequestsShareAReason(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	said := "cancel order A-1002 and refund 10 on A-1003, both broken"
	require.Equal(t, []string{
		`fs_cancel_order {"order_id":"A-1002","reason":"both broken"}`,
		`fs_refund_order {"order_id":"A-1003","amount":10,"reason":"both broken"}`,
	}, d.checked(t, said, d.answer(t, said).Calls))
}

// TestFirstMessagesWithoutCalls are greetings, questions back, and what must
// not become a call.
func TestFirstMessagesWithoutCalls(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	for said, want := range map[string]string{
		"hi":                                     "Here is what I can use: ",
		"refund A-1004 in full, it arrived late": "How much?",
		"undo the cancellation of A-1007":        "I found no tool for that",
		"un-cancel A-1007":                       "did nothing",
		"cancel the refund of A-1003":            "I found no tool for that",
		"reopen A-1007":                          "I found no tool for that",
		"do not, under any circumstances, cancel A-1002": "I did nothing",
		"please do not cancel order A-1002":              "I did nothing",
		"refund 0 on A-1003, it was damaged":             "between 0.01 and 1000000",
	} {
		t.Run(said, func(t *testing.T) {
			t.Parallel()
			got := d.answer(t, said)
			require.Empty(t, got.Calls)
			require.Contains(t, got.Text, want)
		})
	}
}
