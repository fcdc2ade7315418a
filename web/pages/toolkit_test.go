package pages_test

import (
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/studio/agents"
)

const (
	desk   = "/t/acme/agents/desk/tools/hd_desk"
	secret = "hunter2-of-the-desk"
)

// desked is a site with an agent of Ada's, desk, that has the toolkit hd_desk
// in version 2.
func desked(t *testing.T) site {
	t.Helper()
	s := mounted(t)
	require.Equal(t, http.StatusSeeOther, s.ask(t, http.MethodPost, "/t/acme/agents", "name=Desk").status)
	require.Equal(t, http.StatusSeeOther, s.ask(t, http.MethodPost, desk+"/assign", "expected_version=1").status)
	return s
}

// share lets everybody in acme see the desk, as of its third version.
func (s site) share(t *testing.T) {
	t.Helper()
	shared := s.ask(t, http.MethodPost, "/t/acme/agents/desk/sharing", "expected_version=3&visibility=tenant")
	require.Equal(t, http.StatusSeeOther, shared.status)
}

// page asks for a page and checks its status.
func (s site) page(t *testing.T, path string, status int) *goquery.Document {
	t.Helper()
	got := s.ask(t, http.MethodGet, path, "")
	require.Equal(t, status, got.status, path)
	document, err := goquery.NewDocumentFromReader(got.body)
	require.NoError(t, err)
	return document
}

func (s site) text(t *testing.T, method, path, body string) string {
	t.Helper()
	all, err := io.ReadAll(s.ask(t, method, path, body).body)
	require.NoError(t, err)
	return string(all)
}

// save sends the form of a page as a browser does, with some fields changed.
func (s site) save(t *testing.T, page *goquery.Document, action string, changes map[string]string) answer {
	t.Helper()
	form := page.Find(`form[action="/studio` + action + `"]`)
	require.Equal(t, 1, form.Length(), action)
	values := url.Values{}
	form.Find("input[name], textarea[name]").Each(func(_ int, field *goquery.Selection) {
		_, checked := field.Attr("checked")
		if field.AttrOr("type", "") != "checkbox" || checked {
			values.Add(field.AttrOr("name", ""), field.AttrOr("value", field.Text()))
		}
	})
	form.Find("select[name]").Each(func(_ int, field *goquery.Selection) {
		values.Add(field.AttrOr("name", ""), field.Find("option[selected]").AttrOr("value", ""))
	})
	for name, value := range changes {
		values.Set(name, value)
	}
	return s.ask(t, http.MethodPost, action, values.Encode())
}

func field(page *goquery.Document, name string) *goquery.Selection {
	return page.Find(`form.params [name="param.` + name + `"]`)
}

func TestTheFormOfAToolkit(t *testing.T) {
	t.Parallel()
	s := desked(t)
	page := s.page(t, desk, http.StatusOK)
	for name, kind := range map[string]string{
		"max_rows": "number", "share": "number", "sender": "text", "since": "datetime-local", "opens": "date", "api_key": "password",
	} {
		require.Equal(t, kind, field(page, name).AttrOr("type", ""), name)
	}
	for _, name := range []string{"greeting", "tags", "limits"} {
		require.Equal(t, 1, field(page, name).Filter("textarea").Length(), name)
	}
	for name, options := range map[string]string{"region": "Choose…eu us", "notify": "Not setyes no", "strict": "Default: yesyes no"} {
		labels := field(page, name).Find("option").Map(func(_ int, o *goquery.Selection) string { return o.Text() })
		require.Equal(t, options, labels[0]+strings.Join(labels[1:], " "), name)
	}
	require.Equal(t, "20", field(page, "max_rows").AttrOr("placeholder", ""))
	require.Equal(t, "1", field(page, "max_rows").AttrOr("min", ""))
	require.Equal(t, "0.05", field(page, "share").AttrOr("step", ""))
	require.Equal(t, "Hello", field(page, "greeting").AttrOr("placeholder", ""), "the host's default")
	text := page.Find("main").Text()
	require.Contains(t, text, "The most rows. At least 1. 20 if left empty.")
	require.Contains(t, text, "Needs: Region")
	require.Contains(t, text, "Where the <i>desk</i> is.", "descriptions are text")
	require.Zero(t, field(page, "mail").Length(), "there is no field for what the server fills")
	require.Contains(t, page.Find(".managed").Text(), "filled by the server")
	require.Equal(t, "off", field(page, "api_key").AttrOr("autocomplete", ""))
}

