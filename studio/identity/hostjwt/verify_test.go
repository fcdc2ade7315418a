package hostjwt

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/tenancy"
)

const (
	issuerName = "https://id.example.test"
	audience   = "agent-studio"
)

func noon() time.Time { return time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC) }

// signer is an issuer with a key of each kind.
type signer struct {
	ed  ed25519.PrivateKey
	ec  *ecdsa.PrivateKey
	rsa *rsa.PrivateKey
}

func newSigner(t testing.TB) signer {
	t.Helper()
	_, ed, err := ed25519.GenerateKey(rand.Reader)
	require.NoError(t, err)
	ec, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	r, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	return signer{ed, ec, r}
}

func b64(data []byte) string { return base64.RawURLEncoding.EncodeToString(data) }

// document is the issuer's key set.
func (s signer) document(t testing.TB) []byte {
	t.Helper()
	point, err := s.ec.PublicKey.Bytes()
	require.NoError(t, err)
	data, err := json.Marshal(map[string]any{"keys": []map[string]any{
		{"kty": "OKP", "crv": "Ed25519", "kid": "ed", "use": "sig", "x": b64(s.ed.Public().(ed25519.PublicKey))},
		{"kty": "EC", "crv": "P-256", "kid": "ec", "x": b64(point[1:33]), "y": b64(point[33:])},
		{"kty": "RSA", "kid": "rsa", "n": b64(s.rsa.N.Bytes()), "e": b64(big.NewInt(int64(s.rsa.E)).Bytes())},
		{"kty": "EC", "crv": "P-521", "kid": "other"},
	}})
	require.NoError(t, err)
	return data
}

func (s signer) set(t testing.TB) KeySet {
	t.Helper()
	set, err := ParseKeySet(s.document(t))
	require.NoError(t, err)
	return set
}

func (s signer) key(algorithm string) (kid string, key crypto.Signer) {
	switch algorithm {
	case EdDSA:
		return "ed", s.ed
	case ES256:
		return "ec", s.ec
	default:
		return "rsa", s.rsa
	}
}

// claims are what a good token says.
func claims(change map[string]any) jwt.MapClaims {
	all := jwt.MapClaims{
		"iss": issuerName, "aud": audience, "sub": "ann", "tenant": "acme", "groups": []any{"support"}, "name": "Ann",
		"may_author": true, "iat": noon().Unix(), "exp": noon().Add(time.Hour).Unix(),
	}
	maps.Copy(all, change)
	for name, value := range all {
		if value == nil {
			delete(all, name)
		}
	}
	return all
}

// sign signs claims, with more in the header.
func (s signer) sign(t testing.TB, algorithm string, c jwt.MapClaims, header map[string]any) string {
	t.Helper()
	kid, key := s.key(algorithm)
	token := jwt.NewWithClaims(jwt.GetSigningMethod(algorithm), c)
	token.Header["kid"] = kid
	maps.Copy(token.Header, header)
	text, err := token.SignedString(key)
	require.NoError(t, err)
	return text
}

// raw signs whatever stands in header and payload with the Ed25519 key.
func (s signer) raw(header, payload string) string {
	signed := b64([]byte(header)) + "." + b64([]byte(payload))
	return signed + "." + b64(ed25519.Sign(s.ed, []byte(signed)))
}

func verifier(t testing.TB, s signer, change func(*Issuer)) *Verifier {
	t.Helper()
	i := Issuer{Name: issuerName, Audience: audience, Keys: FixedKeys(s.set(t))}
	if change != nil {
		change(&i)
	}
	v, err := NewVerifier(noon, i)
	require.NoError(t, err)
	return v
}

