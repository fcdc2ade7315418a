package chat_test

import (
	"bytes"
	"strconv"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/a-h/templ"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/agentstudio/agentstudio/views/chat"
	"github.com/agentstudio/agentstudio/views/ui"
)

func document(t *testing.T, c templ.Component) *goquery.Document {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, c.Render(t.Context(), &out))
	parsed, err := goquery.NewDocumentFromReader(&out)
	require.NoError(t, err)
	return parsed
}

func keys(items []chat.Item) []string {
	var all []string
	for _, item := range items {
		all = append(all, item.Key())
	}
	return all
}

func TestFoldReplacesInPlace(t *testing.T) {
	t.Parallel()
	waiting := chat.Waiting{Approval: "a1"}
	decided := chat.Decided{Approval: "a1", By: "Ada"}
	person := chat.Person{ID: "1", Text: "Hello"}
	reply := chat.Reply{ID: "1", Text: "Hi"}
	require.Equal(t, []chat.Item{person, decided, reply}, chat.Fold([]chat.Item{person, waiting, reply, decided}))
	require.Empty(t, chat.Fold(nil))
}

func TestFoldJoinsTheReply(t *testing.T) {
	t.Parallel()
	start := chat.Reply{ID: "1", Streaming: true}
	pieces := []chat.Item{start, chat.Piece{Reply: "1", Number: 1, Text: "Good "}, chat.Piece{Reply: "1", Number: 2, Text: "day"}}
	require.Equal(t, []chat.Item{chat.Reply{ID: "1", Streaming: true, Text: "Good day"}}, chat.Fold(pieces))

	final := chat.Reply{ID: "1", Text: "Good day."}
	late := chat.Piece{Reply: "1", Number: 3, Text: "!"}
	require.Equal(t, []chat.Item{final}, chat.Fold(append(pieces, final, late)), "a complete reply stays as it is")
	require.Empty(t, chat.Fold([]chat.Item{late}), "a piece of nothing is not shown")
}

// A page loaded in the middle and then fed the rest shows what a page loaded at the end shows.
func TestFoldAnywhereIsTheSame(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		log := rapid.SliceOf(anItem()).Draw(t, "log")
		cut := rapid.IntRange(0, len(log)).Draw(t, "cut")
		whole := chat.Fold(log)
		resumed := chat.Fold(append(chat.Fold(log[:cut]), log[cut:]...))
		require.Equal(t, whole, resumed)
		seen := map[string]bool{}
		for _, key := range keys(whole) {
			require.False(t, seen[key], "%s twice", key)
			seen[key] = true
		}
	})
}

func anItem() *rapid.Generator[chat.Item] {
	return rapid.Custom(func(t *rapid.T) chat.Item {
		id := strconv.Itoa(rapid.IntRange(1, 3).Draw(t, "id"))
		switch rapid.IntRange(0, 5).Draw(t, "kind") {
		case 0:
			return chat.Person{ID: id}
		case 1:
			return chat.Reply{ID: id, Streaming: rapid.Bool().Draw(t, "streaming")}
		case 2:
			return chat.Piece{Reply: id, Number: rapid.Int64().Draw(t, "number"), Text: rapid.String().Draw(t, "text")}
		case 3:
			return chat.Waiting{Approval: id}
		case 4:
			return chat.Decided{Approval: id}
		default:
			return chat.Running{Call: id}
		}
	})
}

// The stream's rule: one root element, whose id comes from the key, and a target to append to.
func TestFragmentsFollowTheRule(t *testing.T) {
	t.Parallel()
	site := ui.Site{Prefix: "/studio", Tenant: "acme"}
	for _, item := range []chat.Item{
		chat.Person{ID: "1"},
		chat.Reply{ID: "1"},
		chat.RulesMatched{ID: "1"},
		chat.ToolsOffered{ID: "1"},
		chat.Proposed{Call: "1"},
		chat.Verdict{ID: "1"},
		chat.Verdict{ID: "1", Passed: true},
		chat.Waiting{Site: site, Approval: "1"},
		chat.Decided{Site: site, Approval: "1"},
		chat.Running{Call: "1"},
		chat.Result{Call: "1"},
		chat.Refused{Call: "1"},
		chat.Ended{ID: "1"},
	} {
		root := document(t, item.Fragment()).Find("body").Children()
		require.Equal(t, 1, root.Length(), item.Key())
		require.Equal(t, "ev-"+item.Key(), root.AttrOr("id", ""))
		require.Equal(t, "log", root.AttrOr("data-target", ""))
	}
}

func TestPieceBelongsIntoItsReply(t *testing.T) {
	t.Parallel()
	target := document(t, chat.Piece{Reply: "1", Number: 7, Text: "x"}.Fragment()).Find("span").AttrOr("data-target", "")
	require.Equal(t, 1, document(t, chat.Reply{ID: "1", Streaming: true}.Fragment()).Find(`[data-streaming] #`+target).Length())
	require.Zero(t, document(t, chat.Reply{ID: "1"}.Fragment()).Find("[data-streaming]").Length())
}

func TestWaitingLeadsToItsCard(t *testing.T) {
	t.Parallel()
	item := chat.Waiting{Site: ui.Site{Prefix: "/studio", Tenant: "acme"}, Approval: "a1", Verb: "Cancel an order", Expires: time.Unix(0, 0)}
	page := document(t, item.Fragment())
	require.Equal(t, "/studio/t/acme/approvals/a1/card", page.Find("li").AttrOr("data-open-card", ""))
	require.Equal(t, "/studio/t/acme/approvals/a1", page.Find("a.btn").AttrOr("href", ""), "works without a script")
	require.Equal(t, "1970-01-01T00:00:00Z", page.Find("[data-expires]").AttrOr("data-expires", ""))
}

func TestBreachShowsWhatWasRejectedAndWhatReplacesIt(t *testing.T) {
	t.Parallel()
	page := document(t, chat.Verdict{ID: "1", By: "Offline checks", Breaches: []string{"Look first."}, Struck: "Cancel now.", Corrected: "Read it first."}.Fragment())
	require.Contains(t, page.Find("del").Text(), "Cancel now.")
	require.Contains(t, page.Find("ins").Text(), "Read it first.")
	require.Contains(t, page.Text(), "Offline checks")
}

func TestMessageIsTextNotMarkup(t *testing.T) {
	t.Parallel()
	text := "<img src=x onerror=alert(1)>\n  two spaces"
	page := document(t, chat.Person{ID: "1", Text: text}.Fragment())
	require.Zero(t, page.Find("img").Length())
	require.Equal(t, text, page.Find(".bubble").Text())
}

func TestComposerKeepsWhatWasRefused(t *testing.T) {
	t.Parallel()
	page := document(t, chat.ComposerForm(chat.Composer{SendURL: "/studio/t/acme/sessions/s/messages", Text: "Hello", Error: "Too long."}))
	require.Equal(t, "Hello", page.Find("textarea").Text())
	require.Equal(t, "say-error", page.Find("textarea").AttrOr("aria-describedby", ""))
	require.Equal(t, "Too long.", page.Find(`#say-error[role="alert"]`).Text())
}

func TestStopIsOfferedWhileATurnRuns(t *testing.T) {
	t.Parallel()
	running := document(t, chat.StateLine(chat.State{Working: true, Text: "Thinking", StopURL: "/studio/t/acme/sessions/s/stop"}))
	require.Equal(t, "/studio/t/acme/sessions/s/stop", running.Find("form").AttrOr("action", ""))
	require.Zero(t, document(t, chat.StateLine(chat.State{})).Find("form, p").Length())
}
