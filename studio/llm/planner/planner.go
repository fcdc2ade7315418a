package planner

import (
	"context"
	"iter"

	"github.com/agentstudio/agentstudio/studio/llm"
)

// Name is what the planner calls itself in logs, traces and usage records.
const Name = "offline-planner"

// Planner is the offline planner. It implements llm.Model, keeps no state
// between requests and is safe for concurrent use.
type Planner struct {
	lex *lexicon
}

var _ llm.Model = (*Planner)(nil)

// New returns a planner.
func New() *Planner { return &Planner{lex: newLexicon()} }

// Name returns "offline-planner".
func (p *Planner) Name() string { return Name }

// Generate answers req by rule. Only the first 16 KiB of a message are read.
// The only error it yields is that of a done ctx.
func (p *Planner) Generate(ctx context.Context, req llm.Request) iter.Seq2[llm.Event, error] {
	return func(yield func(llm.Event, error) bool) {
		if err := ctx.Err(); err != nil {
			yield(llm.Event{}, err)
			return
		}
		answer := p.decide(req)
		answer.emit(ctx, req, yield)
	}
}

// decide chooses between the four kinds of answer: results in words, the
// reviewer's correction, a forced reply, and acting on the newest message.
func (p *Planner) decide(req llm.Request) answer {
	talk := readConversation(req.Messages)
	cat := newCatalog(p.lex, req.Tools)
	if talk.last().acted() {
		return p.fromResults(cat, talk, req)
	}
	if req.Correction != "" {
		return corrected(req)
	}
	if req.ToolChoice == llm.ToolChoiceNone {
		return forced()
	}
	return p.act(cat, talk)
}

// act answers the newest user message: with calls, a question, or a reply.
func (p *Planner) act(cat *catalog, talk conversation) answer {
	plan := reader{lex: p.lex, cat: cat, talk: talk}.follow()
	switch {
	case plan.dropped:
		return answer{reasoning: "The request was withdrawn.", text: "All right, I left it there. Nothing was changed."}
	case len(plan.ambiguous) > 0:
		return askWhich(plan)
	case plan.incomplete():
		return askMissing(plan)
	case len(plan.steps) > 0:
		return callTools(plan, talk)
	case len(plan.negated) > 0:
		return answer{reasoning: "The message says what not to do, so no tool is called.", text: refrain(plan)}
	default:
		return p.smallTalk(cat, talk.last().user, plan)
	}
}
