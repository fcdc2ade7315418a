package planner_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/agentstudio/agentstudio/studio/llm"
	"github.com/agentstudio/agentstudio/studio/llm/planner"
)

// fataler is what the checks need of testing.T and rapid.T.
type fataler interface {
	require.TestingT
	Helper()
}

type schema struct {
	Properties map[string]property `json:"properties"`
	Required   []string            `json:"required"`
}

type property struct {
	Type    string   `json:"type"`
	Enum    []string `json:"enum"`
	Minimum *int64   `json:"minimum"`
	Maximum *int64   `json:"maximum"`
}

// checkAnswer asserts what every answer promises, whatever was said.
func checkAnswer(t fataler, req llm.Request, got llm.Response) {
	t.Helper()
	require.True(t, utf8.ValidString(got.Text))
	require.True(t, got.Usage.Estimated)
	require.True(t, got.Text != "" || len(got.Calls) > 0, "an answer says or does something")
	ids := map[string]bool{}
	for _, message := range req.Messages {
		for _, call := range message.Calls {
			ids[call.ID] = true
		}
	}
	for _, call := range got.Calls {
		require.False(t, ids[call.ID], "id used twice")
		ids[call.ID] = true
		at := slices.IndexFunc(req.Tools, func(tool llm.Tool) bool { return tool.Name == call.Name })
		require.GreaterOrEqual(t, at, 0, "tool was not offered")
		checkArguments(t, req.Tools[at].Parameters, call.Arguments)
	}
}

func checkArguments(t fataler, parameters, arguments []byte) {
	t.Helper()
	var want schema
	require.NoError(t, json.Unmarshal(parameters, &want))
	var args map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(arguments, &args), "%s", arguments)
	require.NotNil(t, args)
	for _, name := range want.Required {
		require.Contains(t, args, name)
	}
	for name, value := range args {
		require.Contains(t, want.Properties, name)
		if name == "note" && string(value) == `""` {
			continue // an order's note may be cleared
		}
		checkValue(t, want.Properties[name], value)
	}
}

func checkValue(t fataler, want property, value json.RawMessage) {
	t.Helper()
	switch want.Type {
	case "string":
		var s string
		require.NoError(t, json.Unmarshal(value, &s))
		require.NotEmpty(t, s)
		if len(want.Enum) > 0 {
			require.Contains(t, want.Enum, s)
		}
	case "integer", "number":
		number, ok := new(big.Rat).SetString(string(value))
		require.True(t, ok, "%s", value)
		require.True(t, want.Type == "number" || number.IsInt())
		require.True(t, want.Minimum == nil || number.Cmp(big.NewRat(*want.Minimum, 1)) >= 0)
		require.True(t, want.Maximum == nil || number.Cmp(big.NewRat(*want.Maximum, 1)) <= 0)
	case "boolean":
		var b bool
		require.NoError(t, json.Unmarshal(value, &b))
	case "array":
		var list []string
		require.NoError(t, json.Unmarshal(value, &list))
	default:
		require.Fail(t, "no value can be given for this type", want.Type)
	}
}

// oddTools have every type of parameter.
func oddTools() []llm.Tool {
	return []llm.Tool{
		{Name: "tag_records", Description: "Tag records.", Write: true, Parameters: []byte(`{"type":"object","properties":{"ids":{"type":"array","items":{"type":"string"}},"tag":{"type":"string","maxLength":8},"dry_run":{"type":"boolean"}},"required":["ids","tag"]}`)},
		{Name: "bookMeeting", Description: "Book a meeting on a date.", Write: true, Parameters: []byte(`{"type":"object","properties":{"date":{"type":"string","format":"date"},"minutes":{"type":"integer","minimum":5,"maximum":480},"urgent":{"type":"boolean"}},"required":["date","minutes"]}`)},
		{Name: "forecast", Description: "Weather forecast for a city.", Parameters: []byte(`{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer","minimum":1,"maximum":14}},"required":["city"]}`)},
		{Name: "close_ticket", Description: "Close a ticket.", Write: true, Parameters: []byte(`{"type":"object","properties":{"ticket_id":{"type":"integer","minimum":1},"priority":{"type":"string","enum":["low","high"]}},"required":["ticket_id"]}`)},
		{Name: "patch_thing", Description: "Patch a thing.", Write: true, Parameters: []byte(`{"type":"object","properties":{"change":{"type":"object"}},"required":["change"]}`)},
		{Name: "bad", Description: "Cancel badly.", Write: true, Parameters: []byte(`{"type":`)},
	}
}

