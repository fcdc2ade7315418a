// Package home is the first page after sign-in: what needs the person, today in a few small
// plots, and for a new tenant the first steps.
package home

import (
	"time"

	"github.com/agentstudio/agentstudio/views/layout"
	"github.com/agentstudio/agentstudio/views/ui"
)

// View is the home page. Steps is empty once the tenant has taken all of them.
type View struct {
	Shell   layout.Shell
	Needs   []Need
	Calls   ui.Plot // calls of today by outcome
	Waiting ui.Plot // approvals of today by hour
	Steps   []Step
}

// Need is one thing that waits for the person: a sentence with a way on.
type Need struct {
	Tone   ui.Tone
	Kind   string // short word for the badge, such as "Approval"
	Title  string
	Detail string
	Since  time.Time
	Action ui.Link
}

// Step is one of the first things to do in a new tenant.
type Step struct {
	Done   bool
	Title  string
	Detail string
	Action ui.Link // shown while the step is open
}

func (v View) stepsDone() int {
	done := 0
	for _, step := range v.Steps {
		if step.Done {
			done++
		}
	}
	return done
}
