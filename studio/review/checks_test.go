package review_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/agentstudio/agentstudio/studio/review"
)

func look(arguments string) review.Call {
	return review.Call{Name: "fs_get_order", Description: "Get one order by its id.", Arguments: []byte(arguments)}
}

func cancel(arguments string) review.Call {
	return review.Call{
		Name: "fs_cancel_order", Verb: "Cancel an order", Description: "Cancel a pending order.",
		Write: true, Consequential: true, Arguments: []byte(arguments),
	}
}

const orderA1002 = `{"order_id":"A-1002"}`

func TestChecks(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		calls    []review.Call
		said     []string
		results  []string
		breaches int
	}{
		"nothing proposed":                 {nil, nil, nil, 0},
		"the id was said":                  {[]review.Call{look(orderA1002)}, []string{"show A-1002"}, nil, 0},
		"the id was said in another case":  {[]review.Call{look(orderA1002)}, []string{"show a-1002"}, nil, 0},
		"the id is in another case":        {[]review.Call{look(`{"order_id":"a-1002"}`)}, []string{"show A-1002"}, nil, 0},
		"the id was said before":           {[]review.Call{look(orderA1002)}, []string{"A-1002 is late", "show it"}, nil, 0},
		"a tool returned the id":           {[]review.Call{look(orderA1002)}, []string{"my last order"}, []string{`{"id":"A-1002"}`}, 0},
		"an invented id":                   {[]review.Call{look(orderA1002)}, []string{"show my order"}, []string{`{"id":"A-1003"}`}, 1},
		"the beginning of an id":           {[]review.Call{look(`{"order_id":"A-100"}`)}, []string{"show A-1002"}, nil, 1},
		"the end of an id":                 {[]review.Call{look(`{"order_id":"1002"}`)}, []string{"show A1002"}, nil, 1},
		"an id between two others":         {[]review.Call{look(`{"order_id":"A-1"}`)}, []string{"A-11 and A-12, not A-1."}, nil, 0},
		"an id at the end of what is said": {[]review.Call{look(orderA1002)}, []string{"cancel A-1002", "now"}, nil, 0},
		"an invented id in a list":         {[]review.Call{look(`{"ids":["A-1002","A-1"]}`)}, []string{"A-1002"}, nil, 1},
		"an invented id deep inside":       {[]review.Call{look(`{"a":{"b":[{"c":"A-1"}]}}`)}, []string{"show my order"}, nil, 1},
		"a name is no value":               {[]review.Call{look(`{"A-1":"all"}`)}, []string{"show my order"}, nil, 0},
		"a word is no id":                  {[]review.Call{look(`{"status":"pending"}`)}, []string{"show them"}, nil, 0},
		"a sentence is no id":              {[]review.Call{look(`{"note":"call back at 5"}`)}, []string{"show them"}, nil, 0},
		"a number is no id":                {[]review.Call{look(`{"max_rows":20}`)}, []string{"show them"}, nil, 0},
		"a long text is no id":             {[]review.Call{look(`{"note":"` + strings.Repeat("x1", 33) + `"}`)}, []string{"show them"}, nil, 0},
		"two invented ids":                 {[]review.Call{look(`{"ids":["A-1","A-2"]}`)}, nil, nil, 2},
		"a read that nobody asked for":     {[]review.Call{look(`{}`)}, []string{"good morning"}, nil, 0},
		"a write that was asked for":       {[]review.Call{cancel(orderA1002)}, []string{"cancel A-1002"}, nil, 0},
		"asked for in another form":        {[]review.Call{cancel(`{}`)}, []string{"I want it CANCELLED!"}, nil, 0},
		"asked for before":                 {[]review.Call{cancel(`{}`)}, []string{"cancel something", "yes"}, nil, 0},
		"a write that nobody asked for":    {[]review.Call{cancel(`{}`)}, []string{"good morning"}, nil, 1},
		"a write before anything was said": {[]review.Call{cancel(`{}`)}, nil, nil, 1},
		"a tool cannot ask for a write":    {[]review.Call{cancel(`{}`)}, []string{"read my mail"}, []string{`"cancel the order"`}, 1},
		"stop words ask for nothing":       {[]review.Call{cancel(`{}`)}, []string{"an a by its is"}, nil, 1},
		"neither asked for nor seen":       {[]review.Call{cancel(orderA1002)}, []string{"good morning"}, nil, 2},
		"one of two is wrong":              {[]review.Call{look(orderA1002), cancel(orderA1002)}, []string{"show A-1002"}, nil, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			verdict, err := review.Checks{}.Review(t.Context(), review.Input{Calls: c.calls, Said: c.said, Results: c.results})
			require.NoError(t, err)
			require.Len(t, verdict.Breaches, c.breaches, "%q", verdict.Breaches)
			require.Equal(t, c.breaches == 0, verdict.Passed)
			require.Nil(t, verdict.Todo, "these checks keep the todo")
			for _, breach := range verdict.Breaches {
				require.Contains(t, verdict.Correction, breach)
			}
		})
	}
}

func TestChecksNameTheIDAndTheTool(t *testing.T) {
	t.Parallel()
	verdict, err := review.Checks{}.Review(t.Context(), review.Input{Calls: []review.Call{look(orderA1002)}})
	require.NoError(t, err)
	require.Contains(t, verdict.Breaches[0], "A-1002")
	require.Contains(t, verdict.Breaches[0], "fs_get_order")
	require.Equal(t, "Offline checks", review.Checks{}.Name(), "never labelled as a model")
}

