package pages

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/session"
	"github.com/agentstudio/agentstudio/views/chat"
	"github.com/agentstudio/agentstudio/views/ui"
)

// aWrite is a turn in which a write waits: offsets 0 to 6.
func aWrite() []session.Payload {
	return []session.Payload{
		session.Message{Text: "Cancel A-1", From: "Max Member"},
		session.Status{State: models.TurnQueued},
		session.Status{State: models.TurnRunning},
		session.Rules{Considered: 2, Matched: []session.Matched{{ID: "r", Title: "Cancelling"}}, Tools: []string{"fs_cancel_order"}, Took: 3},
		session.Call{ID: "c1", Name: "fs_cancel_order", Write: true, Arguments: `{"account":9007199254740993,"order_id":"A-1"}`, State: models.CallWaiting},
		session.Approval{ID: "a1", CallID: "c1", State: models.ApprovalPending, Verb: "Cancel an order", ExpiresAt: 60_000},
		session.Status{State: models.TurnWaiting},
	}
}

func TestAWriteThatWaits(t *testing.T) {
	t.Parallel()
	log := testTranscript(t)
	items, err := log.add(t.Context(), logOf(t, aWrite()...))
	require.NoError(t, err)
	require.Equal(t, []chat.Item{
		chat.Person{ID: "0", Who: "Max Member", Text: "Cancel A-1", At: time.UnixMilli(1000).UTC()},
		chat.RulesMatched{ID: "3", Names: []string{"Cancelling"}, Of: 2, Took: 3 * time.Millisecond},
		chat.ToolsOffered{ID: "3", Names: []string{"fs_cancel_order"}},
		chat.Proposed{Call: "c1", Tool: "fs_cancel_order", Line: `account: 9007199254740993, order_id: "A-1"`, Write: true},
		chat.Waiting{Site: testSite(), Approval: "a1", Tool: "fs_cancel_order", Verb: "Cancel an order", Expires: time.UnixMilli(60_000).UTC()},
	}, items)
	require.Equal(t, []waitingCall{{approval: "a1", offset: 5}}, log.pending)
	require.Equal(t, chat.State{StopURL: "/stop", Working: true, Waiting: true, Text: "1 call waiting for a decision"}, log.stateLine("/stop"))
}

func TestADecisionIsTold(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		event session.Approval
		want  []chat.Item
		doing string
	}{
		"approved": {
			event: session.Approval{State: models.ApprovalConsumed, By: "u-ada"},
			want: []chat.Item{
				chat.Decided{Outcome: ui.Mark{Text: "Approved", Tone: ui.OK}, By: "Ada Admin"},
				chat.Running{Call: "c1", Tool: "fs_cancel_order"},
			},
			doing: "Running fs_cancel_order",
		},
		"denied": {
			event: session.Approval{State: models.ApprovalDenied, By: "u-max", Reason: "Not yet."},
			want:  []chat.Item{chat.Decided{Outcome: ui.Mark{Text: "Denied", Tone: ui.Danger}, By: "Max Member", Reason: "Not yet."}},
			doing: "Going on without fs_cancel_order",
		},
		"expired": {
			event: session.Approval{State: models.ApprovalExpired},
			want:  []chat.Item{chat.Decided{Outcome: ui.Mark{Text: "Expired"}}},
			doing: "Going on without fs_cancel_order",
		},
		"stale": {
			event: session.Approval{State: models.ApprovalStale, Reason: "The tool changed."},
			want:  []chat.Item{chat.Decided{Outcome: ui.Mark{Text: "Out of date", Tone: ui.Warn}, Reason: "The tool changed."}},
			doing: "Going on without fs_cancel_order",
		},
		"outcome": {
			event: session.Approval{State: models.ApprovalConsumed, By: "u-ada", Outcome: models.OutcomeSucceeded},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			log := testTranscript(t)
			test.event.ID, test.event.CallID = "a1", "c1"
			events := logOf(t, append(aWrite(), test.event)...)
			_, err := log.add(t.Context(), events[:7])
			require.NoError(t, err)
			items, err := log.add(t.Context(), events[7:])
			require.NoError(t, err)
			for i, item := range test.want {
				if decided, ok := item.(chat.Decided); ok {
					decided.Site, decided.Approval, decided.Tool = testSite(), "a1", "fs_cancel_order"
					decided.At = time.UnixMilli(8000).UTC()
					test.want[i] = decided
				}
			}
			require.Equal(t, test.want, items)
			require.Empty(t, log.pending)
			require.False(t, log.stateLine("").Waiting)
			require.Equal(t, test.doing, log.stateLine("").Text)
		})
	}
}

func TestSecondCallKeepsTheTurnWaiting(t *testing.T) {
	t.Parallel()
	log := testTranscript(t)
	_, err := log.add(t.Context(), logOf(t, append(aWrite(),
		session.Approval{ID: "a2", CallID: "c2", State: models.ApprovalPending},
		session.Approval{ID: "a1", CallID: "c1", State: models.ApprovalDenied},
	)...))
	require.NoError(t, err)
	require.True(t, log.stateLine("").Waiting)
	require.Equal(t, "a2", log.pending[0].approval)
}

