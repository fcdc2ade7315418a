package identity

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/agentstudio/agentstudio/models"
)

// noon is when all tests start.
func noon() time.Time { return time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC) }

func seed(b byte) (s [32]byte) {
	for i := range s {
		s[i] = b
	}
	return s
}

func newTokens() *Tokens { return NewTokens(seed(7), noon) }

// forge signs any claims and header with any key.
func forge(t testing.TB, method jwt.SigningMethod, key any, header map[string]any, c jwt.Claims) string {
	t.Helper()
	token := jwt.NewWithClaims(method, c)
	for name, value := range header {
		token.Header[name] = value
	}
	text, err := token.SignedString(key)
	require.NoError(t, err)
	return text
}

// good returns the claims of a valid API token, as a map to spoil.
func good() jwt.MapClaims {
	return jwt.MapClaims{
		"iss": issuer, "aud": audienceAPI, "sub": "u", "tid": "acme", "jti": "j",
		"iat": noon().Unix(), "exp": noon().Add(time.Hour).Unix(),
	}
}

func with(changes jwt.MapClaims) jwt.MapClaims {
	c := good()
	for name, value := range changes {
		if value == nil {
			delete(c, name)
			continue
		}
		c[name] = value
	}
	return c
}

func refused(t require.TestingT, err error) {
	require.Equal(t, models.CodeUnauthenticated, models.CodeOf(err))
	var e *models.Error
	require.ErrorAs(t, err, &e)
	require.Error(t, e.Err, "the cause is kept for the log")
}

func TestTokensRoundTrip(t *testing.T) {
	t.Parallel()
	tokens := newTokens()
	expires := noon().Add(time.Hour)
	browser := BrowserToken{User: "u", Session: "s", ExpiresAt: expires}
	text, err := tokens.IssueBrowser(browser)
	require.NoError(t, err)
	gotBrowser, err := tokens.VerifyBrowser(text)
	require.NoError(t, err)
	require.Equal(t, browser, gotBrowser)
	_, err = tokens.VerifyAPI(text)
	refused(t, err)

	api := APIToken{ID: "t", User: "u", Tenant: "acme", ExpiresAt: expires}
	text, err = tokens.IssueAPI(api)
	require.NoError(t, err)
	gotAPI, err := tokens.VerifyAPI(text)
	require.NoError(t, err)
	require.Equal(t, api, gotAPI)
	_, err = tokens.VerifyBrowser(text)
	refused(t, err)

	one, err := tokens.IssueBrowser(browser)
	require.NoError(t, err)
	two, err := tokens.IssueBrowser(browser)
	require.NoError(t, err)
	require.NotEqual(t, one, two, "each cookie has its own jti")
}

func TestIssueRefusesIncompleteTokens(t *testing.T) {
	t.Parallel()
	tokens, expires := newTokens(), noon().Add(time.Hour)
	for _, token := range []BrowserToken{{Session: "s", ExpiresAt: expires}, {User: "u", ExpiresAt: expires}} {
		_, err := tokens.IssueBrowser(token)
		require.Error(t, err)
	}
	for _, token := range []APIToken{
		{ID: "t", Tenant: "acme", ExpiresAt: expires}, {ID: "t", User: "u", ExpiresAt: expires}, {User: "u", Tenant: "acme", ExpiresAt: expires},
	} {
		_, err := tokens.IssueAPI(token)
		require.Error(t, err)
	}
}

