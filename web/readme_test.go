package web_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestREADMEShowsTheExample holds the README's code to the example that the
// compiler checks, line by line and in its order.
func TestREADMEShowsTheExample(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	example, err := os.ReadFile("example_test.go")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(readme), "```go\n")
	require.True(t, found, "the README shows no Go code")
	code, _, found := strings.Cut(rest, "```")
	require.True(t, found)
	require.Contains(t, unindented(string(example)), unindented(code))
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
