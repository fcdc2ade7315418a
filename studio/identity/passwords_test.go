package identity

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/agentstudio/agentstudio/models"
)

func cheap() *hasher { return newHasher(Cost{Memory: 8, Passes: 1}) }

func TestPasswordRules(t *testing.T) {
	t.Parallel()
	for password, accepted := range map[string]bool{
		"seven green bottles": true, "correct horse battery staple": true, "Это длинная фраза про кота": true,
		"x7Kq#mWp2!vZt9": true, "七つの緑の瓶と壁がある部屋だ": true,
		"": false, "short": false, "elevenchars": false, strings.Repeat("ab c", 40): false,
		"aaaaaaaaaaaa": false, "abababababab": false, "abcabcabcabc": false, "qwertyuiop123": false, "abcdefghijkl": false,
		"123456789012": false, "1qaz2wsx3edc": false, "password1234": false, "Passw0rd!!!!": false, "PASSWORD123456": false,
		"\xff\xfeseven green bottles": false,
		"ada lovelace":                false, "adalovelace1": false, "lovelace2024!": false, "agentstudio12": false,
	} {
		err := checkPassword(password, "lovelace@acme.test", "Ada Lovelace")
		require.Equal(t, accepted, err == nil, "%q: %v", password, err)
		if err != nil {
			require.Equal(t, models.CodeValidation, models.CodeOf(err))
		}
	}
}

// TestHashes hashes anything that can be typed, and verifies it alone.
func TestHashes(t *testing.T) {
	t.Parallel()
	h := cheap()
	rapid.Check(t, func(rt *rapid.T) {
		one := rapid.String().Draw(rt, "one")
		stored, err := h.hash(t.Context(), one)
		require.NoError(rt, err)
		right, err := h.verify(t.Context(), stored, one)
		require.NoError(rt, err)
		require.True(rt, right)
		wrong, err := h.verify(t.Context(), stored, one+"x")
		require.NoError(rt, err)
		require.False(rt, wrong)
	})
	first, err := h.hash(t.Context(), "the same")
	require.NoError(t, err)
	second, err := h.hash(t.Context(), "the same")
	require.NoError(t, err)
	require.NotEqual(t, first, second, "each has its own salt")
	composed, err := h.hash(t.Context(), "caf\u00e9 and croissant")
	require.NoError(t, err)
	same, err := h.verify(t.Context(), composed, "cafe\u0301 and croissant")
	require.NoError(t, err)
	require.True(t, same, "however a keyboard composes it")
}

func TestHashesThatAreNotOurs(t *testing.T) {
	t.Parallel()
	h := cheap()
	stored, err := h.hash(t.Context(), "x")
	require.NoError(t, err)
	for name, changed := range map[string]string{
		"nothing": "", "plain": "x", "argon2i": strings.Replace(stored, "argon2id", "argon2i", 1),
		"too much memory": strings.Replace(stored, "m=8,", "m=4294967295,", 1),
		"no passes":       strings.Replace(stored, "t=1,", "t=0,", 1),
		"more lanes":      strings.Replace(stored, "p=1", "p=2", 1),
		"another version": strings.Replace(stored, "v=19", "v=18", 1),
		"a space":         stored + " ", "cut": stored[:len(stored)-4], "one part more": stored + "$x",
	} {
		_, err := h.verify(t.Context(), changed, "x")
		require.Error(t, err, name)
	}
	require.True(t, newHasher(Cost{Memory: 16, Passes: 1}).outdated(stored))
	require.False(t, h.outdated(stored))
}

// FuzzDecodeHash holds that nothing is read that would not be written so.
func FuzzDecodeHash(f *testing.F) {
	stored, err := cheap().hash(f.Context(), "x")
	require.NoError(f, err)
	f.Add(stored)
	f.Add("$argon2id$v=19$m=8,t=1,p=1$$")
	f.Fuzz(func(t *testing.T, text string) {
		cost, salt, key, err := decodeHash(text)
		if err == nil {
			require.Equal(t, text, encodeHash(cost, salt, key))
		}
	})
}
