package vault

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"errors"
	"fmt"
)

var (
	// ErrSealed says that a box cannot be opened: it was damaged, sealed with
	// another key, or is not in the place it was sealed for. Which of them
	// cannot be told.
	ErrSealed = errors.New("vault: this box cannot be opened here")
	// ErrNoKey says that there is no key to seal or to open with.
	ErrNoKey = errors.New("vault: there is no key")
)

// boxVersion is the first byte of every box. Another way to seal has another.
const boxVersion = 1

// Box seals secret values so that only the same key opens them, and only in
// the place they were sealed for (AES-256-GCM). A key is good for 2^32 values.
// It may be used from any goroutine. The zero value, and the box of a
// [MasterKey] that holds none, refuse with [ErrNoKey].
type Box struct {
	stars
	aead func() cipher.AEAD // hides the key as secret does
}

// Box returns a box with the key for a purpose.
func (k MasterKey) Box(purpose Purpose) Box {
	if k.IsZero() {
		return Box{} // what a random key seals would be lost
	}
	key := k.Derive(purpose)
	aead, err := newAEAD(key[:])
	if err != nil {
		// Only lengths that are not ours can fail.
		panic(fmt.Sprintf("vault: make a cipher with a key of %d bytes: %v", len(key), err))
	}
	return Box{aead: func() cipher.AEAD { return aead }}
}

func newAEAD(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

// Seal returns plaintext sealed for a place, 29 bytes longer and different each
// time. The place is told by fields that together fit no other value, such as
// what kind of record it is in, tenant, key, name and version; Open needs the
// same ones in the same order. They are not kept in the box.
func (b Box) Seal(plaintext []byte, place ...string) ([]byte, error) {
	if b.aead == nil {
		return nil, ErrNoKey
	}
	aead := b.aead()
	out := make([]byte, 1, 1+len(plaintext)+aead.Overhead())
	out[0] = boxVersion
	return aead.Seal(out, nil, plaintext, associated(place)), nil //nolint:gosec // the cipher picks the nonce itself
}

// Open returns what Seal sealed for the same place, or [ErrSealed].
func (b Box) Open(box []byte, place ...string) ([]byte, error) {
	if b.aead == nil {
		return nil, ErrNoKey
	}
	if len(box) == 0 || box[0] != boxVersion {
		return nil, ErrSealed
	}
	plaintext, err := b.aead().Open(nil, nil, box[1:], associated(place))
	if err != nil {
		return nil, ErrSealed // the cause says no more
	}
	return plaintext, nil
}

// associated encodes the version and the fields of a place, each after its
// length, so that no two places look the same.
func associated(place []string) []byte {
	data := []byte{boxVersion}
	for _, field := range place {
		data = binary.BigEndian.AppendUint64(data, uint64(len(field)))
		data = append(data, field...)
	}
	return data
}
