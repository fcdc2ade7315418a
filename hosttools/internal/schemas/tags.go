package schemas

import (
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// tagNames lists the tags of this package, in the order in which they are read.
func tagNames() []string {
	return []string{
		"jsonschema", "deprecated", "format", "pattern", "minLength", "maxLength",
		"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
		"minItems", "maxItems", "enum", "default", "examples",
	}
}

// firstTag returns the first of our tags that a field carries, or "".
func firstTag(tag reflect.StructTag) string {
	for _, name := range tagNames() {
		if _, ok := tag.Lookup(name); ok {
			return name
		}
	}
	return ""
}

// tagger narrows the schema of one field by the field's tags.
type tagger struct {
	schema *jsonschema.Schema
	typ    reflect.Type // what the schema describes, without a pointer
	path   string
}

// constrain applies the tags of a field to its schema.
func constrain(s *jsonschema.Schema, sf reflect.StructField, path string) error {
	g := &tagger{schema: s, typ: sf.Type, path: path}
	if g.typ.Kind() == reflect.Pointer {
		g.typ = g.typ.Elem()
	}
	for _, name := range tagNames() {
		if lower := strings.ToLower(name); lower != name && sf.Tag.Get(lower) != "" {
			return refuse(path, "tag %s: is written %s", lower, name)
		}
		text, ok := sf.Tag.Lookup(name)
		if !ok {
			continue
		}
		if kind := appliesTo(name); kind != "" && !g.is(kind) {
			return refuse(path, "tag %s: means nothing on %s; it is for %s", name, g.what(), kind)
		}
		if err := g.apply(name, text); err != nil {
			return err
		}
	}
	if contradiction := empty(s); contradiction != "" {
		return refuse(path, "%s", contradiction)
	}
	return nil
}

// appliesTo returns the type for which a keyword means something, or "" where
// that is any.
func appliesTo(keyword string) string {
	switch keyword {
	case "format", "pattern", "minLength", "maxLength":
		return "string"
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf":
		return "number"
	case "minItems", "maxItems", "uniqueItems", "items":
		return "array"
	case "properties", "required", "additionalProperties", "oneOf":
		return "object"
	default:
		return ""
	}
}

// is reports whether the schema is for values of that kind.
func (g *tagger) is(kind string) bool { return isKind(g.schema, kind) }

func isKind(s *jsonschema.Schema, kind string) bool {
	own := kindOf(s)
	return own == kind || kind == "number" && own == "integer"
}

func (g *tagger) what() string {
	if kind := kindOf(g.schema); kind != "" {
		return "the type " + kind
	}
	return "a field without a type"
}

// refuse returns an error about one tag.
func (g *tagger) refuse(name, format string, args ...any) error {
	return refuse(g.path, "tag "+name+": "+format, args...)
}

func (g *tagger) apply(name, text string) error {
	s := g.schema
	switch name {
	case "jsonschema":
		return g.describe(text)
	case "deprecated":
		return g.deprecate(text)
	case "format":
		return g.format(text)
	case "pattern":
		return g.pattern(text)
	case "minLength":
		return g.count(name, text, &s.MinLength)
	case "maxLength":
		return g.count(name, text, &s.MaxLength)
	case "minItems":
		return g.count(name, text, &s.MinItems)
	case "maxItems":
		return g.count(name, text, &s.MaxItems)
	case "minimum":
		return g.bound(name, text, &s.Minimum)
	case "maximum":
		return g.bound(name, text, &s.Maximum)
	case "exclusiveMinimum":
		return g.bound(name, text, &s.ExclusiveMinimum)
	case "exclusiveMaximum":
		return g.bound(name, text, &s.ExclusiveMaximum)
	case "multipleOf":
		return g.bound(name, text, &s.MultipleOf)
	case "enum":
		return g.enum(text)
	case "default":
		return g.defaultValue(text)
	default:
		return g.examples(text)
	}
}

// describe takes the whole tag as the description. The form word=… is kept
// free, as the schema library keeps it.
func (g *tagger) describe(text string) error {
	word, _, assigns := strings.Cut(text, "=")
	switch {
	case strings.TrimSpace(text) == "":
		return g.refuse("jsonschema", "is empty; describe the field in it or remove it")
	case assigns && !strings.ContainsAny(word, " \t\n"):
		return g.refuse("jsonschema", "begins with %q; the whole tag is the description, and constraints have tags of their own", word+"=")
	}
	g.schema.Description = text
	return nil
}

func (g *tagger) deprecate(text string) error {
	if text != "true" && text != "false" {
		return g.refuse("deprecated", "%q is neither true nor false", text)
	}
	g.schema.Deprecated = text == "true"
	return nil
}

func (g *tagger) format(text string) error {
	if g.schema.Format != "" {
		return g.refuse("format", "%s has the format %s already", g.typ, g.schema.Format)
	}
	if !knownFormat(text) {
		return g.refuse("format", "%q is not checked by anything; use one of %s, or a pattern", text, formats)
	}
	g.schema.Format = text
	return nil
}

func (g *tagger) pattern(text string) error {
	if text == "" {
		return g.refuse("pattern", "is empty; remove it")
	}
	if _, err := regexp.Compile(text); err != nil {
		return g.refuse("pattern", "is no regular expression of Go: %w", err)
	}
	g.schema.Pattern = text
	return nil
}

func (g *tagger) count(name, text string, target **int) error {
	if g.typ.Kind() == reflect.Array {
		return g.refuse(name, "means nothing on %s, whose length is fixed", g.typ)
	}
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		return g.refuse(name, "%q is not a whole number from 0 to 2147483647", text)
	}
	*target = jsonschema.Ptr(int(n))
	return nil
}

// enum narrows the schema, or that of the items of a list, to the values that
// the text names, parted by commas.
func (g *tagger) enum(text string) error {
	target := *g
	for target.is("array") && target.schema.Items != nil {
		target.schema, target.typ = target.schema.Items, target.typ.Elem()
		if target.typ.Kind() == reflect.Pointer {
			target.typ = target.typ.Elem()
		}
	}
	if !target.is("string") && !target.is("number") {
		return g.refuse("enum", "means nothing on %s; it is for strings and numbers, or lists of them", target.what())
	}
	var values []any
	for part := range strings.SplitSeq(text, ",") {
		value, err := target.enumValue(part)
		if err != nil {
			return g.refuse("enum", "%w", err)
		}
		if slices.Contains(values, value) {
			return g.refuse("enum", "names %q twice", part)
		}
		values = append(values, value)
	}
	if target.schema.Types != nil {
		values = append(values, nil)
	}
	target.schema.Enum = values
	return nil
}
