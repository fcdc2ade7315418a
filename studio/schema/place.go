package schema

import "fmt"

// place is where in a schema the compiler is.
type place struct {
	pointer string // JSON Pointer, "" being the root
	depth   int
}

// under returns the place of a schema inside the one at p.
func (p place) under(segments ...string) place {
	pointer := p.pointer
	for _, segment := range segments {
		pointer += "/" + escaped(cut(segment))
	}
	return place{pointer: pointer, depth: p.depth + 1}
}

// refuse returns an error that names p.
func (p place) refuse(text string, args ...any) error {
	where := "at the root"
	if p.pointer != "" {
		where = fmt.Sprintf("at %q", p.pointer)
	}
	return fmt.Errorf("schema: %s: %w", where, fmt.Errorf(text, args...))
}