func TestARejectedStepIsWithdrawn(t *testing.T) {
	t.Parallel()
	log := testTranscript(t)
	items, err := log.add(t.Context(), logOf(t, session.Review{
		Reviewer: "Offline checks", Calls: []string{`fs_cancel_order {"order_id":"A-1"}`, `fs_get_order {}`},
		Breaches: []string{"Look first."}, Correction: "Read A-1 first.", Took: 5,
	}))
	require.NoError(t, err)
	require.Equal(t, []chat.Item{
		chat.Proposed{Call: "0-0", Tool: "fs_cancel_order", Line: `order_id: "A-1"`, Write: true, Withdrawn: true},
		chat.Proposed{Call: "0-1", Tool: "fs_get_order", Withdrawn: true},
		chat.Verdict{ID: "0", By: "Offline checks", Breaches: []string{"Look first."}, Corrected: "Read A-1 first.", Took: 5 * time.Millisecond},
	}, items)
}

func TestHowATurnEnds(t *testing.T) {
	t.Parallel()
	for state, want := range map[models.TurnState][]chat.Item{
		models.TurnDone:      nil,
		models.TurnFailed:    {chat.Ended{ID: "0", Failed: true, Text: "why"}},
		models.TurnCancelled: {chat.Ended{ID: "0", Text: "why"}},
	} {
		log := testTranscript(t)
		items, err := log.add(t.Context(), logOf(t, session.Status{State: state, Message: "why"}))
		require.NoError(t, err)
		require.Equal(t, want, items)
		require.Equal(t, chat.State{StopURL: "/stop"}, log.stateLine("/stop"))
	}
}

func TestTheAgentsWordsAreAReply(t *testing.T) {
	t.Parallel()
	events := logOf(t, session.Message{Text: "Done.", From: "Order desk"})
	events[0].Source = models.SourceAgent
	items, err := testTranscript(t).add(t.Context(), events)
	require.NoError(t, err)
	require.Equal(t, []chat.Item{chat.Reply{ID: "0", Agent: "Order desk", Text: "Done.", At: time.UnixMilli(1000).UTC()}}, items)
}

func TestUnreadableEventsAreLeftOut(t *testing.T) {
	t.Parallel()
	events := logOf(t, session.Message{Text: "a"}, session.Message{Text: "b"}, session.Message{Text: "c"})
	events[0].Kind = "from_the_future"
	events[1].Data = json.RawMessage(`{"text":`)
	items, err := testTranscript(t).add(t.Context(), events)
	require.NoError(t, err)
	require.Len(t, items, 1)
	require.Equal(t, "message-2", items[0].Key())
}

func TestHowACallEnds(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		envelope string
		refused  bool // settled from the first event on
		want     chat.Item
	}{
		"success": {
			envelope: `{"status":"success","result":{"id":9007199254740993,"tags":["a"]},"truncated":true}`,
			want: chat.Result{
				Mark: ui.Mark{Text: "Done", Tone: ui.OK}, Line: "id: 9007199254740993, tags: 1 item",
				JSON: "{\n  \"id\": 9007199254740993,\n  \"tags\": [\n    \"a\"\n  ]\n}", Trimmed: true,
			},
		},
		"the tool's own failure": {
			envelope: `{"status":"error","error_code":"not_found","message":"There is no order A-9."}`,
			want:     chat.Result{Mark: ui.Mark{Text: "Failed", Tone: ui.Danger}, Line: "There is no order A-9."},
		},
		"unknown outcome": {
			envelope: `{"status":"error","error_code":"outcome_unknown","message":"Look before you repeat it."}`,
			want:     chat.Result{Mark: ui.Mark{Text: "Outcome unknown", Tone: ui.Warn}, Line: "Look before you repeat it."},
		},
		"refused at the door": {
			envelope: `{"status":"error","error_code":"invalid_args","message":"order_id is missing."}`, refused: true,
			want: chat.Refused{Reason: "order_id is missing.", Code: "invalid_args"},
		},
		"denied": {
			envelope: `{"status":"forbidden","error_code":"confirmation_required","reason":"denied"}`,
			want:     chat.Refused{Reason: "A person denied this call. Nothing ran.", Code: "confirmation_required"},
		},
		"expired": {
			envelope: `{"status":"forbidden","error_code":"confirmation_required","reason":"expired"}`,
			want:     chat.Refused{Reason: "Nobody decided in time. Nothing ran.", Code: "confirmation_required"},
		},
		"stale when it was to run": {
			envelope: `{"status":"error","error_code":"approval_stale","message":"Nothing ran: the tool changed."}`,
			want:     chat.Refused{Reason: "Nothing ran: the tool changed.", Code: "approval_stale"},
		},
		"unreadable": {
			envelope: `[]`,
			want:     chat.Result{Mark: ui.Mark{Text: "Unreadable", Tone: ui.Warn}, Line: "What it answered cannot be read."},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			call := session.Call{ID: "c1", Name: "fs_get_order", State: models.CallProposed, Arguments: "{}"}
			settled := call
			settled.State, settled.Result = models.CallSettled, json.RawMessage(test.envelope)
			payloads := []session.Payload{call, settled}
			if test.refused {
				payloads = payloads[1:]
			}
			items, err := testTranscript(t).add(t.Context(), logOf(t, payloads...))
			require.NoError(t, err)
			require.Equal(t, chat.Proposed{Call: "c1", Tool: "fs_get_order"}, items[0])
			require.Equal(t, named(test.want), items[1])
		})
	}
}

// named fills in the call that the ends above are of.
func named(item chat.Item) chat.Item {
	switch end := item.(type) {
	case chat.Result:
		end.Call, end.Tool = "c1", "fs_get_order"
		return end
	case chat.Refused:
		end.Call, end.Tool = "c1", "fs_get_order"
		return end
	}
	return item
}
