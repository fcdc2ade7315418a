package vault

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// maxKeyFile is the largest key file that is read, in bytes.
const maxKeyFile = 1 << 10

// permissions are the bits that let others than the owner at a key file.
const permissions fs.FileMode = 0o077

// LoadKey reads a master key from a file: 32 bytes as they are, or as text in
// 64 hexadecimal digits or in base64, with or without a line break at the end.
//
// It refuses a file that others than its owner may read or write (where the
// system has such permissions; Windows has none that Go sees), and a key whose
// bytes are all the same, which is a file that was never filled. The error
// says what to do, and is fs.ErrNotExist where there is no file.
func LoadKey(path string) (MasterKey, error) {
	text, err := readPrivate(path)
	if err != nil {
		return MasterKey{}, fmt.Errorf("read the key file: %w", err)
	}
	raw, ok := decodeKey(text)
	if !ok {
		return MasterKey{}, fmt.Errorf("the key file %s must hold 32 bytes, or 64 hexadecimal digits, or base64 of 32 bytes; "+
			"make a new one with: openssl rand -out %[1]s 32", path)
	}
	if bytes.Count(raw[:], raw[:1]) == KeySize {
		return MasterKey{}, fmt.Errorf("the key file %s holds one byte over and over, which is no secret; "+
			"make a new one with: openssl rand -out %[1]s 32", path)
	}
	return MasterKey{secret: hide(raw)}, nil
}

// LoadOrCreateKey reads the master key like [LoadKey], and makes a new random
// one where there is no file; its directory must exist. The new file is on
// disk, complete and private before it has its name, so that two processes
// that start at once agree on one key, and a crash leaves no half of one.
func LoadOrCreateKey(path string) (MasterKey, error) {
	key, err := LoadKey(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	// Where another process was faster, its key is the one to use.
	if err := createKey(path); err != nil && !errors.Is(err, fs.ErrExist) {
		return MasterKey{}, fmt.Errorf("make a key file: %w", err)
	}
	return LoadKey(path)
}

// readPrivate returns the content of a file that is its owner's alone.
func readPrivate(path string) ([]byte, error) {
	file, err := os.Open(path) //nolint:gosec // Who runs the server names the file.
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // nothing was written
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", path)
	}
	if mode := info.Mode().Perm(); mode&permissions != 0 && runtime.GOOS != "windows" {
		return nil, fmt.Errorf("%s has mode %04o, which lets others at it; run: chmod 600 %[1]s", path, mode)
	}
	return io.ReadAll(io.LimitReader(file, maxKeyFile))
}

// decodeKey returns the key that a file's content stands for.
func decodeKey(content []byte) ([KeySize]byte, bool) {
	if len(content) == KeySize {
		return [KeySize]byte(content), true
	}
	text := string(bytes.TrimRight(content, "\r\n"))
	for _, decode := range []func(string) ([]byte, error){
		hex.DecodeString,
		base64.StdEncoding.Strict().DecodeString,
		base64.RawStdEncoding.Strict().DecodeString,
		base64.URLEncoding.Strict().DecodeString,
		base64.RawURLEncoding.Strict().DecodeString,
	} {
		if raw, err := decode(text); err == nil && len(raw) == KeySize {
			return [KeySize]byte(raw), true
		}
	}
	return [KeySize]byte{}, false
}

// createKey writes a new key under another name and then links it to path,
// which fails with fs.ErrExist when path is taken.
func createKey(path string) (err error) {
	dir := filepath.Dir(path)
	file, err := os.CreateTemp(dir, ".key-*") // O_EXCL, mode 0600
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.Remove(file.Name())) }()
	if err := fill(file); err != nil {
		return err
	}
	if err := os.Link(file.Name(), path); err != nil {
		return err
	}
	return syncDir(dir)
}

// fill writes a random key to file, on disk, and closes it.
func fill(file *os.File) error {
	var raw [KeySize]byte
	_, _ = rand.Read(raw[:]) // never fails
	_, err := file.Write(raw[:])
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

// syncDir makes the names in a directory survive a loss of power. Windows has
// no such call and does it by itself.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir) //nolint:gosec // Who runs the server names the folder.
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
