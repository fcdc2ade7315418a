package pages

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/studio/agents"
	"github.com/agentstudio/agentstudio/studio/canon"
	views "github.com/agentstudio/agentstudio/views/agents"
	"github.com/agentstudio/agentstudio/views/ui"
)

// The limits of what a form shows of a parameter.
const (
	longText   = 200 // characters, above which a text gets several lines
	maxExample = 60  // characters of a default in a sentence
)

// paramForm turns a toolkit's parameters into fields. Secrets are masked in all
// that it is given, and it shows none that a person typed.
type paramForm struct {
	config *hosttools.ConfigSchema
	own    bool              // whether it is for the caller's own calls
	set    canon.Value       // what is set here
	below  canon.Value       // what counts where nothing is set here
	sent   map[string]string // what was typed, by name; nil where nothing was sent
	errors map[string]string // by name
	open   []string          // what each user may set
	// choices returns where the choices for a parameter are; nil: nowhere.
	choices func(name string) string
}

// fields returns the fields of those parameters that people set. The first with
// an error gets the focus.
func (f *paramForm) fields() []views.Param {
	var fields []views.Param
	focused := false
	for i, param := range f.config.Params {
		if param.Managed() || f.own && !slices.Contains(f.open, param.Name) {
			continue
		}
		field := f.field(i, param)
		field.Focus = field.Error != "" && !focused
		focused = focused || field.Focus
		fields = append(fields, field)
	}
	return fields
}

// controlID returns the id of the control of a parameter. Names may hold what
// no id may.
func controlID(own bool, index int) string {
	if own {
		return "own-" + strconv.Itoa(index)
	}
	return "param-" + strconv.Itoa(index)
}

func (f *paramForm) field(index int, param hosttools.Param) views.Param {
	s := f.config.Schema.Properties[param.Name]
	field := views.Param{
		ID: controlID(f.own, index), Field: paramField + param.Name, Name: param.Name, Label: labelOf(s, param.Name),
		About: param.Title, Help: sentences(param.Title, limits(s)), Error: f.errors[param.Name],
		Overridable: slices.Contains(f.open, param.Name),
	}
	if param.HasOptions && f.choices != nil {
		field.Choices = f.choices(param.Name)
	}
	stored, isSet := f.set.Get(param.Name)
	if isSet {
		field.Value, field.Shown, field.Set = shown(s, stored), inWords(s, stored), true
	}
	if f.sent != nil {
		field.Value = f.sent[param.Name]
	}
	_, hasDefault := f.below.Get(param.Name)
	field.Required = param.Required && !hasDefault && !f.own
	if param.Secret {
		f.secret(&field, isSet)
	} else {
		f.fallBack(&field, s, param)
		f.control(&field, s)
	}
	return field
}

// fallBack says what counts where a field is left empty.
func (f *paramForm) fallBack(field *views.Param, s *jsonschema.Schema, param hosttools.Param) {
	value, given := f.below.Get(param.Name)
	switch {
	case given:
		words := inWords(s, value)
		field.Placeholder = cut(firstLine(shown(s, value)), maxExample)
		if how := writtenAs(s); how != asChoice && how != asTruth { // Those say it as a choice.
			field.Help = sentences(field.Help, cut(words, maxExample)+" if left empty.")
		}
		if !field.Set {
			field.Shown = words + " (default)"
		}
	case f.own:
		field.Help = sentences(field.Help, "The agent has none; it is not set if left empty.")
	case !field.Set:
		field.Shown = "Not set"
	}
}

// secret completes the field of a secret. What was typed is never shown again.
func (f *paramForm) secret(field *views.Param, isStored bool) {
	field.Control, field.Shown = views.Secret, "Not set"
	typedAnew := field.Value != "" && field.Value != agents.Mask
	if isStored {
		field.Shown = "Stored, and never shown"
		field.Help = sentences(field.Help, "Stored; leave it as it is to keep it, empty it to remove it.")
	}
	if f.own && !isStored {
		field.Help = sentences(field.Help, "The agent's own is used if left empty.")
	}
	if !typedAnew {
		return
	}
	field.Value = ""
	if isStored {
		field.Value = agents.Mask
	}
	field.Error = sentences(field.Error, "Type it again: what you typed was not saved, and is never shown.")
}

// control chooses what a parameter is set with.
func (f *paramForm) control(field *views.Param, s *jsonschema.Schema) {
	switch writtenAs(s) {
	case asChoice, asTruth:
		field.Control, field.Options = views.Choice, f.options(field, s)
	case asNumber:
		if isNumber(field.Value) {
			field.Control, field.Min, field.Max, field.Step = views.Number, least(s), most(s), step(s)
		}
	case asLines:
		field.Control = views.Block
	case asJSON:
		field.Control, field.Schema = views.Block, schemaText(s)
	case asText:
		textControl(field, s)
	}
}

