// Package layout is the frame around every page: the rail with the areas and the tenant, the
// page head with crumbs, title, state and tabs, and the notices above the content.
package layout

import (
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/views/ui"
)

// Area is an entry of the rail.
type Area string

// The areas of the rail, in its order.
const (
	Home      Area = "home"
	Agents    Area = "agents"
	Approvals Area = "approvals"
	Tools     Area = "tools"
	Activity  Area = "activity"
)

// Shell is what every signed-in page needs. It is filled once per request.
type Shell struct {
	Site       ui.Site
	TenantName string
	Role       string // the person's role in this tenant, in words
	Person     string // name to show
	Waiting    int    // approvals that wait for this person
	Notices    []ui.Notice
	Menu       []ui.Link // what the person finds under their name; empty for no menu
	NoSignOut  bool      // true where the host signs people in and out
}

// RoleName is what people call a role.
func RoleName(role models.Role) string {
	switch role {
	case models.RoleAdmin:
		return "Admin"
	case models.RoleAuthor:
		return "Author"
	default:
		return "Member"
	}
}

// Head is the top of a page.
type Head struct {
	Area    Area
	Crumbs  []ui.Link // the way here; without the page itself
	Title   string
	Marks   []ui.Mark // short facts about the state
	State   string    // one line of state in words
	Tabs    []Tab
	Actions []Action // at most two
}

// Tab is one view of the same thing. Count is shown beside the label when it is positive.
type Tab struct {
	Label    string
	Href     string
	Count    int
	Selected bool
}

// Action is a button of the page head: a link, or a form without fields when Post is set.
type Action struct {
	Label   string
	Href    string
	Post    bool
	Primary bool
	Dialog  bool // the script shows the part of that page that is marked for it in a dialog
	Current bool // the page that it leads to is shown
}

// entry is one line of the rail.
type entry struct {
	area  Area
	label string
	path  string
}

func entries() []entry {
	return []entry{
		{Home, "Home", ""},
		{Agents, "Agents", "agents"},
		{Approvals, "Approvals", "approvals"},
		{Tools, "Tools", "tools"},
		{Activity, "Activity", "activity"},
	}
}

func (e entry) href(site ui.Site) string {
	if e.path == "" {
		return site.URL()
	}
	return site.URL(e.path)
}

// documentTitle names a page in the browser. It can hold no marks, so hidden characters are named.
func documentTitle(title, tenant string) string {
	if tenant == "" {
		return ui.Plain(title) + " · Agent Studio"
	}
	return ui.Plain(title) + " · " + ui.Plain(tenant) + " · Agent Studio"
}

// htmxConfig keeps htmx within the Content-Security-Policy: no style of its own, none copied to
// new elements while they settle, only same-origin requests, no history. No page uses the
// attributes for which it would evaluate text.
const htmxConfig = `{"includeIndicatorCSS":false,"defaultSettleDelay":0,"history":false,"mode":"same-origin"}`
