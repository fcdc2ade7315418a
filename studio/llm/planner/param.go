package planner

import (
	"encoding/json"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// paramKind says where the value of a parameter is looked for.
type paramKind int

const (
	// kindOther is what no sentence can give: objects, lists of objects.
	kindOther paramKind = iota
	kindID
	kindEnum
	kindNumber
	kindBool
	kindDate
	kindRecipient
	kindText
	kindList
)

// param is one property of a tool's schema.
type param struct {
	name        string
	words       []string
	kind        paramKind
	required    bool
	integer     bool
	description string
	example     string
	enum        []string
	pattern     *regexp.Regexp
	low, high   bound
	shortest    int
	longest     int
}

// bound is one end of a numeric range.
type bound struct {
	at   *big.Rat
	open bool
}

const (
	idWords     = "id ids identifier number no nr ref reference key code sku slug uuid"
	textWords   = "note notes reason message comment comments remark text body description subject title content query summary"
	personWords = "recipient recipients to email addressee receiver assignee audience"
	limitWords  = "max maximum limit rows count top first size"
	moneyWords  = "amount price total sum value cost money fee"
	reasonWords = "reason why cause justification"
	uuidPattern = `^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$`
)

var (
	examplePattern = regexp.MustCompile(`(?i)(?:for example|for instance|e\.g\.,?|such as|like)\s+["'“‘]?([^\s"'”’,;)]+)`)
	idMention      = regexp.MustCompile(`(?i)\b(?:id|identifier)\b`)
	digitClass     = regexp.MustCompile(`\\d|0-9`)
)

// newParam reads one property of a schema.
func newParam(name string, schema object, required bool) param {
	p := param{name: name, words: words(name), required: required, description: schema.text("description")}
	p.enum = stringList(schema.get("enum"))
	p.pattern = compile(schema.text("pattern"), schema.text("format"))
	p.example = exampleOf(schema)
	p.low = bound{at: rational(schema.get("minimum"))}
	p.high = bound{at: rational(schema.get("maximum"))}
	if at := rational(schema.get("exclusiveMinimum")); at != nil {
		p.low = bound{at: at, open: true}
	}
	if at := rational(schema.get("exclusiveMaximum")); at != nil {
		p.high = bound{at: at, open: true}
	}
	p.shortest, p.longest = length(schema.get("minLength")), length(schema.get("maxLength"))
	p.kind = p.kindOf(schema)
	return p
}

func (p *param) kindOf(schema object) paramKind {
	switch schemaType(schema) {
	case "integer":
		p.integer = true
		return kindNumber
	case "number":
		return kindNumber
	case "boolean":
		return kindBool
	case "array":
		items, _ := schema.get("items").(object)
		if items != nil && schemaType(items) == "string" && items.get("enum") == nil && items.get("pattern") == nil {
			return kindList
		}
	case "string":
		return p.stringKind(schema)
	}
	return kindOther
}

func (p *param) stringKind(schema object) paramKind {
	switch {
	case len(p.enum) > 0:
		return kindEnum
	case schema.text("format") == "date":
		return kindDate
	case schema.text("format") == "date-time":
		return kindOther
	case p.named(personWords) || schema.text("format") == "email":
		return kindRecipient
	case p.named(textWords):
		return kindText
	case p.named(idWords) || p.pattern != nil && digitClass.MatchString(schema.text("pattern")+schema.text("format")):
		return kindID
	case idMention.MatchString(p.description):
		return kindID
	default:
		return kindText
	}
}

// schemaType returns the first type that is not null; an enum of strings needs
// no type.
func schemaType(schema object) string {
	switch kind := schema.get("type").(type) {
	case string:
		return kind
	case []any:
		for _, one := range kind {
			if name, ok := one.(string); ok && name != "null" {
				return name
			}
		}
	case nil:
		if len(stringList(schema.get("enum"))) > 0 {
			return "string"
		}
	}
	return ""
}

func (p *param) named(list string) bool {
	return slices.ContainsFunc(p.words, func(word string) bool { return oneOf(word, list) })
}

func (p *param) limit() bool  { return p.integer && p.named(limitWords) && !p.required }
func (p *param) money() bool  { return p.kind == kindNumber && p.named(moneyWords) }
func (p *param) reason() bool { return p.kind == kindText && p.named(reasonWords) }

// noun is what the parameter identifies: "order" for order_id, "" for id.
func (p *param) noun() string {
	var rest []string
	for _, word := range p.words {
		if !oneOf(word, idWords) {
			rest = append(rest, word)
		}
	}
	return strings.Join(rest, " ")
}

// label is the parameter's name in plain words.
func (p *param) label() string { return strings.Join(p.words, " ") }

// validText reports whether the schema accepts s.
func (p *param) validText(s string) bool {
	size := utf8.RuneCountInString(s)
	return s != "" && size >= p.shortest && (p.longest == 0 || size <= p.longest) &&
		(p.pattern == nil || p.pattern.MatchString(s)) && (len(p.enum) == 0 || slices.Contains(p.enum, s))
}

// validNumber reports whether the schema accepts the JSON number s.
func (p *param) validNumber(s string) bool {
	number, ok := new(big.Rat).SetString(s)
	if !ok || p.integer && !number.IsInt() {
		return false
	}
	if sign := compare(number, p.low.at, 1); sign < 0 || sign == 0 && p.low.open {
		return false
	}
	sign := compare(number, p.high.at, -1)
	return sign < 0 || sign == 0 && !p.high.open
}

// compare orders number and limit; without a limit it returns missing.
func compare(number, limit *big.Rat, missing int) int {
	if limit == nil {
		return missing
	}
	return number.Cmp(limit)
}

func stringList(value any) []string {
	list, _ := value.([]any)
	var out []string
	for _, item := range list {
		if s, ok := item.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

// compile returns nil for a pattern that Go cannot run; the host checks it.
func compile(pattern, format string) *regexp.Regexp {
	if pattern == "" && format == "uuid" {
		pattern = uuidPattern
	}
	if pattern == "" {
		return nil
	}
	compiled, err := regexp.Compile(pattern)
	if err != nil {
		return nil
	}
	return compiled
}

func exampleOf(schema object) string {
	if examples := stringList(schema.get("examples")); len(examples) > 0 {
		return examples[0]
	}
	if m := examplePattern.FindStringSubmatch(schema.text("description")); m != nil {
		return strings.TrimRight(m[1], ".")
	}
	return ""
}

// maxDigits bounds the size of a number that is compared exactly.
const maxDigits = 40

func rational(value any) *big.Rat {
	number, ok := value.(json.Number)
	if !ok || len(number) > maxDigits || strings.ContainsAny(number.String(), "eE") {
		return nil
	}
	out, ok := new(big.Rat).SetString(number.String())
	if !ok {
		return nil
	}
	return out
}

func length(value any) int {
	number := rational(value)
	const largest = 1 << 30
	if number == nil || !number.IsInt() || !number.Num().IsInt64() || number.Num().Int64() > largest {
		return 0
	}
	return int(number.Num().Int64())
}

// parseRational reads a decimal number of at most maxDigits characters.
func parseRational(digits string) (*big.Rat, bool) {
	if len(digits) > maxDigits {
		return nil, false
	}
	return new(big.Rat).SetString(digits)
}
