package schema

import (
	"slices"

	"github.com/agentstudio/agentstudio/studio/canon"
)

func (w *walk) object(o *object, v canon.Value) (canon.Value, bool) {
	if v.Len() == 0 && o.empty != nil {
		return *o.empty, true
	}
	base := len(w.members)
	found, changed := w.present(o, v)
	if found < len(o.expected) {
		changed = w.absent(o, v, changed)
	}
	if !changed {
		return v, false
	}
	out, err := canon.ObjectOf(w.members[base:]...)
	w.members = w.members[:base]
	if err != nil {
		w.issue("has a name that differs only in upper and lower case from one that is known here")
		return v, false
	}
	return out, true
}

// present walks the members of v, and returns how many expected ones are among
// them. If any of them changes, all of them are appended to w.members.
func (w *walk) present(o *object, v canon.Value) (found int, changed bool) {
	for i, m := range v.Members() {
		if w.isFull() {
			break
		}
		n := o.additional
		if p := o.properties[m.Name]; p != nil {
			n = p.node
			if p.isExpected() {
				found++
			}
		}
		out, isNew := w.member(n, m)
		if isNew && !changed {
			changed = true
			w.members = appendMembers(w.members, o, v, i)
		}
		if changed {
			w.members = append(w.members, canon.Member{Name: m.Name, Value: out})
		}
	}
	return found, changed
}

func (w *walk) member(n *node, m canon.Member) (canon.Value, bool) {
	if n == nil {
		w.issueAt(m.Name, "is not known here")
		return m.Value, false
	}
	before := len(w.issues)
	out, changed := w.value(n, m.Value)
	if len(w.issues) > before {
		w.within(before, m.Name)
	}
	return out, changed
}

// absent appends the defaults of what is absent to the members, and notes what
// has none. Unless the members have changed before, they are appended first.
func (w *walk) absent(o *object, v canon.Value, changed bool) bool {
	for _, p := range o.expected {
		if _, ok := v.Get(p.name); ok {
			continue
		}
		if p.node.fallback == nil {
			w.issueAt(p.name, "is missing")
			continue
		}
		if !changed {
			changed = true
			w.members = appendMembers(w.members, o, v, v.Len())
		}
		w.members = append(w.members, canon.Member{Name: p.name, Value: *p.node.fallback})
	}
	return changed
}

// appendMembers appends the first count members of v, with room for the rest
// and for all defaults.
func appendMembers(dst []canon.Member, o *object, v canon.Value, count int) []canon.Member {
	dst = slices.Grow(dst, v.Len()+len(o.expected))
	for i, m := range v.Members() {
		if i == count {
			break
		}
		dst = append(dst, m)
	}
	return dst
}

func (w *walk) union(u *union, v canon.Value) (canon.Value, bool) {
	tag, ok := v.Get(u.discriminator)
	if !ok {
		w.issueAt(u.discriminator, "is missing and "+u.refusal)
		return v, false
	}
	// Str is "" for other kinds, so the kind decides.
	branch, known := u.branches[tag.Str()]
	if !known || tag.Kind() != canon.KindString {
		w.issueAt(u.discriminator, u.refusal)
		return v, false
	}
	return w.object(branch, v)
}
