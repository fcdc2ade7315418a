package hostguide_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/agents"
	"github.com/agentstudio/agentstudio/web/respond"
)

// compiled is where the guide's code comes from: the files of a new host, which
// the end-to-end tests build, and the files of this package.
func compiled(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	for _, pattern := range []string{"../../cmd/agentstudio/newhost/*.go.tmpl", "*_test.go"} {
		paths, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, paths)
		for _, path := range paths {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			all.WriteString(unindented(string(text)) + "\n")
		}
	}
	return all.String()
}

func readGuide(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/host-guide.md")
	require.NoError(t, err)
	return string(text)
}

// blocks returns the guide's code of a language.
func blocks(t *testing.T, language string) []string {
	t.Helper()
	var found []string
	for _, match := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(readGuide(t), -1) {
		found = append(found, match[1])
	}
	require.NotEmpty(t, found, "the guide shows no %s", language)
	return found
}

func unindented(code string) string {
	var lines []string
	for line := range strings.Lines(code) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// TestGuideShowsCompiledCode holds the guide's Go to code that the compiler
// checks, line by line and in its order.
func TestGuideShowsCompiledCode(t *testing.T) {
	t.Parallel()
	code := compiled(t)
	for _, block := range blocks(t, "go") {
		if !strings.Contains(code, unindented(block)) {
			t.Errorf("the guide shows code that is in no compiled file:\n%s", block)
		}
	}
}

// TestGuideHasTheStatusesOfCodes holds the guide's table of error codes to the
// statuses that execute routes answer with.
func TestGuideHasTheStatusesOfCodes(t *testing.T) {
	t.Parallel()
	rows := regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\| ([0-9]{3}) \\|").FindAllStringSubmatch(readGuide(t), -1)
	require.Greater(t, len(rows), 20)
	for _, row := range rows {
		require.Equal(t, strconv.Itoa(respond.Status(models.Code(row[1]), respond.Execute)), row[2], row[1])
	}
}

func TestGuideShowsTheMask(t *testing.T) {
	t.Parallel()
	require.Contains(t, readGuide(t), "`"+agents.Mask+"`")
}

// TestGuideLinksToFiles holds the guide's links to files that are there.
func TestGuideLinksToFiles(t *testing.T) {
	t.Parallel()
	links := regexp.MustCompile(`\]\((\.\.?/[^)#]*|[a-z][a-z/-]*\.md)`).FindAllStringSubmatch(readGuide(t), -1)
	require.NotEmpty(t, links)
	for _, link := range links {
		require.FileExists(t, filepath.Join("../../docs", link[1]))
	}
}
