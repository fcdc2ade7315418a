package hosttoolstest

import "context"

// The names that findings have where no single tool is meant.
const (
	registered    = "registered"
	wholeRegistry = "registry"
)

// check is one rule of the contract.
type check struct {
	name    string
	targets func(*suite) []target
}

// target is what a check is applied to.
type target struct {
	tool string
	find func(context.Context) []problem
}

// checks lists the checks in their order. Those after "call" leave out what it
// found to be broken, so that one fault is one finding.
func checks() []check {
	return []check{
		{registered, perRegistry((*suite).rejections)},
		{"described", both(perToolkit((*suite).describedToolkit), perTool((*suite).describedTool))},
		{"call", both(perToolkit((*suite).usable), perTool((*suite).ordinary))},
		{"gate", both(perToolkit((*suite).gatedToolkit), perTool((*suite).gatedTool))},
		{"bound", perTool((*suite).bound)},
		{"construction", perToolkit((*suite).construction)},
		{"lifecycle", perToolkit((*suite).lifecycle)},
		{"approval", perTool((*suite).approval)},
		{"isolation", perTool((*suite).isolation)},
		{"tenant", perTool((*suite).tenantRefused)},
		{"results", perTool((*suite).results)},
		{"secrets", perTool((*suite).secrets)},
		{"robustness", perTool((*suite).robustness)},
		{"cancellation", perTool((*suite).cancellation)},
		{"concurrency", perTool((*suite).concurrency)},
	}
}

func perRegistry(find func(*suite, context.Context) []problem) func(*suite) []target {
	return func(s *suite) []target {
		return []target{{wholeRegistry, func(ctx context.Context) []problem { return find(s, ctx) }}}
	}
}

func perToolkit(find func(*suite, context.Context, *toolkit) []problem) func(*suite) []target {
	return func(s *suite) (targets []target) {
		for _, kit := range s.toolkits {
			targets = append(targets, target{kit.Slug, func(ctx context.Context) []problem { return find(s, ctx, kit) }})
		}
		return targets
	}
}

func perTool(find func(*suite, context.Context, *tool) []problem) func(*suite) []target {
	return func(s *suite) (targets []target) {
		for _, kit := range s.toolkits {
			for _, t := range kit.tools {
				targets = append(targets, target{t.Name, func(ctx context.Context) []problem { return find(s, ctx, t) }})
			}
		}
		return targets
	}
}

// both applies two checks of one name. A standalone tool, which is toolkit and
// method at once, stays one target.
func both(first, second func(*suite) []target) func(*suite) []target {
	return func(s *suite) []target {
		targets := first(s)
		place := map[string]int{}
		for i, t := range targets {
			place[t.tool] = i
		}
		for _, t := range second(s) {
			i, taken := place[t.tool]
			if !taken {
				targets = append(targets, t)
				continue
			}
			before := targets[i].find
			targets[i].find = func(ctx context.Context) []problem { return append(before(ctx), t.find(ctx)...) }
		}
		return targets
	}
}
