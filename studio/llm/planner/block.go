package planner

import (
	"fmt"
	"strings"
)

// block returns a text of several lines with its line breaks, at most maxLines
// behind the first; "" for a text of one line.
func block(text string) string {
	var lines []string
	for line := range strings.Lines(strings.TrimSpace(text)) {
		lines = append(lines, shorten(oneLine(line), maxScalar))
	}
	if len(lines) < 2 {
		return ""
	}
	if more := len(lines) - 1 - maxLines; more > 0 {
		lines = append(lines[:1+maxLines], fmt.Sprintf("… and %d more.", more))
	}
	return strings.Join(lines, "\n")
}

// lined renders a record without an id whose only long part is a text of
// several lines: the other members, then the text. It is "" for other records.
func lined(o object) string {
	if labelOf(o) >= 0 {
		return ""
	}
	text, name := "", ""
	var rest object
	for _, m := range o {
		said, _ := m.value.(string)
		lines := block(said)
		switch {
		case lines != "" && text != "":
			return ""
		case lines != "":
			text, name = lines, strings.Join(words(m.name), " ")
		case m.name != "truncated" && m.value != false:
			rest = append(rest, m)
		}
	}
	if text == "" {
		return ""
	}
	head := title("", name)
	if len(rest) > 0 {
		head = strings.TrimSpace(head) + " (" + record(rest, 0) + ")"
	}
	return strings.TrimSpace(head) + ":\n" + text
}
