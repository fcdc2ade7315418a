package llm

import (
	"net/url"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// Bounds of inlining: beyond them a reference becomes an open schema.
const (
	maxInlined = 256 // references in one schema
	maxHops    = 8   // from one reference to the next in a oneOf
)

// inline lowers what s refers to in place of s. What s restricts besides is
// left out; what it says about itself stays.
func (w *lowering) inline(s *jsonschema.Schema, depth int) *jsonschema.Schema {
	target := w.target(s.Ref)
	if target == nil || w.inlined >= maxInlined || slices.Contains(w.within, s.Ref) {
		return w.cut(s, target)
	}
	w.inlined++
	w.within = append(w.within, s.Ref)
	defer func() { w.within = w.within[:len(w.within)-1] }()
	return w.lower(described(target, s), depth)
}

// cut returns an open schema of the target's type in place of a reference.
func (w *lowering) cut(s, target *jsonschema.Schema) *jsonschema.Schema {
	open := &jsonschema.Schema{}
	note := "Anything that the tool takes here."
	if target != nil {
		setTypes(open, typesOf(target))
		note = "Of the same shape as the " + label(s.Ref) + " that it is part of."
	}
	open = described(open, s)
	open.Description = sentences(open.Description, []string{note})
	n := &node{in: open, out: &jsonschema.Schema{Title: open.Title, Description: open.Description}}
	w.values(n)
	return n.out
}

// described returns a shallow copy of target with what s says about itself.
func described(target, s *jsonschema.Schema) *jsonschema.Schema {
	out := *target
	if s.Title != "" {
		out.Title = s.Title
	}
	if s.Description != "" {
		out.Description = s.Description
	}
	if s.Default != nil {
		out.Default = s.Default
	}
	return &out
}

// target returns what a reference refers to, nil if that is unknown.
func (w *lowering) target(ref string) *jsonschema.Schema {
	if ref == "#" {
		return w.root
	}
	path, err := url.PathUnescape(ref)
	if err != nil {
		return nil
	}
	among := w.root.Defs
	name, ok := strings.CutPrefix(path, "#/$defs/")
	if !ok {
		among = w.root.Definitions
		name, ok = strings.CutPrefix(path, "#/definitions/")
	}
	if !ok || strings.Contains(name, "/") {
		return nil
	}
	return among[strings.NewReplacer("~1", "/", "~0", "~").Replace(name)]
}

// knows reports whether a reference can stay as it is.
func (w *lowering) knows(ref string) bool { return ref != "" && !w.Ref && w.target(ref) != nil }

// followAll returns schemas with what they refer to in place of references, nil
// in place of those that it cannot follow. What it followed is within from now on,
// so that nothing is inlined in itself.
func (w *lowering) followAll(schemas []*jsonschema.Schema) []*jsonschema.Schema {
	out := slices.Clone(schemas)
	var followed []string
	for i := range out {
		for range maxHops {
			if out[i] == nil || out[i].Ref == "" {
				break
			}
			ref := out[i].Ref
			out[i] = nil
			if w.inlined < maxInlined && !slices.Contains(w.within, ref) {
				w.inlined++
				followed = append(followed, ref)
				out[i] = w.target(ref)
			}
		}
		if out[i] != nil && (out[i].Ref != "" || out[i].ID != "") {
			out[i] = nil
		}
	}
	w.within = append(w.within, followed...)
	return out
}

// label returns a word for what a reference refers to.
func label(ref string) string {
	if ref == "#" {
		return "whole"
	}
	return ref[strings.LastIndex(ref, "/")+1:]
}
