package main

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// newhost has the files of a new host. Their names end in .tmpl, so that the go
// command takes them for no part of this module.
//
//go:embed newhost/*.tmpl
var newhost embed.FS

// hostFile is one file of a new host.
type hostFile struct {
	name string
	text []byte
}

// templateFiles returns the files that are the same in every new host.
func templateFiles() ([]hostFile, error) {
	paths, err := fs.Glob(newhost, "newhost/*.tmpl")
	if err != nil {
		return nil, fmt.Errorf("list the templates: %w", err)
	}
	files := make([]hostFile, 0, len(paths))
	for _, name := range paths {
		text, err := newhost.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read a template: %w", err)
		}
		name = strings.TrimSuffix(path.Base(name), ".tmpl")
		if name == "gitignore" {
			name = ".gitignore" // embedded without its dot, or git would obey it here
		}
		files = append(files, hostFile{name, text})
	}
	return files, nil
}

// writeFolder makes a folder with these files: all of them, or nothing. A folder
// that is there already must be empty.
func writeFolder(folder string, files []hostFile) (err error) {
	folder, exists, err := freeFolder(folder)
	if err != nil {
		return err
	}
	temporary, err := os.MkdirTemp(filepath.Dir(folder), ".agentstudio-new-")
	if err != nil {
		return fmt.Errorf("make a folder beside %s: %w", folder, err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temporary)) }()
	built := filepath.Join(temporary, "host")
	if err := os.Mkdir(built, 0o755); err != nil { //nolint:gosec // A project's folder, as the person's umask has it.
		return fmt.Errorf("make the folder: %w", err)
	}
	for _, file := range files {
		//nolint:gosec // Source files, as the person's umask has them.
		if err := os.WriteFile(filepath.Join(built, file.name), file.text, 0o644); err != nil {
			return fmt.Errorf("write a file of the host: %w", err)
		}
	}
	return moveFolder(built, folder, exists)
}

// freeFolder finds out where a folder really is and whether it exists, and
// refuses one that holds anything.
func freeFolder(folder string) (resolved string, exists bool, err error) {
	if _, err := os.Lstat(folder); errors.Is(err, fs.ErrNotExist) {
		return folder, false, nil
	}
	if resolved, err = filepath.EvalSymlinks(folder); err != nil {
		return "", false, fmt.Errorf("find the folder %s: %w", folder, err)
	}
	entries, err := os.ReadDir(resolved)
	if err != nil {
		return "", false, fmt.Errorf("look into the folder: %w", err)
	}
	if len(entries) > 0 {
		return "", false, fmt.Errorf("the folder %s is not empty, and was not touched; name one that is, or that is not there yet", folder)
	}
	return resolved, true, nil
}

// moveFolder moves a folder to its place. An empty one that is there gives way;
// one that is not empty any more does not.
func moveFolder(from, to string, exists bool) error {
	if exists {
		if err := os.Remove(to); err != nil {
			return fmt.Errorf("replace the empty folder: %w", err)
		}
	}
	if err := os.Rename(from, to); err != nil {
		err = fmt.Errorf("move the host to its place: %w", err)
		if exists {
			err = errors.Join(err, os.Mkdir(to, 0o755)) //nolint:gosec // As it was.
		}
		return err
	}
	return nil
}
