package e2e

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/require"
)

// Person is somebody at a browser, without the browser.
type Person struct {
	// Home is the path of their tenant's home page.
	Home string

	server *Server
	t      testing.TB
	client *http.Client
	cookie *http.Cookie
}

// Answer is what the server answered.
type Answer struct {
	Status int
	Header http.Header
	Body   string
}

// Page parses the answer as HTML.
func (a Answer) Page(t testing.TB) *goquery.Document {
	t.Helper()
	page, err := goquery.NewDocumentFromReader(strings.NewReader(a.Body))
	require.NoError(t, err)
	return page
}

// JSON decodes the answer as a JSON object.
func (a Answer) JSON(t testing.TB) map[string]any {
	t.Helper()
	var object map[string]any
	require.NoError(t, json.Unmarshal([]byte(a.Body), &object), a.Body)
	return object
}

// Get asks for a path.
func (p *Person) Get(path string) Answer {
	p.t.Helper()
	request, err := http.NewRequest(http.MethodGet, p.server.URL+path, nil)
	require.NoError(p.t, err)
	return p.Do(request)
}

// Post sends a form to a path.
func (p *Person) Post(path string, form url.Values) Answer {
	p.t.Helper()
	request, err := http.NewRequest(http.MethodPost, p.server.URL+path, strings.NewReader(form.Encode()))
	require.NoError(p.t, err)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return p.Do(request)
}

// Cookie returns the session cookie as the server set it last.
func (p *Person) Cookie() *http.Cookie {
	p.t.Helper()
	require.NotNil(p.t, p.cookie)
	return p.cookie
}

// Do sends any request as this person.
func (p *Person) Do(request *http.Request) Answer {
	p.t.Helper()
	response, err := p.client.Do(request)
	require.NoError(p.t, err)
	defer response.Body.Close() //nolint:errcheck // Nothing is lost with it.
	body, err := io.ReadAll(response.Body)
	require.NoError(p.t, err)
	p.keep(response.Cookies())
	return Answer{Status: response.StatusCode, Header: response.Header, Body: string(body)}
}

func (p *Person) keep(cookies []*http.Cookie) {
	for _, cookie := range cookies {
		if cookie.Value != "" {
			p.cookie = cookie
		}
	}
}

// Program is a caller with a bearer token.
type Program struct {
	// Token is sent as it is.
	Token string

	server *Server
	t      testing.TB
}

// Program returns a caller with a token of a member, printed by the program's
// own token command.
func (s *Server) Program(tenant, email string) *Program {
	s.t.Helper()
	token, err := s.Run("token", "--tenant", tenant, "--user", email)
	require.NoError(s.t, err)
	return &Program{Token: token, server: s, t: s.t}
}

// Call posts a JSON body to a REST path below /studio/api/v1. Headers come in
// pairs of name and value.
func (p *Program) Call(path, body string, headers ...string) Answer {
	p.t.Helper()
	return p.send(http.MethodPost, path, body, headers...)
}

// Read gets a REST path below /studio/api/v1.
func (p *Program) Read(path string) Answer {
	p.t.Helper()
	return p.send(http.MethodGet, path, "")
}

// Put sends a JSON body to a REST path with PUT.
func (p *Program) Put(path, body string) Answer {
	p.t.Helper()
	return p.send(http.MethodPut, path, body)
}

// Patch sends a JSON body to a REST path with PATCH.
func (p *Program) Patch(path, body string) Answer {
	p.t.Helper()
	return p.send(http.MethodPatch, path, body)
}

// Delete deletes what is at a REST path.
func (p *Program) Delete(path string) Answer {
	p.t.Helper()
	return p.send(http.MethodDelete, path, "")
}

func (p *Program) send(method, path, body string, headers ...string) Answer {
	p.t.Helper()
	request, err := http.NewRequest(method, p.server.URL+"/studio/api/v1"+path, strings.NewReader(body))
	require.NoError(p.t, err)
	request.Header.Set("Content-Type", "application/json")
	if p.Token != "" {
		request.Header.Set("Authorization", "Bearer "+p.Token)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	require.NoError(p.t, err)
	defer response.Body.Close() //nolint:errcheck // Nothing is lost with it.
	answer, err := io.ReadAll(response.Body)
	require.NoError(p.t, err)
	return Answer{Status: response.StatusCode, Header: response.Header, Body: string(answer)}
}
