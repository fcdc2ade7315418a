package e2e_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/e2e"
)

// orders returns the demo host's own page for a tenant.
func orders(t *testing.T, s *e2e.Server, tenant string) string {
	t.Helper()
	response, err := http.Get(s.URL + "/orders?tenant=" + tenant)
	require.NoError(t, err)
	defer response.Body.Close() //nolint:errcheck // Nothing is lost with it.
	require.Equal(t, http.StatusOK, response.StatusCode)
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return string(body)
}

// card reads the hidden fields of an approval's card.
func card(t *testing.T, p *e2e.Person, id string) url.Values {
	t.Helper()
	answer := p.Get(p.Home + "/approvals/" + id)
	require.Equal(t, http.StatusOK, answer.Status, answer.Body)
	page := answer.Page(t)
	form := url.Values{}
	for _, name := range []string{"nonce", "hash"} {
		value, ok := page.Find("form input[name=" + name + "]").First().Attr("value")
		require.True(t, ok, "the card has no %s", name)
		form.Set(name, value)
	}
	return form
}

// decide sends a decision as the card's form would, and expects it to count.
func decide(t *testing.T, p *e2e.Person, id, decision string) {
	t.Helper()
	answer := p.Post(p.Home+"/approvals/"+id+"/"+decision, card(t, p, id))
	require.Equal(t, http.StatusSeeOther, answer.Status, answer.Body)
}

// chat is a conversation with the order desk.
type chat struct {
	t    *testing.T
	p    *e2e.Person
	path string
	id   string
}

// talk starts a conversation.
func talk(t *testing.T, p *e2e.Person) *chat {
	t.Helper()
	answer := p.Post(p.Home+"/agents/order-desk/sessions", nil)
	require.Equal(t, http.StatusSeeOther, answer.Status, answer.Body)
	path := answer.Header.Get("Location")
	return &chat{t: t, p: p, path: path, id: path[strings.LastIndex(path, "/")+1:]}
}

// say sends a message.
func (c *chat) say(text string) {
	c.t.Helper()
	answer := c.p.Post(c.p.Home+"/sessions/"+c.id+"/messages", url.Values{"text": {text}})
	require.Equal(c.t, http.StatusSeeOther, answer.Status, answer.Body)
}

// until waits until the conversation's page holds text.
func (c *chat) until(text string) {
	c.t.Helper()
	require.Eventually(c.t, func() bool {
		return strings.Contains(c.p.Get(c.path).Body, text)
	}, 30*time.Second, 50*time.Millisecond, "waiting for %q in %s", text, c.path)
}

// waiting waits for a call that waits for a person and returns its approval.
func (c *chat) waiting() string {
	c.t.Helper()
	var id string
	require.Eventually(c.t, func() bool {
		page := c.p.Get(c.p.Home + "/approvals").Page(c.t)
		href, ok := page.Find(`main a[href*="/approvals/"]`).First().Attr("href")
		id = href[strings.LastIndex(href, "/")+1:]
		return ok && len(id) == 36
	}, 30*time.Second, 50*time.Millisecond, "no call waits")
	return id
}

const cancelOrder = "cancel order A-1002, the customer changed their mind"

func TestApproveRunsOnce(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *e2e.Server) {
		admin := s.SignIn("admin@acme.test")
		conversation := talk(t, admin)
		conversation.say(cancelOrder)
		id := conversation.waiting()
		require.NotContains(t, orders(t, s, "acme"), "the customer changed their mind", "nothing ran yet")

		form := card(t, admin, id)
		answers := race(20, func() string { // a very fast double click
			return http.StatusText(admin.Post(admin.Home+"/approvals/"+id+"/approve", form).Status)
		})
		require.Equal(t, map[string]int{"See Other": 20}, answers, "the same decision again changes nothing")
		conversation.until("A-1002 is cancelled")
		page := orders(t, s, "acme")
		require.Equal(t, 1, strings.Count(page, "the customer changed their mind"), "cancelled once")
		require.NotContains(t, orders(t, s, "globex"), "the customer changed their mind")

		late := admin.Post(admin.Home+"/approvals/"+id+"/deny", form)
		require.Equal(t, http.StatusConflict, late.Status, "the opposite decision comes too late")

		activity := admin.Get(admin.Home + "/activity").Page(t).Find("main table").Text()
		for _, part := range []string{"Ada Admin", "cancel_order", "Asked for", "Approved", "Ran once"} {
			require.Contains(t, activity, part)
		}
	})
}

func TestDenyChangesNothing(t *testing.T) {
	t.Parallel()
	s := start(t)
	admin := s.SignIn("admin@acme.test")
	conversation := talk(t, admin)
	conversation.say(cancelOrder)
	id := conversation.waiting()
	form := card(t, admin, id)
	form.Set("reason", "wrong customer")
	require.Equal(t, http.StatusSeeOther, admin.Post(admin.Home+"/approvals/"+id+"/deny", form).Status)
	conversation.until("wrong customer")
	conversation.until("denied")
	require.NotContains(t, orders(t, s, "acme"), "the customer changed their mind")
	approve := admin.Post(admin.Home+"/approvals/"+id+"/approve", form)
	require.Equal(t, http.StatusConflict, approve.Status)
	require.NotContains(t, orders(t, s, "acme"), "the customer changed their mind")
}

