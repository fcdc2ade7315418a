package hosttoolstest

import (
	"context"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/agentstudio/agentstudio/hosttools"
)

// constructions is how many instances the check makes. What each of them leaves
// behind is told apart from what others do by that number.
const constructions = 50

// construction reports a constructor that fails, hangs or acquires something.
// What a constructor changed at registration, and changes in the same way each
// time, cannot be seen any more.
func (s *suite) construction(ctx context.Context, kit *toolkit) []problem {
	if len(s.faults(ctx, kit)) > 0 {
		return nil // The check "call" reports them.
	}
	before := surroundings()
	var instances []*hosttools.Instance
	left, problems := s.remains(ctx, constructions, func(ctx context.Context, rounds int) []problem {
		made, err := s.several(ctx, kit, rounds)
		instances = append(instances, made...)
		return asProblem(err)
	})
	runtime.KeepAlive(instances) // Else their files might be closed for them, unseen.
	if len(problems) > 0 {
		return problems
	}
	problems = left.problems("The constructor", "Acquire it in Open, and give it back in Close; constructors only build values.")
	if changed := changes(before, surroundings()); changed != "" {
		problems = append(problems, problem{
			fmt.Sprintf("The constructor changes the process: %s.", changed), "Leave that to the program's start.",
		})
	}
	return problems
}

func asProblem(err error) []problem {
	if err == nil {
		return nil
	}
	return []problem{{
		fmt.Sprintf("It cannot be constructed any more: %v.", err),
		"Let the constructor build values and nothing else: what may fail or wait belongs in Open.",
	}}
}

// surroundings returns what belongs to the whole process: its environment and
// its working directory.
func surroundings() map[string]string {
	around := map[string]string{}
	for _, entry := range os.Environ() { //nolint:forbidigo // Compared, and never read for a setting.
		name, value, _ := strings.Cut(entry, "=")
		around["variable "+name] = value
	}
	around["working directory"], _ = os.Getwd() // "" where there is none any more.
	return around
}

// changes names what differs between two surroundings. Values are not shown:
// they may be secret.
func changes(before, after map[string]string) string {
	both := maps.Clone(before)
	maps.Copy(both, after)
	names := slices.Sorted(maps.Keys(both))
	return strings.Join(slices.DeleteFunc(names, func(name string) bool {
		old, was := before[name]
		now, is := after[name]
		return was == is && old == now
	}), ", ")
}
