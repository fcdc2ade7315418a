package schemas

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"
)

// member is one name and value of a JSON object.
type member struct {
	name  string
	value jsontext.Value
}

// members returns the members of an object in their order.
func members(raw jsontext.Value, at string) ([]member, error) {
	if raw.Kind() != '{' {
		return nil, refuse(place(at), "must be a JSON object, not %s", raw.Kind())
	}
	d := jsontext.NewDecoder(bytes.NewReader(raw))
	if _, err := d.ReadToken(); err != nil {
		return nil, refuse(place(at), "%w", err)
	}
	var found []member
	for d.PeekKind() != '}' {
		name, err := d.ReadToken()
		if err != nil {
			return nil, refuse(place(at), "%w", err)
		}
		m := member{name: name.String()}
		value, err := d.ReadValue()
		if err != nil {
			return nil, refuse(place(at), "%w", err)
		}
		m.value = value.Clone()
		found = append(found, m)
	}
	return found, nil
}

// place names a JSON pointer for people.
func place(at string) string {
	if at == "" {
		return "the top"
	}
	return at
}

// below returns the pointer of a member.
func below(at, name string) string {
	return at + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

// readSchema reads one schema and all inside it.
func readSchema(raw jsontext.Value, at string) (*jsonschema.Schema, error) {
	list, err := members(raw, at)
	if err != nil {
		return nil, err
	}
	s := &jsonschema.Schema{}
	for _, m := range list {
		if err := readKeyword(s, m, at); err != nil {
			return nil, err
		}
	}
	for _, m := range list {
		if kind := appliesTo(m.name); kind != "" && !isKind(s, kind) {
			return nil, refuse(place(at), "the keyword %s needs the type %s beside it", m.name, kind)
		}
	}
	return s, checkShape(s, at)
}

func readKeyword(s *jsonschema.Schema, m member, at string) error {
	if m.value.Kind() == 'n' && m.name != "const" && m.name != "default" && !strings.HasPrefix(m.name, "x-") {
		return refuse(place(at), "the keyword %s must not be null", m.name)
	}
	switch m.name {
	case "title":
		return into(m, at, &s.Title)
	case "description":
		return into(m, at, &s.Description)
	case "deprecated":
		return into(m, at, &s.Deprecated)
	case "readOnly":
		return into(m, at, &s.ReadOnly)
	case "writeOnly":
		return into(m, at, &s.WriteOnly)
	case "uniqueItems":
		return into(m, at, &s.UniqueItems)
	case "minLength":
		return readCount(m, at, &s.MinLength)
	case "maxLength":
		return readCount(m, at, &s.MaxLength)
	case "minItems":
		return readCount(m, at, &s.MinItems)
	case "maxItems":
		return readCount(m, at, &s.MaxItems)
	case "minimum":
		return readBound(m, at, &s.Minimum)
	case "maximum":
		return readBound(m, at, &s.Maximum)
	case "exclusiveMinimum":
		return readBound(m, at, &s.ExclusiveMinimum)
	case "exclusiveMaximum":
		return readBound(m, at, &s.ExclusiveMaximum)
	case "multipleOf":
		return readBound(m, at, &s.MultipleOf)
	default:
		return readOther(s, m, at)
	}
}

func readOther(s *jsonschema.Schema, m member, at string) error {
	switch m.name {
	case "type":
		return readType(s, m, at)
	case "format":
		return readFormat(s, m, at)
	case "pattern":
		return readPattern(s, m, at)
	case "enum":
		return readEnum(s, m, at)
	case "const":
		return readConst(s, m, at)
	case "default":
		if _, err := decode(m.value); err != nil {
			return refuse(place(at), "default: %w", err)
		}
		s.Default = []byte(m.value)
		return nil
	case "examples":
		return readValues(m, at, &s.Examples)
	case "properties":
		return readProperties(s, m, at)
	case "required":
		return into(m, at, &s.Required)
	case "items", "additionalProperties":
		return readInner(s, m, at)
	case "oneOf":
		return readOneOf(s, m, at)
	default:
		return readExtension(s, m, at)
	}
}

// into reads a keyword of a plain type.
func into[T string | bool | []string](m member, at string, target *T) error {
	if err := json.Unmarshal(m.value, target); err != nil {
		return refuse(place(at), "the keyword %s must be a %T: %w", m.name, *target, err)
	}
	return nil
}

func readCount(m member, at string, target **int) error {
	var n int
	if err := json.Unmarshal(m.value, &n); err != nil || n < 0 || n > math.MaxInt32 {
		return refuse(place(at), "%s: %s is not a whole number from 0 to 2147483647", m.name, m.value)
	}
	*target = &n
	return nil
}

func readBound(m member, at string, target **float64) error {
	if m.value.Kind() != '0' {
		return refuse(place(at), "%s: %s is not a number", m.name, m.value)
	}
	f, err := exactFloat(string(m.value))
	if err != nil {
		return refuse(place(at), "%s: %w", m.name, err)
	}
	if m.name == "multipleOf" && f <= 0 {
		return refuse(place(at), "multipleOf: %s is not above 0", m.value)
	}
	*target = &f
	return nil
}

// readType reads one type, or two of which one is null.
func readType(s *jsonschema.Schema, m member, at string) error {
	if m.value.Kind() == '"' {
		if err := into(m, at, &s.Type); err != nil {
			return err
		}
		return checkType(s.Type, at)
	}
	if err := into(m, at, &s.Types); err != nil {
		return err
	}
	if len(s.Types) != 2 || s.Types[0] == s.Types[1] || !slices.Contains(s.Types, "null") {
		return refuse(place(at), `type: %s must be one type, or two of which one is "null"`, m.value)
	}
	return checkType(kindOf(s), at)
}

func checkType(kind, at string) error {
	switch kind {
	case "object", "array", "string", "integer", "number", "boolean", "null":
		return nil
	default:
		return refuse(place(at), "type: %q is none of object, array, string, integer, number, boolean, null", kind)
	}
}

func readFormat(s *jsonschema.Schema, m member, at string) error {
	if err := into(m, at, &s.Format); err != nil {
		return err
	}
	if !knownFormat(s.Format) {
		return refuse(place(at), "format: %q is not checked by anything; use one of %s, or a pattern", s.Format, formats)
	}
	return nil
}

func readPattern(s *jsonschema.Schema, m member, at string) error {
	if err := into(m, at, &s.Pattern); err != nil {
		return err
	}
	if _, err := regexp.Compile(s.Pattern); err != nil || s.Pattern == "" {
		return refuse(place(at), "pattern: %q is empty or no regular expression of Go", s.Pattern)
	}
	return nil
}

// readExtension keeps an x-… keyword, and refuses every other.
func readExtension(s *jsonschema.Schema, m member, at string) error {
	if !strings.HasPrefix(m.name, "x-") {
		return refuse(place(at), "the keyword %q is not supported; remove it or say the same by another", m.name)
	}
	value, err := decode(m.value)
	if err != nil {
		return refuse(place(at), "%s: %w", m.name, err)
	}
	switch {
	case m.name == goInteger && value != "int64" && value != "uint64":
		return refuse(place(at), `%s: must be "int64" or "uint64"`, m.name)
	case m.name == "x-server-managed":
		return refuse(place(at), "x-server-managed: nothing would fill the property; declare a server-managed field in the Go type")
	}
	if s.Extra == nil {
		s.Extra = map[string]any{}
	}
	s.Extra[m.name] = value
	return nil
}

// readValues reads a non-empty array of JSON values.
func readValues(m member, at string, target *[]any) error {
	value, err := decode(m.value)
	if err != nil {
		return refuse(place(at), "%s: %w", m.name, err)
	}
	list, ok := value.([]any)
	if !ok || len(list) == 0 {
		return refuse(place(at), "%s: must be a list with at least one value", m.name)
	}
	*target = list
	return nil
}

func readEnum(s *jsonschema.Schema, m member, at string) error {
	if err := readValues(m, at, &s.Enum); err != nil {
		return err
	}
	seen := make(map[string]bool, len(s.Enum))
	for _, value := range s.Enum {
		if !isScalar(value) {
			return refuse(place(at), "enum: may hold strings, numbers, booleans and null, not %v", value)
		}
		key := fmt.Sprintf("%#v", value)
		if seen[key] {
			return refuse(place(at), "enum: names %v twice", value)
		}
		seen[key] = true
	}
	return nil
}

func readConst(s *jsonschema.Schema, m member, at string) error {
	value, err := decode(m.value)
	if err != nil || !isScalar(value) {
		return refuse(place(at), "const: must be a string, number, boolean or null, not %s", m.value)
	}
	s.Const = &value
	return nil
}

func isScalar(value any) bool {
	switch value.(type) {
	case map[string]any, []any:
		return false
	default:
		return true
	}
}
