package vault

import (
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// KeySize is the size of the master key and of every derived key, in bytes.
const KeySize = 32

// derivation starts the info of every derived key. Another version of the
// scheme has another one.
const derivation = "agent-studio/key/v1/"

// Purpose is what a derived key is for. Keys of different purposes are
// independent of each other.
type Purpose string

// The purposes. Changing one changes its key.
const (
	PurposeTokens Purpose = "token-signing"
	PurposeSeals  Purpose = "approval-seals"
	PurposeVault  Purpose = "vault"
	PurposeFlows  Purpose = "sign-in-flows"
	PurposeWrap   Purpose = "data-keys"
	purposeID     Purpose = "key-id"
)

// MasterKey is the secret from which all keys of a server are derived. The
// zero value holds none: what is derived from it is random each time, and so
// opens and proves nothing.
type MasterKey struct {
	stars
	secret secret
}

// IsZero reports whether the key holds no secret.
func (k MasterKey) IsZero() bool { return k.secret == nil }

// Derive returns the key for a purpose, always the same one for the same
// master key (HKDF with SHA-256).
func (k MasterKey) Derive(purpose Purpose) [KeySize]byte {
	var out [KeySize]byte
	if k.IsZero() {
		_, _ = rand.Read(out[:]) // never fails
		return out
	}
	raw := k.secret()
	derived, err := hkdf.Key(sha256.New, raw[:], nil, derivation+string(purpose), KeySize)
	if err != nil {
		// Only lengths that are not ours can fail.
		panic(fmt.Sprintf("vault: derive a key of %d bytes: %v", KeySize, err))
	}
	copy(out[:], derived)
	return out
}

// Sealer returns a sealer with the key for a purpose.
func (k MasterKey) Sealer(purpose Purpose) Sealer {
	return Sealer{key: hide(k.Derive(purpose))}
}

// id names the key without telling anything of it.
func (k MasterKey) id() string {
	derived := k.Derive(purposeID)
	return hex.EncodeToString(derived[:8])
}
