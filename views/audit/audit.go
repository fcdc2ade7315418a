// Package audit shows the record of what was asked, decided and run in the tenant.
package audit

import (
	"time"

	"github.com/agentstudio/agentstudio/views/layout"
	"github.com/agentstudio/agentstudio/views/ui"
)

// View is the activity page. Filters are sent as query parameters "who", "outcome" and "tool".
type View struct {
	Shell    layout.Shell
	Who      string
	Tool     string
	Outcomes []ui.Option
	Rows     []Row
	Older    string // path of the next page; empty at the end
}

// Row is one entry.
type Row struct {
	At      time.Time
	Asked   string
	Decided string // empty when nobody had to
	What    string // the verb line
	Tool    string
	Line    string // arguments in one line
	Outcome ui.Mark
	Hash    string // of the call's arguments
	Href    string // the approval, when there is one
}

// filtered reports whether the list is narrowed.
func (v View) filtered() bool {
	for _, option := range v.Outcomes {
		if option.Selected && option.Value != "" {
			return true
		}
	}
	return v.Who != "" || v.Tool != ""
}

// hashLength is how many digits of an entry's hash are shown; the title holds all of it.
const hashLength = 8

func shortHash(hash string) string {
	return hash[:min(len(hash), hashLength)]
}
