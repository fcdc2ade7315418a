package vault

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

func sample() []byte {
	raw := make([]byte, KeySize)
	for i := range raw {
		raw[i] = byte(0xf0 + i) // has characters that differ between the base64 alphabets
	}
	return raw
}

func bytesOf(key MasterKey) []byte {
	raw := key.secret()
	return raw[:]
}

func write(t *testing.T, content []byte, mode fs.FileMode) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "studio.key")
	require.NoError(t, os.WriteFile(path, content, 0o600))
	require.NoError(t, os.Chmod(path, mode))
	return path
}

func TestLoadKeyForms(t *testing.T) {
	t.Parallel()
	raw := sample()
	forms := map[string]string{
		"bytes":              string(raw),
		"hex":                hex.EncodeToString(raw),
		"hex in upper case":  strings.ToUpper(hex.EncodeToString(raw)),
		"hex and newline":    hex.EncodeToString(raw) + "\n",
		"base64":             base64.StdEncoding.EncodeToString(raw),
		"base64 and CRLF":    base64.StdEncoding.EncodeToString(raw) + "\r\n",
		"base64 without pad": base64.RawStdEncoding.EncodeToString(raw),
		"base64url":          base64.URLEncoding.EncodeToString(raw),
		"base64url, no pad":  base64.RawURLEncoding.EncodeToString(raw),
	}
	for name, content := range forms {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			key, err := LoadKey(write(t, []byte(content), 0o600))
			require.NoError(t, err)
			require.False(t, key.IsZero())
			require.Equal(t, raw, bytesOf(key))
		})
	}
}

func TestLoadKeyRefusesContent(t *testing.T) {
	t.Parallel()
	cases := map[string][]byte{
		"empty":          {},
		"31 bytes":       sample()[:31],
		"33 bytes":       append(sample(), '!'),
		"63 hex digits":  []byte(hex.EncodeToString(sample())[:63]),
		"66 hex digits":  []byte(hex.EncodeToString(sample()) + "00"),
		"two lines":      []byte(hex.EncodeToString(sample()) + "\n" + hex.EncodeToString(sample())),
		"a sentence":     []byte("correct horse battery staple, said the admin"),
		"never filled":   make([]byte, KeySize),
		"never filled 2": []byte(strings.Repeat("00", KeySize)),
		"one letter":     bytes.Repeat([]byte("a"), KeySize),
		"huge":           bytes.Repeat(sample(), 1<<12),
	}
	for name, content := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			key, err := LoadKey(write(t, content, 0o600))
			require.ErrorContains(t, err, "openssl rand")
			require.True(t, key.IsZero())
			require.NotContains(t, err.Error(), hex.EncodeToString(sample())[:16])
		})
	}
}

func TestLoadKeyRefusesOpenFiles(t *testing.T) {
	t.Parallel()
	for _, mode := range []fs.FileMode{0o604, 0o640, 0o602, 0o620, 0o644, 0o660, 0o601, 0o610, 0o666} {
		t.Run(mode.String(), func(t *testing.T) {
			t.Parallel()
			path := write(t, sample(), mode)
			for _, load := range []func(string) (MasterKey, error){LoadKey, LoadOrCreateKey} {
				key, err := load(path)
				require.ErrorContains(t, err, "chmod 600 "+path)
				require.True(t, key.IsZero())
			}
		})
	}
	for _, mode := range []fs.FileMode{0o400, 0o600, 0o700} {
		_, err := LoadKey(write(t, sample(), mode))
		require.NoError(t, err, mode)
	}
}

func TestLoadKeyRefusesWhatIsNoFile(t *testing.T) {
	t.Parallel()
	_, err := LoadKey(filepath.Join(t.TempDir(), "absent"))
	require.ErrorIs(t, err, fs.ErrNotExist)
	_, err = LoadKey(t.TempDir())
	require.ErrorContains(t, err, "not a regular file")
}

func TestLoadOrCreateKey(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "studio.key")
	made, err := LoadOrCreateKey(path)
	require.NoError(t, err)
	again, err := LoadOrCreateKey(path)
	require.NoError(t, err)
	require.Equal(t, bytesOf(made), bytesOf(again))

	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o600), info.Mode().Perm())
	names, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, names, 1, "nothing else stays behind")

	other, err := LoadOrCreateKey(filepath.Join(t.TempDir(), "studio.key"))
	require.NoError(t, err)
	require.NotEqual(t, bytesOf(made), bytesOf(other))
}

func TestLoadOrCreateKeyRepairsNothing(t *testing.T) {
	t.Parallel()
	path := write(t, []byte("half a ke"), 0o600)
	_, err := LoadOrCreateKey(path)
	require.Error(t, err)
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "half a ke", string(content))

	_, err = LoadOrCreateKey(filepath.Join(t.TempDir(), "absent", "studio.key"))
	require.ErrorIs(t, err, fs.ErrNotExist)
}

func TestCreatorsAgreeOnOneKey(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "studio.key")
	const creators = 32
	var (
		keys  [creators]MasterKey
		errs  [creators]error
		start = make(chan struct{})
		group sync.WaitGroup
	)
	for i := range creators {
		group.Go(func() {
			<-start
			keys[i], errs[i] = LoadOrCreateKey(path)
		})
	}
	close(start)
	group.Wait()
	for i := range creators {
		require.NoError(t, errs[i])
		require.Equal(t, bytesOf(keys[0]), bytesOf(keys[i]))
	}
}

func TestCreateKeyNeverReplaces(t *testing.T) {
	t.Parallel()
	path := write(t, sample(), 0o600)
	require.ErrorIs(t, createKey(path), fs.ErrExist)
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, sample(), content)
}
