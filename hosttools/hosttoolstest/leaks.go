package hosttoolstest

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"
	"strconv"
	"strings"
	"time"
)

// labelKey marks the goroutines that a watched toolkit starts, whatever else
// runs in the process. Goroutines inherit the mark from who starts them.
const labelKey = "hosttoolstest"

// watch finds what a toolkit's code left behind.
type watch struct {
	label string
	files map[string]bool // that were open before
}

// newWatch returns a context whose code is watched.
func newWatch(ctx context.Context) (context.Context, watch) {
	w := watch{label: rand.Text(), files: map[string]bool{}}
	for _, file := range openFiles() {
		w.files[file] = true
	}
	return pprof.WithLabels(ctx, pprof.Labels(labelKey, w.label)), w
}

// left is what was left behind.
type left struct {
	goroutines []string // the function in which each of them is
	files      []string // what each open descriptor leads to
}

// settled returns what is left behind as soon as that is less than rounds of a
// kind, or else after the grace.
func (w watch) settled(rounds int, grace time.Duration) left {
	for over := time.Now().Add(grace); ; time.Sleep(10 * time.Millisecond) {
		found := left{goroutines: w.goroutines()}
		for _, file := range openFiles() {
			if !w.files[file] {
				found.files = append(found.files, file)
			}
		}
		few := len(found.goroutines) < rounds && len(found.files) < rounds
		if few || time.Now().After(over) {
			return found
		}
	}
}

// goroutines lists the watched goroutines that still run. The profile is text
// in paragraphs, one for each stack: how many goroutines have it, their labels,
// its functions.
func (w watch) goroutines() (found []string) {
	var profile bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&profile, 1); err != nil {
		return nil
	}
	for paragraph := range strings.SplitSeq(profile.String(), "\n\n") {
		if !strings.Contains(paragraph, fmt.Sprintf("%q:%q", labelKey, w.label)) {
			continue
		}
		// The first paragraph begins with a title line.
		at := strings.Index(paragraph, " @ ")
		number := paragraph[strings.LastIndex(paragraph[:max(at, 0)], "\n")+1 : max(at, 0)]
		count, err := strconv.Atoi(number)
		if err != nil {
			count = 1
		}
		for range count {
			found = append(found, function(paragraph))
		}
	}
	return found
}

// function returns the outermost function of a stack, which is the one that
// the go statement started.
func function(stack string) string {
	lines := strings.Split(strings.TrimSpace(stack), "\n")
	fields := strings.Fields(lines[len(lines)-1])
	if len(fields) < 3 {
		return "an unknown function"
	}
	name, _, _ := strings.Cut(fields[2], "+0x")
	return name
}

// openFiles lists the open files and sockets of the process, each with its
// descriptor. It is empty on systems without /proc.
func openFiles() (files []string) {
	const folder = "/proc/self/fd"
	own := fmt.Sprintf("/proc/%d/fd", os.Getpid())
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil
	}
	for _, entry := range entries {
		target, err := os.Readlink(filepath.Join(folder, entry.Name()))
		if err != nil || strings.HasPrefix(target, "anon_inode:") || target == own {
			continue // Closed by now, the runtime's own, or the folder that is being read.
		}
		files = append(files, entry.Name()+" "+target)
	}
	return files
}
