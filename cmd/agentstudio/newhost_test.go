package main

import (
	"go/format"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/modfile"
)

// checkout is this module, seen from this package.
const checkout = "../.."

func TestNewHostWritesEverything(t *testing.T) {
	t.Parallel()
	for name, folder := range map[string]string{
		"absent": filepath.Join(t.TempDir(), "helpdesk"),
		"empty":  t.TempDir(),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.NoError(t, newHostCommand{Folder: folder, Module: "example.test/helpdesk", Studio: checkout}.Run())
			require.ElementsMatch(t, []string{
				".gitignore", "README.md", "go.mod", "go.sum", "main.go", "people.go", "tickets.go", "tickets_test.go",
			}, namesIn(t, folder))
			goMod := parsed(t, filepath.Join(folder, "go.mod"))
			require.Equal(t, "example.test/helpdesk", goMod.Module.Mod.Path)
			require.Equal(t, studioModule, goMod.Require[0].Mod.Path)
			absolute, err := filepath.Abs(checkout)
			require.NoError(t, err)
			require.Equal(t, absolute, goMod.Replace[0].New.Path)
		})
	}
}

func TestNewHostKeepsOutOfTheWay(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		prepare func(t *testing.T, folder string)
		command newHostCommand
		says    string
	}{
		"a folder with a file": {
			prepare: func(t *testing.T, folder string) {
				require.NoError(t, os.Mkdir(folder, 0o700))
				require.NoError(t, os.WriteFile(filepath.Join(folder, "mine.txt"), []byte("mine"), 0o600))
			},
			says: "not empty",
		},
		"a file of that name": {
			prepare: func(t *testing.T, folder string) {
				require.NoError(t, os.WriteFile(folder, []byte("mine"), 0o600))
			},
			says: "not a directory",
		},
		"a link to nowhere": {
			prepare: func(t *testing.T, folder string) { require.NoError(t, os.Symlink("nowhere", folder)) },
			says:    "nowhere",
		},
		"a bad module path":         {command: newHostCommand{Module: "help desk"}, says: "--module"},
		"a module path upwards":     {command: newHostCommand{Module: "../helpdesk"}, says: "--module"},
		"a module path with a line": {command: newHostCommand{Module: "a\nreplace b => c"}, says: "--module"},
		"no checkout":               {command: newHostCommand{Studio: "newhost"}, says: "no checkout"},
		"a parent that is missing":  {command: newHostCommand{Folder: filepath.Join("nowhere", "helpdesk")}, says: "no such file"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			parent := t.TempDir()
			command := c.command
			command.Folder = filepath.Join(parent, "helpdesk")
			if c.command.Folder != "" {
				command.Folder = filepath.Join(parent, c.command.Folder)
			}
			if command.Studio == "" {
				command.Studio = checkout
			}
			if c.prepare != nil {
				c.prepare(t, command.Folder)
			}
			before := contents(t, parent)
			require.ErrorContains(t, command.Run(), c.says)
			require.Equal(t, before, contents(t, parent), "nothing is left behind, and nothing is touched")
		})
	}
}

// TestNewHostNeedsAVersion runs in a test binary, which has no version of its
// own that anybody could download.
func TestNewHostNeedsAVersion(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "helpdesk")
	require.ErrorContains(t, newHostCommand{Folder: folder}.Run(), "--studio")
	require.NoDirExists(t, folder)
}

func TestCheckoutIsOne(t *testing.T) {
	t.Parallel()
	other := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(other, "go.mod"), []byte("module example.test/other\n"), 0o600))
	for _, folder := range []string{other, t.TempDir()} {
		_, err := checkoutOf(folder)
		require.ErrorContains(t, err, "no checkout")
	}
}

func TestVersionIn(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		info debug.BuildInfo
		want string
	}{
		"a release":            {debug.BuildInfo{Main: debug.Module{Path: studioModule, Version: "v1.2.3"}}, "v1.2.3"},
		"a checkout":           {debug.BuildInfo{Main: debug.Module{Path: studioModule, Version: "(devel)"}}, ""},
		"a changed checkout":   {debug.BuildInfo{Main: debug.Module{Path: studioModule, Version: "v1.2.3+dirty"}}, ""},
		"a dependency":         {debug.BuildInfo{Deps: []*debug.Module{{Path: studioModule, Version: "v1.2.3"}}}, "v1.2.3"},
		"a dependency of ours": {debug.BuildInfo{Deps: []*debug.Module{{Path: studioModule, Version: "v1.2.3", Replace: &debug.Module{Path: "../x"}}}}, ""},
		"nothing":              {debug.BuildInfo{}, ""},
	} {
		require.Equal(t, c.want, versionIn(&c.info), name)
	}
}

func TestNewHostIsFormatted(t *testing.T) {
	t.Parallel()
	files, err := templateFiles()
	require.NoError(t, err)
	formatted := 0
	for _, file := range files {
		if filepath.Ext(file.name) != ".go" {
			continue
		}
		want, err := format.Source(file.text)
		require.NoError(t, err, file.name)
		require.Equal(t, string(want), string(file.text), "%s is not gofmt'ed", file.name)
		formatted++
	}
	require.Equal(t, 4, formatted)
}

func TestNewHostHasOurGo(t *testing.T) {
	t.Parallel()
	require.Equal(t, hostGo, parsed(t, filepath.Join(checkout, "go.mod")).Go.Version)
}

func TestQuoted(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"./helpdesk": "./helpdesk", "my host": "'my host'", "it's": `'it'\''s'`, "a$b": "'a$b'", "größe": "größe",
	} {
		require.Equal(t, want, quoted(path))
	}
}

func parsed(t *testing.T, path string) *modfile.File {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	file, err := modfile.Parse(path, text, nil)
	require.NoError(t, err)
	return file
}

func namesIn(t *testing.T, folder string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

// contents returns all that is below a folder, with the text of its files.
func contents(t *testing.T, folder string) map[string]string {
	t.Helper()
	found := map[string]string{}
	require.NoError(t, filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		found[path] = entry.Type().String()
		if entry.Type().IsRegular() {
			text, err := os.ReadFile(path)
			found[path] += strings.TrimSpace(string(text))
			return err
		}
		return nil
	}))
	return found
}
