package identity

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"sync"

	"golang.org/x/crypto/argon2"
	"golang.org/x/text/unicode/norm"

	"github.com/agentstudio/agentstudio/models"
)

// Cost is what hashing a password takes.
type Cost struct {
	Memory uint32 // KiB
	Passes uint32
}

// DefaultCost returns what passwords are hashed with: 64 MiB and three passes.
func DefaultCost() Cost { return Cost{Memory: 64 << 10, Passes: 3} }

const (
	// hashesAtOnce bounds the memory that hashing takes, with Cost.Memory.
	hashesAtOnce = 2
	// hashesWaiting is how many more may wait for their turn.
	hashesWaiting = 32
	saltSize      = 16
	keySize       = 32

	// What a stored hash may ask for at most, so that none can exhaust the server.
	maxMemory = 1 << 20 // KiB
	maxPasses = 64
)

// hasher hashes passwords with argon2id, few at once.
type hasher struct {
	cost  Cost
	turns chan struct{}
	queue chan struct{}
	// dummy is a hash of nobody's password, for the work of an unknown address.
	dummy func() string
}

func newHasher(cost Cost) *hasher {
	h := &hasher{
		cost:  cost,
		turns: make(chan struct{}, hashesAtOnce),
		queue: make(chan struct{}, hashesAtOnce+hashesWaiting),
	}
	h.dummy = sync.OnceValue(func() string { return encodeHash(h.cost, random(saltSize), random(keySize)) })
	return h
}

// hash returns the PHC string of a password.
func (h *hasher) hash(ctx context.Context, password string) (string, error) {
	salt := random(saltSize)
	key, err := h.derive(ctx, password, salt, h.cost)
	if err != nil {
		return "", err
	}
	return encodeHash(h.cost, salt, key), nil
}

// verify reports whether a PHC string is of this password.
func (h *hasher) verify(ctx context.Context, stored, password string) (bool, error) {
	cost, salt, want, err := decodeHash(stored)
	if err != nil {
		return false, err
	}
	got, err := h.derive(ctx, password, salt, cost)
	if err != nil {
		return false, err
	}
	return subtle.ConstantTimeCompare(got, want) == 1, nil
}

// outdated reports whether a PHC string took less than passwords take now.
func (h *hasher) outdated(stored string) bool {
	cost, _, _, err := decodeHash(stored)
	return err == nil && (cost.Memory < h.cost.Memory || cost.Passes < h.cost.Passes)
}

// derive waits for its turn, and derives the key of a password. The same
// characters are the same password however a keyboard composes them.
func (h *hasher) derive(ctx context.Context, password string, salt []byte, cost Cost) ([]byte, error) {
	select {
	case h.queue <- struct{}{}:
		defer func() { <-h.queue }()
	default:
		return nil, tooMany("Too many people are signing in at this moment. Try again in a few seconds.", retrySoon)
	}
	select {
	case h.turns <- struct{}{}:
		defer func() { <-h.turns }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return argon2.IDKey([]byte(norm.NFC.String(password)), salt, cost.Passes, cost.Memory, 1, keySize), nil
}

func encodeHash(cost Cost, salt, key []byte) string {
	text := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=1$%s$%s",
		argon2.Version, cost.Memory, cost.Passes, text.EncodeToString(salt), text.EncodeToString(key))
}

// decodeHash reads what [encodeHash] wrote, and nothing else.
func decodeHash(stored string) (cost Cost, salt, key []byte, err error) {
	parts := strings.Split(stored, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" {
		return cost, nil, nil, errors.New("a stored password is not of argon2id")
	}
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=1", &cost.Memory, &cost.Passes); err != nil {
		return cost, nil, nil, fmt.Errorf("read the cost of a stored password: %w", err)
	}
	salt, saltErr := base64.RawStdEncoding.Strict().DecodeString(parts[4])
	key, keyErr := base64.RawStdEncoding.Strict().DecodeString(parts[5])
	if err := errors.Join(saltErr, keyErr); err != nil {
		return cost, nil, nil, fmt.Errorf("read a stored password: %w", err)
	}
	if encodeHash(cost, salt, key) != stored || len(salt) < saltSize || len(key) != keySize ||
		cost.Memory == 0 || cost.Memory > maxMemory || cost.Passes == 0 || cost.Passes > maxPasses {
		return cost, nil, nil, errors.New("a stored password has a form that is not ours")
	}
	return cost, salt, key, nil
}

func random(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails
	return b
}

// newPassword checks a new password of a user and hashes it.
func (s *Service) newPassword(ctx context.Context, user models.User, password string) (models.Password, error) {
	if err := checkPassword(password, user.Email, user.Name); err != nil {
		return models.Password{}, err
	}
	hash, err := s.hasher.hash(ctx, password)
	if err != nil {
		return models.Password{}, err
	}
	return models.Password{UserID: user.ID, Hash: hash, ChangedAt: models.InstantOf(s.now())}, nil
}
