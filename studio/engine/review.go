package engine

import (
	"context"
	"strings"
	"time"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/review"
	"github.com/agentstudio/agentstudio/studio/session"
)

// review judges the step's whole set of calls where somebody asks for that. A
// breach discards them all: nothing runs, the corrected reasoning replaces the
// step's, and the step restarts without seeing what was rejected.
func (r *run) review(ctx context.Context) (next, error) {
	r.verdict = "Not reviewed: nothing here asked for it."
	calls := r.reviewable()
	if len(r.calls) > 0 || !review.Triggered(r.version.Definition, r.matched, calls) {
		return goOn, nil
	}
	begun := time.Now()
	verdict := review.Judge(ctx, r.Reviewer, review.Input{
		Calls: calls, Said: r.said(), Results: r.results(), Rules: r.matched,
		Reasoning: r.proposal.Reasoning, Todo: r.turn.Memory.Todo,
	})
	told := session.Review{
		Step: r.turn.Memory.Step, Attempt: r.turn.Memory.Restarts + 1, Passed: verdict.Passed,
		Reviewer: r.Reviewer.Name(), Calls: inWords(calls), Breaches: verdict.Breaches,
		Correction: verdict.Correction, Took: time.Since(begun).Milliseconds(),
	}
	if verdict.Passed {
		return goOn, r.passed(ctx, verdict, told)
	}
	return again, r.rejected(ctx, verdict, told)
}

func (r *run) passed(ctx context.Context, verdict review.Verdict, told session.Review) error {
	r.verdict = r.Reviewer.Name() + ": no breach"
	if verdict.Todo != nil {
		r.turn.Memory.Todo = *verdict.Todo
	}
	told.Todo = r.turn.Memory.Todo
	r.turn.Memory.Correction = ""
	return r.saveAnd(ctx, told)
}

func (r *run) rejected(ctx context.Context, verdict review.Verdict, told session.Review) error {
	r.proposals = nil
	told.Rejected = r.proposal.Reasoning
	r.turn.Memory.Correction, r.turn.Memory.Todo = verdict.Correction, ""
	if r.turn.Memory.Restarts >= review.Restarts(r.version.Definition.Effort) {
		r.turn.Memory.GivingUp = "the review rejected every attempt"
	}
	r.turn.Memory.Restarts++
	return r.saveAnd(ctx, told)
}

// saveAnd saves the turn and tells the log, in one unit.
func (r *run) saveAnd(ctx context.Context, payloads ...session.Payload) error {
	return r.Store.Write(ctx, r.p, func(ctx context.Context) error {
		r.turn.State = models.TurnRunning
		if err := r.save(ctx); err != nil {
			return err
		}
		return r.Log.Append(ctx, r.turn, payloads...)
	})
}

// reviewable returns the calls that would run: refused ones never do.
func (r *run) reviewable() []review.Call {
	var calls []review.Call
	for _, p := range r.proposals {
		if p.prepared == nil {
			continue
		}
		d := p.prepared.Tool
		calls = append(calls, review.Call{
			Name: d.Name, Description: d.Description, Verb: d.Verb, Write: p.prepared.Write(),
			Consequential: d.Consequential, Arguments: p.prepared.Arguments,
		})
	}
	return calls
}

func inWords(calls []review.Call) []string {
	var words []string
	for _, call := range calls {
		words = append(words, call.Name+" "+strings.TrimSpace(string(call.Arguments)))
	}
	return words
}
