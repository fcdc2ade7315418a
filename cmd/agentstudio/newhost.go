package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
)

// studioModule is the module that a host requires, and hostGo the version of Go
// that it needs for that.
const (
	studioModule = "github.com/agentstudio/agentstudio"
	hostGo       = "1.26.0"
)

// newCommand groups the commands that write new programs.
type newCommand struct {
	Host newHostCommand `cmd:"" help:"Write a small host application: a server with the Studio in it, one toolkit, and its tests."`
}

// newHostCommand writes a host application.
type newHostCommand struct {
	Folder string `arg:"" help:"Folder to write it to. It must be empty, or not there yet."`
	Module string `placeholder:"PATH" help:"Module path of the host; the folder's name, if left out."`
	Studio string `placeholder:"FOLDER" help:"Checkout of Agent Studio to build the host with, instead of a released version."`
}

// Run writes the host and says how to go on.
func (n newHostCommand) Run() error {
	folder, err := filepath.Abs(n.Folder)
	if err != nil {
		return fmt.Errorf("find the folder %s: %w", n.Folder, err)
	}
	files, err := n.files(folder)
	if err != nil {
		return err
	}
	if err := writeFolder(folder, files); err != nil {
		return err
	}
	fmt.Fprintf(os.Stdout, "Wrote a host application to %s:\n\n", n.Folder)
	for _, file := range files {
		fmt.Fprintf(os.Stdout, "  %s\n", file.name)
	}
	fmt.Fprintf(os.Stdout, "\nGo on with:\n\n  cd %s && go mod tidy\n  go run .\n", quoted(n.Folder))
	return nil
}

// quoted returns a path as a shell takes it.
func quoted(path string) string {
	if strings.ContainsFunc(path, func(r rune) bool { return strings.ContainsRune(" \t\n\"'\\$&|;<>()*?[]#~=%!{}`", r) }) {
		return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	return path
}

// files returns what the host consists of.
func (n newHostCommand) files(folder string) ([]hostFile, error) {
	version := studioVersion()
	if n.Studio == "" && version == "" {
		return nil, errors.New("this program was not built from a released version; " +
			"name the checkout of Agent Studio to build the host with: --studio FOLDER")
	}
	files, err := templateFiles()
	if err != nil {
		return nil, err
	}
	goMod, err := n.goMod(cmp.Or(n.Module, filepath.Base(folder)), cmp.Or(version, "v0.0.0"))
	if err != nil {
		return nil, err
	}
	files = append(files, hostFile{"go.mod", goMod})
	if n.Studio != "" {
		sums, err := os.ReadFile(filepath.Join(n.Studio, "go.sum"))
		if err != nil {
			return nil, fmt.Errorf("read the checkout's go.sum: %w", err)
		}
		files = append(files, hostFile{"go.sum", sums})
	}
	return files, nil
}

// goMod returns the host's go.mod.
func (n newHostCommand) goMod(path, version string) ([]byte, error) {
	if err := module.CheckImportPath(path); err != nil {
		return nil, fmt.Errorf("%q cannot be the host's module path; name another with --module: %w", path, err)
	}
	var file modfile.File
	err := errors.Join(file.AddModuleStmt(path), file.AddGoStmt(hostGo), file.AddRequire(studioModule, version))
	if err != nil {
		return nil, fmt.Errorf("write go.mod: %w", err)
	}
	if n.Studio != "" {
		checkout, err := checkoutOf(n.Studio)
		if err != nil {
			return nil, err
		}
		if err := file.AddReplace(studioModule, "", checkout, ""); err != nil {
			return nil, fmt.Errorf("write go.mod: %w", err)
		}
	}
	return file.Format()
}

// checkoutOf returns the absolute path of a checkout of Agent Studio.
func checkoutOf(folder string) (string, error) {
	path, err := filepath.Abs(folder)
	if err != nil {
		return "", fmt.Errorf("find the checkout %s: %w", folder, err)
	}
	goMod, err := os.ReadFile(filepath.Join(path, "go.mod")) //nolint:gosec // Who runs the command names the folder.
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("read the checkout's go.mod: %w", err)
	}
	if modfile.ModulePath(goMod) != studioModule {
		return "", fmt.Errorf("%s is no checkout of Agent Studio: it has no go.mod of the module %s", folder, studioModule)
	}
	return path, nil
}

// studioVersion returns the version of Agent Studio in this program, "" where
// it is none that others could download.
func studioVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	return versionIn(info)
}

func versionIn(info *debug.BuildInfo) string {
	for _, m := range append([]*debug.Module{&info.Main}, info.Deps...) {
		if m.Path != studioModule {
			continue
		}
		if m.Replace != nil || module.Check(m.Path, m.Version) != nil || strings.HasSuffix(m.Version, "+dirty") {
			return ""
		}
		return m.Version
	}
	return ""
}
