// Package agents shows the tenant's agents and the pages on which one is edited: instructions,
// rules, tools and versions. The test chat is the same agent's tab in package chat.
package agents

import (
	"strconv"
	"time"

	"github.com/agentstudio/agentstudio/views/layout"
	"github.com/agentstudio/agentstudio/views/ui"
)

// Agent is what every page of one agent shows in its head.
type Agent struct {
	ID        string // URL segment
	Name      string
	Version   int       // sent back as expected_version by every form
	Marks     []ui.Mark // "Live v4", "Draft differs"
	State     string    // "Everyone in Acme can test"
	RuleCount int
	ToolCount int
	ReadOnly  string // why this person cannot edit; empty when they can
}

// SharingView is the page on which an agent is shared and deleted.
type SharingView struct {
	Shell   layout.Shell
	Agent   Agent
	Now     string          // who sees it at present, in words
	Choices []SharingChoice // none where there is nobody to share with
	Groups  []ui.Option     // that can be chosen
	Error   string          // about the groups
	Unsure  string          // about the deletion
}

// SharingChoice is one answer to who sees an agent.
type SharingChoice struct {
	Value    string
	Label    string
	Help     string
	Selected bool
}

// Tab is a page of one agent.
type Tab string

// The pages of an agent.
const (
	Chat         Tab = "chat"
	Instructions Tab = "instructions"
	Rules        Tab = "rules"
	Tools        Tab = "tools"
	Versions     Tab = "versions"
)

// Head is the page head of an agent with the given tab selected, or none: the
// page of its sharing.
func Head(site ui.Site, a Agent, selected Tab) layout.Head {
	tab := func(t Tab, label string, count int) layout.Tab {
		return layout.Tab{
			Label: label, Count: count, Selected: t == selected,
			Href: site.URL("agents", a.ID, string(t)),
		}
	}
	return layout.Head{
		Area:   layout.Agents,
		Title:  a.Name,
		Crumbs: []ui.Link{{Text: "Agents", Href: site.URL("agents")}},
		Marks:  a.Marks,
		State:  a.State,
		Actions: []layout.Action{{
			Label: "Sharing", Href: site.URL("agents", a.ID, "sharing"), Dialog: true, Current: selected == "",
		}},
		Tabs: []layout.Tab{
			tab(Chat, "Test chat", 0),
			tab(Instructions, "Instructions", 0),
			tab(Rules, "Rules", a.RuleCount),
			tab(Tools, "Tools", a.ToolCount),
			tab(Versions, "Versions", 0),
		},
	}
}

// ListView is the list of agents.
type ListView struct {
	Shell     layout.Shell
	Agents    []Row
	CanCreate bool
}

// Row is one agent in the list.
type Row struct {
	ID          string
	Name        string
	Description string
	Owner       string
	Visible     string // who can see it, in words
	Version     int
	Updated     time.Time
	Health      ui.Mark // "Ready", "2 tools unavailable"
}

// NewView is the page that creates an agent.
type NewView struct {
	Shell layout.Shell
	Form  Form
}

// InstructionsView is the tab on which the agent's own text and model are edited.
type InstructionsView struct {
	Shell layout.Shell
	Agent Agent
	Form  Form
}

// Form holds the values of an agent's own fields, as typed. Errors maps a field's name ("name",
// "description", "instructions", "model", "effort") to a sentence.
type Form struct {
	Name         string
	Description  string
	Instructions string
	Models       []ui.Option
	Efforts      []ui.Option
	Review       bool
	Errors       map[string]string
}

// RulesView is the tab with the agent's rules. Form is nil while none is being edited.
type RulesView struct {
	Shell        layout.Shell
	Agent        Agent
	Policies     []Rule
	Observations []Rule
	Form         *RuleForm
}

// Kind tells the two kinds of rules apart.
type Kind string

// The kinds of rules.
const (
	Policy      Kind = "policy"
	Observation Kind = "observation"
)

// Rule is one rule in the list.
type Rule struct {
	ID        string
	Title     string // policies only
	Content   string // policies only
	Condition string
	Tools     []string
	Weight    string // "LOW", "MEDIUM", "HIGH"
	Review    bool
	Always    bool
	Problem   string // for example that a tool is not assigned any more
}

// RuleForm is the rule being added (ID is empty) or edited. Errors maps a field's name
// ("title", "content", "condition", "tools", "weight") to a sentence.
type RuleForm struct {
	ID        string
	Kind      Kind
	Title     string
	Content   string
	Condition string
	Tools     []ui.Option
	Weight    string
	Review    bool
	Always    bool
	Errors    map[string]string
}

// ToolsView is the tab on which toolkits are assigned.
type ToolsView struct {
	Shell    layout.Shell
	Agent    Agent
	Toolkits []Toolkit
}

// Toolkit is one toolkit of the catalogue.
type Toolkit struct {
	Slug        string
	Name        string
	Description string
	Source      string
	Assigned    bool
	Unavailable string // why it cannot be used now; empty when it can
	Methods     []Method
	Setup       *Setup // nil where there is nothing to set up
}

// Method is one callable of a toolkit.
type Method struct {
	Slug          string
	Description   string
	Write         bool
	Consequential bool
}

// VersionsView is the tab with the agent's history, newest first.
type VersionsView struct {
	Shell    layout.Shell
	Agent    Agent
	Versions []Version
}

// Version is one saved state.
type Version struct {
	Number int
	At     time.Time
	By     string
	Note   string
	Live   bool
}

// weights are the choices of a rule's weight.
func weights() []ui.Option {
	return []ui.Option{
		{Value: "LOW", Label: "Low"}, {Value: "MEDIUM", Label: "Medium"}, {Value: "HIGH", Label: "High"},
	}
}

func (f RuleForm) heading() string {
	verb := "Edit"
	if f.ID == "" {
		verb = "Add"
	}
	if f.Kind == Observation {
		return verb + " an observation"
	}
	return verb + " a policy"
}

func (f RuleForm) action(site ui.Site, a Agent) string {
	if f.ID == "" {
		return site.URL("agents", a.ID, "rules")
	}
	return site.URL("agents", a.ID, "rules", f.ID)
}

func assigned(toolkits []Toolkit, want bool) []Toolkit {
	var kept []Toolkit
	for _, toolkit := range toolkits {
		if toolkit.Assigned == want {
			kept = append(kept, toolkit)
		}
	}
	return kept
}

func version(n int) string { return "v" + strconv.Itoa(n) }