func TestAToolkitIsSetUp(t *testing.T) {
	t.Parallel()
	s := desked(t)
	tab := s.page(t, "/t/acme/agents/desk/tools", http.StatusOK)
	require.Contains(t, tab.Find(".setup").Text(), "0 of 12 set")
	require.Equal(t, "/studio"+desk, tab.Find(".setup a").AttrOr("href", ""))

	page := s.page(t, desk, http.StatusOK)
	saved := s.save(t, page, desk, map[string]string{
		"param.region": "eu", "param.max_rows": "9007199254740993", "param.tags": "a\r\n\r\n<b>", "param.notify": "false",
		"param.limits": `[{"country":"DE","amount":9007199254740993}]`, "param.since": "2026-03-04T10:00",
		"param.greeting": "</textarea><script>alert(1)</script>", "param.api_key": secret, "user_overridable": "sender",
	})
	require.Equal(t, http.StatusSeeOther, saved.status)
	require.Equal(t, "/studio"+desk+"?done=3", saved.location)

	page = s.page(t, desk+"?done=3", http.StatusOK)
	require.Contains(t, page.Find(".alert.ok").Text(), "Saved as version 3.")
	require.Equal(t, "9007199254740993", field(page, "max_rows").AttrOr("value", ""))
	require.Equal(t, "a\n<b>", field(page, "tags").Text())
	require.Contains(t, field(page, "limits").Text(), `"amount": 9007199254740993`)
	require.Equal(t, "2026-03-04T10:00:00", field(page, "since").AttrOr("value", ""))
	require.Equal(t, "</textarea><script>alert(1)</script>", field(page, "greeting").Text())
	require.Zero(t, page.Find("script:not([src])").Length())
	require.Equal(t, agents.Mask, field(page, "api_key").AttrOr("value", ""))
	require.Equal(t, 1, page.Find(`[name="user_overridable"][value="sender"][checked]`).Length())
	require.Contains(t, page.Find("main").Text(), "8 of 12 set")

	require.Zero(t, s.page(t, desk+"?done=7", http.StatusOK).Find(".alert").Length(), "a link can announce nothing")
	again := s.save(t, page, desk, nil)
	require.Equal(t, "/studio"+desk+"?done=unchanged", again.location, "what is shown is what was saved")
}

func TestSecretsAreInNoPage(t *testing.T) {
	t.Parallel()
	s := desked(t)
	page := s.page(t, desk, http.StatusOK)
	refused := s.save(t, page, desk, map[string]string{"param.api_key": secret})
	require.Equal(t, http.StatusUnprocessableEntity, refused.status)
	all, err := io.ReadAll(refused.body)
	require.NoError(t, err)
	require.NotContains(t, string(all), secret, "not even when something else is wrong")
	require.Contains(t, string(all), "Type it again")

	s.save(t, page, desk, map[string]string{"param.region": "eu", "param.api_key": secret, "user_overridable": "api_key"})
	s.save(t, s.page(t, desk, http.StatusOK), desk+"/me", map[string]string{"param.api_key": secret + "-own"})
	for _, path := range []string{desk, "/t/acme/agents/desk/tools", "/t/acme/agents/desk/versions", "/t/acme/activity", "/t/acme/tools", desk + "/options/tags"} {
		require.NotContains(t, s.text(t, http.MethodGet, path, ""), secret, path)
	}
	page = s.page(t, desk, http.StatusOK)
	require.Equal(t, 2, field(page, "api_key").Length())
	require.Equal(t, "/studio"+desk+"?done=4", s.save(t, page, desk, map[string]string{"param.api_key": ""}).location)
	page = s.page(t, desk, http.StatusOK)
	require.Empty(t, field(page, "api_key").First().AttrOr("value", "none"), "emptied is removed")
}

