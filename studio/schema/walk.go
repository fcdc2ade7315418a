package schema

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/agentstudio/agentstudio/studio/canon"
)

// walk is one walk over one value. Methods that return a value also return
// whether it is another one than they were given.
type walk struct {
	issues []Issue
	// The parts of arrays and objects that are being built, outermost first:
	// canon copies them, so one space serves the whole walk.
	items   []canon.Value
	members []canon.Member
}

func (w *walk) isFull() bool { return len(w.issues) >= MaxIssues }

// issue notes that the value in hand does not fit. The callers add its place
// as the walk returns, so that nothing is built for values that fit.
func (w *walk) issue(message string) {
	if !w.isFull() {
		w.issues = append(w.issues, Issue{Message: message})
	}
}

func (w *walk) issueAt(name, message string) {
	before := len(w.issues)
	w.issue(message)
	w.within(before, name)
}

// within puts name before the pointers of all issues from first on.
func (w *walk) within(first int, name string) {
	segment := "/" + escaped(cut(name))
	for i := range w.issues[first:] {
		w.issues[first+i].Pointer = segment + w.issues[first+i].Pointer
	}
}

func (w *walk) value(n *node, v canon.Value) (canon.Value, bool) {
	if !n.kinds.has(v.Kind()) {
		w.issue(n.refusal)
		return v, false
	}
	switch v.Kind() {
	case canon.KindNumber:
		return w.number(n, v)
	case canon.KindString:
		w.text(n.text, v.Str())
	case canon.KindArray:
		return w.array(n.list, v)
	case canon.KindObject:
		if n.union != nil {
			return w.union(n.union, v)
		}
		return w.object(n.object, v)
	}
	w.chosen(n.choices, v)
	return v, false
}

// chosen checks a scalar in normal form against enum and const.
func (w *walk) chosen(c *choices, v canon.Value) {
	if c == nil {
		return
	}
	for _, choice := range c.values {
		if canon.Equal(choice, v) {
			return
		}
	}
	w.issue(c.refusal)
}

func (w *walk) text(t *text, s string) {
	if t == nil {
		return
	}
	// No text has more characters than bytes.
	if t.minLength > 0 && utf8.RuneCountInString(s) < t.minLength {
		w.issue(fmt.Sprintf("must have at least %s", counted(t.minLength, "character")))
	}
	if t.maxLength >= 0 && len(s) > t.maxLength && utf8.RuneCountInString(s) > t.maxLength {
		w.issue(fmt.Sprintf("may have at most %s", counted(t.maxLength, "character")))
	}
	if t.pattern != nil && !t.pattern.MatchString(s) {
		w.issue("must match the pattern " + t.pattern.String())
	}
	if t.format != nil && !t.format.accepts(s) {
		w.issue("must be " + t.format.words)
	}
}

func (w *walk) array(l *list, v canon.Value) (canon.Value, bool) {
	base, known, changed := len(w.items), len(w.issues), false
	w.length(l, v.Len())
	for i, item := range v.Items() {
		if w.isFull() {
			break
		}
		before := len(w.issues)
		out, isNew := w.value(l.items, item)
		if len(w.issues) > before {
			w.within(before, strconv.Itoa(i))
		}
		if isNew && !changed {
			changed = true
			w.items = appendItems(w.items, v, i)
		}
		if changed {
			w.items = append(w.items, out)
		}
	}
	if changed {
		v = canon.ArrayOf(w.items[base:]...)
		w.items = w.items[:base]
	}
	if l.unique && len(w.issues) == known {
		w.unique(v)
	}
	return v, changed
}

// appendItems appends the first count items of v.
func appendItems(dst []canon.Value, v canon.Value, count int) []canon.Value {
	dst = slices.Grow(dst, v.Len())
	for i, item := range v.Items() {
		if i == count {
			break
		}
		dst = append(dst, item)
	}
	return dst
}

func (w *walk) length(l *list, length int) {
	if length < l.minItems {
		w.issue(fmt.Sprintf("must have at least %s", counted(l.minItems, "item")))
	}
	if l.maxItems >= 0 && length > l.maxItems {
		w.issue(fmt.Sprintf("may have at most %s", counted(l.maxItems, "item")))
	}
}

// unique notes items in normal form that repeat an earlier one. Values are the
// same exactly if their canonical bytes are.
func (w *walk) unique(v canon.Value) {
	seen := make(map[string]struct{}, v.Len())
	var buffer []byte
	for i, item := range v.Items() {
		if w.isFull() {
			return
		}
		var err error
		if buffer, err = canon.Append(buffer[:0], item); err != nil {
			w.issueAt(strconv.Itoa(i), "cannot be compared with the other items")
			return
		}
		if _, found := seen[string(buffer)]; found {
			w.issueAt(strconv.Itoa(i), "repeats an earlier item")
			continue
		}
		seen[string(buffer)] = struct{}{}
	}
}

// cut shortens a name that the sender chose, so that issues stay small.
func cut(name string) string {
	const limit = 100
	if len(name) <= limit {
		return name
	}
	return strings.ToValidUTF8(name[:limit], "") + "…"
}

// escaped returns name as a segment of a JSON Pointer.
func escaped(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}
