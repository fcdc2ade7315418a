package storetest

import (
	"errors"
	"os/exec"
	"path/filepath"
	"strconv"
)

// debianBinaries matches the directories in which Debian and its relatives
// install the server's programs, one per major version and on nobody's PATH.
const debianBinaries = "/usr/lib/postgresql/*/bin"

// errNoBinaries says what is missing and how to get it.
var errNoBinaries = errors.New("PostgreSQL is not installed: these tests need its initdb and postgres programs. " +
	"Install them (Debian, Ubuntu: apt-get install postgresql; Fedora: dnf install postgresql-server; " +
	"macOS: brew install postgresql), or set " + envServer + " to the URL of a running server")

// binaries names the two programs that are needed of a PostgreSQL installation.
type binaries struct {
	initdb   string
	postgres string
}

// findBinaries returns the newest installation among the directories that
// match pattern, or else the one that lookPath finds.
func findBinaries(pattern string, lookPath func(string) (string, error)) (binaries, error) {
	directories, err := filepath.Glob(pattern)
	if err != nil {
		return binaries{}, err
	}
	newest, found := -1, binaries{}
	for _, directory := range directories {
		version, err := strconv.Atoi(filepath.Base(filepath.Dir(directory)))
		if err != nil || version <= newest {
			continue
		}
		if b, ok := binariesIn(directory); ok {
			newest, found = version, b
		}
	}
	if newest >= 0 {
		return found, nil
	}
	return binariesOnPath(lookPath)
}

// binariesIn returns the programs in directory, if both are there: a client
// package creates the directory without them.
func binariesIn(directory string) (b binaries, ok bool) {
	initdb, err := exec.LookPath(filepath.Join(directory, "initdb"))
	if err != nil {
		return binaries{}, false
	}
	postgres, err := exec.LookPath(filepath.Join(directory, "postgres"))
	if err != nil {
		return binaries{}, false
	}
	return binaries{initdb: initdb, postgres: postgres}, true
}

func binariesOnPath(lookPath func(string) (string, error)) (binaries, error) {
	initdb, err := lookPath("initdb")
	if err != nil {
		return binaries{}, errNoBinaries
	}
	postgres, err := lookPath("postgres")
	if err != nil {
		return binaries{}, errNoBinaries
	}
	return binaries{initdb: initdb, postgres: postgres}, nil
}
