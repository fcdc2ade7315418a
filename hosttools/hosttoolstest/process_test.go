package hosttoolstest

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The tests of this file are not parallel: files, environment and working
// directory belong to the whole process.

func TestFilesLeftBehind(t *testing.T) {
	if runtime.GOOS != "linux" {
		require.Empty(t, openFiles(), "files are looked for under /proc only")
		return
	}
	path := filepath.Join(t.TempDir(), "notes")
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	var opened []*os.File
	t.Cleanup(func() {
		for _, file := range opened {
			_ = file.Close()
		}
	})
	open := func() error {
		file, err := os.Open(path)
		opened = append(opened, file)
		return err
	}
	brief := within(5*time.Second, 50*time.Millisecond)

	constructor := registryOf(t, func(*kit, int) { require.NoError(t, open()) })
	requireOne(t, Check(t.Context(), constructor, brief), "construction", "x_notes", path)

	closed := registryOf(t, func(k *kit, _ int) { k.Open = func(context.Context) error { return open() } })
	requireOne(t, Check(t.Context(), closed, brief), "lifecycle", "x_notes", path)
}

func TestEnvironmentChanged(t *testing.T) {
	t.Setenv("X_NOTES", "")
	registry := registryOf(t, func(_ *kit, n int) {
		require.NoError(t, os.Setenv("X_NOTES", strconv.Itoa(n))) //nolint:usetesting // As a bad constructor does.
	})
	requireOne(t, Check(t.Context(), registry), "construction", "x_notes", "variable X_NOTES")
}

func TestWorkingDirectoryChanged(t *testing.T) {
	base := t.TempDir()
	t.Chdir(base)
	registry := registryOf(t, func(_ *kit, n int) {
		folder := filepath.Join(base, strconv.Itoa(n))
		require.NoError(t, os.Mkdir(folder, 0o700))
		require.NoError(t, os.Chdir(folder)) //nolint:usetesting // As a bad constructor does.
	})
	requireOne(t, Check(t.Context(), registry), "construction", "x_notes", "working directory")
}
