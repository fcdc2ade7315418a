package planner

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Limits of what a reply shows.
const (
	maxLines  = 20
	maxFields = 8
	maxNested = 3
	maxScalar = 300
)

// body puts a successful result into words.
func (o outcome) body(result any, cut bool) string {
	result, name := unwrap(result)
	list, isList := result.([]any)
	switch {
	case isList && len(list) == 0:
		return o.nothing(name)
	case isList:
		return o.lines(list, name, cut)
	}
	text := ""
	switch value := result.(type) {
	case nil:
		if !o.write {
			text = "The tool found nothing."
		}
	case object:
		text = o.recordText(value, name)
	case string:
		if text = block(value); text == "" {
			text = closed(renderValue(value, 0))
		}
	default:
		text = closed(renderValue(value, 0))
	}
	if cut {
		separator := " "
		if strings.Contains(text, "\n") {
			separator = "\n"
		}
		text = strings.TrimSpace(text + separator + "The result was too long, so this is not all of it.")
	}
	return text
}

// recordText puts a record into words. A result that is mostly a text of
// several lines, such as an export, keeps its lines.
func (o outcome) recordText(value object, name string) string {
	if text := lined(value); text != "" {
		return text
	}
	shown := record(value, 0)
	if o.write {
		shown = o.brief(value, shown)
	}
	return closed(title(shown, name))
}

// unwrap returns what an object with a single list or record holds, and its
// name; counters beside it are dropped for a list.
func unwrap(result any) (any, string) {
	box, ok := result.(object)
	if !ok {
		return result, ""
	}
	found := -1
	for i, m := range box {
		switch m.value.(type) {
		case []any:
			if found >= 0 {
				return result, ""
			}
			found = i
		case object:
			if len(box) == 1 {
				return m.value, m.name
			}
			return result, ""
		case string:
			return result, ""
		}
	}
	if found < 0 {
		return result, ""
	}
	return box[found].value, box[found].name
}

// nothing says that a list is empty, and what it was asked for.
func (o outcome) nothing(name string) string {
	what := strings.Join(words(name), " ")
	if what == "" && o.tool != nil {
		for _, word := range o.tool.words {
			if strings.HasSuffix(word, "s") && len(word) > 3 {
				what = word
			}
		}
	}
	if what == "" {
		what = "entries"
	}
	text := fmt.Sprintf("No %s found", what)
	var filters []string
	for _, m := range o.args {
		if value, ok := m.value.(string); ok {
			filters = append(filters, strings.Join(words(m.name), " ")+" "+oneLine(value))
		}
	}
	if len(filters) > 0 {
		text += " with " + strings.Join(filters, " and ")
	}
	return text + "."
}

// lines renders a list, one short line for an entry.
func (o outcome) lines(list []any, name string, cut bool) string {
	what := strings.Join(words(name), " ")
	if what == "" {
		what = "found"
	}
	out := []string{o.heading(len(list), what, cut)}
	for i, item := range list {
		if i == maxLines {
			out = append(out, fmt.Sprintf("… and %d more.", len(list)-maxLines))
			break
		}
		out = append(out, "- "+renderValue(item, 0))
	}
	if cut {
		out = append(out, "This is not the whole list; the rest was cut off.")
	}
	return strings.Join(out, "\n")
}

// heading says how many entries there are, and when that was asked, of what
// state: "3 orders are shipped:".
func (o outcome) heading(count int, what string, cut bool) string {
	are := "are"
	if count == 1 {
		what, are = strings.TrimSuffix(what, "s"), "is"
	}
	head := fmt.Sprintf("%d %s", count, what)
	if o.counts && o.args.text("status") != "" {
		head += fmt.Sprintf(" %s %s", are, oneLine(o.args.text("status")))
	}
	if o.counts && cut {
		head = "At least " + head
	}
	return head + ":"
}

// title puts the name of a record in front of it.
func title(text, name string) string {
	if name == "" {
		return text
	}
	name = strings.Join(words(name), " ")
	return strings.ToUpper(name[:min(1, len(name))]) + name[min(1, len(name)):] + " " + text
}

// renderValue puts any JSON value into words on one line.
func renderValue(value any, depth int) string {
	switch v := value.(type) {
	case nil:
		return "none"
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case string:
		return shorten(oneLine(v), maxScalar)
	case json.Number:
		return v.String()
	case object:
		return record(v, depth)
	case []any:
		return inline(v, depth)
	default:
		return ""
	}
}

func inline(list []any, depth int) string {
	if len(list) == 0 {
		return "none"
	}
	var parts []string
	for i, item := range list {
		if i == maxFields || depth >= maxNested {
			parts = append(parts, fmt.Sprintf("%d more", len(list)-i))
			break
		}
		parts = append(parts, renderValue(item, depth+1))
	}
	return strings.Join(parts, "; ")
}

// brief is what matters of a record that was just changed: the state it is in
// now, and what the call wrote into it. Records without a state are shown
// whole.
func (o outcome) brief(changed object, whole string) string {
	label, state := labelOf(changed), stateOf(changed)
	if label < 0 || state < 0 {
		return whole
	}
	text := headOf(changed, label, state)
	for i, m := range changed {
		if wrote, ok := m.value.(string); ok && i != label && i != state && wrote != "" && o.args.text(m.name) == wrote {
			text += ", " + field(m, "", 0)
		}
	}
	return text
}

// headOf names a record, and its state where it has one: "A-1002 is pending".
func headOf(o object, label, state int) string {
	head := renderValue(o[label].value, 1)
	if state >= 0 {
		head += " is " + renderValue(o[state].value, 1)
	}
	return head
}

// stateOf returns which member says the state of a record, -1 if none does.
func stateOf(o object) int {
	for i, m := range o {
		if text, ok := m.value.(string); ok && (m.name == "status" || m.name == "state") && text != "" {
			return i
		}
	}
	return -1
}

// record renders an object as "A-1002 is pending: total 25.50 EUR".
func record(o object, depth int) string {
	if depth >= maxNested {
		return fmt.Sprintf("%d fields", len(o))
	}
	label, state := labelOf(o), stateOf(o)
	if label < 0 {
		state = -1 // without a name, the state is one field among others
	}
	currency := o.text("currency")
	var parts []string
	for i, m := range o {
		if i == label || i == state || m.value == nil || m.value == "" || currency != "" && m.name == "currency" {
			continue
		}
		if len(parts) == maxFields {
			parts = append(parts, "and more")
			break
		}
		parts = append(parts, field(m, currency, depth))
	}
	text := strings.Join(parts, ", ")
	switch {
	case label < 0 && text == "":
		return "nothing"
	case label < 0:
		return text
	case text == "":
		return headOf(o, label, state)
	default:
		return headOf(o, label, state) + ": " + text
	}
}

func field(m member, currency string, depth int) string {
	value := renderValue(m.value, depth+1)
	if _, nested := m.value.(object); nested {
		value = "(" + value + ")"
	}
	names := words(m.name)
	for _, word := range names {
		if _, number := m.value.(json.Number); number && currency != "" && oneOf(word, moneyWords) {
			value += " " + oneLine(currency)
			break
		}
	}
	return strings.TrimSpace(strings.Join(names, " ") + " " + value)
}

// labelOf returns which member names the record: "id", or the first whose name
// ends in "id"; -1 if there is none.
func labelOf(o object) int {
	for i, m := range o {
		names := words(m.name)
		if len(names) == 0 || names[len(names)-1] != "id" {
			continue
		}
		switch m.value.(type) {
		case string, json.Number:
			return i
		}
	}
	return -1
}
