package sample_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools/sample"
)

func get(t *testing.T, h host, target string) *httptest.ResponseRecorder {
	t.Helper()
	answer := httptest.NewRecorder()
	h.company.Page("/studio", nil).ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, target, nil))
	return answer
}

func body(t *testing.T, h host, target string) string {
	t.Helper()
	answer := get(t, h, target)
	require.Equal(t, http.StatusOK, answer.Code)
	return answer.Body.String()
}

func TestPageShowsOneTenant(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	for tenant, want := range map[string]struct{ name, customer, foreign string }{
		"acme":   {"Acme Field Service", "Marta Weiss", "Northside Clinic"},
		"globex": {"Globex Field Service", "Northside Clinic", "Marta Weiss"},
	} {
		page := body(t, h, "/orders?tenant="+tenant)
		require.Contains(t, page, "Orders of "+want.name)
		require.Contains(t, page, want.customer)
		require.NotContains(t, page, want.foreign)
		require.Contains(t, page, `href="/studio"`)
		require.Contains(t, page, `data-source="/orders/live?tenant=`+tenant+`"`)

		live := body(t, h, "/orders/live?tenant="+tenant)
		require.Contains(t, live, want.customer)
		require.NotContains(t, live, "<html")
		require.Contains(t, page, live, "the part is in the page as it is fetched")
	}
	require.Equal(t, body(t, h, "/orders?tenant=acme"), body(t, h, "/orders"), "the first tenant")
}

func TestPageShowsChanges(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	run[sample.OrderOut](t, h, "acme", "fs_cancel_order", `{"order_id":"A-1002","reason":"No longer needed"}`)
	run[sample.OrderOut](t, h, "acme", "fs_refund_order", `{"order_id":"A-1003","amount":20.5,"reason":"A scratch"}`)
	page := body(t, h, "/orders?tenant=acme")
	for _, want := range []string{
		"Cancelled by <b>ada@example.test</b>", "“No longer needed”", "20.50 EUR paid back", "“A scratch”",
	} {
		require.Contains(t, page, want)
	}
	require.NotContains(t, body(t, h, "/orders?tenant=globex"), "No longer needed")
}

func TestPageEscapes(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	const attack = `<script>alert(1)</script><img src=x onerror=alert(2)>`
	run[sample.OrderOut](t, h, "acme", "fs_set_note", `{"order_id":"A-1004","note":"`+attack+`"}`)
	run[sample.OrderOut](t, h, "acme", "fs_cancel_order", `{"order_id":"A-1002","reason":"`+attack+`"}`)
	run[sample.NotifyOut](t, h, "acme", "fs_notify", `{"message":"`+attack+`","recipient":"`+attack+`"}`)
	for _, target := range []string{"/orders?tenant=acme", "/orders/live?tenant=acme"} {
		page := body(t, h, target)
		require.NotContains(t, page, "<script>alert")
		require.NotContains(t, page, "<img")
		require.Contains(t, page, "&lt;script&gt;alert(1)&lt;/script&gt;")
	}
}

func TestPageAnswers(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	for target, want := range map[string]struct {
		status            int
		contentType, text string
	}{
		"/orders/style.css":             {200, "text/css; charset=utf-8", "--bright"},
		"/orders/live.js":               {200, "text/javascript; charset=utf-8", "fetch("},
		"/orders/xyz":                   {404, "text/html; charset=utf-8", "There is nothing here"},
		"/orders/":                      {308, "text/html; charset=utf-8", `href="/orders"`},
		"/orders?tenant=initech":        {404, "text/html; charset=utf-8", "There is no such company"},
		"/orders/live?tenant=ACME":      {404, "text/html; charset=utf-8", "There is no such company"},
		"/orders/page.html":             {404, "text/html; charset=utf-8", "There is nothing here"},
		"/orders?tenant=%3Cb%3Eacme%3C": {404, "text/html; charset=utf-8", "There is no such company"},
	} {
		answer := get(t, h, target)
		require.Equal(t, want.status, answer.Code, target)
		require.Equal(t, want.contentType, answer.Header().Get("Content-Type"), target)
		require.Contains(t, answer.Body.String(), want.text, target)
		policy := answer.Header().Get("Content-Security-Policy")
		require.Contains(t, policy, "default-src 'none'", target)
		require.NotContains(t, policy, "unsafe", target)
	}
}

func TestPageNeedsNothingInline(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	for _, target := range []string{"/orders", "/orders/xyz"} {
		page := get(t, h, target).Body.String()
		require.NotRegexp(t, `(?i)\sstyle\s*=|<style|\son[a-z]+\s*=|<script>`, page)
	}
}

func TestPageOfAClosedCompany(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	require.NoError(t, h.company.Close())
	answer := get(t, h, "/orders?tenant=acme")
	require.Equal(t, http.StatusInternalServerError, answer.Code)
	require.Contains(t, answer.Body.String(), "The orders cannot be read")
	require.NotContains(t, answer.Body.String(), "sql")
}