func TestRestartWhileWaiting(t *testing.T) {
	t.Parallel()
	s := start(t)
	admin := s.SignIn("admin@acme.test")
	conversation := talk(t, admin)
	conversation.say(cancelOrder)
	id := conversation.waiting()
	form := card(t, admin, id)

	s.Kill()
	s.Restart()
	require.Equal(t, http.StatusSeeOther, admin.Post(admin.Home+"/approvals/"+id+"/approve", form).Status)
	conversation.until("A-1002 is cancelled")
	require.Equal(t, 1, strings.Count(orders(t, s, "acme"), "the customer changed their mind"))
}

func TestNobodyElseDecides(t *testing.T) {
	t.Parallel()
	s := start(t)
	admin := s.SignIn("admin@acme.test")
	conversation := talk(t, admin)
	conversation.say(cancelOrder)
	id := conversation.waiting()
	form := card(t, admin, id)

	for name, stranger := range map[string]*e2e.Person{
		"another tenant's admin":   s.SignIn("admin@globex.test"),
		"a member who did not ask": s.SignIn("support@acme.test"),
	} {
		for _, path := range []string{stranger.Home + "/approvals/" + id, stranger.Home + "/approvals/" + id + "/card"} {
			require.Equal(t, http.StatusNotFound, stranger.Get(path).Status, name)
		}
		require.Equal(t, http.StatusNotFound, stranger.Post(stranger.Home+"/approvals/"+id+"/approve", form).Status, name)
		require.Equal(t, http.StatusNotFound, stranger.Get(stranger.Home+"/sessions/"+conversation.id+"/events").Status, name)
	}
	globex := s.SignIn("admin@globex.test")
	require.Equal(t, http.StatusForbidden, globex.Get("/studio/t/acme/approvals/"+id).Status, "the wrong tenant's address")

	// A token of the very person who may decide in a browser decides nothing.
	token := s.Program("acme", "admin@acme.test").Token
	request, err := http.NewRequest(http.MethodPost, s.URL+"/studio/t/acme/approvals/"+id+"/approve", strings.NewReader(form.Encode()))
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("HX-Request", "true")
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, http.StatusForbidden, response.StatusCode)

	// A form of another site is refused before anything is read.
	request, err = http.NewRequest(http.MethodPost, s.URL+admin.Home+"/approvals/"+id+"/approve", strings.NewReader(form.Encode()))
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Sec-Fetch-Site", "cross-site")
	require.Equal(t, http.StatusForbidden, admin.Do(request).Status)

	// A card that was changed meanwhile does not count.
	for _, field := range []string{"nonce", "hash"} {
		forged := url.Values{"nonce": form["nonce"], "hash": form["hash"]}
		forged.Set(field, "0000")
		request, err := http.NewRequest(http.MethodPost, s.URL+admin.Home+"/approvals/"+id+"/approve", strings.NewReader(forged.Encode()))
		require.NoError(t, err)
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		request.Header.Set("HX-Request", "true")
		require.Equal(t, http.StatusConflict, admin.Do(request).Status, field)
	}
	// GET never decides.
	require.NotEqual(t, http.StatusSeeOther, admin.Get(admin.Home+"/approvals/"+id+"/approve").Status)
	require.NotContains(t, orders(t, s, "acme"), "the customer changed their mind")
	require.Contains(t, admin.Get(admin.Home+"/approvals/"+id).Body, "Approve")
}

func TestStopAndNewMessageCancelWhatWaits(t *testing.T) {
	t.Parallel()
	s := start(t)
	admin := s.SignIn("admin@acme.test")
	conversation := talk(t, admin)
	conversation.say(cancelOrder)
	first := conversation.waiting()
	form := card(t, admin, first)
	conversation.say("show order A-1002")
	conversation.until("pending")
	require.Equal(t, http.StatusConflict, admin.Post(admin.Home+"/approvals/"+first+"/approve", form).Status)
	require.NotContains(t, orders(t, s, "acme"), "the customer changed their mind")

	conversation.say(cancelOrder)
	second := conversation.waiting()
	require.NotEqual(t, first, second)
	form = card(t, admin, second)
	require.Equal(t, http.StatusSeeOther, admin.Post(admin.Home+"/sessions/"+conversation.id+"/stop", nil).Status)
	require.Equal(t, http.StatusConflict, admin.Post(admin.Home+"/approvals/"+second+"/approve", form).Status)
	require.NotContains(t, orders(t, s, "acme"), "the customer changed their mind")
}
