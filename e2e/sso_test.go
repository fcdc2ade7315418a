package e2e_test

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/oauth2-proxy/mockoidc"
	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/e2e"
)

// visitor is somebody at the provider, and what it says of them besides.
type visitor struct {
	mockoidc.MockUser
	claims map[string]any
}

// Claims returns the claims of the ID token.
func (v *visitor) Claims(_ []string, base *mockoidc.IDTokenClaims) (jwt.Claims, error) {
	all := jwt.MapClaims{
		"iss": base.Issuer, "aud": base.Audience, "sub": v.Subject, "iat": base.IssuedAt.Unix(), "exp": base.ExpiresAt.Unix(),
		"nonce": base.Nonce, "email": v.Email, "email_verified": true, "name": "Vera", "groups": v.Groups,
	}
	for name, value := range v.claims {
		if all[name] = value; value == nil {
			delete(all, name)
		}
	}
	return all, nil
}

func vera(groups []string, claims map[string]any) *visitor {
	return &visitor{mockoidc.MockUser{Subject: "vera-1", Email: "vera@acme.test", Groups: groups}, claims}
}

// provider is an OpenID Connect provider, and a server at which people sign in
// with it.
type provider struct {
	*mockoidc.MockOIDC
	s *e2e.Server
}

func newProvider(t *testing.T) provider {
	t.Helper()
	m, err := mockoidc.Run()
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, m.Shutdown()) })
	secret := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(secret, []byte(m.ClientSecret+"\n"), 0o600))
	return provider{m, e2e.Start(t, os.Getenv(programVariable),
		"AGENTSTUDIO_OIDC_ISSUER="+m.Issuer(), "AGENTSTUDIO_OIDC_CLIENT_ID="+m.ClientID, "AGENTSTUDIO_OIDC_SECRET_FILE="+secret,
		"AGENTSTUDIO_OIDC_NAME=Acme SSO", "AGENTSTUDIO_OIDC_GROUPS=staff=acme:author:support,bosses=acme:admin,bosses=globex:member")}
}

// ask goes to the provider as somebody, and returns the path that its answer
// leads to.
func (p provider) ask(t *testing.T, person *e2e.Person, who *visitor, query string) string {
	t.Helper()
	p.QueueUser(who)
	begun := person.Get("/studio/sign-in/provider" + query)
	require.Equal(t, http.StatusSeeOther, begun.Status, begun.Body)
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := client.Get(begun.Header.Get("Location"))
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	require.Equal(t, http.StatusFound, answer.StatusCode)
	back := answer.Header.Get("Location")
	require.True(t, strings.HasPrefix(back, p.s.URL+"/studio/sign-in/provider/callback?"), back)
	return strings.TrimPrefix(back, p.s.URL)
}

func TestSignInAtAProvider(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	person := p.s.Visitor()
	require.Contains(t, person.Get("/studio/sign-in").Body, "Sign in with Acme SSO")
	back := p.ask(t, person, vera([]string{"staff"}, nil), "?next="+url.QueryEscape("/studio/t/acme/agents"))
	arrived := person.Get(back)
	require.Equal(t, http.StatusSeeOther, arrived.Status, arrived.Body)
	require.Equal(t, "/studio/t/acme/agents", arrived.Header.Get("Location"))
	require.Contains(t, person.Get("/studio/t/acme/agents").Body, "New agent", "her group builds agents")
	require.Equal(t, http.StatusForbidden, person.Get("/studio/t/acme/members").Status)
	require.Equal(t, http.StatusUnprocessableEntity, person.Get(back).Status, "an answer counts once")

	promoted := p.s.Visitor()
	require.Equal(t, http.StatusSeeOther, promoted.Get(p.ask(t, promoted, vera([]string{"staff", "bosses"}, nil), "")).Status)
	require.Equal(t, http.StatusOK, promoted.Get("/studio/t/acme/members").Status, "more groups, more rights")
	require.Equal(t, http.StatusOK, promoted.Get("/studio/t/globex/agents").Status)

	left := p.s.Visitor()
	require.Equal(t, http.StatusUnprocessableEntity, left.Get(p.ask(t, left, vera(nil, nil), "")).Status)
	require.Equal(t, 422, person.Get("/studio/t/acme/agents").Status, "what groups gave is lost everywhere")
}

