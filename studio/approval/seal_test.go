package approval

import (
	"path/filepath"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/toolexec"
	"github.com/agentstudio/agentstudio/studio/vault"
)

func sealer(t *testing.T) *Service {
	t.Helper()
	key, err := vault.LoadOrCreateKey(filepath.Join(t.TempDir(), "master.key"))
	require.NoError(t, err)
	return New(Config{Sealer: key.Sealer(vault.PurposeSeals)})
}

// sealed returns an approved approval with a value in every field.
func sealed(t *testing.T, s *Service) models.Approval {
	t.Helper()
	arguments := []byte(`{"order_id":"A-1002"}`)
	hash := toolexec.ArgumentsHash(arguments)
	a := models.Approval{
		TenantID: "acme", ID: "id", Caller: "cara", AgentID: "agent", AgentVersion: 3, SessionID: "session", TurnID: "turn",
		CallID: "call", Slug: "fs_orders", Method: "cancel_order", ToolkitVersion: "1", SchemaHash: []byte{1}, Fingerprint: []byte{2},
		Filled: []byte(`{"tenant":"acme"}`), Arguments: arguments, ArgumentsHash: hash[:], Deciders: DecidersCallerOrAdmin,
		IssuedAt: 10, ExpiresAt: 20, Nonce: "nonce", State: models.ApprovalApproved,
		Why:       models.ApprovalWhy{Words: "w", Rules: []string{"r"}, Reasoning: "x", Verdict: "v"},
		TokenHash: []byte{3}, RedeemExpiresAt: 30, DecidedBy: "ada", DecidedAt: 15, DecisionSession: "browser", DecisionAuth: 5,
		Reason: "fine", Outcome: models.OutcomeSucceeded, Result: []byte(`{}`), ConsumedAt: 16, SettledAt: 17,
	}
	require.NoError(t, s.seal(&a))
	require.NoError(t, s.sealDecision(&a))
	for field, value := range reflect.ValueOf(a).Fields() {
		require.False(t, value.IsZero(), "give %s a value", field.Name)
	}
	return a
}

// forgeries returns the approval once for every field, and every field of its
// structs, with another value in it.
func forgeries(t *testing.T, a models.Approval) map[string]models.Approval {
	t.Helper()
	out := map[string]models.Approval{}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[models.Approval]()) {
		if field.Type.Kind() != reflect.Struct {
			out[field.Name] = forged(t, a, field.Index)
			continue
		}
		for _, inner := range reflect.VisibleFields(field.Type) {
			out[field.Name+"."+inner.Name] = forged(t, a, append(field.Index[:1:1], inner.Index...))
		}
	}
	return out
}

func forged(t *testing.T, a models.Approval, index []int) models.Approval {
	t.Helper()
	value := reflect.ValueOf(&a).Elem().FieldByIndex(index)
	switch value.Kind() {
	case reflect.String:
		value.SetString(value.String() + "x")
	case reflect.Int, reflect.Int64:
		value.SetInt(value.Int() + 1)
	case reflect.Slice: // a new one, since the original shares its memory
		longer := reflect.MakeSlice(value.Type(), value.Len()+1, value.Len()+1)
		reflect.Copy(longer, value)
		value.Set(longer)
	default:
		t.Fatalf("this test cannot change a %s", value.Type())
	}
	return a
}

// TestSealsCoverEveryField changes one field after the other. A new field of
// models.Approval has to be bound, sealed with the decision, or named here.
func TestSealsCoverEveryField(t *testing.T) {
	t.Parallel()
	// Neither says what may run nor who allowed it.
	free := map[string]bool{
		"State":  true, // TestDecisionCannotBeTurned
		"Reason": true, "DecidedAt": true, "Outcome": true, "Result": true, "ConsumedAt": true, "SettledAt": true,
	}
	s := sealer(t)
	a := sealed(t, s)
	require.NoError(t, s.verifyBinding(a))
	require.NoError(t, s.verifyDecision(a))
	for name, forgery := range forgeries(t, a) {
		require.NotEqual(t, a, forgery, name)
		bound, decided := s.verifyBinding(forgery), s.verifyDecision(forgery)
		require.Equal(t, free[name], bound == nil && decided == nil, "%s is covered by no seal, or named here for nothing", name)
		delete(free, name)
	}
	require.Empty(t, free, "no such fields")
}

