package pages

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/studio/canon"
	"github.com/agentstudio/agentstudio/views/approvals"
)

// maxLine is the length of a summary in one line, in characters. Cards show
// everything; lines only remind of it.
const maxLine = 160

// node turns a value into what a card draws. Numbers keep their digits.
func node(v canon.Value) approvals.Node {
	switch v.Kind() {
	case canon.KindString:
		return approvals.Node{Kind: approvals.String, Text: v.Str()}
	case canon.KindNumber:
		return approvals.Node{Kind: approvals.Number, Text: v.Literal()}
	case canon.KindBool:
		return approvals.Node{Kind: approvals.Bool, Text: strconv.FormatBool(v.Bool())}
	case canon.KindArray:
		n := approvals.Node{Kind: approvals.Array}
		for _, item := range v.Items() {
			n.Items = append(n.Items, node(item))
		}
		return n
	case canon.KindObject:
		n := approvals.Node{Kind: approvals.Object}
		for _, m := range v.Members() {
			n.Fields = append(n.Fields, approvals.Member{Name: m.Name, Value: node(m.Value)})
		}
		return n
	default:
		return approvals.Node{Kind: approvals.Null}
	}
}

// arguments returns the arguments of a call with their types in words. d is nil
// when the tool is not registered any more.
func arguments(v canon.Value, d *hosttools.Descriptor) []approvals.Arg {
	var args []approvals.Arg
	for _, m := range v.Members() {
		arg := approvals.Arg{Name: m.Name, Type: kindInWords(m.Value), Value: node(m.Value)}
		if schema := property(d, m.Name); schema != nil {
			if words := typeInWords(schema); words != "" {
				arg.Type = words
			}
			if isDefault(schema, m.Value) {
				arg.Note = "default"
			}
		}
		args = append(args, arg)
	}
	return args
}

func property(d *hosttools.Descriptor, name string) *jsonschema.Schema {
	if d == nil || d.Input == nil {
		return nil
	}
	return d.Input.Properties[name]
}

// typeInWords names a schema's type, and "" for one without a single type.
func typeInWords(s *jsonschema.Schema) string {
	if s.Type != "" {
		return typeWord(s.Type)
	}
	words := ""
	for _, name := range s.Types {
		switch {
		case name == "null":
		case words != "":
			return ""
		default:
			words = typeWord(name)
		}
	}
	return words
}

func typeWord(name string) string {
	switch name {
	case "string":
		return "text"
	case "integer":
		return "whole number"
	case "boolean":
		return "yes/no"
	case "array":
		return "list"
	case "null":
		return "nothing"
	default:
		return name // number and object are words already
	}
}

func kindInWords(v canon.Value) string { return typeWord(v.Kind().String()) }

func isDefault(s *jsonschema.Schema, v canon.Value) bool {
	if len(s.Default) == 0 {
		return false
	}
	standard, err := canon.Parse(s.Default)
	return err == nil && canon.Equal(standard, v)
}

// line sums a JSON text up in one line. What does not parse is shown as it is.
func line(text []byte) string {
	v, err := canon.Parse(text)
	if err != nil {
		return cut(strings.Join(strings.Fields(strings.ToValidUTF8(string(text), "\uFFFD")), " "), maxLine)
	}
	if v.Kind() == canon.KindObject {
		return cut(members(v, 1), maxLine)
	}
	return cut(inLine(v, 1), maxLine)
}

// inLine sums a value up; what is nested deeper than depth is only counted.
func inLine(v canon.Value, depth int) string {
	switch v.Kind() {
	case canon.KindString:
		return `"` + v.Str() + `"`
	case canon.KindNumber:
		return v.Literal()
	case canon.KindBool:
		return strconv.FormatBool(v.Bool())
	case canon.KindArray:
		return counted(v.Len(), "item")
	case canon.KindObject:
		if depth > 0 {
			return "{" + members(v, depth-1) + "}"
		}
		return counted(v.Len(), "field")
	default:
		return "null"
	}
}

func members(v canon.Value, depth int) string {
	var parts []string
	for _, m := range v.Members() {
		parts = append(parts, m.Name+": "+inLine(m.Value, depth))
	}
	return strings.Join(parts, ", ")
}

// counted returns a number with its noun, in the plural where it needs one.
func counted(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}

// indented returns JSON for reading; numbers keep their digits. What is no JSON
// stays as it is.
func indented(text []byte) string {
	var out bytes.Buffer
	if err := json.Indent(&out, text, "", "  "); err != nil {
		return string(text)
	}
	return out.String()
}

// cut shortens a text to n characters, with a sign that it did.
func cut(text string, n int) string {
	if utf8.RuneCountInString(text) <= n {
		return text
	}
	return string([]rune(text)[:n-1]) + "…"
}
