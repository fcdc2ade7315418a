package llm

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// Lower returns a schema for a provider with the limits l that accepts
// everything that s accepts: what cannot be expressed is said in descriptions
// instead, or left out. A lowered schema is for showing, s is still what
// validates. Where l forbids null, a schema with nullable: true accepts null
// whatever its other keywords say.
//
// The keywords that tool schemas are made of are kept, together with $ref to
// the root or to its $defs; others, such as allOf or not, are left out. s is a
// tree, is not changed, and may be changed afterwards without an effect on the
// result. Lowering twice changes nothing more.
func Lower(s *jsonschema.Schema, l Limits) *jsonschema.Schema {
	if s == nil {
		return nil
	}
	w := &lowering{Limits: l, root: s, within: []string{"#"}}
	out := w.lower(s, 0)
	if !l.Ref {
		out.Defs = w.all(s.Defs, 0)
		out.Definitions = w.all(s.Definitions, 0)
	}
	return out
}

// lowering is one call of Lower.
type lowering struct {
	Limits
	root    *jsonschema.Schema
	within  []string // references that are being inlined, and the root
	inlined int      // references inlined so far
}

// node is one schema on its way from in to out.
type node struct {
	in, out *jsonschema.Schema
	notes   []string // what out can only say in its description
}

func (n *node) note(text string) { n.notes = append(n.notes, text) }

// lower lowers s, which lies within depth objects.
func (w *lowering) lower(s *jsonschema.Schema, depth int) *jsonschema.Schema {
	if s == nil {
		return nil
	}
	if s.ID != "" && s != w.root {
		return &jsonschema.Schema{Title: s.Title, Description: s.Description} // references mean something else in it
	}
	if s.Ref != "" && w.Ref {
		return w.inline(s, depth)
	}
	var branches []*jsonschema.Schema
	if len(s.OneOf) > 0 {
		outside := len(w.within)
		defer func() { w.within = w.within[:outside] }()
		full := w.followAll(s.OneOf)
		if branches = w.branches(full, depth); branches == nil {
			s = merged(s, full)
		}
	}
	n := &node{in: s, out: &jsonschema.Schema{Title: s.Title, OneOf: branches}}
	if w.knows(s.Ref) {
		n.out.Ref = s.Ref
	}
	w.values(n)
	w.assertions(n)
	w.annotations(n)
	w.items(n, depth)
	w.object(n, depth)
	n.out.Description = sentences(s.Description, n.notes)
	return n.out
}

func (w *lowering) all(in map[string]*jsonschema.Schema, depth int) map[string]*jsonschema.Schema {
	if in == nil {
		return nil
	}
	out := make(map[string]*jsonschema.Schema, len(in))
	for name, s := range in {
		out[name] = w.lower(s, depth)
	}
	return out
}

// assertions lowers what restricts strings and numbers.
func (w *lowering) assertions(n *node) {
	s, out := n.in, n.out
	out.Minimum = keep(n, w.Bounds, s.Minimum, "At least %s.")
	out.Maximum = keep(n, w.Bounds, s.Maximum, "At most %s.")
	out.ExclusiveMinimum = keep(n, w.ExclusiveBounds, s.ExclusiveMinimum, "More than %s.")
	out.ExclusiveMaximum = keep(n, w.ExclusiveBounds, s.ExclusiveMaximum, "Less than %s.")
	out.MultipleOf = keep(n, w.MultipleOf, s.MultipleOf, "A multiple of %s.")
	out.MinLength = keep(n, w.Lengths, s.MinLength, "Characters: at least %s.")
	out.MaxLength = keep(n, w.Lengths, s.MaxLength, "Characters: at most %s.")
	switch {
	case s.Pattern == "":
	case w.Pattern:
		n.note("Matches the regular expression `" + s.Pattern + "`.")
	default:
		out.Pattern = s.Pattern
	}
	switch {
	case s.Format == "":
	case w.Formats != nil && !slices.Contains(w.Formats, s.Format):
		n.note(formatText(s.Format))
	default:
		out.Format = s.Format
	}
}

// annotations lowers what only informs.
func (w *lowering) annotations(n *node) {
	s, out := n.in, n.out
	if !w.Annotations {
		out.Deprecated, out.ReadOnly, out.WriteOnly = s.Deprecated, s.ReadOnly, s.WriteOnly
	} else if s.Deprecated {
		n.note("Deprecated.")
	}
	switch {
	case len(s.Default) == 0:
	case w.Default:
		n.note("Default: " + string(s.Default) + ".")
	default:
		out.Default = bytes.Clone(s.Default)
	}
	switch {
	case len(s.Examples) == 0:
	case w.Examples:
		n.note("For example: " + list(s.Examples) + ".")
	default:
		out.Examples = cloneAll(s.Examples)
	}
	if w.Extensions {
		return
	}
	for key, value := range s.Extra {
		if strings.HasPrefix(key, "x-") {
			n.extra(key, clone(value))
		}
	}
}

func (n *node) extra(key string, value any) {
	if n.out.Extra == nil {
		n.out.Extra = map[string]any{}
	}
	n.out.Extra[key] = value
}

// items lowers what is said of arrays.
func (w *lowering) items(n *node, depth int) {
	s, out := n.in, n.out
	out.MinItems = keep(n, w.Counts, s.MinItems, "Items: at least %s.")
	out.MaxItems = keep(n, w.Counts, s.MaxItems, "Items: at most %s.")
	switch {
	case !s.UniqueItems:
	case w.UniqueItems:
		n.note("No item occurs twice.")
	default:
		out.UniqueItems = true
	}
	if s.PrefixItems == nil && s.ItemsArray == nil { // else items holds for the rest only
		out.Items = w.lower(s.Items, depth)
	}
}

// object lowers what is said of objects.
func (w *lowering) object(n *node, depth int) {
	s, out := n.in, n.out
	nested := s.Properties != nil || s.AdditionalProperties != nil || s.Required != nil || out.OneOf != nil
	if nested && w.MaxDepth > 0 && depth >= w.MaxDepth {
		out.OneOf = nil
		if len(s.Properties) > 0 {
			n.note("Properties: " + strings.Join(propertyNames(s), ", ") + ".")
		}
		return
	}
	out.Properties = w.all(s.Properties, depth+1)
	out.PropertyOrder = slices.Clone(s.PropertyOrder)
	out.Required = slices.Clone(s.Required)
	if w.AdditionalProperties {
		out.Required = slices.DeleteFunc(out.Required, func(name string) bool { return s.Properties[name] == nil })
	}
	w.further(n, depth)
}

// further lowers what is said of properties without a name in the schema.
func (w *lowering) further(n *node, depth int) {
	s := n.in
	switch {
	case s.AdditionalProperties == nil, len(s.PatternProperties) > 0: // it would not hold for all of them
	case isFalse(s.AdditionalProperties):
		if !w.AdditionalProperties {
			n.out.AdditionalProperties = &jsonschema.Schema{Not: &jsonschema.Schema{}}
		}
	case w.AdditionalProperties:
		n.note("Further properties may have any name; each is " + shape(w.lower(s.AdditionalProperties, depth+1)) + ".")
	default:
		n.out.AdditionalProperties = w.lower(s.AdditionalProperties, depth+1)
	}
}

// propertyNames returns the names of s's properties in the order of the schema.
func propertyNames(s *jsonschema.Schema) []string {
	var names []string
	for _, name := range s.PropertyOrder {
		if s.Properties[name] != nil && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// isFalse reports whether s is the schema that accepts nothing.
func isFalse(s *jsonschema.Schema) bool {
	return s != nil && s.Not != nil && text(s) == "false"
}
