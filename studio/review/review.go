package review

import (
	"context"
	"time"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/rules"
)

// Call is one proposed call, prepared by the door.
type Call struct {
	Name          string
	Description   string
	Verb          string
	Write         bool
	Consequential bool
	Arguments     []byte // canonical
}

// Input is what a reviewer sees: the step's whole set of calls.
type Input struct {
	Calls     []Call
	Said      []string // what the person wrote in this conversation, oldest first
	Results   []string // results of tools in this conversation
	Rules     []rules.Match
	Reasoning string
	Todo      string
}

// Verdict is what a reviewer says. A breach stops the whole set.
type Verdict struct {
	Passed   bool
	Breaches []string // in words for people
	// Correction replaces the step's reasoning after a breach, as if the agent
	// had reasoned correctly from the start.
	Correction string
	// Todo is kept when nil, cleared when empty, replaced otherwise.
	Todo *string
}

// Reviewer judges a set of calls.
type Reviewer interface {
	// Name labels the verdict on pages.
	Name() string
	// Review judges. An error counts as a breach for consequential calls.
	Review(ctx context.Context, in Input) (Verdict, error)
}

// Triggered reports whether a set of calls must be reviewed: the agent asks
// for it, a matched rule does, or any call is consequential. At effort MIN no
// review runs, whatever was requested (contract 2).
func Triggered(d models.Definition, matched []rules.Match, calls []Call) bool {
	if d.Effort == models.EffortMin || len(calls) == 0 {
		return false
	}
	if d.ToolReview || consequential(calls) {
		return true
	}
	for _, m := range matched {
		if m.Rule.TriggerToolReview {
			return true
		}
	}
	return false
}

func consequential(calls []Call) bool {
	for _, call := range calls {
		if call.Consequential {
			return true
		}
	}
	return false
}

// Restarts returns how many rejected steps a turn may restart at an effort
// (contract 2); the next rejection gives up.
func Restarts(effort models.Effort) int {
	switch effort {
	case models.EffortMin:
		return 0
	case models.EffortLow:
		return 2
	case models.EffortHigh:
		return 5
	case models.EffortMax:
		return 10
	default:
		return 3
	}
}

// within is how long a reviewer may take. A late verdict is none.
const within = 30 * time.Second

// Judge asks a reviewer and closes the door where it fails: a missing or
// contradictory verdict is a breach when any call is consequential.
func Judge(ctx context.Context, reviewer Reviewer, in Input) Verdict {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	verdict, err := reviewer.Review(ctx, in)
	if err == nil {
		err = ctx.Err()
	}
	contradictory := verdict.Passed && len(verdict.Breaches) > 0
	if err == nil && !contradictory {
		if !verdict.Passed && verdict.Correction == "" {
			verdict.Correction = "The proposed calls did not pass their review, so I do not make them. I ask the person how to go on."
		}
		return verdict
	}
	if !consequential(in.Calls) {
		return Verdict{Passed: true}
	}
	return Verdict{
		Breaches: []string{"The reviewer gave no usable verdict, and a call here is hard to undo."},
		Correction: "The calls could not be checked, so they must not run now. " +
			"I tell the person so and ask them to try again.",
	}
}