// textControl chooses the control of a text. One that could not hold the value
// exactly is not chosen.
func textControl(field *views.Param, s *jsonschema.Schema) {
	switch long := s.MaxLength != nil && *s.MaxLength > longText; {
	case long || strings.Contains(field.Value, "\n"):
		field.Control = views.Block
	case s.Format == "email":
		field.Control = views.Email
	case s.Format == "uri":
		field.Control = views.Address
	case s.Format == "date" && isMoment("2006-01-02", field.Value):
		field.Control = views.Day
	case s.Format == "time" || s.Format == "date-time":
		momentControl(field, s)
	}
}

func momentControl(field *views.Param, s *jsonschema.Schema) {
	control, layout := views.Moment, localDateTime
	if s.Format == "time" {
		control, layout = views.Clock, localTime
	}
	local := strings.TrimSuffix(field.Value, "Z")
	if (isMoment(layout, local) || isMoment(layout+seconds, local)) && !strings.Contains(local, ".") {
		field.Control, field.Value, field.Step = control, local, "1"
	}
}

// options returns the choices of a parameter, the first being none of them.
func (f *paramForm) options(field *views.Param, s *jsonschema.Schema) []ui.Option {
	none := "Not set"
	switch {
	case f.own && field.Placeholder != "":
		none = "The agent's: " + yesNo(s, field.Placeholder)
	case f.own:
		none = "As the agent has it"
	case field.Required:
		none = "Choose…"
	case field.Placeholder != "":
		none = "Default: " + yesNo(s, field.Placeholder)
	}
	options := []ui.Option{{Label: none}}
	texts := []string{"true", "false"}
	if writtenAs(s) == asChoice {
		texts = nil
		for _, choice := range choicesOf(s) {
			if choice.Kind() != canon.KindNull {
				texts = append(texts, asTyped(choice))
			}
		}
	}
	known := field.Value == ""
	for _, text := range texts {
		known = known || text == field.Value
		options = append(options, ui.Option{Value: text, Label: yesNo(s, text)})
	}
	if !known {
		options = append(options, ui.Option{Value: field.Value, Label: field.Value})
	}
	return options
}

// yesNo returns yes and no for a truth value, and any other text as it is.
func yesNo(s *jsonschema.Schema, text string) string {
	switch {
	case kindOf(s) != "boolean":
		return text
	case text == "true":
		return "yes"
	case text == "false":
		return "no"
	default:
		return text
	}
}

// inWords returns a value for people who read it, in one line.
func inWords(s *jsonschema.Schema, v canon.Value) string {
	switch v.Kind() {
	case canon.KindString:
		return v.Str()
	case canon.KindNull:
		return "nothing"
	case canon.KindArray:
		if writtenAs(s) == asLines && v.Len() > 0 {
			return strings.ReplaceAll(asShownLines(v), "\n", ", ")
		}
	case canon.KindBool:
		return yesNo(s, asTyped(v))
	}
	encoded, err := canon.Bytes(v)
	if err != nil {
		return ""
	}
	return string(encoded)
}

// managedParams returns the parameters that only the server fills.
func managedParams(config *hosttools.ConfigSchema, errors map[string]string) []views.Managed {
	var list []views.Managed
	for _, param := range config.Params {
		if param.Managed() {
			s := config.Schema.Properties[param.Name]
			list = append(list, views.Managed{
				Name: param.Name, Label: labelOf(s, param.Name), Help: param.Title, Error: errors[param.Name],
			})
		}
	}
	return list
}

// labelOf returns a schema's title, or a name as people write it: "max_rows"
// and "maxRows" are "Max rows".
func labelOf(s *jsonschema.Schema, name string) string {
	if s != nil && s.Title != "" {
		return s.Title
	}
	var spaced strings.Builder
	var before rune
	for _, r := range name {
		if unicode.IsUpper(r) && unicode.IsLower(before) {
			spaced.WriteByte(' ')
		}
		spaced.WriteRune(r)
		before = r
	}
	words := strings.FieldsFunc(spaced.String(), func(r rune) bool { return r == '_' || r == '-' || r == ' ' })
	for i, word := range words {
		words[i] = inLabel(word, i == 0)
	}
	if len(words) == 0 {
		return name
	}
	return strings.Join(words, " ")
}

func inLabel(word string, first bool) string {
	switch lower := strings.ToLower(word); {
	case lower == "api" || lower == "id" || lower == "ip" || lower == "url" || lower == "uri":
		return strings.ToUpper(word)
	case first:
		r := []rune(lower)
		return string(unicode.ToUpper(r[0])) + string(r[1:])
	default:
		return lower
	}
}