func TestTokensThatAreBelieved(t *testing.T) {
	t.Parallel()
	s := newSigner(t)
	for _, algorithm := range Algorithms() {
		token, err := verifier(t, s, nil).Verify(t.Context(), s.sign(t, algorithm, claims(nil), nil))
		require.NoError(t, err, algorithm)
		require.Equal(t, "ann", token.Subject)
		require.Equal(t, noon().Add(time.Hour), token.ExpiresAt)
		only := verifier(t, s, func(i *Issuer) { i.Algorithms = []string{algorithm} })
		for _, other := range Algorithms() {
			_, err := only.Verify(t.Context(), s.sign(t, other, claims(nil), nil))
			require.Equal(t, algorithm == other, err == nil, "%s where only %s is allowed", other, algorithm)
		}
	}
	list := s.sign(t, EdDSA, claims(map[string]any{"aud": []any{"x", audience}}), nil)
	_, err := verifier(t, s, nil).Verify(t.Context(), list)
	require.NoError(t, err)
}

// TestTokensThatAreRefused tries what forgers try.
func TestTokensThatAreRefused(t *testing.T) {
	t.Parallel()
	s, other := newSigner(t), newSigner(t)
	good, _ := json.Marshal(claims(nil))
	hmac := func(key []byte) string {
		text, err := jwt.NewWithClaims(jwt.SigningMethodHS256, claims(nil)).SignedString(key)
		require.NoError(t, err)
		return text
	}
	none, err := jwt.NewWithClaims(jwt.SigningMethodNone, claims(nil)).SignedString(jwt.UnsafeAllowNoneSignatureType)
	require.NoError(t, err)
	valid := s.sign(t, EdDSA, claims(nil), nil)
	parts := strings.Split(valid, ".")
	confused := func(header map[string]any) string { return s.sign(t, EdDSA, claims(nil), header) }
	for name, text := range map[string]string{
		"nothing": "", "dots": "..", "two parts": parts[0] + "." + parts[1], "four parts": valid + ".x",
		"no signature": parts[0] + "." + parts[1] + ".", "padded": valid + "=", "a line break": parts[0] + "\n." + parts[1] + "." + parts[2],
		"another's key": other.sign(t, EdDSA, claims(nil), nil), "none": none,
		"HS256 with the public key": hmac(s.ed.Public().(ed25519.PublicKey)), "HS256 with the key set": hmac(s.document(t)),
		"another algorithm's key": confused(map[string]any{"kid": "rsa"}), "RS256 said, EdDSA made": confused(map[string]any{"alg": "RS256", "kid": "rsa"}),
		"an unknown key": confused(map[string]any{"kid": "../ed"}), "a key of another kind": confused(map[string]any{"kid": 7}),
		"a key of its own": other.sign(t, EdDSA, claims(nil), map[string]any{"jwk": map[string]any{
			"kty": "OKP", "crv": "Ed25519", "x": b64(other.ed.Public().(ed25519.PublicKey)),
		}}),
		"a link to a key": other.sign(t, EdDSA, claims(nil), map[string]any{"jku": "https://evil.test/keys", "x5u": "https://evil.test"}),
		"crit":            confused(map[string]any{"crit": []any{"exp"}}), "unencoded": confused(map[string]any{"b64": false}),
		"compressed":         confused(map[string]any{"zip": "DEF"}),
		"alg twice":          s.raw(`{"alg":"EdDSA","alg":"EdDSA","kid":"ed"}`, string(good)),
		"a claim twice":      s.raw(`{"alg":"EdDSA","kid":"ed"}`, `{"sub":"eve",`+string(good)[1:]),
		"claims of a list":   s.raw(`{"alg":"EdDSA","kid":"ed"}`, `[]`),
		"bad UTF-8":          s.raw(`{"alg":"EdDSA","kid":"ed"}`, "{\"x\":\"\xff\","+string(good)[1:]),
		"huge":               s.raw(`{"alg":"EdDSA","kid":"ed"}`, `{"x":"`+strings.Repeat("x", maxToken)+`"}`),
		"another issuer":     s.sign(t, EdDSA, claims(map[string]any{"iss": issuerName + "/"}), nil),
		"no issuer":          s.sign(t, EdDSA, claims(map[string]any{"iss": nil}), nil),
		"another audience":   s.sign(t, EdDSA, claims(map[string]any{"aud": "billing"}), nil),
		"no audience":        s.sign(t, EdDSA, claims(map[string]any{"aud": nil}), nil),
		"no subject":         s.sign(t, EdDSA, claims(map[string]any{"sub": nil}), nil),
		"a subject of 7":     s.sign(t, EdDSA, claims(map[string]any{"sub": 7}), nil),
		"no end":             s.sign(t, EdDSA, claims(map[string]any{"exp": nil}), nil),
		"ended":              s.sign(t, EdDSA, claims(map[string]any{"exp": noon().Add(-time.Minute).Unix()}), nil),
		"an end as text":     s.sign(t, EdDSA, claims(map[string]any{"exp": "never"}), nil),
		"an end too far":     s.sign(t, EdDSA, claims(map[string]any{"exp": 1e300}), nil),
		"not yet":            s.sign(t, EdDSA, claims(map[string]any{"nbf": noon().Add(time.Hour).Unix()}), nil),
		"made in the future": s.sign(t, EdDSA, claims(map[string]any{"iat": noon().Add(time.Hour).Unix()}), nil),
	} {
		_, err := verifier(t, s, nil).Verify(t.Context(), text)
		require.Equal(t, models.CodeUnauthenticated, models.CodeOf(err), name)
		var ours *models.Error
		require.ErrorAs(t, err, &ours)
		require.Contains(t, ours.Message, "This token is not valid here", "%s: one answer for all", name)
	}
}

