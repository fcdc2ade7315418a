package vault

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func sampleBox() Box { return masterKey(sample()).Box(PurposeVault) }

func TestBoxKeepsAnyValue(t *testing.T) {
	t.Parallel()
	box := sampleBox()
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.SliceOf(rapid.Byte()).Draw(t, "value")
		place := rapid.SliceOf(rapid.String()).Draw(t, "place")
		sealed, err := box.Seal(value, place...)
		require.NoError(t, err)
		require.Len(t, sealed, len(value)+29)
		opened, err := box.Open(sealed, place...)
		require.NoError(t, err)
		require.True(t, bytes.Equal(value, opened))
	})
}

// TestBoxIsAESGCM opens a box by hand, so that a change of library or of
// scheme cannot silently lose everything that is stored.
func TestBoxIsAESGCM(t *testing.T) {
	t.Parallel()
	sealed, err := sampleBox().Seal([]byte("s3cret"), "alpha", "é")
	require.NoError(t, err)
	require.Equal(t, byte(1), sealed[0])

	key := masterKey(sample()).Derive(PurposeVault)
	block, err := aes.NewCipher(key[:])
	require.NoError(t, err)
	aead, err := cipher.NewGCM(block)
	require.NoError(t, err)
	place := []byte("\x01" + "\x00\x00\x00\x00\x00\x00\x00\x05alpha" + "\x00\x00\x00\x00\x00\x00\x00\x02é")
	opened, err := aead.Open(nil, sealed[1:13], sealed[13:], place)
	require.NoError(t, err)
	require.Equal(t, "s3cret", string(opened))
}

func TestBoxRefusesEveryFlippedBitAndCut(t *testing.T) {
	t.Parallel()
	box := sampleBox()
	sealed, err := box.Seal([]byte("s3cret"), "alpha")
	require.NoError(t, err)
	for bit := range len(sealed) * 8 {
		flipped := bytes.Clone(sealed)
		flipped[bit/8] ^= 1 << (bit % 8)
		opened, err := box.Open(flipped, "alpha")
		require.ErrorIs(t, err, ErrSealed, bit)
		require.Nil(t, opened)
	}
	for n := range sealed {
		_, err := box.Open(sealed[:n], "alpha")
		require.ErrorIs(t, err, ErrSealed, n)
		_, err = box.Open(sealed[n+1:], "alpha")
		require.ErrorIs(t, err, ErrSealed, n)
	}
	_, err = box.Open(append(sealed, 0), "alpha")
	require.ErrorIs(t, err, ErrSealed)
}

func TestBoxOpensOnlyInItsPlace(t *testing.T) {
	t.Parallel()
	box := sampleBox()
	home := []string{"settings", "alpha", "agent-1", "fs_orders", "key", "id-1"}
	sealed, err := box.Seal([]byte("s3cret"), home...)
	require.NoError(t, err)
	places := map[string][]string{
		"nowhere":        nil,
		"one more field": append(slices.Clone(home), ""),
		"one less":       home[:5],
		"moved boundary": {"settings", "alpha", "agent-1", "fs_order", "skey", "id-1"},
		"joined":         {"settings", "alphaagent-1", "fs_orders", "key", "id-1"},
		"another order":  {"alpha", "settings", "agent-1", "fs_orders", "key", "id-1"},
	}
	for i, name := range []string{"another kind", "tenant", "agent", "toolkit", "name", "version"} {
		place := slices.Clone(home)
		place[i] += "x"
		places[name] = place
	}
	for name, place := range places {
		_, err := box.Open(sealed, place...)
		require.ErrorIs(t, err, ErrSealed, name)
	}
	_, err = box.Open(sealed, home...)
	require.NoError(t, err)
}

func TestPlacesDifferUnlessAllIsEqual(t *testing.T) {
	t.Parallel()
	box := sampleBox()
	places := rapid.SliceOfN(rapid.StringMatching(`[a\x00]{0,2}`), 0, 3) // short, so that equal ones occur
	rapid.Check(t, func(t *rapid.T) {
		a, b := places.Draw(t, "a"), places.Draw(t, "b")
		sealed, err := box.Seal([]byte("s3cret"), a...)
		require.NoError(t, err)
		_, err = box.Open(sealed, b...)
		require.Equal(t, slices.Equal(a, b), err == nil)
	})
}

func TestBoxOpensWithItsKeyOnly(t *testing.T) {
	t.Parallel()
	sealed, err := sampleBox().Seal([]byte("s3cret"))
	require.NoError(t, err)
	for name, other := range map[string]Box{
		"another server":  masterKey(bytes.Repeat([]byte("ab"), 16)).Box(PurposeVault),
		"another purpose": masterKey(sample()).Box(PurposeSeals),
	} {
		_, err := other.Open(sealed)
		require.ErrorIs(t, err, ErrSealed, name)
	}
	opened, err := sampleBox().Open(sealed)
	require.NoError(t, err, "another box with the same key, as after a restart")
	require.Equal(t, "s3cret", string(opened))
}

func TestBoxWithoutAKeyRefuses(t *testing.T) {
	t.Parallel()
	sealed, err := sampleBox().Seal([]byte("s3cret"))
	require.NoError(t, err)
	for name, box := range map[string]Box{"zero": {}, "of the zero key": MasterKey{}.Box(PurposeVault)} {
		out, err := box.Seal([]byte("s3cret"))
		require.ErrorIs(t, err, ErrNoKey, name)
		require.Nil(t, out)
		_, err = box.Open(sealed)
		require.ErrorIs(t, err, ErrNoKey, name)
	}
}

func TestBoxIsDifferentEachTime(t *testing.T) {
	t.Parallel()
	box := sampleBox()
	const workers, each = 8, 200
	var (
		boxes [workers][each][]byte
		errs  [workers]error
		group sync.WaitGroup
	)
	for w := range workers {
		group.Go(func() {
			for i := range each {
				sealed, err := box.Seal([]byte("s3cret"), "alpha")
				boxes[w][i], errs[w] = sealed, errors.Join(errs[w], err)
			}
		})
	}
	group.Wait()
	require.NoError(t, errors.Join(errs[:]...))
	nonces := map[string]bool{}
	for _, made := range boxes {
		for _, sealed := range made {
			opened, err := box.Open(sealed, "alpha")
			require.NoError(t, err)
			require.Equal(t, "s3cret", string(opened))
			nonces[string(sealed[1:13])] = true
		}
	}
	require.Len(t, nonces, workers*each, "a nonce was used twice")
}

// FuzzOpen finds nothing that opens without having been sealed.
func FuzzOpen(f *testing.F) {
	box := sampleBox()
	sealed, err := box.Seal([]byte("s3cret"), "alpha")
	require.NoError(f, err)
	f.Add(sealed, "beta")
	f.Add(sealed[:len(sealed)-1], "alpha")
	f.Add([]byte{}, "")
	f.Add([]byte{boxVersion}, "alpha")
	f.Fuzz(func(t *testing.T, data []byte, place string) {
		opened, err := box.Open(data, place)
		if bytes.Equal(data, sealed) && place == "alpha" {
			require.NoError(t, err)
			return
		}
		require.ErrorIs(t, err, ErrSealed)
		require.Nil(t, opened)
	})
}
