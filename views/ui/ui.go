// Package ui holds the primitives every page is made of: badges, fields, alerts, empty states,
// times, exact text and small plots. It knows nothing of the domain; a caller passes plain
// values. Nothing here renders an inline style or script, so pages work under a strict
// Content-Security-Policy.
package ui

import (
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/agentstudio/agentstudio/static"
)

// Tone says what a badge, alert or mark means. Colour never carries it alone: there is always a
// word or a shape beside it.
type Tone string

// The tones, from saying nothing to saying that something went wrong.
const (
	Neutral Tone = ""
	Accent  Tone = "accent"
	OK      Tone = "ok"
	Warn    Tone = "warn"
	Danger  Tone = "danger"
)

// Mark is a short word or two with a tone, shown as a badge.
type Mark struct {
	Text string
	Tone Tone
}

// Link is a text that leads somewhere. Href is a full path, prefix included.
type Link struct {
	Text string
	Href string
}

// Site says where pages live: the host's prefix, for example "/studio", and the tenant's URL
// segment, "-" for GLOBAL.
type Site struct {
	Prefix string
	Tenant string
}

// URL is the path of a page of the tenant; each part becomes one escaped segment.
func (s Site) URL(parts ...string) string {
	return s.Prefix + "/t/" + url.PathEscape(s.Tenant) + join(parts)
}

// Root is the path of a page outside any tenant, such as sign-in; without parts it is the first
// page.
func (s Site) Root(parts ...string) string {
	if path := s.Prefix + join(parts); path != "" {
		return path
	}
	return "/"
}

// Asset is the content-hashed address of an embedded file.
func (s Site) Asset(name string) string {
	return static.URL(s.Prefix, name)
}

func join(parts []string) string {
	var path strings.Builder
	for _, part := range parts {
		path.WriteByte('/')
		path.WriteString(url.PathEscape(part))
	}
	return path.String()
}

// Field is one labelled form control. ID must be unique on the page; Error, when set, is read
// out and tied to the control.
type Field struct {
	ID          string
	Name        string
	Label       string
	Help        string
	Error       string
	Value       string
	Placeholder string
	Rows        int  // text areas only; 0 means 3
	MaxLength   int  // characters; 0 means no limit
	Required    bool // shown in words when false
	Checked     bool // checkboxes only
	// Mark is the small word beside the label. Empty: "optional" where that is so.
	Mark string
	// Focus is for the one control of a page at which the person goes on.
	Focus bool
}

// Input is a one-line control of another type than text. What is empty is left
// out.
type Input struct {
	Field

	Type string // of HTML: "number", "date", "password", …
	Min  string
	Max  string
	Step string
	// Autocomplete is what a browser may fill in; empty: nothing.
	Autocomplete string
}

func (i Input) autocomplete() string {
	if i.Autocomplete == "" {
		return "off"
	}
	return i.Autocomplete
}

// ticked is what a checkbox sends.
func (f Field) ticked() string {
	if f.Value == "" {
		return "true"
	}
	return f.Value
}

func (f Field) mark() string {
	if f.Mark == "" && !f.Required {
		return "optional"
	}
	return f.Mark
}

// block is the value of a text area. The first line break after its tag would
// not count.
func (f Field) block() string {
	if strings.HasPrefix(f.Value, "\n") {
		return "\n" + f.Value
	}
	return f.Value
}

// describedBy lists the ids of what explains the control, or is empty.
func (f Field) describedBy() string {
	var ids []string
	if f.Help != "" {
		ids = append(ids, f.ID+"-help")
	}
	if f.Error != "" {
		ids = append(ids, f.ID+"-error")
	}
	return strings.Join(ids, " ")
}

func (f Field) rows() int {
	if f.Rows == 0 {
		return 3
	}
	return f.Rows
}

// Option is one choice of a select or of a group of checkboxes.
type Option struct {
	Value    string
	Label    string
	Selected bool
}

// EmptyState is what a list shows when it has nothing: what would be here, and what to do next.
type EmptyState struct {
	Title  string
	Text   string
	Action Link // optional
}

// Notice is one message to the person.
type Notice struct {
	Tone  Tone
	Title string // optional
	Text  string
}

// timeLayout is used until the browser rewrites the time in the person's own zone.
const timeLayout = "2 Jan 2006, 15:04 UTC"

func timeText(t time.Time) string {
	return t.UTC().Format(timeLayout)
}

func timeISO(t time.Time) string {
	return t.UTC().Format(time.RFC3339)
}

func initial(name string) string {
	for _, segment := range Segments(name) {
		if r, _ := utf8.DecodeRuneInString(segment.Raw); !segment.Flagged {
			return string(r)
		}
	}
	return "·"
}