func TestKeySetsThatAreRefused(t *testing.T) {
	t.Parallel()
	small, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		small = &rsa.PrivateKey{PublicKey: rsa.PublicKey{N: new(big.Int).SetBit(new(big.Int).SetInt64(1), 1023, 1), E: 65537}}
	}
	for name, document := range map[string]string{
		"not JSON": `{`, "a secret": `{"keys":[{"kty":"oct","k":"c2VjcmV0"}]}`,
		"a private key": `{"keys":[{"kty":"OKP","crv":"Ed25519","x":"AA","d":"AA"}]}`,
		"a short key":   `{"keys":[{"kty":"OKP","crv":"Ed25519","x":"AAAA"}]}`,
		"no point":      `{"keys":[{"kty":"EC","crv":"P-256","x":"` + b64(make([]byte, 32)) + `","y":"` + b64(make([]byte, 32)) + `"}]}`,
		"a weak RSA":    `{"keys":[{"kty":"RSA","n":"` + b64(small.N.Bytes()) + `","e":"AQAB"}]}`,
		"e of one":      `{"keys":[{"kty":"RSA","n":"` + b64(append([]byte{255}, make([]byte, 255)...)) + `","e":"AQ"}]}`,
		"too many":      `{"keys":[` + strings.TrimSuffix(strings.Repeat(`{"kty":"x"},`, 101), ",") + `]}`,
	} {
		_, err := ParseKeySet([]byte(document))
		require.Error(t, err, name)
	}
	s := newSigner(t)
	doubled := strings.Replace(string(s.document(t)), `"kid":"ec"`, `"kid":"ed"`, 1)
	_, err = ParseKeySet([]byte(doubled))
	require.ErrorContains(t, err, "two keys")
}

// TestKeysAreFetchedSeldom serves a key set, changes it, and counts who asks.
func TestKeysAreFetchedSeldom(t *testing.T) {
	t.Parallel()
	old, next := newSigner(t), newSigner(t)
	var asked atomic.Int64
	var now, document atomic.Value
	now.Store(noon())
	document.Store(old.document(t))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		_, _ = w.Write(document.Load().([]byte))
	}))
	defer server.Close()
	keys, err := KeysFromURL(server.URL, nil)
	require.NoError(t, err)
	keys.now = func() time.Time { return now.Load().(time.Time) }
	v := verifier(t, old, func(i *Issuer) { i.Keys = keys })
	for range 10 {
		_, err := v.Verify(t.Context(), old.sign(t, EdDSA, claims(nil), nil))
		require.NoError(t, err)
	}
	require.Equal(t, int64(1), asked.Load())
	for i := range 20 {
		_, err := v.Verify(t.Context(), next.sign(t, EdDSA, claims(nil), map[string]any{"kid": fmt.Sprint(i)}))
		require.Error(t, err)
	}
	require.Equal(t, int64(1), asked.Load(), "made-up keys are no requests, for a minute")
	document.Store(next.document(t))
	now.Store(noon().Add(refreshEvery))
	_, err = v.Verify(t.Context(), next.sign(t, EdDSA, claims(nil), map[string]any{"kid": "new"}))
	require.Error(t, err)
	require.Equal(t, int64(2), asked.Load())
	_, err = v.Verify(t.Context(), next.sign(t, EdDSA, claims(nil), nil))
	require.NoError(t, err, "the new key counts")
	_, err = v.Verify(t.Context(), old.sign(t, EdDSA, claims(nil), nil))
	require.Error(t, err, "the old one does not")
	document.Store([]byte("broken"))
	now.Store(noon().Add(2 * time.Hour))
	v.issuers[issuerName].valid = verifier(t, next, nil).issuers[issuerName].valid
	_, err = v.Verify(t.Context(), next.sign(t, EdDSA, claims(nil), nil))
	require.NoError(t, err, "a source that fails does not end what was good")
	now.Store(noon().Add(48 * time.Hour))
	_, err = v.Verify(t.Context(), next.sign(t, EdDSA, claims(nil), nil))
	require.Error(t, err, "but not forever")
}

