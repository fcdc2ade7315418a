package identity

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/agentstudio/agentstudio/models"
)

const (
	issuer = "agent-studio"

	// The audiences keep one kind of token from passing for the other.
	audienceBrowser = "agentstudio-browser"
	audienceAPI     = "agentstudio-api"

	// maxToken is the longest token that is looked at, in bytes.
	maxToken = 8 << 10

	// leeway is how far the clocks of two replicas may differ.
	leeway = 5 * time.Second
)

// BrowserToken is what a cookie says.
type BrowserToken struct {
	User      string
	Session   string // id of the sign-in
	ExpiresAt time.Time
}

// APIToken is what a bearer token says.
type APIToken struct {
	ID        string // of its row
	User      string
	Tenant    string
	ExpiresAt time.Time
}

// Tokens signs and checks the server's tokens: JWTs with Ed25519 and nothing
// else. It may be used from any goroutine.
type Tokens struct {
	kid     string
	private ed25519.PrivateKey
	public  map[string]ed25519.PublicKey // by kid
	now     func() time.Time
	checks  map[string]checks // by audience
	seen    *verified
}

// checks are what a token for one audience has to pass: parser for its text, and
// valid for the claims alone, which time can outdate.
type checks struct {
	parser *jwt.Parser
	valid  *jwt.Validator
}

func newChecks(audience string, now func() time.Time) checks {
	options := []jwt.ParserOption{
		jwt.WithValidMethods([]string{jwt.SigningMethodEdDSA.Alg()}),
		jwt.WithIssuer(issuer), jwt.WithAudience(audience),
		jwt.WithExpirationRequired(), jwt.WithIssuedAt(),
		jwt.WithTimeFunc(now), jwt.WithLeeway(leeway), jwt.WithStrictDecoding(),
	}
	return checks{parser: jwt.NewParser(options...), valid: jwt.NewValidator(options...)}
}

// NewTokens returns the tokens signed with the key of a seed. The clock now
// says when tokens are issued and checked.
func NewTokens(seed [ed25519.SeedSize]byte, now func() time.Time) *Tokens {
	private := ed25519.NewKeyFromSeed(seed[:])
	public := private.Public().(ed25519.PublicKey)
	digest := sha256.Sum256(public)
	kid := hex.EncodeToString(digest[:8])
	return &Tokens{
		kid: kid, private: private, now: now,
		public: map[string]ed25519.PublicKey{kid: public},
		checks: map[string]checks{
			audienceBrowser: newChecks(audienceBrowser, now), audienceAPI: newChecks(audienceAPI, now),
		},
		seen: newVerified(),
	}
}

// IssueBrowser returns the text of a cookie token. Its expiry is cut to the
// second.
func (t *Tokens) IssueBrowser(token BrowserToken) (string, error) {
	return t.sign(claims{
		Session:          token.Session,
		RegisteredClaims: t.registered(token.User, audienceBrowser, token.ExpiresAt),
	})
}

// IssueAPI returns the text of an API token. Its expiry is cut to the second.
func (t *Tokens) IssueAPI(token APIToken) (string, error) {
	registered := t.registered(token.User, audienceAPI, token.ExpiresAt)
	registered.ID = token.ID
	return t.sign(claims{Tenant: token.Tenant, RegisteredClaims: registered})
}

// VerifyBrowser returns what a cookie token says, or an error with code
// unauthenticated. Whether its sign-in still stands, it does not know.
func (t *Tokens) VerifyBrowser(text string) (BrowserToken, error) {
	c, err := t.verify(text, audienceBrowser)
	if err != nil {
		return BrowserToken{}, signInAgain(err)
	}
	return BrowserToken{User: c.Subject, Session: c.Session, ExpiresAt: c.ExpiresAt.UTC()}, nil
}

// VerifyAPI returns what an API token says, or an error with code
// unauthenticated. Whether its row still counts, it does not know.
func (t *Tokens) VerifyAPI(text string) (APIToken, error) {
	c, err := t.verify(text, audienceAPI)
	if err != nil {
		return APIToken{}, unauthenticated("This API token is not valid, or no longer. Ask for a new one.").Because(err)
	}
	return APIToken{ID: c.ID, User: c.Subject, Tenant: c.Tenant, ExpiresAt: c.ExpiresAt.UTC()}, nil
}

func (t *Tokens) registered(user, audience string, expires time.Time) jwt.RegisteredClaims {
	return jwt.RegisteredClaims{
		ID: models.NewID(), Issuer: issuer, Subject: user, Audience: jwt.ClaimStrings{audience},
		IssuedAt: jwt.NewNumericDate(t.now()), ExpiresAt: jwt.NewNumericDate(expires),
	}
}

func (t *Tokens) sign(c claims) (string, error) {
	if err := c.Validate(); err != nil {
		return "", fmt.Errorf("issue a token: %w", err)
	}
	token := jwt.NewWithClaims(jwt.SigningMethodEdDSA, c)
	token.Header["kid"] = t.kid
	text, err := token.SignedString(t.private)
	if err != nil {
		return "", fmt.Errorf("sign a token: %w", err)
	}
	return text, nil
}

// verify checks a token for an audience. The signature of the same text is
// checked once; what time and audience have to say, each time.
func (t *Tokens) verify(text, audience string) (*claims, error) {
	if len(text) > maxToken {
		return nil, fmt.Errorf("a token of %d bytes is longer than %d", len(text), maxToken)
	}
	checks := t.checks[audience]
	digest := sha256.Sum256([]byte(text))
	if known, ok := t.seen.get(digest); ok {
		if err := checks.valid.Validate(known); err != nil {
			return nil, fmt.Errorf("check a token: %w", err)
		}
		return known, nil
	}
	c := &claims{}
	if _, err := checks.parser.ParseWithClaims(text, c, t.key); err != nil {
		return nil, fmt.Errorf("check a token: %w", err)
	}
	t.seen.put(digest, c)
	return c, nil
}

// key finds the key by its id in the fixed map. Nothing else in a header names
// a key.
func (t *Tokens) key(token *jwt.Token) (any, error) {
	kid, ok := token.Header["kid"].(string)
	if !ok {
		return nil, errors.New("the token names no key")
	}
	public, ok := t.public[kid]
	if !ok {
		return nil, errors.New("the token names an unknown key")
	}
	return public, nil
}

// claims are all that a token carries.
type claims struct {
	Tenant  string `json:"tid,omitempty"` // of an API token
	Session string `json:"sid,omitempty"` // of a cookie token
	jwt.RegisteredClaims
}

// Validate checks what the library leaves open: that nothing is missing, and
// that the token is of one kind only.
func (c claims) Validate() error {
	if c.Subject == "" || c.ID == "" || c.IssuedAt == nil {
		return errors.New("the token lacks sub, jti or iat")
	}
	if len(c.Audience) != 1 {
		return errors.New("the token needs exactly one audience")
	}
	browser := c.Audience[0] == audienceBrowser
	if browser && (c.Session == "" || c.Tenant != "") || !browser && (c.Tenant == "" || c.Session != "") {
		return errors.New("a cookie token needs sid, an API token tid, and neither may have the other's")
	}
	return nil
}
