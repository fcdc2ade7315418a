package agents

import (
	"github.com/agentstudio/agentstudio/views/layout"
	"github.com/agentstudio/agentstudio/views/ui"
)

// Setup is how a toolkit is set up, in one line.
type Setup struct {
	Text  string // "2 of 3 set"
	Marks []ui.Mark
}

// ToolkitView is the page on which one toolkit of an agent is set up. Where the
// agent cannot be edited, or the toolkit not used, it only shows how.
type ToolkitView struct {
	Shell   layout.Shell
	Agent   Agent
	Toolkit Toolkit
	Params  []Param // that people set, in the host's order
	Managed []Managed
	Own     *OwnForm // nil where nothing is left to each user
}

// OwnForm is what a person sets for their own calls only.
type OwnForm struct {
	Params  []Param
	Set     bool     // whether they have set anything
	Ignored []string // what they set earlier and may not set any more
}

// Control is what a parameter is set with.
type Control string

// The controls. The zero value is a line of text.
const (
	TextLine Control = ""
	Number   Control = "number"
	Day      Control = "date"
	Clock    Control = "time"
	Moment   Control = "datetime-local"
	Email    Control = "email"
	Address  Control = "url"
	Secret   Control = "password"
	Block    Control = "block"  // text of several lines
	Choice   Control = "choice" // one of Options
)

// Param is one parameter of a toolkit, as a field of a form and as text. It
// never holds a secret: Value of one that is stored is the mask.
type Param struct {
	ID          string // of the control
	Field       string // name in the form
	Name        string // as the host calls it
	Label       string
	About       string // what it is for
	Help        string // the same, and what may be typed
	Error       string
	Focus       bool // whether it has the first error of the page
	Control     Control
	Value       string
	Placeholder string
	Min         string
	Max         string
	Step        string
	Options     []ui.Option
	Required    bool
	Schema      string // for people who write JSON, indented
	Choices     string // address of the choices that the toolkit computes
	Overridable bool   // whether each user may set it

	Shown string // what counts, in words
	Set   bool   // whether Shown was set here, and is no default
}

// Managed is a parameter that only the server fills.
type Managed struct {
	Name  string
	Label string
	Help  string
	Error string
}

// Choices are what a toolkit offers for one parameter.
type Choices struct {
	ID      string // of the control that takes one
	Label   string // of the parameter
	Lines   bool   // whether the control takes several, one on each line
	Options []ui.Option
	Error   string // why there are none
}

// ChoicesView is the page with the choices for browsers without the script.
type ChoicesView struct {
	Shell   layout.Shell
	Agent   Agent
	Toolkit Toolkit
	Choices Choices
}

func (p Param) field() ui.Field {
	f := ui.Field{
		ID: p.ID, Name: p.Field, Label: p.Label, Help: p.Help, Error: p.Error, Value: p.Value,
		Placeholder: p.Placeholder, Focus: p.Focus,
	}
	if p.Required {
		f.Mark = "required"
	}
	return f
}

func (p Param) rows() int {
	if p.Schema != "" {
		return 6
	}
	return 3
}

// readers reports whether the page only shows how the toolkit is set up.
func (v ToolkitView) readers() bool { return v.Agent.ReadOnly != "" || v.Toolkit.Unavailable != "" }

func attention(params []Param) int {
	count := 0
	for _, p := range params {
		if p.Error != "" {
			count++
		}
	}
	return count
}
