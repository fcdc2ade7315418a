package planner

import (
	"slices"
	"strings"

	"github.com/agentstudio/agentstudio/studio/llm"
)

// tool is an offered tool, read for its words.
type tool struct {
	name        string
	description string
	write       bool
	words       []string
	// lead is the concept of the tool's verb.
	lead string
	// keys are the concepts and stems of the other words of its name.
	keys []string
	// hints are the stems of its description.
	hints  []string
	params []param
}

// catalog is the tools offered for one request.
type catalog struct {
	tools []*tool
}

// newCatalog reads the offered tools. A tool whose schema cannot be read is
// left out, since no valid call of it could be made.
func newCatalog(lex *lexicon, offered []llm.Tool) *catalog {
	cat := &catalog{}
	for _, one := range offered {
		params, ok := readParams(one.Parameters)
		if !ok {
			continue
		}
		t := &tool{name: one.Name, description: strings.TrimSpace(one.Description), write: one.Write || one.Consequential, params: params}
		t.words = words(one.Name)
		t.understand(lex)
		cat.tools = append(cat.tools, t)
	}
	cat.dropPrefix(lex, len(offered))
	return cat
}

// readParams reads the properties of a schema; a tool without a schema takes
// no arguments.
func readParams(data []byte) ([]param, bool) {
	if len(data) == 0 {
		return nil, true
	}
	value, err := parseJSON(data)
	if err != nil {
		return nil, false
	}
	schema, ok := value.(object)
	if !ok {
		return nil, false
	}
	required := stringList(schema.get("required"))
	properties, _ := schema.get("properties").(object)
	var params []param
	for _, property := range properties {
		body, _ := property.value.(object)
		params = append(params, newParam(property.name, body, slices.Contains(required, property.name)))
	}
	for _, name := range required {
		if !slices.ContainsFunc(params, func(p param) bool { return p.name == name }) {
			params = append(params, newParam(name, nil, true))
		}
	}
	return params, true
}

// understand finds the tool's verb: a verb of the synonym table in its name,
// else the word of its name that its description starts with, else a word that
// may be a verb, else the first word.
func (t *tool) understand(lex *lexicon) {
	t.hints = hints(lex, t.description)
	at := t.leadAt(lex)
	for i, word := range t.words {
		if i == at {
			t.lead = lex.sense(word).key
			continue
		}
		t.keys = append(t.keys, lex.sense(word).key)
	}
}

func (t *tool) leadAt(lex *lexicon) int {
	for _, wanted := range []role{roleVerb, roleWeak} {
		for i, word := range t.words {
			if lex.sense(word).role == wanted {
				return i
			}
		}
	}
	for i, word := range t.words {
		if len(t.hints) > 0 && lex.sense(word).key == t.hints[0] {
			return i
		}
	}
	for i, word := range t.words {
		if lex.sense(word).role == roleNoun {
			return i
		}
	}
	return 0
}

// hints returns the keys of the words of a description that carry meaning.
func hints(lex *lexicon, description string) []string {
	var keys []string
	for _, t := range lex.read(clip(description)) {
		if t.kind == tokenWord && len(t.lower) > 2 && !fillWord(t.lower) {
			keys = append(keys, t.sense.key)
		}
	}
	return keys
}

// dropPrefix removes the host's prefix from the words used in sentences: a
// first word that all of several tools share, or one without a vowel. A verb
// of the synonym table is no prefix.
func (c *catalog) dropPrefix(lex *lexicon, offered int) {
	shared := len(c.tools) > 1 && len(c.tools) == offered
	for _, t := range c.tools {
		shared = shared && len(t.words) > 1 && t.words[0] == c.tools[0].words[0]
	}
	for _, t := range c.tools {
		if len(t.words) > 1 && lex.sense(t.words[0]).role == roleNone && (shared || !strings.ContainsAny(t.words[0], "aeiouy")) {
			t.words = t.words[1:]
		}
	}
}

// find returns the offered tool of that name, or nil.
func (c *catalog) find(name string) *tool {
	for _, t := range c.tools {
		if t.name == name {
			return t
		}
	}
	return nil
}

// action reports whether a word may be what a sentence asks for: a verb of the
// synonym table, or the verb of an offered tool.
func (c *catalog) action(t token) bool {
	if t.kind != tokenWord {
		return false
	}
	return t.sense.role != roleNone || slices.ContainsFunc(c.tools, func(one *tool) bool { return one.lead == t.sense.key })
}

// param returns the parameter of that name, or nil.
func (t *tool) param(name string) *param {
	for i := range t.params {
		if t.params[i].name == name {
			return &t.params[i]
		}
	}
	return nil
}

// idParam returns the tool's only id parameter, or nil.
func (t *tool) idParam() *param {
	var found *param
	for i := range t.params {
		if t.params[i].kind != kindID {
			continue
		}
		if found != nil {
			return nil
		}
		found = &t.params[i]
	}
	return found
}

// has reports whether key is a word of the tool's name.
func (t *tool) has(key string) bool { return key == t.lead || slices.Contains(t.keys, key) }

// noun returns what an id parameter identifies, taken from the tool's name
// when the parameter's name does not say.
func (t *tool) noun(p *param) string {
	if noun := p.noun(); noun != "" {
		return noun
	}
	if len(t.words) > 1 {
		return t.words[len(t.words)-1]
	}
	return "record"
}

// phrase says what the tool does to a record, from the words of its name:
// "cancel order A-1002", "set note for A-1002".
func (t *tool) phrase(record string) string {
	text := strings.Join(t.words, " ")
	if record == "" {
		return text
	}
	if id := t.idParam(); id != nil && strings.HasSuffix(text, t.noun(id)) {
		return text + " " + record
	}
	return text + " for " + record
}
