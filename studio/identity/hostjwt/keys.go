package hostjwt

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"encoding/base64"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/go-json-experiment/json"
)

// The algorithms that may sign. The symmetric ones are not among them, since
// whoever can check such a token can also make one; nor is "none".
const (
	EdDSA = "EdDSA"
	ES256 = "ES256"
	RS256 = "RS256"
	PS256 = "PS256"
)

// Algorithms returns every algorithm that an issuer may be allowed.
func Algorithms() []string { return []string{EdDSA, ES256, RS256, PS256} }

const (
	minRSA  = 2048 // bits of a modulus
	maxRSA  = 8192
	maxKeys = 100 // of one set
)

// KeySet is a JSON Web Key Set with the keys that can check a signature here.
// The zero value has none.
type KeySet struct {
	keys []key
}

type key struct {
	id         string
	algorithms []string
	public     any
}

// webKey is what is read of a JSON Web Key. Certificates and links to them are
// not: the set itself is what is trusted.
type webKey struct {
	Type       string   `json:"kty"`
	ID         string   `json:"kid"`
	Use        string   `json:"use"`
	Operations []string `json:"key_ops"`
	Algorithm  string   `json:"alg"`
	Curve      string   `json:"crv"`
	X          string   `json:"x"`
	Y          string   `json:"y"`
	N          string   `json:"n"`
	E          string   `json:"e"`
	D          string   `json:"d"`
	K          string   `json:"k"`
}

// ParseKeySet reads a JSON Web Key Set. Keys of another kind, for another use,
// or for an algorithm that is not among [Algorithms], are left out. A set that
// holds a secret, a broken or weak key, or two keys with one id, is refused as a
// whole.
func ParseKeySet(data []byte) (KeySet, error) {
	var document struct {
		Keys []webKey `json:"keys"`
	}
	if err := json.Unmarshal(data, &document); err != nil {
		return KeySet{}, fmt.Errorf("read a key set: %w", err)
	}
	if len(document.Keys) > maxKeys {
		return KeySet{}, fmt.Errorf("a key set with %d keys has more than %d", len(document.Keys), maxKeys)
	}
	var set KeySet
	for i, k := range document.Keys {
		parsed, ok, err := k.parse()
		if err != nil {
			return KeySet{}, fmt.Errorf("read key %d of a key set: %w", i+1, err)
		}
		if !ok {
			continue
		}
		if parsed.id != "" && slices.ContainsFunc(set.keys, func(other key) bool { return other.id == parsed.id }) {
			return KeySet{}, fmt.Errorf("two keys of a key set have the id %.40q", parsed.id)
		}
		set.keys = append(set.keys, parsed)
	}
	return set, nil
}

// parse returns the key, and false for one that is for something else.
func (k webKey) parse() (key, bool, error) {
	if k.D != "" || k.K != "" {
		return key{}, false, errors.New("it holds a secret, and a public set must not; replace this key everywhere")
	}
	if k.Use != "" && k.Use != "sig" || len(k.Operations) > 0 && !slices.Contains(k.Operations, "verify") {
		return key{}, false, nil
	}
	var public any
	var algorithms []string
	var err error
	switch {
	case k.Type == "OKP" && k.Curve == "Ed25519":
		algorithms = []string{EdDSA}
		public, err = k.edwards()
	case k.Type == "EC" && k.Curve == "P-256":
		algorithms = []string{ES256}
		public, err = k.curve()
	case k.Type == "RSA":
		algorithms = []string{RS256, PS256}
		public, err = k.rsa()
	default:
		return key{}, false, nil
	}
	if err != nil {
		return key{}, false, err
	}
	if k.Algorithm != "" {
		if !slices.Contains(algorithms, k.Algorithm) {
			return key{}, false, nil
		}
		algorithms = []string{k.Algorithm}
	}
	return key{id: k.ID, algorithms: algorithms, public: public}, true, nil
}

func (k webKey) edwards() (any, error) {
	x, err := unpadded(k.X)
	if err != nil || len(x) != ed25519.PublicKeySize {
		return nil, errors.New("x is no Ed25519 key")
	}
	return ed25519.PublicKey(x), nil
}

func (k webKey) curve() (any, error) {
	const size = 32
	x, err := unpadded(k.X)
	y, err2 := unpadded(k.Y)
	if err := errors.Join(err, err2); err != nil || len(x) != size || len(y) != size {
		return nil, errors.New("x and y are no point of P-256")
	}
	// Refuses what is not on the curve.
	public, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), slices.Concat([]byte{4}, x, y))
	if err != nil {
		return nil, fmt.Errorf("x and y are no point of P-256: %w", err)
	}
	return public, nil
}

func (k webKey) rsa() (any, error) {
	n, err := unpadded(k.N)
	e, err2 := unpadded(k.E)
	if err := errors.Join(err, err2); err != nil {
		return nil, errors.New("n or e is no number")
	}
	modulus, exponent := new(big.Int).SetBytes(n), new(big.Int).SetBytes(e)
	if bits := modulus.BitLen(); bits < minRSA || bits > maxRSA || modulus.Bit(0) == 0 {
		return nil, fmt.Errorf("an RSA modulus of %d bits is even, or not between %d and %d bits", bits, minRSA, maxRSA)
	}
	if guessable(modulus) {
		return nil, errors.New("the RSA modulus is of a kind whose factors can be found (ROCA); make another key")
	}
	const least, most = 3, 1<<31 - 1
	if !exponent.IsInt64() || exponent.Int64() < least || exponent.Int64() > most || exponent.Bit(0) == 0 {
		return nil, errors.New("the RSA exponent is even, or out of range")
	}
	return &rsa.PublicKey{N: modulus, E: int(exponent.Int64())}, nil
}

// unpadded decodes base64url that is spelled in the one way it can be.
func unpadded(text string) ([]byte, error) {
	for _, c := range []byte(text) {
		if !alphabet(c) { // The library skips line breaks.
			return nil, errors.New("this is not base64url")
		}
	}
	return base64.RawURLEncoding.Strict().DecodeString(text)
}

func alphabet(c byte) bool {
	return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '_'
}

// find returns the key for a token's header. A header without an id fits only
// where one key fits the algorithm.
func (s KeySet) find(id, algorithm string) (any, bool) {
	var fits []any
	for _, k := range s.keys {
		if slices.Contains(k.algorithms, algorithm) && (id == "" || id == k.id) {
			fits = append(fits, k.public)
		}
	}
	if len(fits) != 1 {
		return nil, false
	}
	return fits[0], true
}