func TestVerifyRefusesClaims(t *testing.T) {
	t.Parallel()
	tokens := newTokens()
	sign := func(c jwt.Claims) string {
		return forge(t, jwt.SigningMethodEdDSA, tokens.private, map[string]any{"kid": tokens.kid}, c)
	}
	_, err := tokens.VerifyAPI(sign(good()))
	require.NoError(t, err, "the claims that all cases spoil")

	at := func(d time.Duration) int64 { return noon().Add(d).Unix() }
	cases := map[string]jwt.MapClaims{
		"wrong issuer":         {"iss": "someone"},
		"issuer in upper case": {"iss": strings.ToUpper(issuer)},
		"no issuer":            {"iss": nil},
		"wrong audience":       {"aud": "agentstudio"},
		"cookie audience":      {"aud": audienceBrowser},
		"both audiences":       {"aud": []string{audienceAPI, audienceBrowser}},
		"no audience":          {"aud": nil},
		"empty audience":       {"aud": []string{}},
		"expired":              {"exp": at(-leeway)},
		"no expiry":            {"exp": nil},
		"expiry of zero":       {"exp": 0},
		"expiry as text":       {"exp": "tomorrow"},
		"expiry of null":       {"exp": json.RawMessage("null")},
		"issued later":         {"iat": at(leeway + time.Second)},
		"no issue time":        {"iat": nil},
		"not valid yet":        {"nbf": at(leeway + time.Second)},
		"no subject":           {"sub": nil},
		"empty subject":        {"sub": ""},
		"subject as a number":  {"sub": 7},
		"no id":                {"jti": nil},
		"no tenant":            {"tid": nil},
		"a session too":        {"sid": "s"},
	}
	for name, changes := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := tokens.VerifyAPI(sign(with(changes)))
			refused(t, err)
		})
	}
	cookie := with(jwt.MapClaims{"aud": audienceBrowser, "tid": nil, "sid": "s"})
	_, err = tokens.VerifyBrowser(sign(cookie))
	require.NoError(t, err)
	cookie["tid"] = "acme"
	_, err = tokens.VerifyBrowser(sign(cookie))
	refused(t, err)
}

func TestVerifyAllowsSmallClockDifferences(t *testing.T) {
	t.Parallel()
	tokens := newTokens()
	ahead := NewTokens(seed(7), func() time.Time { return noon().Add(leeway) })
	text, err := ahead.IssueAPI(APIToken{ID: "t", User: "u", Tenant: "acme", ExpiresAt: noon().Add(time.Hour)})
	require.NoError(t, err)
	_, err = tokens.VerifyAPI(text)
	require.NoError(t, err)
}

func TestVerifyRefusesSignatures(t *testing.T) {
	t.Parallel()
	tokens := newTokens()
	kid := map[string]any{"kid": tokens.kid}
	_, stranger, err := ed25519.GenerateKey(rand.Reader)
	require.NoError(t, err)
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	public := tokens.public[tokens.kid]
	ours := forge(t, jwt.SigningMethodEdDSA, tokens.private, kid, good())
	parts := strings.Split(ours, ".")
	header := func(h map[string]any) string { return forge(t, jwt.SigningMethodEdDSA, stranger, h, good()) }
	signed := func(h map[string]any) string { return forge(t, jwt.SigningMethodEdDSA, tokens.private, h, good()) }

	cases := map[string]string{
		"none":                       forge(t, jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, kid, good()),
		"none over our signature":    swapHeader(t, ours, map[string]any{"alg": "none", "kid": tokens.kid}),
		"None over our signature":    swapHeader(t, ours, map[string]any{"alg": "None", "kid": tokens.kid}),
		"HS256 with the public key":  forge(t, jwt.SigningMethodHS256, []byte(public), kid, good()),
		"HS512 with the public key":  forge(t, jwt.SigningMethodHS512, []byte(public), kid, good()),
		"RS256":                      forge(t, jwt.SigningMethodRS256, rsaKey, kid, good()),
		"PS256":                      forge(t, jwt.SigningMethodPS256, rsaKey, kid, good()),
		"unknown algorithm":          swapHeader(t, ours, map[string]any{"alg": "EdDSA2", "kid": tokens.kid}),
		"no algorithm":               swapHeader(t, ours, map[string]any{"kid": tokens.kid}),
		"algorithm as a list":        swapHeader(t, ours, map[string]any{"alg": []string{"EdDSA"}, "kid": tokens.kid}),
		"a stranger's key":           header(kid),
		"no kid":                     signed(nil),
		"unknown kid":                signed(map[string]any{"kid": "k2"}),
		"empty kid":                  signed(map[string]any{"kid": ""}),
		"kid as a number":            signed(map[string]any{"kid": 1}),
		"kid that is a path":         header(map[string]any{"kid": "../../dev/null"}),
		"kid that is SQL":            header(map[string]any{"kid": "x' UNION SELECT 'k"}),
		"jku of a stranger":          header(map[string]any{"kid": tokens.kid, "jku": "https://evil.test/keys"}),
		"jwk of a stranger":          header(map[string]any{"kid": tokens.kid, "jwk": map[string]string{"kty": "OKP"}}),
		"x5u of a stranger":          header(map[string]any{"kid": tokens.kid, "x5u": "https://evil.test/cert"}),
		"changed claims":             parts[0] + "." + encode(t, with(jwt.MapClaims{"tid": "globex"})) + "." + parts[2],
		"no signature":               parts[0] + "." + parts[1] + ".",
		"half a signature":           ours[:len(ours)-20],
		"padded signature":           ours + "==",
		"a byte more":                ours + "A",
		"a space more":               ours + " ",
		"four parts":                 ours + ".x",
		"one part":                   parts[0],
		"empty":                      "",
		"two dots":                   "..",
		"a megabyte of dots":         strings.Repeat(".", 1<<20),
		"over the cap, though ours":  signed(map[string]any{"kid": tokens.kid, "pad": strings.Repeat("x", maxToken)}),
		"claims that are null":       spliced(t, tokens, "null"),
		"claims that are a list":     spliced(t, tokens, "[]"),
		"claims that are two values": spliced(t, tokens, "{}{}"),
	}
	for name, text := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := tokens.VerifyAPI(text)
			refused(t, err)
			_, err = tokens.VerifyBrowser(text)
			refused(t, err)
		})
	}
	_, err = tokens.VerifyAPI(signed(map[string]any{"kid": tokens.kid, "jku": "https://evil.test/keys"}))
	require.NoError(t, err, "a jku is ignored")
}

