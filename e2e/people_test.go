package e2e_test

import (
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/e2e"
)

const password = "seven green bottles and a wall"

// TestPeopleInABrowser makes a tenant on the command line, joins it as its first
// admin, invites somebody, changes their role and removes them.
func TestPeopleInABrowser(t *testing.T) {
	t.Parallel()
	s := e2e.Start(t, os.Getenv(programVariable), "AGENTSTUDIO_NO_DEMO=true")
	link, err := s.Run("tenant", "create", "initech", "--name", "Initech", "--admin", "boss@initech.test")
	require.NoError(t, err)
	_, err = s.Run("tenant", "create", "initech", "--name", "Again", "--admin", "boss@initech.test")
	require.Error(t, err)
	listed, err := s.Run("tenant", "list")
	require.NoError(t, err)
	require.Equal(t, "initech\tInitech", listed)

	b := e2e.Browse(t, s)
	b.Open("/studio/sign-in")
	b.Sees("h2", "Sign in")
	wellMade(t, b, "01-sign-in")
	b.Open(pathOf(t, link))
	b.Sees("h1", "Join Initech")
	wellMade(t, b, "02-join")
	join(b, "Bea Boss", "", "password1234")
	b.Sees("main", "most common")
	b.Type("#password", password)
	b.Click("button.primary")
	b.Sees("h1", "Home")
	b.Click(".menu summary")
	wellMade(t, b, "03-menu")
	b.Click(".menu a[href$='/members']")
	b.Type("#group-name", "night")
	b.Click("form[action$='/groups'] button")
	b.Sees("main", "0 members")
	b.Type("#invite-email", "sam@initech.test")
	b.Click("form[action$='/invitations'] button")
	b.Sees("main", "shown once")
	wellMade(t, b, "04-members")
	invited := b.Text("#once")

	sam := e2e.Browse(t, s)
	sam.Open(pathOf(t, invited))
	join(sam, "Sam", "", password)
	sam.Sees("h1", "Home")
	sam.Open(pathOf(t, invited))
	sam.Sees("main", "does not exist")

	b.Open("/studio/t/initech/members")
	b.Sees("main", "sam@initech.test")
	row := "li:has(form[action*='/members/']):not(:has(.badge))"
	b.Click(row + " summary")
	b.Do(chromedp.SetValue(chromedp.CSS(row+" select"), "author"))
	b.Click(row + " button.primary")
	b.Sees("main", "in force already")
	sam.Open("/studio/t/initech/agents")
	sam.Sees("main", "New agent")
	b.Open("/studio/t/initech/members")
	b.Click(row + " summary")
	wellMade(t, b, "05-change")
	b.Click(row + " .danger-text")
	b.Sees("main", "in force already")
	sam.Open("/studio/t/initech/agents")
	sam.Sees("main", "another tenant")

	b.Open("/studio/t/initech/tokens")
	b.Type("#name", "Reports")
	b.Click("#permission-tools\\.execute")
	b.Click("form[action$='/tokens'] button.primary")
	b.Sees("main", "shown once")
	wellMade(t, b, "06-tokens")
	require.Equal(t, 2, strings.Count(b.Text("#once"), "."))
	b.Open("/studio/profile")
	b.Sees("main", "This one")
	wellMade(t, b, "07-profile")
}

// join fills in the page of an invitation.
func join(b *e2e.Browser, name, email, secret string) {
	b.Type("#name", name)
	if email != "" {
		b.Type("#email", email)
	}
	b.Type("#password", secret)
	b.Click("form:has(#password) button.primary")
}

func pathOf(t *testing.T, link string) string {
	t.Helper()
	u, err := url.Parse(link)
	require.NoError(t, err)
	return u.RequestURI()
}