func TestAnswersThatAreRefused(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	staff := []string{"staff"}
	for name, claims := range map[string]map[string]any{
		"another nonce": {"nonce": "x"}, "no nonce": {"nonce": nil}, "another audience": {"aud": "billing"},
		"another issuer": {"iss": "https://evil.test"}, "expired": {"exp": time.Now().Add(-time.Hour).Unix()},
		"no subject": {"sub": nil}, "an address that is not verified": {"email_verified": false},
		"no address": {"email": nil}, "somebody's address": {"email": "admin@acme.test"},
		"no group": {"groups": nil}, "groups as text": {"groups": "staff"}, "a group in big letters": {"groups": []string{"Staff"}},
	} {
		person := p.s.Visitor()
		answer := person.Get(p.ask(t, person, vera(staff, claims), ""))
		require.Equal(t, http.StatusUnprocessableEntity, answer.Status, name)
		require.Equal(t, http.StatusSeeOther, person.Get("/studio/t/acme").Status, "%s signs nobody in", name)
	}
	for name, spoil := range map[string]func(back string) string{
		"another state": func(back string) string { return strings.Replace(back, "state=", "state=x", 1) },
		"no state":      func(back string) string { return strings.Replace(back, "state=", "estate=", 1) },
		"two states":    func(back string) string { return back + "&state=x" },
		"another code":  func(back string) string { return strings.Replace(back, "code=", "code=x", 1) },
		"no code":       func(back string) string { return strings.Replace(back, "code=", "node=", 1) },
		"an error":      func(back string) string { return back + "&error=access_denied" },
	} {
		person := p.s.Visitor()
		require.Equal(t, http.StatusUnprocessableEntity, person.Get(spoil(p.ask(t, person, vera(staff, nil), ""))).Status, name)
	}
	one, two := p.s.Visitor(), p.s.Visitor()
	back := p.ask(t, one, vera(staff, nil), "")
	require.Equal(t, http.StatusUnprocessableEntity, two.Get(back).Status, "another browser began it")
	p.ask(t, two, vera(staff, nil), "")
	require.Equal(t, http.StatusUnprocessableEntity, two.Get(back).Status, "it is the answer to another flow")
}

// TestProveAgainAtAProvider needs a moment at which the person proved who they are.
func TestProveAgainAtAProvider(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	bosses := []string{"bosses"}
	person := p.s.Visitor()
	require.Equal(t, http.StatusSeeOther, person.Get(p.ask(t, person, vera(bosses, nil), "")).Status)
	group := url.Values{"name": {"night"}}
	confirm := person.Post("/studio/t/acme/groups", group)
	require.Equal(t, http.StatusSeeOther, confirm.Status)
	require.Contains(t, confirm.Header.Get("Location"), "/studio/sign-in/confirm", "nobody knows when she proved it")
	require.Contains(t, person.Get(confirm.Header.Get("Location")).Body, "Sign in with Acme SSO")
	require.Equal(t, 422, person.Get(p.ask(t, person, vera(bosses, nil), "")).Status, "it was to ask again, and did not say so")
	old := map[string]any{"auth_time": time.Now().Add(-time.Hour).Unix()}
	require.Equal(t, 422, person.Get(p.ask(t, person, vera(bosses, old), "")).Status)
	now := map[string]any{"auth_time": time.Now().Unix()}
	require.Equal(t, http.StatusSeeOther, person.Get(p.ask(t, person, vera(bosses, now), "")).Status)
	require.Equal(t, "/studio/t/acme/members?done=group", person.Post("/studio/t/acme/groups", group).Header.Get("Location"))
}

func TestProviderThatIsDown(t *testing.T) {
	t.Parallel()
	s := e2e.Start(t, os.Getenv(programVariable), "AGENTSTUDIO_OIDC_ISSUER=http://127.0.0.1:1", "AGENTSTUDIO_OIDC_CLIENT_ID=x")
	answer := s.Visitor().Get("/studio/sign-in/provider")
	require.Equal(t, http.StatusBadGateway, answer.Status)
	require.Contains(t, answer.Body, "cannot be reached")
	for _, rule := range []string{"staff", "staff=acme", "staff=Acme:author", "staff=acme:root", "=acme:author"} {
		out, err := runProgram(t, []string{
			"AGENTSTUDIO_DATA=" + t.TempDir(), "AGENTSTUDIO_ADDR=127.0.0.1:0", "AGENTSTUDIO_OIDC_ISSUER=https://id.example.test",
			"AGENTSTUDIO_OIDC_CLIENT_ID=x", "AGENTSTUDIO_OIDC_GROUPS=" + rule,
		}, "serve")
		require.Error(t, err)
		require.Contains(t, out, "is no rule", rule)
	}
}