func TestTokensOfAnotherServer(t *testing.T) {
	t.Parallel()
	text, err := NewTokens(seed(8), noon).IssueAPI(APIToken{ID: "t", User: "u", Tenant: "acme", ExpiresAt: noon().Add(time.Hour)})
	require.NoError(t, err)
	_, err = newTokens().VerifyAPI(text)
	refused(t, err)
}

func TestEveryChangedByteIsNoticed(t *testing.T) {
	t.Parallel()
	tokens := newTokens()
	text, err := tokens.IssueAPI(APIToken{ID: "t", User: "u", Tenant: "acme", ExpiresAt: noon().Add(time.Hour)})
	require.NoError(t, err)
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.+/= "
	rapid.Check(t, func(rt *rapid.T) {
		i := rapid.IntRange(0, len(text)-1).Draw(rt, "position")
		c := rapid.SampledFrom([]byte(alphabet)).Draw(rt, "byte")
		if text[i] == c {
			return
		}
		_, err := tokens.VerifyAPI(text[:i] + string(c) + text[i+1:])
		refused(rt, err)
	})
}

func FuzzVerify(f *testing.F) {
	tokens := newTokens()
	f.Add(forge(f, jwt.SigningMethodEdDSA, tokens.private, map[string]any{"kid": "k"}, good()))
	f.Add("eyJhbGciOiJub25lIn0.e30.")
	f.Add("....")
	f.Fuzz(func(t *testing.T, text string) {
		// Without the private key, nothing verifies.
		_, err := tokens.VerifyAPI(text)
		refused(t, err)
		_, err = tokens.VerifyBrowser(text)
		refused(t, err)
	})
}

func encode(t testing.TB, value any) string {
	t.Helper()
	b, err := json.Marshal(value)
	require.NoError(t, err)
	return base64.RawURLEncoding.EncodeToString(b)
}

func swapHeader(t testing.TB, text string, header map[string]any) string {
	t.Helper()
	_, rest, ok := strings.Cut(text, ".")
	require.True(t, ok)
	return encode(t, header) + "." + rest
}

// spliced signs a payload that no encoder of claims would write.
func spliced(t testing.TB, tokens *Tokens, payload string) string {
	t.Helper()
	text := encode(t, map[string]any{"alg": "EdDSA", "kid": tokens.kid}) + "." +
		base64.RawURLEncoding.EncodeToString([]byte(payload))
	return text + "." + base64.RawURLEncoding.EncodeToString(ed25519.Sign(tokens.private, []byte(text)))
}
