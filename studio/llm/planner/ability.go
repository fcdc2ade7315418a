package planner

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxAbilities is how many tools are named when the planner says what it can
// do.
const maxAbilities = 7

// smallTalk answers a message that no tool fits.
func (p *Planner) smallTalk(cat *catalog, text string, plan plan) answer {
	words := lowerWords(p.lex.read(text))
	can := abilities(cat)
	switch {
	case hasAny(words, "thanks thank thx cheers") && len(words) <= 6:
		return answer{reasoning: "The message says thanks.", text: "You are welcome."}
	case len(words) > 0 && hasAny(words[:1], "hello hi hey good greetings") && len(plan.unmatched) == 0:
		return answer{reasoning: "The message is a greeting.", text: "Hello. " + can}
	case len(words) == 0 || slices.Contains(words, "help") || slices.Contains(words, "can") && slices.Contains(words, "what"):
		return answer{reasoning: "The message asks what can be done here.", text: can}
	case plan.unsure && len(cat.tools) > 0:
		return answer{reasoning: "The message is a question, and no tool that only looks fits it.", text: "I have no tool to answer that, and I did nothing. " + can}
	case len(cat.tools) == 0:
		return answer{reasoning: "No tool is offered for this message.", text: can}
	default:
		return answer{reasoning: "No offered tool fits the message.", text: "I found no tool for that, so I did nothing. " + can}
	}
}

// abilities says what the offered tools do, in the words of their
// descriptions.
func abilities(cat *catalog) string {
	if len(cat.tools) == 0 {
		return "No tool fits this right now, so nothing was done. Say what you want and name the record, for example “show” or “cancel” followed by its id."
	}
	var parts []string
	for i, t := range cat.tools {
		if i == maxAbilities {
			parts = append(parts, fmt.Sprintf("and %d more", len(cat.tools)-maxAbilities))
			break
		}
		parts = append(parts, t.ability())
	}
	return fmt.Sprintf("Here is what I can use: %s.", strings.Join(parts, "; "))
}

// ability is the first sentence of the tool's description, or its name.
func (t *tool) ability() string {
	const longest = 100
	text := shorten(sentence(t.description), longest)
	if text == "" {
		return t.phrase("")
	}
	first, size := utf8.DecodeRuneInString(text)
	if second, _ := utf8.DecodeRuneInString(text[size:]); unicode.IsUpper(second) {
		return text
	}
	return string(unicode.ToLower(first)) + text[size:]
}