// TestBindingCoversTheCall is stricter for what makes the call: it is bound
// before anybody decides.
func TestBindingCoversTheCall(t *testing.T) {
	t.Parallel()
	ofTheDecision := map[string]bool{
		"State": true, "TokenHash": true, "RedeemExpiresAt": true, "DecidedBy": true, "DecidedAt": true, "DecisionSession": true,
		"DecisionAuth": true, "Reason": true, "DecisionSeal": true, "Outcome": true, "Result": true, "ConsumedAt": true, "SettledAt": true,
	}
	s := sealer(t)
	for name, forgery := range forgeries(t, sealed(t, s)) {
		err := s.verifyBinding(forgery)
		require.Equal(t, ofTheDecision[name], err == nil, name)
		if err != nil {
			require.Equal(t, models.CodeApprovalStale, models.CodeOf(err))
		}
	}
}

// TestResealingNeedsTheKey forges with everything but the key.
func TestResealingNeedsTheKey(t *testing.T) {
	t.Parallel()
	s, other := sealer(t), sealer(t)
	a := sealed(t, s)
	a.Arguments = []byte(`{"order_id":"A-1001"}`)
	hash := toolexec.ArgumentsHash(a.Arguments)
	a.ArgumentsHash = hash[:]
	require.NoError(t, other.seal(&a))
	require.NoError(t, other.sealDecision(&a))
	require.NoError(t, other.verifyBinding(a))
	require.Error(t, s.verifyBinding(a))
	require.Error(t, s.verifyDecision(a))
}

// TestDecisionCannotBeTurned sets the state of a sealed decision.
func TestDecisionCannotBeTurned(t *testing.T) {
	t.Parallel()
	s := sealer(t)
	for _, decided := range []models.ApprovalState{models.ApprovalApproved, models.ApprovalDenied} {
		a := sealed(t, s)
		a.State = decided
		require.NoError(t, s.sealDecision(&a))
		for _, state := range []models.ApprovalState{models.ApprovalApproved, models.ApprovalConsumed, models.ApprovalDenied} {
			a.State = state
			denied := state == models.ApprovalDenied
			require.Equal(t, denied == (decided == models.ApprovalDenied), s.verifyDecision(a) == nil, "%s as %s", decided, state)
		}
	}
}

// TestSealsAreNotInterchangeable gives a decision the seal of its call.
func TestSealsAreNotInterchangeable(t *testing.T) {
	t.Parallel()
	s := sealer(t)
	a := sealed(t, s)
	a.Seal, a.DecisionSeal = a.DecisionSeal, a.Seal
	require.Error(t, s.verifyBinding(a))
	require.Error(t, s.verifyDecision(a))
	require.Error(t, s.verifyDecision(models.Approval{}))
	require.Error(t, s.verifyBinding(models.Approval{}))
}

// TestBindingsDiffer moves text between neighbouring fields: the binding is
// over names and values, not over their sum.
func TestBindingsDiffer(t *testing.T) {
	t.Parallel()
	text := rapid.StringMatching(`[a"\\]{0,3}`)
	rapid.Check(t, func(t *rapid.T) {
		draw := func() models.Approval {
			return models.Approval{
				Slug: text.Draw(t, "slug"), Method: text.Draw(t, "method"), TurnID: text.Draw(t, "turn"), CallID: text.Draw(t, "call"),
				Filled: []byte(text.Draw(t, "filled")), AgentVersion: rapid.IntRange(0, 2).Draw(t, "version"),
			}
		}
		a, b := draw(), draw()
		first, err := binding(a)
		require.NoError(t, err)
		second, err := binding(b)
		require.NoError(t, err)
		require.Equal(t, reflect.DeepEqual(a, b), string(first) == string(second))
	})
}

func TestCut(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text, n := rapid.String().Draw(t, "text"), rapid.IntRange(0, 20).Draw(t, "n")
		short := cut(text, n)
		require.LessOrEqual(t, len(short), n)
		require.Equal(t, text[:len(short)], short)
		require.True(t, len(short) == len(text) || len(short) > n-4, "no more is cut than one character")
		require.Equal(t, short, string([]rune(short)), "a whole number of characters")
	})
}
