package e2e_test

import (
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/e2e"
)

// signIn signs one of the demo's people in with the page's button.
func signIn(b *e2e.Browser, email string) {
	b.Open("/")
	b.Click(`form:has(input[name="user"][value="` + email + `"]) button`)
	b.Sees("h1", "Home")
}

// openDesk opens the order desk from the list of agents and starts a chat.
func openDesk(b *e2e.Browser) {
	b.Click(`nav a[href$="/agents"]`)
	b.Click(`main a[href*="/agents/order-desk"]`)
	b.Click(`main form[action$="/sessions"] button`)
	b.Do(chromedp.WaitVisible(chromedp.CSS("#say")))
}

// ask writes a message and sends it with Enter.
func ask(b *e2e.Browser, text string) {
	b.Type("#say", text+"\r")
}

const (
	dialogCard = "dialog[open] .card"
	approveIt  = dialogCard + " form[action$='/approve'] button"
)

// axe returns the serious findings of axe-core on the page as it is.
func axe(t *testing.T, b *e2e.Browser) []string {
	t.Helper()
	script, err := os.ReadFile("testdata/axe/axe.min.js")
	require.NoError(t, err)
	e2e.Value[bool](b, string(script)+"; true")
	return e2e.Value[[]string](b, `axe.run().then(r => r.violations
		.filter(v => ["serious", "critical"].includes(v.impact))
		.map(v => v.id + ": " + v.nodes.map(n => n.html).join(" | ")))`)
}

// wellMade looks at a page as a person would: light and dark, wide and narrow,
// without serious accessibility findings or sideways scrolling.
func wellMade(t *testing.T, b *e2e.Browser, name string) {
	t.Helper()
	b.Shots(name)
	require.Empty(t, axe(t, b), name)
	b.Size(360, 740)
	require.False(t, e2e.Value[bool](b, "document.documentElement.scrollWidth > 360"), "%s scrolls sideways at 360 px", name)
	b.Dark(true)
	require.Empty(t, axe(t, b), "%s, narrow and dark", name)
	b.Dark(false)
	b.Size(1280, 900)
}

func TestStoryInABrowser(t *testing.T) {
	t.Parallel()
	s := start(t)
	b := e2e.Browse(t, s)
	b.Open("/")
	wellMade(t, b, "01-sign-in")
	signIn(b, "admin@acme.test")
	wellMade(t, b, "02-home")
	openDesk(b)
	wellMade(t, b, "03-new-chat")

	ask(b, "cancel order A-1002, the customer changed their mind")
	b.Sees(dialogCard, "A-1002")
	b.Sees(dialogCard, "the customer changed their mind")
	b.Sees(dialogCard, "Nothing has run yet")
	require.True(t, e2e.Value[bool](b, "!document.activeElement.matches('button')"), "no button has the focus at first")
	require.True(t, e2e.Value[bool](b, "document.querySelector(`"+approveIt+"`).disabled"), "Approve cannot be pressed at once")
	require.NotContains(t, orders(t, s, "acme"), "the customer changed their mind")
	wellMade(t, b, "04-card")

	b.Do(chromedp.WaitEnabled(chromedp.CSS(approveIt)))
	b.Do(chromedp.DoubleClick(chromedp.CSS(approveIt)))
	b.Sees(".log", "A-1002 is cancelled")
	require.Equal(t, 1, strings.Count(orders(t, s, "acme"), "the customer changed their mind"))
	require.Empty(t, b.Text("dialog[open]"), "the dialog makes room for the answer")
	wellMade(t, b, "05-approved")

	b.Open("/orders?tenant=acme")
	b.Sees("body", "the customer changed their mind")
	b.Shots("06-host-orders")
	b.Open("/studio/t/acme/activity")
	b.Sees("main", "Ada Admin")
	b.Sees("main", "cancel_order")
	wellMade(t, b, "07-activity")
	b.Open("/studio/t/acme/approvals?state=settled")
	wellMade(t, b, "08-approvals-settled")

	other := e2e.Browse(t, s)
	signIn(other, "admin@globex.test")
	for _, path := range []string{"/approvals?state=settled", "/activity", "/agents/order-desk/chat"} {
		other.Open("/studio/t/globex" + path)
		require.NotContains(t, other.Text("body"), "changed their mind", path)
	}
	other.Open("/studio/t/acme")
	other.Sees("body", "another tenant")
	other.Shots("09-wrong-tenant")
}

func TestDenyInABrowser(t *testing.T) {
	t.Parallel()
	s := start(t)
	b := e2e.Browse(t, s)
	signIn(b, "admin@acme.test")
	openDesk(b)
	ask(b, "refund 20.50 EUR for order A-1003 because it arrived damaged")
	b.Sees(dialogCard, "20.5")
	wellMade(t, b, "01-card")
	b.Click(dialogCard + " details.deny summary")
	b.Type(dialogCard+" textarea", "wrong order")
	b.Shots("02-deny")
	b.Click(dialogCard + " form[action$='/deny'] button")
	b.Sees(".log", "wrong order")
	b.Sees(".log", "denied")
	wellMade(t, b, "03-denied")
	require.NotContains(t, orders(t, s, "acme"), "it arrived damaged")
}

// TestPagesAreWellMade looks at every page that the story does not pass.
func TestPagesAreWellMade(t *testing.T) {
	t.Parallel()
	s := start(t)
	b := e2e.Browse(t, s)
	signIn(b, "admin@acme.test")
	for name, path := range map[string]string{
		"agents": "/agents", "agent-new": "/agents/new", "agent-chat": "/agents/order-desk/chat",
		"agent-instructions": "/agents/order-desk/instructions", "agent-rules": "/agents/order-desk/rules",
		"agent-rule-new": "/agents/order-desk/rules?new=policy", "agent-tools": "/agents/order-desk/tools",
		"agent-versions": "/agents/order-desk/versions", "approvals": "/approvals", "tools": "/tools",
		"activity": "/activity", "nothing-here": "/agents/nobody/chat",
	} {
		b.Open("/studio/t/acme" + path)
		wellMade(t, b, name)
	}
	viewer := e2e.Browse(t, s)
	signIn(viewer, "viewer@acme.test")
	viewer.Open("/studio/t/acme/agents/order-desk/instructions")
	wellMade(t, viewer, "viewer-instructions")
	viewer.Open("/studio/t/acme/activity")
	viewer.Sees("main", "admin")
}
