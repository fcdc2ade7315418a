package session_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/session"
)

// kinds returns every kind of event that models declares.
func kinds(t *testing.T) []models.EventKind {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../../models/session.go", nil, 0)
	require.NoError(t, err)
	var found []models.EventKind
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if kind, ok := spec.Type.(*ast.Ident); !ok || kind.Name != "EventKind" {
			return true
		}
		for _, value := range spec.Values {
			text, err := strconv.Unquote(value.(*ast.BasicLit).Value)
			require.NoError(t, err)
			found = append(found, models.EventKind(text))
		}
		return true
	})
	require.Contains(t, found, models.EventMessage, "the constants were not found")
	return found
}

// TestEveryKindHasAPayload fails for a kind that nothing can decode, and for
// two kinds that share a type.
func TestEveryKindHasAPayload(t *testing.T) {
	t.Parallel()
	types := map[reflect.Type]models.EventKind{}
	for _, kind := range kinds(t) {
		payload, err := session.Decode(models.Event{Kind: kind, Data: []byte(`{}`)})
		require.NoError(t, err, kind)
		require.Equal(t, kind, payload.Kind())
		require.NotContains(t, types, reflect.TypeOf(payload), kind)
		types[reflect.TypeOf(payload)] = kind
	}
}

// TestEveryFieldIsStored looks for fields that would be lost or would collide
// in the log.
func TestEveryFieldIsStored(t *testing.T) {
	t.Parallel()
	for _, kind := range kinds(t) {
		payload, err := session.Decode(models.Event{Kind: kind, Data: []byte(`{}`)})
		require.NoError(t, err)
		names := map[string]bool{}
		for field := range reflect.TypeOf(payload).Fields() {
			name := field.Tag.Get("json")
			require.NotEmpty(t, name, "%s.%s has no name in the log", kind, field.Name)
			require.False(t, names[name], "%s.%s", kind, field.Name)
			names[name] = true
		}
	}
}

func TestDecodeReadsWhatWasWritten(t *testing.T) {
	t.Parallel()
	for name, payload := range map[string]session.Payload{
		"message": session.Message{Text: "Cancel A-1002 \u202e\u2028", From: "Sam"},
		"rules": session.Rules{
			Considered: 3, Matched: []session.Matched{{ID: "r", Title: "Orders", Why: "always"}}, Tools: []string{"fs_get_order"}, Took: 4,
		},
		"call": session.Call{
			ID: "c", Step: 2, Name: "fs_cancel_order", Slug: "fs_orders", Method: "cancel_order", Write: true, Consequential: true,
			Arguments: `{"id":9007199254740993}`, State: models.CallSettled, ApprovalID: "a",
			Result: json.RawMessage(`{"id":9007199254740993}`), Took: 5,
		},
		"review": session.Review{
			Step: 1, Attempt: 2, Reviewer: "Offline checks", Calls: []string{"Cancel an order"}, Breaches: []string{"Wrong."},
			Rejected: "I cancel.", Correction: "I ask.", Todo: "ask", Took: 6,
		},
		"approval": session.Approval{
			ID: "a", CallID: "c", State: models.ApprovalConsumed, By: "Ada", Reason: "fine", Outcome: models.OutcomeUnknown,
			ExpiresAt: 7, Verb: "Cancel an order",
		},
		"status": session.Status{State: models.TurnFailed, Message: "It broke.", Version: 8},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, name, string(payload.Kind()))
			data, err := json.Marshal(payload)
			require.NoError(t, err)
			decoded, err := session.Decode(models.Event{Kind: payload.Kind(), Data: data})
			require.NoError(t, err)
			require.Equal(t, payload, decoded)
		})
	}
}

func TestDecodeRefuses(t *testing.T) {
	t.Parallel()
	for name, e := range map[string]models.Event{
		"no kind":           {Data: []byte(`{}`)},
		"an unknown kind":   {Kind: "gossip", Data: []byte(`{}`)},
		"a kind's big case": {Kind: "Message", Data: []byte(`{}`)},
		"no data":           {Kind: models.EventMessage},
		"no JSON":           {Kind: models.EventMessage, Data: []byte(`{"text":`)},
		"another form":      {Kind: models.EventCall, Data: []byte(`{"step":"two"}`)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e.SessionID, e.Offset = "s-1", 41
			payload, err := session.Decode(e)
			require.Nil(t, payload)
			require.ErrorContains(t, err, "event 41 of session s-1", "whoever reads the log finds the event")
		})
	}
}

func TestDecodeNeverPanics(t *testing.T) {
	t.Parallel()
	all := kinds(t)
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.OneOf(rapid.SampledFrom(all), rapid.Just(models.EventKind("gossip"))).Draw(t, "kind")
		payload, err := session.Decode(models.Event{Kind: kind, Data: rapid.SliceOf(rapid.Byte()).Draw(t, "data")})
		require.NotEqual(t, err == nil, payload == nil)
	})
}
