package storetest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// install creates programs in a directory laid out as Debian does it, and
// returns its path.
func install(t *testing.T, root, version string, programs ...string) string {
	t.Helper()
	directory := filepath.Join(root, version, "bin")
	require.NoError(t, os.MkdirAll(directory, 0o700))
	for _, program := range programs {
		require.NoError(t, os.WriteFile(filepath.Join(directory, program), nil, 0o700))
	}
	return directory
}

func notOnPath(string) (string, error) { return "", exec.ErrNotFound }

func TestFindBinariesTakesTheNewestCompleteVersion(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	install(t, root, "9", "initdb", "postgres")
	want := install(t, root, "15", "initdb", "postgres")
	install(t, root, "16", "psql")
	install(t, root, "17", "initdb")
	install(t, root, "common", "initdb", "postgres")

	got, err := findBinaries(filepath.Join(root, "*", "bin"), notOnPath)
	require.NoError(t, err)
	require.Equal(t, binaries{filepath.Join(want, "initdb"), filepath.Join(want, "postgres")}, got)
}

func TestFindBinariesFallsBackToPath(t *testing.T) {
	t.Parallel()
	onPath := func(program string) (string, error) { return "/opt/pg/" + program, nil }
	got, err := findBinaries(filepath.Join(t.TempDir(), "*", "bin"), onPath)
	require.NoError(t, err)
	require.Equal(t, binaries{"/opt/pg/initdb", "/opt/pg/postgres"}, got)
}

func TestFindBinariesSaysWhatToInstall(t *testing.T) {
	t.Parallel()
	onlyInitdb := func(program string) (string, error) {
		if program == "initdb" {
			return program, nil
		}
		return "", exec.ErrNotFound
	}
	for _, lookPath := range []func(string) (string, error){notOnPath, onlyInitdb} {
		_, err := findBinaries(filepath.Join(t.TempDir(), "*", "bin"), lookPath)
		require.ErrorIs(t, err, errNoBinaries)
		require.ErrorContains(t, err, "apt-get install postgresql")
	}
}
