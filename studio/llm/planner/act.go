package planner

import (
	"fmt"
	"strings"

	"github.com/agentstudio/agentstudio/studio/llm"
)

// callTools makes the calls of a complete plan. Their ids go on from the calls
// of the conversation.
func callTools(p plan, talk conversation) answer {
	out := answer{reasoning: explain(p)}
	number := talk.calls
	for _, s := range p.steps {
		id := ""
		for id == "" || talk.uses(id) {
			number++
			id = fmt.Sprintf("call_%d", number)
		}
		out.calls = append(out.calls, llm.Call{ID: id, Name: s.tool.name, Arguments: s.arguments()})
	}
	return out
}

// uses reports whether a call of the conversation has this id.
func (c conversation) uses(id string) bool {
	for _, t := range c.turns {
		for _, call := range t.calls {
			if call.ID == id {
				return true
			}
		}
	}
	return false
}

// arguments writes the values as a JSON object in the order of the schema.
func (s step) arguments() []byte {
	var members []string
	for _, one := range s.tool.params {
		if arg, ok := s.args[one.name]; ok {
			members = append(members, quote(one.name)+":"+arg.json)
		}
	}
	return []byte("{" + strings.Join(members, ",") + "}")
}

// explain says what was understood and where the values come from.
func explain(p plan) string {
	var sentences []string
	if p.looked {
		sentences = append(sentences, "The message asks about a change or sets a condition for one, so I only look and change nothing.")
	}
	for _, s := range p.steps {
		text := fmt.Sprintf("The request asks to %s; %s fits", s.phrase(), s.tool.name)
		for i := range s.tool.params {
			one := &s.tool.params[i]
			arg, ok := s.args[one.name]
			switch {
			case !ok || one.kind == kindID:
			case arg.from != "" && one.kind == kindText:
				text += fmt.Sprintf("; %s taken from “%s”", one.label(), arg.from)
			default:
				text += fmt.Sprintf("; %s is %s", one.label(), arg.shown)
			}
		}
		sentences = append(sentences, text+".")
		if s.unused != "" {
			sentences = append(sentences, unusedText(s.unused))
		}
	}
	for _, part := range p.unmatched {
		sentences = append(sentences, fmt.Sprintf("No tool fits “%s”.", part))
	}
	return strings.Join(sentences, " ")
}

// refrain confirms what was asked not to be done.
func refrain(p plan) string {
	return fmt.Sprintf("Understood: “%s”. I did nothing, and nothing was changed.", strings.Join(p.negated, "”, “"))
}

// maxCorrection is how much of a reviewer's correction is repeated, in runes.
const maxCorrection = 400

// corrected answers a rejected step: it repeats no call, and puts the
// reviewer's reasoning to the user.
func corrected(req llm.Request) answer {
	text := shorten(oneLine(req.Correction), maxCorrection)
	if !strings.Contains(text, "?") && req.ToolChoice != llm.ToolChoiceNone {
		text = fmt.Sprintf("I have not done this yet: %s How should I go on?", closed(text))
	}
	return answer{reasoning: "A review rejected the step, so it is not repeated.", text: text}
}

// forced is the reply when no tool may be called and there is no result.
func forced() answer {
	return answer{
		reasoning: "No tool may be called in this step.",
		text:      "I could not do this. No tool ran for it, so nothing was changed.",
	}
}

// closed ends text with a mark.
func closed(text string) string {
	text = strings.TrimSpace(text)
	if text == "" || strings.ContainsAny(text[len(text)-1:], ".!?") {
		return text
	}
	return text + "."
}

// oneLine replaces line breaks and control characters by single spaces.
func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r <= ' ' || r == 0x7f || r == 0x85 || r == 0xa0 }), " ")
}

// shorten cuts text after limit runes and marks the cut.
func shorten(text string, limit int) string {
	runes := []rune(text)
	if len(runes) <= limit {
		return text
	}
	return strings.TrimSpace(string(runes[:limit])) + "…"
}
