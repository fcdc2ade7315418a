package hostjwt

import (
	"bytes"
	"context"
	"crypto/rsa"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/golang-jwt/jwt/v5"

	"github.com/agentstudio/agentstudio/models"
)

const (
	// maxToken is the longest token that is looked at, in bytes.
	maxToken = 8 << 10
	// leeway is how far an issuer's clock may differ from ours.
	leeway = 30 * time.Second
	// maxTime is the last second that a claim may name: the end of year 9999.
	maxTime = 253402300799
	// maxName is the longest name of a key, an issuer or a subject, in bytes.
	maxName = 256
)

// Issuer is somebody whose tokens are believed.
type Issuer struct {
	// Name is what its tokens have as iss.
	Name string
	// Audience is what its tokens must be for, so that one that was made for
	// another application does not pass here.
	Audience string
	// Keys are what it signs with.
	Keys *Keys
	// Algorithms are those among [Algorithms] that it uses; nil means all.
	Algorithms []string
	// Type is what its tokens must have as typ, such as "at+jwt", where the
	// issuer signs tokens of several kinds; "" asks for none.
	Type string
	// Claims name what is read from its tokens.
	Claims Claims
	// Tenants are the only ones that it may speak for; nil means all.
	Tenants []string
	// UserPrefix stands before its users' ids in records. Issuers beside each
	// other need different ones, since each may know another "ann".
	UserPrefix string
}

// Token is what a believed token says.
type Token struct {
	Issuer, Subject string
	ExpiresAt       time.Time

	from   *trusted
	claims jwt.MapClaims
}

// Verifier checks the tokens of its issuers. It may be used from any goroutine.
type Verifier struct {
	issuers map[string]*trusted
}

type trusted struct {
	Issuer
	valid *jwt.Validator
}

// NewVerifier returns the verifier for issuers. The clock now says what has
// expired; nil means [time.Now].
func NewVerifier(now func() time.Time, issuers ...Issuer) (*Verifier, error) {
	if now == nil {
		now = time.Now
	}
	v := &Verifier{issuers: map[string]*trusted{}}
	for _, i := range issuers {
		i.Claims = i.Claims.withDefaults()
		if i.Algorithms == nil {
			i.Algorithms = Algorithms()
		}
		if err := v.check(i); err != nil {
			return nil, fmt.Errorf("issuer %q: %w", i.Name, err)
		}
		v.issuers[i.Name] = &trusted{Issuer: i, valid: jwt.NewValidator(
			jwt.WithIssuer(i.Name), jwt.WithAudience(i.Audience), jwt.WithExpirationRequired(),
			jwt.WithIssuedAt(), jwt.WithTimeFunc(now), jwt.WithLeeway(leeway),
		)}
	}
	if len(v.issuers) == 0 {
		return nil, errors.New("name at least one issuer")
	}
	return v, nil
}

func (v *Verifier) check(i Issuer) error {
	if i.Name == "" || i.Audience == "" || i.Keys == nil {
		return errors.New("it needs a name, an audience and keys")
	}
	for _, algorithm := range i.Algorithms {
		if !slices.Contains(Algorithms(), algorithm) {
			return fmt.Errorf("the algorithm %q is none of %s", algorithm, strings.Join(Algorithms(), ", "))
		}
	}
	if len(i.Algorithms) == 0 {
		return errors.New("it is allowed no algorithm")
	}
	for name, other := range v.issuers {
		if name == i.Name {
			return errors.New("it is named twice")
		}
		if strings.HasPrefix(i.UserPrefix, other.UserPrefix) || strings.HasPrefix(other.UserPrefix, i.UserPrefix) {
			return fmt.Errorf("its UserPrefix and that of %q let one take the other's users for its own; none may begin with the other", name)
		}
	}
	return nil
}

// Verify returns what a token says, or an error with code unauthenticated.
func (v *Verifier) Verify(ctx context.Context, text string) (Token, error) {
	token, err := v.verify(ctx, text)
	if err != nil {
		return Token{}, refused(err)
	}
	return token, nil
}

// refused is the one answer for every token that does not count. The cause is
// for the log.
func refused(cause error) error {
	return models.Errorf(models.CodeUnauthenticated, "This token is not valid here, or no longer. Ask its issuer for a new one.").
		Because(cause)
}

func (v *Verifier) verify(ctx context.Context, text string) (Token, error) {
	c, err := parseCompact(text)
	if err != nil {
		return Token{}, err
	}
	var claims jwt.MapClaims
	if err := object(c.payload, &claims); err != nil {
		return Token{}, fmt.Errorf("read the claims: %w", err)
	}
	name, _ := claims["iss"].(string)
	issuer, ok := v.issuers[name]
	if !ok {
		return Token{}, fmt.Errorf("the issuer %.80q is none of ours", name)
	}
	find := func() (any, error) { return issuer.Keys.find(ctx, c.keyID, c.algorithm) }
	if err := c.check(issuer.Algorithms, find); err != nil {
		return Token{}, err
	}
	if issuer.Type != "" && !strings.EqualFold(c.kind, issuer.Type) {
		return Token{}, fmt.Errorf("a token of the type %.40q is not of the type %q", c.kind, issuer.Type)
	}
	if err := checkTimes(claims); err != nil {
		return Token{}, err
	}
	if err := issuer.valid.Validate(claims); err != nil {
		return Token{}, err
	}
	return issuer.token(claims)
}