func tools() []llm.Tool { return append(demoTools(), oddTools()...) }

// drawnSentence mixes words that mean something with arbitrary text.
func drawnSentence() *rapid.Generator[string] {
	known := rapid.SampledFrom(strings.Fields("cancel refund show list orders order A-1002 a-7 INV-77 #12 5 first 20 EUR €3,50 -1 because late , . ? ! : \" ' “ ” and then it not don't " +
		"if note tell warehouse that saying bob@acme.test to export pending shipped tag book close ticket forecast in Berlin 2026-01-31 minutes urgent with reason is the a of look up off 99999999999999999999999 0.000 1e9 what can you"))
	word := rapid.OneOf(known, known, known, rapid.StringN(0, 6, 24))
	return rapid.Map(rapid.SliceOfN(word, 0, 24), func(words []string) string { return strings.Join(words, " ") })
}

func TestEveryAnswerIsValid(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		req := llm.Request{Tools: tools()}
		for range rapid.IntRange(0, 4).Draw(t, "turns") {
			req.Messages = append(req.Messages, user(drawnSentence().Draw(t, "said")))
			req.Correction = rapid.SampledFrom([]string{"", "", "", "No.", "\x00"}).Draw(t, "correction")
			got, err := llm.Collect(planner.New().Generate(t.Context(), req))
			require.NoError(t, err)
			checkAnswer(t, req, got)
			req.Messages = append(req.Messages, llm.Message{Role: llm.RoleAssistant, Text: got.Text, Calls: got.Calls})
			again, err := llm.Collect(planner.New().Generate(t.Context(), llm.Request{Tools: req.Tools, Messages: req.Messages[:len(req.Messages)-1], Correction: req.Correction}))
			require.NoError(t, err)
			require.Equal(t, got, again, "the same request gets the same answer")
			for _, call := range got.Calls {
				result := rapid.SampledFrom([]string{`{"status":"success","result":[]}`, `{"status":"error"}`, `{`, "\xff"}).Draw(t, "result")
				req.Messages = append(req.Messages, llm.Message{Role: llm.RoleTool, CallID: call.ID, Name: call.Name, Text: result})
			}
		}
	})
}

// TestNegationNeverWrites says every write in the negative, in many ways.
func TestNegationNeverWrites(t *testing.T) {
	t.Parallel()
	requests := []string{"cancel A-1002 because it is late", "refund 20 EUR on A-1002 because damaged", "tell the warehouse that A-1002 is late", "set the note on A-1002 to late"}
	frames := []string{"don't %s", "do not %s", "please don’t %s", "never %s", "you must not %s", "there is no need to %s", "should I %s?", "what happens if I %s?", "can I %s?", "why did you %s?", "if it rains, %s", "tell me whether to %s", "how do I %s", "A-1002: can I %s?"}
	for _, request := range requests {
		for _, frame := range frames {
			said := fmt.Sprintf(frame, request)
			got := answerTo(t, llm.Request{Messages: []llm.Message{user(said)}, Tools: demoTools()})
			for _, call := range got.Calls {
				at := slices.IndexFunc(demoTools(), func(tool llm.Tool) bool { return tool.Name == call.Name })
				require.False(t, demoTools()[at].Write, "%s: %v", said, callsOf(got))
			}
		}
	}
}

func FuzzMessage(f *testing.F) {
	for _, test := range append(readSentences(), writeSentences()...) {
		f.Add(test.said, `{"status":"success","result":{"id":"A-1"}}`)
	}
	f.Add("cancel 'A-1002' because “", `[[[[{"a":{"b":{"c":{"d":1}}}}]]]]`)
	f.Add("A-1002", "\xff\xfe")
	f.Fuzz(func(t *testing.T, said, result string) {
		for _, earlier := range []string{"", "cancel an order"} {
			req := llm.Request{Tools: tools()}
			if earlier != "" {
				req.Messages = []llm.Message{user(earlier), assistant("Which order?")}
			}
			req.Messages = append(req.Messages, user(said))
			got := answerTo(t, req)
			checkAnswer(t, req, got)
		}
		req := llm.Request{Tools: tools(), Messages: called(said, "fs_cancel_order", result, result)}
		got := answerTo(t, req)
		require.Empty(t, got.Calls)
		checkAnswer(t, req, got)
	})
}