func TestWhatDoesNotFitIsShownAgain(t *testing.T) {
	t.Parallel()
	s := desked(t)
	page := s.page(t, desk, http.StatusOK)
	refused := s.save(t, page, desk, map[string]string{
		"param.max_rows": "many", "param.share": "0.07", "param.tags": "a\nb\nc\nd", "param.limits": "{<",
		"param.sender": `"><img src=x onerror=alert(1)>`, "user_overridable": "sender",
	})
	require.Equal(t, http.StatusUnprocessableEntity, refused.status)
	again, err := goquery.NewDocumentFromReader(refused.body)
	require.NoError(t, err)
	for name, want := range map[string]string{
		"region": "Region is missing.", "max_rows": "Max rows must be a whole number", "share": "Share must be",
		"tags": "Tags may have at most 3", "limits": "This is not JSON: the text is not valid JSON",
	} {
		control := field(again, name)
		require.Equal(t, "true", control.AttrOr("aria-invalid", ""), name)
		require.Contains(t, again.Find("#"+control.AttrOr("id", "")+"-error").Text(), want, name)
	}
	require.Equal(t, "many", field(again, "max_rows").AttrOr("value", ""))
	require.Equal(t, "text", field(again, "max_rows").AttrOr("type", ""), "a number field would show nothing")
	require.Equal(t, "{<", field(again, "limits").Text())
	require.Equal(t, `"><img src=x onerror=alert(1)>`, field(again, "sender").AttrOr("value", ""))
	require.Zero(t, again.Find("img").Length())
	require.Equal(t, 1, again.Find(`[name="user_overridable"][checked]`).Length())
	require.Equal(t, 1, again.Find("[autofocus]").Length())
	require.Equal(t, "param.region", again.Find("[autofocus]").AttrOr("name", ""))
	require.Contains(t, again.Find(".alert.danger").Text(), "5 fields need attention.")
	require.Contains(t, s.page(t, desk, http.StatusOK).Find("main").Text(), "0 of 12 set")
}

func TestNoFormSetsWhatTheServerFills(t *testing.T) {
	t.Parallel()
	s := desked(t)
	page := s.page(t, desk, http.StatusOK)
	for _, name := range []string{"mail", "Mail", "tenant", "TENANT_ID"} {
		for _, value := range []string{"", "evil"} {
			refused := s.save(t, page, desk, map[string]string{"param.region": "eu", "param." + name: value})
			require.Equal(t, http.StatusUnprocessableEntity, refused.status, name)
			again, err := goquery.NewDocumentFromReader(refused.body)
			require.NoError(t, err)
			require.Contains(t, again.Find(".alert.danger").Text(), "The server sets these parameters itself", name)
		}
	}
	require.Equal(t, http.StatusUnprocessableEntity,
		s.save(t, page, desk, map[string]string{"param.region": "eu", "user_overridable": "mail"}).status)
	require.Equal(t, http.StatusUnprocessableEntity, s.save(t, page, desk, map[string]string{"param.region": "eu", "param.new": "1"}).status)
	require.Equal(t, http.StatusUnprocessableEntity, s.ask(t, http.MethodPost, desk+"/me", "param.mail=evil").status)
	require.Contains(t, s.page(t, desk, http.StatusOK).Find(".badge").Text(), "Live v2")
}