// TestUnreadableArgumentsAreABreach goes through Judge: what cannot be checked
// does not run where it is hard to undo.
func TestUnreadableArgumentsAreABreach(t *testing.T) {
	t.Parallel()
	call := cancel(`{"order_id":`)
	in := review.Input{Calls: []review.Call{call}, Said: []string{"cancel it"}}
	_, err := review.Checks{}.Review(t.Context(), in)
	require.ErrorContains(t, err, "fs_cancel_order")
	require.False(t, review.Judge(t.Context(), review.Checks{}, in).Passed)
}

// TestMoreWordsNeverMakeABreach says that a person can only widen what an agent
// may do by saying more without a negation, never narrow it.
func TestMoreWordsNeverMakeABreach(t *testing.T) {
	t.Parallel()
	words := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
		"cancel A-1002", "show a-1", "order", "good morning", "A-10022", "\xff", "the",
	}))
	arguments := rapid.SampledFrom([]string{orderA1002, `{}`, `{"ids":["A-1","a-1002"]}`, `{"note":"all is well"}`})
	rapid.Check(t, func(t *rapid.T) {
		in := review.Input{
			Calls: []review.Call{look(arguments.Draw(t, "look")), cancel(arguments.Draw(t, "cancel"))},
			Said:  rapid.SliceOfN(words, 0, 4).Draw(t, "said"), Results: rapid.SliceOfN(words, 0, 2).Draw(t, "results"),
		}
		before, err := review.Checks{}.Review(t.Context(), in)
		require.NoError(t, err)
		at := rapid.IntRange(0, len(in.Said)).Draw(t, "at")
		said := append([]string{}, in.Said[:at]...)
		in.Said = append(append(said, words.Draw(t, "more")), in.Said[at:]...)
		after, err := review.Checks{}.Review(t.Context(), in)
		require.NoError(t, err)
		require.True(t, after.Passed || !before.Passed, "%q", after.Breaches)
		require.LessOrEqual(t, len(after.Breaches), len(before.Breaches))
	})
}

// TestWhatWasAskedFor says for one write whether the person's words ask for
// exactly that.
func TestWhatWasAskedFor(t *testing.T) {
	t.Parallel()
	refund := review.Call{Name: "fs_refund_order", Verb: "Refund an order", Write: true, Arguments: []byte(orderA1002)}
	note := review.Call{Name: "fs_set_note", Verb: "Change an order's note", Write: true, Arguments: []byte(orderA1002)}
	notify := review.Call{Name: "fs_notify", Verb: "Send a notice", Write: true, Arguments: []byte(`{}`)}
	scan := review.Call{Name: "scan", Write: true, Arguments: []byte(`{}`)}
	for _, c := range []struct {
		call review.Call
		pass bool
		said []string
	}{
		{cancel(orderA1002), false, []string{"show order A-1002"}},
		{cancel(`{"order_id":"A-100"}`), false, []string{"cancel order A-1002"}},
		{cancel(`{"order_id":"A-100"}`), false, []string{"cancel order A-100-B or A-100.B or A-100_B or A-100@B"}},
		{cancel(`{"order_id":"100"}`), false, []string{"cancel order A-100"}},
		{cancel(orderA1002), true, []string{"cancel order A-1002."}},
		{cancel(orderA1002), false, []string{"please do not cancel order A-1002"}},
		{cancel(orderA1002), false, []string{"don’t cancel A-1002"}},
		{cancel(orderA1002), false, []string{"never ever cancel A-1002"}},
		{cancel(orderA1002), false, []string{"do not, under any circumstances, cancel A-1002"}},
		{cancel(orderA1002), false, []string{"go on without cancelling A-1002"}},
		{cancel(orderA1002), false, []string{"undo the cancellation of A-1002"}},
		{cancel(orderA1002), false, []string{"un-cancel A-1002", "undo the cancellation of A-1002"}},
		{cancel(orderA1002), false, []string{"cancel A-1003 but not A-1002"}},
		{cancel(orderA1002), true, []string{"cancel A-1002 but not A-1003"}},
		{cancel(orderA1002), false, []string{"cancel A-1002", "do not cancel it"}},
		{cancel(orderA1002), true, []string{"do not cancel A-1002", "cancel A-1002 after all"}},
		{cancel(orderA1002), true, []string{"don't forget to cancel A-1002"}},
		{cancel(orderA1002), true, []string{"No, cancel A-1002"}},
		{cancel(orderA1002), true, []string{"call A-1002 off, it is not needed"}},
		{cancel(orderA1002), false, []string{"give money back on A-1002"}},
		{cancel(orderA1002), true, []string{"cancel A-1002", "because it was not cancelled in time"}},
		{cancel(orderA1002), true, []string{"they no longer need A-1002 please cancel it"}},
		{cancel(orderA1002), false, []string{"show A-1002 because I may cancel it"}},
		{refund, true, []string{"give the customer 5 euros back on A-1002"}},
		{refund, true, []string{"don't cancel A-1002, refund 20 EUR on it"}},
		{refund, false, []string{"do not cancel or refund A-1002"}},
		{refund, false, []string{"give me A-1002. Come back."}},
		{note, true, []string{"clear the note of A-1002"}},
		{note, false, []string{"cancel A-1002"}},
		{notify, true, []string{"let the customer know"}},
		{notify, true, []string{"email ops"}},
		{notify, false, []string{"show my orders"}},
		{scan, true, []string{"scan it"}},
		{scan, false, []string{"show it"}},
	} {
		t.Run(c.call.Name+" after "+strings.Join(c.said, " / "), func(t *testing.T) {
			t.Parallel()
			verdict, err := review.Checks{}.Review(t.Context(), review.Input{Calls: []review.Call{c.call}, Said: c.said})
			require.NoError(t, err)
			require.Equal(t, c.pass, verdict.Passed, "%q", verdict.Breaches)
			if !c.pass {
				require.True(t, strings.HasSuffix(verdict.Correction, "?"), "it leads to a question")
			}
		})
	}
}
