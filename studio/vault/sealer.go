package vault

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
)

// Sealer makes and checks seals: MACs that nobody without the key can make, so
// that a record with a valid seal was written by this server. It may be used
// from any goroutine. The zero value seals nothing and finds no seal valid.
type Sealer struct {
	stars
	key secret
}

// Seal returns the seal of data (HMAC with SHA-256, 32 bytes). The domain says
// what data is, so that a seal of one kind of data is none of another.
func (s Sealer) Seal(domain string, data []byte) []byte {
	if s.key == nil {
		return nil
	}
	key := s.key()
	mac := hmac.New(sha256.New, key[:])
	// The length keeps the domain's end from being mistaken for data.
	mac.Write(binary.BigEndian.AppendUint64(nil, uint64(len(domain))))
	mac.Write([]byte(domain))
	mac.Write(data)
	return mac.Sum(nil)
}

// Valid reports whether seal is the seal of data in the domain. How long it
// takes does not depend on how much of the seal is right.
func (s Sealer) Valid(domain string, data, seal []byte) bool {
	want := s.Seal(domain, data)
	return want != nil && hmac.Equal(want, seal)
}
