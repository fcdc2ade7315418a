package pages

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/policy"
	"github.com/agentstudio/agentstudio/studio/canon"
	"github.com/agentstudio/agentstudio/tenancy"
	views "github.com/agentstudio/agentstudio/views/approvals"
	"github.com/agentstudio/agentstudio/views/ui"
)

func anApproval() models.Approval {
	return models.Approval{
		ID: "a1", Caller: "u-max", AgentID: "g1", AgentVersion: 4, Slug: "fs_orders", Method: "cancel_order",
		Arguments:     []byte(`{"account":9007199254740993,"notify":true,"order_id":"A-1\u202e","refund":84.5,"tags":["a",null,{"k":-0.5}]}`),
		ArgumentsHash: []byte{0xab, 0xcd}, Filled: []byte(`{"tenant":"acme"}`), Nonce: "n", State: models.ApprovalPending,
		IssuedAt: 1_000, ExpiresAt: 901_000,
		Why: models.ApprovalWhy{Words: "Cancel A-1", Rules: []string{"Cancelling"}, Verdict: "Offline checks: no breach"},
	}
}

func TestACardShowsTheStoredBytes(t *testing.T) {
	t.Parallel()
	d, ok := testRegistry(t).Find("fs_orders", "cancel_order")
	require.True(t, ok)
	card, err := cardOf(anApproval(), d)
	require.NoError(t, err)
	require.Equal(t, views.Card{
		ID: "a1", Verb: "Cancel an order", Tool: "fs_orders · cancel_order", Consequential: true, AgentVersion: 4,
		Args: []views.Arg{
			{Name: "account", Type: "whole number", Value: views.Node{Kind: views.Number, Text: "9007199254740993"}},
			{Name: "notify", Type: "yes/no", Value: views.Node{Kind: views.Bool, Text: "true"}},
			{Name: "order_id", Type: "text", Value: views.Node{Kind: views.String, Text: "A-1\u202e"}},
			{Name: "refund", Type: "number", Value: views.Node{Kind: views.Number, Text: "84.5"}},
			{Name: "tags", Type: "list", Value: views.Node{Kind: views.Array, Items: []views.Node{
				{Kind: views.String, Text: "a"},
				{Kind: views.Null},
				{Kind: views.Object, Fields: []views.Member{{Name: "k", Value: views.Node{Kind: views.Number, Text: "-0.5"}}}},
			}}},
		},
		Filled: []views.Filled{{Name: "tenant", Value: "acme"}},
		Why: views.Why{
			Words: "Cancel A-1", Rules: []string{"Cancelling"},
			Verdict: ui.Mark{Text: "Review: no breach", Tone: ui.OK}, VerdictBy: "Offline checks",
		},
		Hash: "abcd", Nonce: "n", State: views.Pending,
		Requested: time.UnixMilli(1_000).UTC(), Expires: time.UnixMilli(901_000).UTC(),
	}, card)
}

func TestACardOfAToolThatIsGone(t *testing.T) {
	t.Parallel()
	card, err := cardOf(anApproval(), nil)
	require.NoError(t, err)
	require.Equal(t, "Run cancel_order", card.Verb)
	require.Equal(t, "number", card.Args[0].Type)
	require.Equal(t, "9007199254740993", card.Args[0].Value.Text)
}

func TestAnUnreadableApprovalHasNoCard(t *testing.T) {
	t.Parallel()
	for _, spoil := range []func(*models.Approval){
		func(a *models.Approval) { a.Arguments = []byte(`{"a":1,"a":2}`) },
		func(a *models.Approval) { a.Filled = nil },
	} {
		a := anApproval()
		spoil(&a)
		_, err := cardOf(a, nil)
		require.Error(t, err)
	}
}

// What a card shows of arguments is all of them: the canonical bytes can be made
// from it again.
func TestNodesLoseNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		value := anyValue(3).Draw(t, "value")
		want, err := canon.Bytes(value)
		require.NoError(t, err)
		parsed, err := canon.Parse(want)
		require.NoError(t, err)
		got, err := canon.Bytes(back(t, node(parsed)))
		require.NoError(t, err)
		require.Equal(t, string(want), string(got))
	})
}