func (t *trusted) token(claims jwt.MapClaims) (Token, error) {
	subject, _ := claims["sub"].(string)
	if subject == "" || len(subject) > maxName {
		return Token{}, errors.New("the token names no subject")
	}
	expires, err := claims.GetExpirationTime()
	if err != nil {
		return Token{}, err
	}
	return Token{Issuer: t.Name, Subject: subject, ExpiresAt: expires.UTC(), from: t, claims: claims}, nil
}

// checkTimes refuses moments that overflow what the library makes of them.
func checkTimes(claims jwt.MapClaims) error {
	for _, name := range []string{"exp", "nbf", "iat"} {
		value, ok := claims[name]
		if !ok {
			continue
		}
		seconds, ok := value.(float64)
		if !ok || seconds < 0 || seconds > maxTime {
			return fmt.Errorf("the claim %s is no moment", name)
		}
	}
	return nil
}

// Ours reports whether a text claims to be of one of the issuers. Nothing of it
// has been checked then.
func (v *Verifier) Ours(text string) bool {
	c, err := parseCompact(text)
	if err != nil {
		return false
	}
	var claims jwt.MapClaims
	if err := object(c.payload, &claims); err != nil {
		return false
	}
	name, _ := claims["iss"].(string)
	_, ok := v.issuers[name]
	return ok
}

// VerifyCompact returns the payload of a JWS in compact form, whose signature is
// of a key in the set by one of the algorithms. It judges no claim.
func VerifyCompact(text string, set KeySet, algorithms []string) ([]byte, error) {
	c, err := parseCompact(text)
	if err != nil {
		return nil, err
	}
	err = c.check(algorithms, func() (any, error) {
		public, ok := set.find(c.keyID, c.algorithm)
		if !ok {
			return nil, errors.New("the set has no such key")
		}
		return public, nil
	})
	if err != nil {
		return nil, err
	}
	return c.payload, nil
}

// compact is a JWS in compact form, read and not yet believed.
type compact struct {
	algorithm, keyID, kind string
	signed                 string
	payload, signature     []byte
}

// parseCompact reads a token as strictly as it can be written: what two readers
// could understand differently is refused.
func parseCompact(text string) (compact, error) {
	if len(text) > maxToken {
		return compact{}, fmt.Errorf("a token of %d bytes is longer than %d", len(text), maxToken)
	}
	parts := strings.Split(text, ".")
	const three = 3
	if len(parts) != three {
		return compact{}, errors.New("a token has three parts")
	}
	var decoded [three][]byte
	for i, part := range parts {
		var err error
		if decoded[i], err = unpadded(part); err != nil {
			return compact{}, fmt.Errorf("decode part %d of a token: %w", i+1, err)
		}
	}
	c := compact{signed: parts[0] + "." + parts[1], payload: decoded[1], signature: decoded[2]}
	return c, c.readHeader(decoded[0])
}

// readHeader takes alg, kid and typ. What names or brings a key (jwk, jku, x5c,
// x5u) is not looked at. What must be understood (crit) is not, so it is refused.
func (c *compact) readHeader(data []byte) error {
	var header map[string]any
	if err := object(data, &header); err != nil {
		return fmt.Errorf("read the header: %w", err)
	}
	for name, into := range map[string]*string{"alg": &c.algorithm, "kid": &c.keyID, "typ": &c.kind} {
		value, ok := header[name]
		if !ok {
			continue
		}
		text, ok := value.(string)
		if !ok || text == "" || len(text) > maxName {
			return fmt.Errorf("%s is no text, empty, or too long", name)
		}
		*into = text
	}
	for _, name := range []string{"crit", "b64", "zip", "enc"} {
		if _, ok := header[name]; ok {
			return fmt.Errorf("the header has %s, which is not understood here", name)
		}
	}
	return nil
}

// object decodes a JSON object: names that come twice, and text that is not
// UTF-8, are refused, and so is everything that is no object.
func object[M ~map[string]any](data []byte, into *M) error {
	if !bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("{")) {
		return errors.New("this is no object")
	}
	return json.Unmarshal(data, into)
}

// check checks the signature. The algorithm is judged before a key is looked
// for, and the key fits the algorithm by its type.
func (c compact) check(algorithms []string, find func() (any, error)) error {
	if !slices.Contains(algorithms, c.algorithm) || !slices.Contains(Algorithms(), c.algorithm) {
		return fmt.Errorf("the algorithm %.20q is not allowed", c.algorithm)
	}
	public, err := find()
	if err != nil {
		return err
	}
	if err := method(c.algorithm).Verify(c.signed, c.signature, public); err != nil {
		return fmt.Errorf("check the signature: %w", err)
	}
	return nil
}

// method returns what checks a signature by an algorithm. The library takes any
// length of salt for PS256; RFC 7518, section 3.5, knows one.
func method(algorithm string) jwt.SigningMethod {
	if algorithm != PS256 {
		return jwt.GetSigningMethod(algorithm)
	}
	return &jwt.SigningMethodRSAPSS{
		SigningMethodRSA: jwt.SigningMethodPS256.SigningMethodRSA,
		VerifyOptions:    &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash},
	}
}
