package engine

import (
	"context"
	"log/slog"
	"sync"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/studio/llm"
)

// schemas are the tool schemas as models are shown them, lowered once per
// model and tool. The registry never changes, and there are few models, so
// nothing is ever dropped.
type schemas struct {
	logger *slog.Logger
	shown  sync.Map // shownTo → []byte
}

// shownTo is a tool as it is shown to a model, each by its name.
type shownTo struct{ model, tool string }

// of returns the schema of d's arguments for model; the full one, with a
// warning, where that cannot be lowered.
func (s *schemas) of(ctx context.Context, model llm.Model, d *hosttools.Descriptor) []byte {
	key := shownTo{model.Name(), d.Name}
	if text, ok := s.shown.Load(key); ok {
		return text.([]byte)
	}
	text, err := llm.Parameters(model, d.Input, d.InputJSON)
	if err != nil {
		s.logger.WarnContext(ctx, "a tool schema is shown in full", "model", key.model, "tool", key.tool, "error", err)
		text = d.InputJSON
	}
	first, _ := s.shown.LoadOrStore(key, text)
	return first.([]byte)
}
