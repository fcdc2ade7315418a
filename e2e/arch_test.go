// Package e2e_test tests the whole: the running program, and the shape of the
// code that no single package can see.
package e2e_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// goPackage is what `go list` says of a package. Paths inside the module are
// relative to it ("studio/engine"); all others stand as they are imported.
type goPackage struct {
	path    string
	imports []string
}

// importRule says what a set of packages must not import. A pattern is a path,
// which matches itself and everything below it; one that ends with a dollar
// sign matches itself only, and one that ends with a slash only what is below.
type importRule struct {
	// of and except select the packages; an empty of selects all.
	of, except []string
	// deny and allow select their imports, and allow wins. What a rule does
	// not deny, it leaves to the others.
	deny, allow []string
	why         string
}

// ours stands for every package of the module.
const ours = "<module>/"

// importRules is the layout of the project, in the order of its layers, from
// the lowest to the highest.
func importRules() []importRule {
	return []importRule{
		{
			of: []string{"models", "static", "migrations", "studio/canon"}, deny: []string{ours},
			why: "it is a leaf: it imports nothing of ours",
		},
		{
			of: []string{"tenancy"}, deny: []string{ours}, allow: []string{"models", "tenancy"},
			why: "of ours, it imports only models",
		},
		{
			of: []string{"policy"}, deny: []string{ours}, allow: []string{"models", "tenancy", "policy"},
			why: "of ours, it imports only tenancy and models",
		},
		{
			of: []string{"hosttools"}, except: []string{"hosttools/hosttoolstest"},
			deny: []string{ours}, allow: []string{"models", "tenancy", "policy", "hosttools"},
			why: "a host declares its tools without the rest of the Studio",
		},
		{
			of: []string{"views"}, deny: []string{ours}, allow: []string{"models", "static", "views"},
			why: "of ours, it sees only models and static; give it a view model",
		},
		{
			of: []string{"studio/"}, deny: []string{"studio$", "web", "views", "cmd"},
			why: "a service knows neither the assembly nor HTTP nor pages",
		},
		{
			of: []string{"studio/"}, except: []string{"studio/store"}, deny: []string{"studio/store"},
			why: "a service declares the interface it needs, and the assembly passes the store in",
		},
		{
			of: []string{"studio/"}, except: []string{"studio/engine", "studio/evals"}, deny: []string{"studio/engine"},
			why: "the engine is on top: services import each other only downwards",
		},
		{
			of: []string{"studio/llm"}, deny: []string{ours},
			allow: []string{"models", "tenancy", "studio/llm", "studio/canon", "studio/netguard"},
			why:   "a model provider knows nothing of tools, rules and sessions",
		},
		{
			of: []string{"studio$"}, deny: []string{"web", "views", "cmd"},
			why: "the assembly knows nothing of HTTP and pages",
		},
		{
			of: []string{"web"}, deny: []string{"studio/store", "studio/llm/", "migrations", "cmd"},
			why: "it takes its services from the assembled studio",
		},
		{
			except: []string{"studio/store", "migrations", "e2e"}, deny: []string{"gorm.io", "github.com/libtnb/sqlite"},
			why: "GORM stays behind the tenant filter, in studio/store and migrations",
		},
		{
			except: []string{"web", "cmd"}, deny: []string{"github.com/labstack/echo"},
			why: "echo stays in web and cmd",
		},
		{
			except: []string{"e2e", "hosttools/hosttoolstest", "studio/store/storetest", "studio/llm/llmtest"},
			deny: []string{
				"testing$", "github.com/stretchr/testify", "pgregory.net/rapid",
				"hosttools/hosttoolstest", "studio/store/storetest", "studio/llm/llmtest",
			},
			why: "what helps tests stays out of what ships",
		},
	}
}

// violations returns a line for every import that a rule forbids.
func violations(packages []goPackage, rules []importRule) (found []string) {
	for _, p := range packages {
		for _, rule := range rules {
			for _, imported := range p.imports {
				if rule.forbids(p.path, imported) {
					found = append(found, fmt.Sprintf("%s imports %s: %s", p.path, imported, rule.why))
				}
			}
		}
	}
	return found
}

func (r importRule) forbids(importer, imported string) bool {
	selected := len(r.of) == 0 || matchesAny(r.of, importer)
	return selected && !matchesAny(r.except, importer) &&
		matchesAny(r.deny, imported) && !matchesAny(r.allow, imported)
}

