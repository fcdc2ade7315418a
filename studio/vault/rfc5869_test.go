package vault

import (
	"crypto/hmac"
	"crypto/sha256"
)

// byHand computes one block of HKDF with SHA-256 and no salt.
func byHand(secret []byte, info string) []byte {
	sum := func(key []byte, parts ...[]byte) []byte {
		mac := hmac.New(sha256.New, key)
		for _, p := range parts {
			mac.Write(p)
		}
		return mac.Sum(nil)
	}
	extracted := sum(make([]byte, sha256.Size), secret)
	return sum(extracted, []byte(info), []byte{1})
}