// TestPeopleRoutes asks every page of people as everybody.
func TestPeopleRoutes(t *testing.T) {
	t.Parallel()
	s := start(t)
	admin, viewer := s.SignIn("admin@acme.test"), s.SignIn("viewer@acme.test")
	support, globex, nobody := s.SignIn("support@acme.test"), s.SignIn("admin@globex.test"), s.Visitor()
	const acme = "/studio/t/acme"
	for _, c := range []struct {
		method, path string
		form         url.Values
		admin, other int // other members
	}{
		{"GET", "/members", nil, 200, 403},
		{"GET", "/tokens", nil, 200, 200},
		{"POST", "/members/none", url.Values{"role": {"admin"}}, 404, 403},
		{"POST", "/members/none/remove", nil, 404, 403},
		{"POST", "/invitations", url.Values{"role": {"nonsense"}}, 422, 403},
		{"POST", "/invitations/none/revoke", nil, 404, 403},
		{"POST", "/groups", url.Values{"name": {""}}, 422, 403},
		{"POST", "/groups/delete", url.Values{"name": {"none"}}, 303, 403},
		{"POST", "/tokens", url.Values{"name": {""}, "days": {"30"}}, 422, 422},
		{"POST", "/tokens", url.Values{"name": {"x"}, "days": {"91"}, "permissions": {"tools.execute"}}, 422, 422},
		{"POST", "/tokens", url.Values{"name": {"x"}, "days": {"1"}, "permissions": {"audit.read"}}, 422, 422},
		{"POST", "/tokens", url.Values{"name": {"x"}, "days": {"1"}, "permissions": {"tools.execute"}, "for": {"somebody"}}, 403, 403},
		{"POST", "/tokens/none/revoke", nil, 404, 404},
		{"POST", "/accounts", url.Values{"name": {"Robot"}, "role": {"admin"}}, 422, 403},
		{"POST", "/accounts/none/remove", nil, 404, 403},
	} {
		ask := func(p *e2e.Person) int {
			if c.method == "GET" {
				return p.Get(acme + c.path).Status
			}
			return p.Post(acme+c.path, c.form).Status
		}
		require.Equal(t, c.admin, ask(admin), "%s %s as an admin", c.method, c.path)
		require.Equal(t, c.other, ask(viewer), "%s %s as a viewer", c.method, c.path)
		require.Equal(t, c.other, ask(support), "%s %s as an author", c.method, c.path)
		require.Equal(t, http.StatusForbidden, ask(globex), "%s %s as another tenant's admin", c.method, c.path)
		require.Equal(t, http.StatusSeeOther, ask(nobody), "%s %s as nobody: to sign in", c.method, c.path)
	}
	program := s.Program("acme", "admin@acme.test")
	for _, page := range []string{"/members", "/tokens", "/agents"} {
		r, err := http.NewRequest(http.MethodGet, s.URL+acme+page, nil)
		require.NoError(t, err)
		r.Header.Set("Authorization", "Bearer "+program.Token)
		require.Equal(t, http.StatusForbidden, nobody.Do(r).Status, "a token opens no page")
	}
}

// TestTokenOfAServiceAccount makes one on the page and calls with it, until it is
// revoked.
func TestTokenOfAServiceAccount(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *e2e.Server) {
		admin := s.SignIn("admin@acme.test")
		const tokens = "/studio/t/acme/tokens"
		require.Equal(t, 303, admin.Post("/studio/t/acme/accounts", url.Values{"name": {"Warehouse"}, "role": {"author"}}).Status)
		robot := admin.Get(tokens).Page(t).Find(`option:contains("Warehouse")`).AttrOr("value", "")
		require.NotEmpty(t, robot)
		made := admin.Post(tokens, url.Values{
			"name": {"Nightly"}, "days": {"1"}, "for": {robot}, "permissions": {"tools.catalogue"},
		})
		require.Equal(t, 200, made.Status, made.Body)
		caller := s.Program("acme", "admin@acme.test")
		caller.Token = made.Page(t).Find("#once").Text()
		me := caller.Read("/acme/me").JSON(t)
		require.Equal(t, robot, me["user_id"])
		require.Equal(t, []any{"tools.catalogue"}, me["permissions"])
		require.Equal(t, 200, caller.Read("/acme/catalog/tools").Status)
		refused := caller.Call("/acme/tools/fs_export/execute", `{`)
		require.Equal(t, 403, refused.Status)
		require.Equal(t, "permission_denied", refused.JSON(t)["code"])
		require.Equal(t, 403, caller.Read("/acme/agents").Status)
		require.Equal(t, 403, caller.Read("/globex/catalog/tools").Status)
		again := admin.Get(tokens)
		require.NotContains(t, again.Body, strings.Split(caller.Token, ".")[2], "it is shown once")
		revoke := again.Page(t).Find(`li:contains("Nightly") form`).AttrOr("action", "")
		require.Equal(t, 303, admin.Post(revoke, nil).Status)
		require.Equal(t, 401, caller.Read("/acme/catalog/tools").Status)
	})
}

// TestSigningInEndsWhatTheBrowserHad signs in twice with one browser.
func TestSigningInEndsWhatTheBrowserHad(t *testing.T) {
	t.Parallel()
	s := start(t)
	person := s.SignIn("viewer@acme.test")
	before := person.Cookie()
	require.Equal(t, http.StatusSeeOther, person.Post("/studio/sign-in/demo", url.Values{"user": {"admin@acme.test"}}).Status)
	require.NotEqual(t, before.Value, person.Cookie().Value)
	r, err := http.NewRequest(http.MethodGet, s.URL+"/studio/t/acme/agents", nil)
	require.NoError(t, err)
	r.AddCookie(&http.Cookie{Name: before.Name, Value: before.Value})
	require.Equal(t, http.StatusSeeOther, s.Visitor().Do(r).Status, "the cookie of before is worth nothing")
	require.Equal(t, http.StatusOK, person.Get("/studio/t/acme/members").Status)
}
