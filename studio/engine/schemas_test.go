package engine

import (
	"context"
	"log/slog"
	"sync/atomic"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/studio/llm"
)

// countingModel counts how often it is asked for its limits.
type countingModel struct {
	llm.Model
	name   string
	limits llm.Limits
	asked  atomic.Int32
}

func (m *countingModel) Name() string { return m.name }

func (m *countingModel) SchemaLimits() llm.Limits {
	m.asked.Add(1)
	return m.limits
}

func TestSchemasAreLoweredOncePerModelAndTool(t *testing.T) {
	t.Parallel()
	s := &schemas{logger: slog.New(slog.DiscardHandler)}
	text := func(name string) *hosttools.Descriptor {
		return &hosttools.Descriptor{
			Name: name, Input: &jsonschema.Schema{Type: "string", Pattern: name}, InputJSON: []byte(`{"type":"string"}`),
		}
	}
	free := &countingModel{name: "free"}
	poor := &countingModel{name: "poor", limits: llm.Limits{Pattern: true}}
	for range 3 {
		require.JSONEq(t, `{"type":"string","pattern":"a"}`, string(s.of(t.Context(), free, text("a"))))
		require.JSONEq(t, "{\"type\":\"string\",\"description\":\"Matches the regular expression `a`.\"}", string(s.of(t.Context(), poor, text("a"))))
		require.JSONEq(t, "{\"type\":\"string\",\"description\":\"Matches the regular expression `b`.\"}", string(s.of(t.Context(), poor, text("b"))))
	}
	require.EqualValues(t, 1, free.asked.Load())
	require.EqualValues(t, 2, poor.asked.Load())
}

func TestSchemaThatCannotBeLoweredIsShownInFull(t *testing.T) {
	t.Parallel()
	var warned atomic.Int32
	s := &schemas{logger: slog.New(countingHandler{slog.DiscardHandler, &warned})}
	d := &hosttools.Descriptor{
		Name: "a", Input: &jsonschema.Schema{Type: "string", Extra: map[string]any{"x-bad": func() {}}}, InputJSON: []byte(`{"type":"string"}`),
	}
	for range 2 {
		require.Equal(t, d.InputJSON, s.of(t.Context(), &countingModel{name: "m"}, d))
	}
	require.EqualValues(t, 1, warned.Load())
}

// countingHandler counts what is logged.
type countingHandler struct {
	slog.Handler
	count *atomic.Int32
}

func (countingHandler) Enabled(context.Context, slog.Level) bool { return true }

func (h countingHandler) Handle(context.Context, slog.Record) error {
	h.count.Add(1)
	return nil
}
