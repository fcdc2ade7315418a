package approvals_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/agentstudio/agentstudio/views/approvals"
	"github.com/agentstudio/agentstudio/views/ui"
)

func card(state approvals.State) approvals.Card {
	return approvals.Card{
		Site: ui.Site{Prefix: "/studio", Tenant: "acme"}, ID: "a1", Verb: "Cancel an order", Tool: "fs_orders · cancel_order",
		Agent: "Order desk", AgentVersion: 4, Person: "Max", Tenant: "Acme", Hash: "7f3a91c2e0d9", Nonce: "n-1",
		State: state, Expires: time.Date(2026, 3, 4, 10, 0, 0, 0, time.UTC),
		Args: []approvals.Arg{{Name: "order_id", Type: "text", Value: approvals.Node{Kind: approvals.String, Text: "A-1002"}}},
	}
}

func page(t *testing.T, c approvals.Card) *goquery.Document {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, approvals.CardView(c).Render(t.Context(), &out))
	document, err := goquery.NewDocumentFromReader(&out)
	require.NoError(t, err)
	return document
}

func TestDecisionCarriesTheCallThatWasSeen(t *testing.T) {
	t.Parallel()
	document := page(t, card(approvals.Pending))
	for _, verb := range []string{"approve", "deny"} {
		form := document.Find(`form[method="post"][action="/studio/t/acme/approvals/a1/` + verb + `"]`)
		require.Equal(t, 1, form.Length(), verb)
		require.Equal(t, form.AttrOr("action", ""), form.AttrOr("hx-post", ""))
		require.Equal(t, "n-1", form.Find(`[name="nonce"]`).AttrOr("value", ""))
		require.Equal(t, "7f3a91c2e0d9", form.Find(`[name="hash"]`).AttrOr("value", ""))
	}
	require.Equal(t, 1, document.Find(`form[action$="/deny"] textarea[name="reason"]`).Length())
	require.Equal(t, "7f3a 91c2", document.Find(".hash code").Text())
}

func TestApproveIsNeverTheDefault(t *testing.T) {
	t.Parallel()
	document := page(t, card(approvals.Pending))
	require.Zero(t, document.Find("[autofocus]").Length())
	approve := document.Find(`form[action$="/approve"] button`)
	_, disabled := approve.Attr("disabled")
	require.False(t, disabled, "works without a script")
	require.Equal(t, 1, approve.Filter("[data-arm]").Length(), "the script holds it back for a moment")
}

func TestOnlyAPendingCardCanBeDecided(t *testing.T) {
	t.Parallel()
	sentences := map[string]bool{}
	for _, c := range []approvals.Card{
		card(approvals.Approved), card(approvals.Granted), card(approvals.Denied), card(approvals.Expired), card(approvals.Cancelled), card(approvals.Stale),
		with(approvals.Succeeded), with(approvals.Failed), with(approvals.Unknown),
	} {
		document := page(t, c)
		require.Zero(t, document.Find(`form[method="post"]`).Length(), string(c.State))
		require.NotContains(t, document.Text(), "Nothing has run yet")
		sentence := document.Find(".settled").Text()
		require.False(t, sentences[sentence], "every state says something else: %s", sentence)
		sentences[sentence] = true
		require.Equal(t, "A-1002", document.Find(".args .text").Text(), "the call stays visible")
	}
	require.Contains(t, page(t, card(approvals.Pending)).Text(), "Nothing has run yet.")
}

func TestAProgramThatDidNotComeBackInTime(t *testing.T) {
	t.Parallel()
	c := card(approvals.Expired)
	c.Decision.By = "Ada"
	text := page(t, c).Find(".settled").Text()
	require.Contains(t, text, "The program that asked did not run it in time. Nothing ran.")
	require.NotContains(t, text, "Nobody decided")
}