func matchesAny(patterns []string, path string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool { return matches(pattern, path) })
}

func matches(pattern, path string) bool {
	if pattern == ours {
		return isOurs(path)
	}
	if exact, ok := strings.CutSuffix(pattern, "$"); ok {
		return path == exact
	}
	if strings.HasSuffix(pattern, "/") {
		return strings.HasPrefix(path, pattern)
	}
	return path == pattern || strings.HasPrefix(path, pattern+"/")
}

// topLevel lists the folders of the module, and with them which paths are its.
func topLevel() []string {
	return []string{
		"cmd", "e2e", "hosttools", "migrations", "models", "policy",
		"static", "studio", "tenancy", "views", "web",
	}
}

func isOurs(path string) bool { return slices.Contains(topLevel(), folder(path)) }

// folder returns the top-level folder of path.
func folder(path string) string {
	first, _, _ := strings.Cut(path, "/")
	return first
}

// folderCycle returns a cycle of imports between top-level folders, or nil.
// Packages for tests are left out: nothing that ships imports them.
func folderCycle(packages []goPackage) []string {
	edges := map[string][]string{}
	for _, p := range packages {
		for _, imported := range p.imports {
			from, to := folder(p.path), folder(imported)
			if isOurs(imported) && from != to && !strings.HasSuffix(p.path, "test") {
				edges[from] = append(edges[from], to)
			}
		}
	}
	done := map[string]bool{}
	for _, start := range topLevel() {
		if cycle := cycleFrom(start, edges, done, nil); cycle != nil {
			return cycle
		}
	}
	return nil
}

// cycleFrom walks the edges depth first. The path leads to node; done holds the
// nodes from which no cycle can be reached.
func cycleFrom(node string, edges map[string][]string, done map[string]bool, path []string) []string {
	if start := slices.Index(path, node); start >= 0 {
		return append(slices.Clone(path[start:]), node)
	}
	if done[node] {
		return nil
	}
	path = append(path, node)
	for _, next := range edges[node] {
		if cycle := cycleFrom(next, edges, done, path); cycle != nil {
			return cycle
		}
	}
	done[node] = true
	return nil
}

// goCommand runs the go command in the module and returns what it prints.
func goCommand(t *testing.T, arguments ...string) []byte {
	t.Helper()
	command := exec.CommandContext(t.Context(), "go", arguments...)
	var complaints bytes.Buffer
	command.Stderr = &complaints
	output, err := command.Output()
	require.NoError(t, err, "go %s: %s", strings.Join(arguments, " "), &complaints)
	return output
}

// listPackages returns every package of the module with its imports, those of
// tests aside. Whether they compile is for the compiler to say.
func listPackages(t *testing.T) (packages []goPackage) {
	t.Helper()
	module := strings.TrimSpace(string(goCommand(t, "list", "-m")))
	decoder := json.NewDecoder(bytes.NewReader(goCommand(t, "list", "-e", "-json=ImportPath,Imports", module+"/...")))
	for {
		var listed struct {
			ImportPath string
			Imports    []string
		}
		err := decoder.Decode(&listed)
		if errors.Is(err, io.EOF) {
			return packages
		}
		require.NoError(t, err)
		p := goPackage{path: strings.TrimPrefix(listed.ImportPath, module+"/")}
		for _, imported := range listed.Imports {
			p.imports = append(p.imports, strings.TrimPrefix(imported, module+"/"))
		}
		packages = append(packages, p)
	}
}

func TestPackagesImportOnlyWhatTheyMay(t *testing.T) {
	t.Parallel()
	packages := listPackages(t)
	require.NotEmpty(t, packages)
	for _, p := range packages {
		require.True(t, isOurs(p.path), "%s is in a new top-level folder: give it a rule and name it in topLevel", p.path)
	}
	found := violations(packages, importRules())
	require.Empty(t, found, "forbidden imports:\n%s", strings.Join(found, "\n"))
}

func TestFoldersImportEachOtherInOneDirection(t *testing.T) {
	t.Parallel()
	cycle := folderCycle(listPackages(t))
	require.Empty(t, cycle, "top-level folders import each other in a circle: %s", strings.Join(cycle, " -> "))
}
