package hosttoolstest

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// surely is how many times as many rounds confirm that files are left behind:
// others in the process open files too.
const surely = 4

// remains runs rounds and returns what every one of them left behind, or the
// problems for which they ended early.
func (s *suite) remains(
	ctx context.Context, rounds int, run func(ctx context.Context, rounds int) []problem,
) (left, []problem) {
	found, problems := s.watched(ctx, rounds, run)
	if len(problems) > 0 || len(found.files) == 0 {
		return found, problems
	}
	again, problems := s.watched(ctx, rounds*surely, run)
	found.files = again.files
	return found, problems
}

func (s *suite) watched(
	ctx context.Context, rounds int, run func(ctx context.Context, rounds int) []problem,
) (left, []problem) {
	ctx, w := newWatch(ctx)
	if problems := run(ctx, rounds); len(problems) > 0 {
		return left{}, problems
	}
	found := w.settled(rounds, s.grace)
	// Less than one for each round is somebody else's, or a pool's.
	if len(found.goroutines) < rounds {
		found.goroutines = nil
	}
	if len(found.files) < rounds {
		found.files = nil
	}
	return found, nil
}

// problems says what was left behind by whom.
func (l left) problems(who, fix string) []problem {
	var problems []problem
	if len(l.goroutines) > 0 {
		problems = append(problems, problem{
			fmt.Sprintf("%s leaves goroutines behind, in %s.", who, some(l.goroutines)), fix,
		})
	}
	if len(l.files) > 0 {
		var targets []string
		for _, file := range l.files {
			_, target, _ := strings.Cut(file, " ")
			targets = append(targets, target)
		}
		problems = append(problems, problem{
			fmt.Sprintf("%s leaves files or sockets open, such as %s.", who, some(targets)), fix,
		})
	}
	return problems
}

// some returns the first few different names.
func some(names []string) string {
	slices.Sort(names)
	names = slices.Compact(names)
	return strings.Join(names[:min(len(names), 3)], ", ")
}
