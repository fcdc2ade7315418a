package identity

import (
	"crypto/sha256"
	"encoding/binary"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestKnownTokensStillExpire holds that a token whose signature is remembered
// is judged anew by the clock and the audience.
func TestKnownTokensStillExpire(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	tokens := NewTokens([32]byte{1}, func() time.Time { return now })
	text, err := tokens.IssueAPI(APIToken{ID: "t", User: "u", Tenant: "acme", ExpiresAt: now.Add(time.Hour)})
	require.NoError(t, err)
	for range 2 {
		_, err = tokens.VerifyAPI(text)
		require.NoError(t, err)
	}
	_, err = tokens.VerifyBrowser(text)
	require.Error(t, err, "it is of another kind")
	now = now.Add(time.Hour + 2*leeway)
	_, err = tokens.VerifyAPI(text)
	require.ErrorContains(t, err, "expired")
	now = now.Add(-2 * time.Hour)
	_, err = tokens.VerifyAPI(text)
	require.Error(t, err, "it is not issued yet")
}

// TestWrongTokensAreNotRemembered holds that only what was signed is known.
func TestWrongTokensAreNotRemembered(t *testing.T) {
	t.Parallel()
	tokens := NewTokens([32]byte{1}, time.Now)
	other, err := NewTokens([32]byte{2}, time.Now).IssueAPI(APIToken{ID: "t", User: "u", Tenant: "acme", ExpiresAt: time.Now().Add(time.Hour)})
	require.NoError(t, err)
	for range 2 {
		_, err = tokens.VerifyAPI(other)
		require.Error(t, err)
	}
	require.Empty(t, tokens.seen.newer)
}

func TestVerifiedIsBounded(t *testing.T) {
	t.Parallel()
	v := newVerified()
	digest := func(n uint64) (d [sha256.Size]byte) {
		binary.BigEndian.PutUint64(d[:], n)
		return d
	}
	often := digest(0)
	v.put(often, &claims{})
	for n := range uint64(3 * maxVerified) {
		v.put(digest(n+1), &claims{})
		_, ok := v.get(often)
		require.True(t, ok, "what is used stays")
	}
	require.LessOrEqual(t, len(v.newer)+len(v.older), 2*maxVerified)
	_, ok := v.get(digest(1))
	require.False(t, ok)
}
