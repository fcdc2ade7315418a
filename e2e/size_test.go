package e2e_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What a reader can hold in mind. Generated files and tests are not counted.
const (
	maxFileLines     = 400
	maxFunctionLines = 60
)

// source is one parsed Go file.
type source struct {
	// path is relative to the module.
	path  string
	lines int
	file  *ast.File
	set   *token.FileSet
}

// span returns how many lines node takes.
func (s source) span(node ast.Node) int {
	return s.set.Position(node.End()).Line - s.set.Position(node.Pos()).Line + 1
}

// at returns the place of node as an editor understands it.
func (s source) at(node ast.Node) string {
	return fmt.Sprintf("%s:%d", s.path, s.set.Position(node.Pos()).Line)
}

func parse(t *testing.T, path string, text []byte) source {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, text, parser.ParseComments|parser.SkipObjectResolution)
	require.NoError(t, err)
	return source{path: path, lines: bytes.Count(text, []byte("\n")), file: file, set: set}
}

// sources returns every Go file of the module that people wrote, tests aside.
func sources(t *testing.T) (all []source) {
	t.Helper()
	root := strings.TrimSpace(string(goCommand(t, "list", "-m", "-f", "{{.Dir}}")))
	module := os.DirFS(root)
	err := fs.WalkDir(module, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return skipForeign(path, entry, err)
		}
		if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := fs.ReadFile(module, path)
		if err != nil {
			return err
		}
		if s := parse(t, path, text); !ast.IsGenerated(s.file) {
			all = append(all, s)
		}
		return nil
	})
	require.NoError(t, err)
	return all
}

// skipForeign leaves out the folders that the go command leaves out as well,
// and those of other tools.
func skipForeign(path string, entry fs.DirEntry, err error) error {
	name := entry.Name()
	if err == nil && path != "." && (name[0] == '.' || name == "testdata" || name == "node_modules") {
		return fs.SkipDir
	}
	return err
}

// oversized returns a line for the file, if it is too long, and one for each of
// its functions that is.
func oversized(s source) (found []string) {
	if s.lines > maxFileLines {
		found = append(found, fmt.Sprintf("%s has %d lines, of at most %d", s.path, s.lines, maxFileLines))
	}
	for _, declaration := range s.file.Decls {
		function, ok := declaration.(*ast.FuncDecl)
		if !ok {
			continue
		}
		if lines := s.span(function); lines > maxFunctionLines {
			found = append(found, fmt.Sprintf("%s: %s has %d lines, of at most %d",
				s.at(function), function.Name.Name, lines, maxFunctionLines))
		}
	}
	return found
}

// inlineConditions returns a line for every query in the file that passes a
// condition beside its destination, like First(&row, id). Such a condition may
// be a string, which then is SQL, or a struct, whose zero fields then are no
// condition: both find what they should not. Linters see the type of a method,
// but not how many arguments it is given.
func inlineConditions(s source) (found []string) {
	packages := map[string]bool{}
	for _, imported := range s.file.Imports {
		path := strings.Trim(imported.Path.Value, `"`)
		packages[path[strings.LastIndex(path, "/")+1:]] = true
	}
	ast.Inspect(s.file, func(node ast.Node) bool {
		call, ok := node.(*ast.CallExpr)
		if !ok || len(call.Args) < 2 {
			return true
		}
		selector, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if receiver, ok := selector.X.(*ast.Ident); ok && packages[receiver.Name] {
			return true // A function like slices.Delete, not a query.
		}
		switch selector.Sel.Name {
		case "First", "Last", "Take", "Find", "Delete":
			found = append(found, fmt.Sprintf("%s: %s takes a condition beside its destination; use Where",
				s.at(call), selector.Sel.Name))
		}
		return true
	})
	return found
}

func TestFilesAndFunctionsAreShort(t *testing.T) {
	t.Parallel()
	var found []string
	for _, s := range sources(t) {
		found = append(found, oversized(s)...)
	}
	require.Empty(t, found, "too long:\n%s", strings.Join(found, "\n"))
}

func TestQueriesHaveNoInlineConditions(t *testing.T) {
	t.Parallel()
	var found []string
	for _, s := range sources(t) {
		if strings.HasPrefix(s.path, "studio/store/") {
			found = append(found, inlineConditions(s)...)
		}
	}
	require.Empty(t, found, "conditions outside Where:\n%s", strings.Join(found, "\n"))
}

func TestOversizedCounts(t *testing.T) {
	t.Parallel()
	function := func(lines int) string { return "func f() {" + strings.Repeat("\n", lines-1) + "}" }

	short := "package p\n" + function(maxFunctionLines)
	require.Empty(t, oversized(parse(t, "short.go", []byte(short))))

	long := "package p\n" + function(maxFunctionLines+1)
	require.Equal(t, []string{"long.go:2: f has 61 lines, of at most 60"},
		oversized(parse(t, "long.go", []byte(long))))

	full := "package p" + strings.Repeat("\n", maxFileLines)
	require.Empty(t, oversized(parse(t, "full.go", []byte(full))))
	require.Equal(t, []string{"over.go has 401 lines, of at most 400"},
		oversized(parse(t, "over.go", []byte(full+"\n"))))
}

func TestInlineConditionsFindsThem(t *testing.T) {
	t.Parallel()
	const text = `package store

import "slices"

func query(db *gorm.DB) {
	db.First(&row)
	db.Where("id = ?", id).Delete(&row)
	_ = slices.Delete(list, 0, 1)
	db.First(&row, "id = "+id)
	db.WithContext(ctx).Delete(&row{}, id)
}
`
	require.Equal(t, []string{
		"store.go:9: First takes a condition beside its destination; use Where",
		"store.go:10: Delete takes a condition beside its destination; use Where",
	}, inlineConditions(parse(t, "store.go", []byte(text))))
}