func TestAProgramIsToldUntilWhen(t *testing.T) {
	t.Parallel()
	c := card(approvals.Granted)
	c.RedeemUntil = time.Date(2026, 3, 4, 10, 15, 0, 0, time.UTC)
	settled := page(t, c).Find(".settled")
	require.Equal(t, "2026-03-04T10:15:00Z", settled.Find("p b time").AttrOr("datetime", ""))
	require.NotContains(t, settled.Text(), "running")
	require.NotContains(t, page(t, card(approvals.Approved)).Text(), "running", "calls before it may come first")
}

func with(outcome approvals.Outcome) approvals.Card {
	c := card(approvals.Consumed)
	c.Outcome = outcome
	return c
}

func TestWhoMayNotDecideSeesWhy(t *testing.T) {
	t.Parallel()
	c := card(approvals.Pending)
	c.CannotDecide = "Only an administrator can decide."
	document := page(t, c)
	require.Zero(t, document.Find(`form[method="post"]`).Length())
	require.Contains(t, document.Text(), c.CannotDecide)
}

func TestNumbersAndNamesAreShownAsStored(t *testing.T) {
	t.Parallel()
	c := card(approvals.Pending)
	c.Args = []approvals.Arg{
		{Name: "id", Type: "whole number", Value: approvals.Node{Kind: approvals.Number, Text: "9007199254740993"}},
		{Name: "pa\u202eth", Type: "list", Value: approvals.Node{Kind: approvals.Array, Items: []approvals.Node{
			{Kind: approvals.Null},
			{Kind: approvals.Object},
			{Kind: approvals.Array},
			{Kind: approvals.String},
			{Kind: approvals.Object, Fields: []approvals.Member{{Name: "k\u200b", Value: approvals.Node{Kind: approvals.Bool, Text: "false"}}}},
		}}},
	}
	document := page(t, c)
	require.Equal(t, "9007199254740993", document.Find(".args tr").First().Find(".atom").Text())
	list := document.Find(".args tr").Last()
	for _, shown := range []string{"null", "empty object", "empty list", "empty text", "false", "U+202E", "U+200B"} {
		require.Contains(t, list.Text(), shown)
	}
	require.Equal(t, 2, list.Find(".flag").Length(), "the name and the value are flagged")
}

// Nothing is cut: whatever a text holds, all of its visible characters reach the card.
func TestNoTextIsCut(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		text := rapid.StringOfN(rapid.RuneFrom([]rune("abc123 <>&\"'€日")), 1, 3000, -1).Draw(r, "text")
		c := card(approvals.Pending)
		c.Args[0].Value.Text = text
		document := page(t, c)
		require.Equal(t, text, document.Find(".args .text").Text())
		require.Equal(t, len(text) > 600, document.Find(`.args .long[tabindex="0"]`).Length() == 1, "a long text scrolls")
	})
}

func TestListSaysWhatToDoNext(t *testing.T) {
	t.Parallel()
	site := ui.Site{Prefix: "/studio", Tenant: "acme"}
	list := approvals.List{Rows: []approvals.Row{{ID: "a1", Verb: "Cancel an order", State: approvals.Pending}, {ID: "a2", Verb: "Refund", State: approvals.Denied}}}
	list.Shell.Site = site
	var out bytes.Buffer
	require.NoError(t, approvals.ListPage(list).Render(t.Context(), &out))
	document, err := goquery.NewDocumentFromReader(&out)
	require.NoError(t, err)
	links := document.Find(".row a")
	require.Equal(t, "/studio/t/acme/approvals/a1", links.First().AttrOr("href", ""))
	require.Equal(t, "/studio/t/acme/approvals/a1/card", links.First().AttrOr("data-card", ""))
	require.Equal(t, "Review", strings.TrimSpace(links.First().Text()))
	require.Equal(t, "Open", strings.TrimSpace(links.Last().Text()))
	require.Equal(t, 1, document.Find("dialog").Length())
	require.Zero(t, document.Find(".more").Length())

	list.More = "Only the newest are listed."
	out.Reset()
	require.NoError(t, approvals.ListPage(list).Render(t.Context(), &out))
	require.Contains(t, out.String(), list.More)
}
