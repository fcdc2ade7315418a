package identity

import (
	"crypto/sha256"
	"sync"
)

// maxVerified is how many tokens each of the two halves of [verified] holds.
const maxVerified = 4096

// verified remembers the claims of tokens whose signature was found good, by the
// hash of their text, so that a program that calls often is checked cheaply. It
// says nothing about expiry, and nothing is in it but what a good signature
// vouches for. When it is full, the older half is forgotten.
type verified struct {
	mu           sync.Mutex
	newer, older map[[sha256.Size]byte]*claims
}

func newVerified() *verified {
	return &verified{newer: map[[sha256.Size]byte]*claims{}}
}

// get returns the claims of a token, which nobody may change.
func (v *verified) get(digest [sha256.Size]byte) (*claims, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if c, ok := v.newer[digest]; ok {
		return c, true
	}
	c, ok := v.older[digest]
	if ok {
		v.keep(digest, c)
	}
	return c, ok
}

func (v *verified) put(digest [sha256.Size]byte, c *claims) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.keep(digest, c)
}

func (v *verified) keep(digest [sha256.Size]byte, c *claims) {
	if len(v.newer) >= maxVerified {
		v.newer, v.older = map[[sha256.Size]byte]*claims{}, v.newer
	}
	v.newer[digest] = c
}