func TestAConflictIsShownWithWhatWasTyped(t *testing.T) {
	t.Parallel()
	s := desked(t)
	old := s.page(t, desk, http.StatusOK)
	require.Equal(t, http.StatusSeeOther, s.save(t, old, desk, map[string]string{"param.region": "eu"}).status)
	late := s.save(t, old, desk, map[string]string{"param.region": "us"})
	require.Equal(t, http.StatusConflict, late.status)
	page, err := goquery.NewDocumentFromReader(late.body)
	require.NoError(t, err)
	require.Contains(t, page.Find(".alert.danger").Text(), "Not saved.")
	require.Equal(t, "us", field(page, "region").Find("[selected]").AttrOr("value", ""))
	require.Equal(t, http.StatusSeeOther, s.save(t, page, desk, nil).status, "it is based on the live version now")
	for _, body := range []string{"param.region=eu", "expected_version=x", "expected_version=4&param.region=eu&param.region=us"} {
		require.Equal(t, http.StatusBadRequest, s.ask(t, http.MethodPost, desk, body).status, body)
	}
}

// forgotten takes out of an answer what no two have in common.
func forgotten(text string) string {
	return regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}`).ReplaceAllString(text, "id")
}

func TestWhoMaySetUpAToolkit(t *testing.T) {
	t.Parallel()
	s := desked(t)
	s.save(t, s.page(t, desk, http.StatusOK), desk, map[string]string{
		"param.region": "eu", "param.greeting": "<i>Hi</i>", "param.api_key": secret, "user_overridable": "sender",
	})
	s.share(t)
	member := s.as("max")
	page := member.page(t, desk, http.StatusOK)
	require.Zero(t, page.Find(`form[action$="/hd_desk"]`).Length())
	require.Contains(t, page.Find("main").Text(), "You can look, not edit.")
	facts := page.Find(".facts").Text()
	for _, want := range []string{"eu", "<i>Hi</i>", "20 (default)", "Stored, and never shown", "filled by the server", "Not set"} {
		require.Contains(t, facts, want)
	}
	require.Zero(t, page.Find(".load").Length())
	require.Equal(t, http.StatusForbidden, member.ask(t, http.MethodPost, desk, "%zz").status, "the right comes before the body")
	require.Equal(t, http.StatusForbidden, member.ask(t, http.MethodGet, desk+"/options/sender", "").status)

	gil := s.as("gil")
	there, absent := "/t/globex/agents/desk/tools/hd_desk", "/t/globex/agents/none/tools/hd_desk"
	for _, c := range []struct{ method, path, body string }{
		{http.MethodGet, "", ""},
		{http.MethodPost, "", "%zz"},
		{http.MethodPost, "/me", "param.sender=x"},
		{http.MethodPost, "/me/delete", ""},
		{http.MethodGet, "/options/sender", ""},
	} {
		require.Equal(t, http.StatusNotFound, gil.ask(t, c.method, there+c.path, c.body).status, c.path)
		require.Equal(t, forgotten(gil.text(t, c.method, absent+c.path, c.body)), forgotten(gil.text(t, c.method, there+c.path, c.body)), c.path)
		require.Equal(t, http.StatusForbidden, gil.ask(t, c.method, desk+c.path, c.body).status, "another tenant's address")
	}
	for _, slug := range []string{"hd_tickets", "hd_none"} {
		require.Equal(t, http.StatusNotFound, s.ask(t, http.MethodGet, "/t/acme/agents/desk/tools/"+slug, "").status, "it is not assigned")
	}
}

func TestOwnSettings(t *testing.T) {
	t.Parallel()
	s := desked(t)
	page := s.page(t, desk, http.StatusOK)
	require.Zero(t, page.Find(".own").Length(), "nothing is left to each user")
	form := url.Values{
		"expected_version": {"2"}, "param.region": {"eu"}, "param.max_rows": {"50"}, "user_overridable": {"max_rows", "sender"},
	}
	require.Equal(t, http.StatusSeeOther, s.ask(t, http.MethodPost, desk, form.Encode()).status)

	s.share(t)
	member := s.as("max")
	own := member.page(t, desk, http.StatusOK)
	require.Equal(t, "50", field(own, "max_rows").AttrOr("placeholder", ""), "the agent's")
	require.Equal(t, 2, own.Find(".own .param").Length())
	require.Zero(t, own.Find(`form[action$="/me/delete"]`).Length())

	wrong := member.save(t, own, desk+"/me", map[string]string{"param.max_rows": "0"})
	require.Equal(t, http.StatusUnprocessableEntity, wrong.status)
	again, err := goquery.NewDocumentFromReader(wrong.body)
	require.NoError(t, err)
	require.Contains(t, again.Find(".own .error").Text(), "Max rows must be at least 1")
	require.Equal(t, http.StatusUnprocessableEntity, member.save(t, own, desk+"/me", map[string]string{"param.region": "us"}).status)

	saved := member.save(t, own, desk+"/me", map[string]string{"param.max_rows": "7"})
	require.Equal(t, "/studio"+desk+"?done=own", saved.location)
	own = member.page(t, desk+"?done=own", http.StatusOK)
	require.Equal(t, "7", field(own, "max_rows").AttrOr("value", ""))
	mine := s.page(t, desk, http.StatusOK)
	require.Empty(t, field(mine, "max_rows").Last().AttrOr("value", ""), "nobody else sees them")

	deleted := member.save(t, own, desk+"/me/delete", nil)
	require.Equal(t, "/studio"+desk+"?done=shared", deleted.location)
	require.Empty(t, field(member.page(t, desk, http.StatusOK), "max_rows").AttrOr("value", ""))
}

func TestChoices(t *testing.T) {
	t.Parallel()
	s := desked(t)
	script := s
	script.script = true
	early := script.page(t, desk+"/options/sender", http.StatusConflict)
	require.Contains(t, early.Find(".choices .error").Text(), "Save the settings of Desk first")

	page := s.page(t, desk, http.StatusOK)
	s.save(t, page, desk, map[string]string{"param.region": "us"})
	load := page.Find(`a[href="/studio` + desk + `/options/sender"]`)
	require.Equal(t, 1, page.Find(load.AttrOr("hx-target", "")).Length(), "the choices have a place")

	loaded := script.page(t, desk+"/options/sender", http.StatusOK)
	require.Zero(t, loaded.Find("h1, script").Length(), "a fragment")
	options := loaded.Find("option")
	require.Equal(t, "<script>", options.First().AttrOr("value", ""))
	require.Equal(t, "acme <b>", options.First().Text())
	require.Equal(t, "us", options.Last().Text(), "from what is saved")
	require.Equal(t, field(page, "sender").AttrOr("id", ""), loaded.Find("[data-choose]").AttrOr("data-choose", ""))

	failed := script.page(t, desk+"/options/tags", http.StatusBadGateway)
	require.Contains(t, failed.Find(".error").Text(), "Desk could not list its choices")
	require.NotContains(t, failed.Text(), "hunter2")
	require.Contains(t, script.page(t, desk+"/options/greeting", http.StatusOK).Text(), "none at the moment")
	for _, param := range []string{"region", "api_key", "nothing"} {
		script.page(t, desk+"/options/"+param, http.StatusNotFound)
	}
	whole := s.page(t, desk+"/options/sender", http.StatusOK)
	require.Equal(t, 1, whole.Find("h1").Length())
	require.Contains(t, whole.Find("dl").Text(), "acme <b>")
}

func TestOtherSitesSetNothingUp(t *testing.T) {
	t.Parallel()
	s := desked(t)
	for _, path := range []string{desk, desk + "/me", desk + "/me/delete"} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/studio"+path, strings.NewReader("expected_version=2"))
		require.NoError(t, err)
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		request.Header.Set("Sec-Fetch-Site", "cross-site")
		response, err := s.Client().Do(request)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Equal(t, http.StatusForbidden, response.StatusCode, path)
	}
}