func TestAddressesOfKeys(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{
		"https://id.example.test/keys": true, "http://127.0.0.1:1/keys": true, "http://localhost/keys": true, "http://[::1]/keys": true,
		"http://id.example.test/keys": false, "ftp://id.example.test": false, "https://u:p@id.example.test": false, "": false,
		"file:///etc/passwd": false, "//id.example.test": false, "http://localhost.example.test/": false, "http://127.0.0.1.example.test/": false,
	} {
		_, err := KeysFromURL(address, nil)
		require.Equal(t, want, err == nil, address)
	}
	big := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, maxDocument+1)) }))
	defer big.Close()
	away := httptest.NewServer(http.RedirectHandler(big.URL, http.StatusFound))
	defer away.Close()
	for _, address := range []string{big.URL, away.URL} {
		keys, err := KeysFromURL(address, nil)
		require.NoError(t, err)
		_, err = keys.find(t.Context(), "ed", EdDSA)
		require.Error(t, err)
	}
}

func TestIssuersThatCannotBe(t *testing.T) {
	t.Parallel()
	keys := FixedKeys(newSigner(t).set(t))
	one := Issuer{Name: "one", Audience: "a", Keys: keys}
	for name, issuers := range map[string][]Issuer{
		"none": nil, "no name": {{Audience: "a", Keys: keys}}, "no audience": {{Name: "x", Keys: keys}}, "no keys": {{Name: "x", Audience: "a"}},
		"HS256": {{Name: "x", Audience: "a", Keys: keys, Algorithms: []string{"HS256"}}}, "no algorithm": {{Name: "x", Audience: "a", Keys: keys, Algorithms: []string{}}},
		"twice": {one, one}, "users that could be the other's": {one, {Name: "two", Audience: "a", Keys: keys, UserPrefix: "two:"}},
	} {
		_, err := NewVerifier(nil, issuers...)
		require.Error(t, err, name)
	}
}

func request(t *testing.T, ctx context.Context, text string) *http.Request {
	t.Helper()
	r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/", nil)
	r.Header.Set("Authorization", "Bearer "+text)
	return r
}