func anyValue(depth int) *rapid.Generator[canon.Value] {
	return rapid.Custom(func(t *rapid.T) canon.Value {
		kinds := 6
		if depth == 0 {
			kinds = 4
		}
		switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
		case 0:
			return canon.String(rapid.String().Draw(t, "text"))
		case 1:
			digits, err := canon.Int(rapid.StringMatching(`-?[1-9][0-9]{0,30}`).Draw(t, "digits"))
			require.NoError(t, err)
			return digits
		case 2:
			return canon.Bool(rapid.Bool().Draw(t, "bool"))
		case 3:
			return canon.Null()
		case 4:
			return canon.ArrayOf(rapid.SliceOfN(anyValue(depth-1), 0, 3).Draw(t, "items")...)
		default:
			var members []canon.Member
			for _, name := range rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z]{1,3}`), 0, 3, rapid.ID).Draw(t, "names") {
				members = append(members, canon.Member{Name: name, Value: anyValue(depth-1).Draw(t, name)})
			}
			object, err := canon.ObjectOf(members...)
			require.NoError(t, err)
			return object
		}
	})
}

// back reads a value from what is drawn.
func back(t *rapid.T, n views.Node) canon.Value {
	switch n.Kind {
	case views.String:
		return canon.String(n.Text)
	case views.Number:
		value, err := canon.Int(n.Text)
		require.NoError(t, err)
		return value
	case views.Bool:
		return canon.Bool(n.Text == "true")
	case views.Array:
		var items []canon.Value
		for _, item := range n.Items {
			items = append(items, back(t, item))
		}
		return canon.ArrayOf(items...)
	case views.Object:
		var members []canon.Member
		for _, field := range n.Fields {
			members = append(members, canon.Member{Name: field.Name, Value: back(t, field.Value)})
		}
		object, err := canon.ObjectOf(members...)
		require.NoError(t, err)
		return object
	default:
		return canon.Null()
	}
}

func TestWhatHappenedWhenACallRan(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		outcome models.Outcome
		result  string
		want    views.Run
	}{
		"succeeded": {
			models.OutcomeSucceeded, `{"status":"success","result":{"status":"cancelled"}}`,
			views.Run{Sentence: `status: "cancelled"`, Result: "{\n  \"status\": \"cancelled\"\n}"},
		},
		"failed": {
			models.OutcomeFailed, `{"status":"error","error_code":"not_pending","message":"Only pending orders can be cancelled."}`,
			views.Run{Sentence: "Only pending orders can be cancelled. Nothing was changed."},
		},
		"unknown": {
			models.OutcomeUnknown, `{"status":"error","error_code":"outcome_unknown","message":"It may have had its effect."}`,
			views.Run{Sentence: "It may have had its effect."},
		},
		"unreadable": {models.OutcomeSucceeded, `x`, views.Run{Sentence: "What it answered cannot be read."}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := anApproval()
			a.State, a.Outcome, a.Result, a.SettledAt = models.ApprovalConsumed, test.outcome, []byte(test.result), 5_000
			card, err := cardOf(a, nil)
			require.NoError(t, err)
			test.want.At = time.UnixMilli(5_000).UTC()
			require.Equal(t, test.want, card.Run)
			require.Equal(t, views.Consumed, card.State)
		})
	}
}

func TestABurnedCallRunsUntilItHasAnOutcome(t *testing.T) {
	t.Parallel()
	a := anApproval()
	a.State = models.ApprovalConsumed
	card, err := cardOf(a, nil)
	require.NoError(t, err)
	require.Equal(t, views.Approved, card.State)
	require.Zero(t, card.Run)
}

func TestAnApprovedCallOfAProgramWaitsForIt(t *testing.T) {
	t.Parallel()
	a := anApproval()
	a.State, a.RedeemExpiresAt = models.ApprovalApproved, 5_000
	card, err := cardOf(a, nil)
	require.NoError(t, err)
	require.Equal(t, views.Granted, card.State)
	require.Equal(t, time.UnixMilli(5_000).UTC(), card.RedeemUntil)
	require.Equal(t, views.Granted, rowOf(a, nil).State)

	a.TurnID = "t1"
	require.Equal(t, views.Approved, rowOf(a, nil).State)
}

func TestWithoutAReviewThereIsNoVerdict(t *testing.T) {
	t.Parallel()
	require.Zero(t, whyOf(models.ApprovalWhy{Verdict: "Not reviewed: nothing here asked for it."}).Verdict)
	require.Zero(t, whyOf(models.ApprovalWhy{}).Verdict)
}

func TestWhoCanDecide(t *testing.T) {
	t.Parallel()
	authorizer, err := policy.NewAuthorizer()
	require.NoError(t, err)
	k := &cards{frame: &frame{authorizer: authorizer}}
	person := tenancy.Scope{User: "u-max", Tenant: "acme", StudioEnabled: true, Via: tenancy.ViaBrowser, Session: "s"}
	for name, test := range map[string]struct {
		change func(*tenancy.Scope)
		may    bool
	}{
		"who asked":        {func(*tenancy.Scope) {}, true},
		"an admin":         {func(s *tenancy.Scope) { s.User, s.MayAdminister = "u-ada", true }, true},
		"somebody else":    {func(s *tenancy.Scope) { s.User = "u-eve" }, false},
		"a program":        {func(s *tenancy.Scope) { s.Via = tenancy.ViaAPI }, false},
		"no live session":  {func(s *tenancy.Scope) { s.Session = "" }, false},
		"a switched off":   {func(s *tenancy.Scope) { s.StudioEnabled = false }, false},
		"another tenant's": {func(s *tenancy.Scope) { s.Tenant = "" }, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			scope := person
			test.change(&scope)
			require.Equal(t, test.may, k.cannotDecide(scope, anApproval()) == "")
		})
	}
}

func TestALineOfAList(t *testing.T) {
	t.Parallel()
	d, _ := testRegistry(t).Find("fs_orders", "cancel_order")
	row := rowOf(anApproval(), d)
	require.Equal(t, "Cancel an order", row.Verb)
	require.Equal(t, "account: 9007199254740993, notify: true, order_id: \"A-1\u202e\", refund: 84.5, tags: 3 items", row.Line)
	require.True(t, row.Consequential)
}
