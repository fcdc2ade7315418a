// Package problem shows what went wrong and what to do next: a sentence first, the code and the
// request id small beside it.
package problem

import (
	"github.com/agentstudio/agentstudio/views/layout"
	"github.com/agentstudio/agentstudio/views/ui"
)

// View is one problem. Shell is nil when nobody is signed in or the tenant is not known; Site is
// used then.
type View struct {
	Shell     *layout.Shell
	Site      ui.Site
	Title     string    // "This page does not exist"
	Sentence  string    // what happened, plainly
	Next      string    // what to do
	Links     []ui.Link // ways on; the first is the main one
	Code      string    // "tenant_mismatch"
	RequestID string
}