func TestScopeFromClaims(t *testing.T) {
	t.Parallel()
	s := newSigner(t)
	for name, c := range map[string]struct {
		change  map[string]any
		want    models.Code
		tenants []string
	}{
		"good":                    {nil, "", nil},
		"no rights":               {map[string]any{"may_author": nil}, "", nil},
		"no tenant":               {map[string]any{"tenant": nil}, "", nil},
		"a tenant that may not":   {nil, models.CodeUnauthenticated, []string{"globex"}},
		"a tenant that is none":   {map[string]any{"tenant": "*"}, models.CodeUnauthenticated, nil},
		"a tenant in big letters": {map[string]any{"tenant": "Acme"}, models.CodeUnauthenticated, nil},
		"a list of tenants":       {map[string]any{"tenant": []any{"acme"}}, models.CodeUnauthenticated, nil},
		"a right as text":         {map[string]any{"may_administer": "false"}, models.CodeUnauthenticated, nil},
		"groups as text":          {map[string]any{"groups": "support"}, models.CodeUnauthenticated, nil},
		"a group of 7":            {map[string]any{"groups": []any{7}}, models.CodeUnauthenticated, nil},
		"a group that is none":    {map[string]any{"groups": []any{""}}, models.CodeUnauthenticated, nil},
		"superuser is no claim":   {map[string]any{"is_superuser": true, "superuser": true}, "", nil},
	} {
		v := verifier(t, s, func(i *Issuer) { i.Tenants, i.UserPrefix = c.tenants, "id:" })
		r, err := NewResolver(v, func(context.Context, string, string) (tenancy.Scope, error) {
			return tenancy.Scope{}, errors.New("gone")
		})
		require.NoError(t, err)
		scope, err := r.Resolve(t.Context(), request(t, t.Context(), s.sign(t, EdDSA, claims(c.change), nil)))
		require.Equal(t, c.want, models.CodeOf(err), name)
		if c.want != "" {
			continue
		}
		require.Equal(t, "id:ann", scope.User)
		require.Equal(t, tenancy.ViaAPI, scope.Via)
		require.False(t, scope.Superuser)
		require.Empty(t, scope.Session, "a token decides nothing that a person has to")
	}
	_, err := NewResolver(nil, nil)
	require.Error(t, err)
}

// linked knows ann of acme.
type linked struct{ Inner }

func (linked) LinkedScope(_ context.Context, issuer, subject, tenant string) (tenancy.Scope, error) {
	switch {
	case issuer != issuerName || subject != "ann":
		return tenancy.Scope{}, models.Errorf(models.CodeUnauthenticated, "Nobody.")
	case tenant != "acme":
		return tenancy.Scope{}, models.Errorf(models.CodePermissionDenied, "No member.")
	}
	return tenancy.Scope{User: "u1", Tenant: "acme", StudioEnabled: true, Via: tenancy.ViaAPI}, nil
}

func (linked) Resolve(context.Context, *http.Request) (tenancy.Scope, error) {
	return tenancy.Scope{User: "inner"}, nil
}

func TestMembersHaveTheirRightsFromRows(t *testing.T) {
	t.Parallel()
	s := newSigner(t)
	m := NewMembers(linked{}, verifier(t, s, nil), linked{})
	for name, c := range map[string]struct {
		change map[string]any
		url    string
		want   models.Code
	}{
		"the token's tenant":         {map[string]any{"may_administer": true}, "globex", ""},
		"the address's tenant":       {map[string]any{"tenant": nil}, "acme", ""},
		"no member there":            {map[string]any{"tenant": nil}, "globex", models.CodeTenantMismatch},
		"no member where it says":    {map[string]any{"tenant": "globex"}, "globex", models.CodeUnauthenticated},
		"an account that nobody has": {map[string]any{"sub": "eve"}, "acme", models.CodeUnauthenticated},
		"expired":                    {map[string]any{"exp": 1}, "acme", models.CodeUnauthenticated},
	} {
		ctx := tenancy.WithRequested(t.Context(), c.url)
		scope, err := m.Resolve(ctx, request(t, ctx, s.sign(t, EdDSA, claims(c.change), nil)))
		require.Equal(t, c.want, models.CodeOf(err), name)
		if c.want == "" {
			require.Equal(t, "u1", scope.User)
			require.False(t, scope.MayAdminister, "claims give no rights here")
		}
	}
	other, err := m.Resolve(t.Context(), request(t, t.Context(), "an API token"))
	require.NoError(t, err)
	require.Equal(t, "inner", other.User, "what is not the issuer's is the server's own")
}

// FuzzVerifyCompact holds that nothing panics, and nothing unsigned is believed.
func FuzzVerifyCompact(f *testing.F) {
	s := newSigner(f)
	set := s.set(f)
	good := s.sign(f, EdDSA, claims(nil), nil)
	f.Add(good)
	f.Add("..")
	f.Add("e30.e30.")
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := VerifyCompact(text, set, Algorithms()); err == nil {
			require.Equal(t, good, text)
		}
	})
}
