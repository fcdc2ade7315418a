package planner

import (
	"fmt"
	"strings"

	"github.com/agentstudio/agentstudio/studio/llm"
)

// outcome is one call of the turn and what came back for it.
type outcome struct {
	tool *tool
	// phrase says what was asked: "cancel order A-1002".
	phrase string
	write  bool
	args   object
	result string
	// answered is false when no result came back.
	answered bool
	// counts is set when the question is how many there are.
	counts bool
}

// fromResults puts the results of the turn into plain words. It claims nothing
// else.
func (p *Planner) fromResults(cat *catalog, talk conversation, req llm.Request) answer {
	outcomes := outcomesOf(cat, talk.last())
	var lines []string
	counts := strings.Contains(strings.ToLower(talk.last().user), "how many")
	for _, o := range outcomes {
		o.counts = counts
		lines = append(lines, o.report(len(outcomes) > 1))
	}
	understood := reader{lex: p.lex, cat: cat, talk: talk}.follow()
	for _, s := range understood.steps {
		if s.unused != "" {
			lines = append(lines, unusedText(s.unused))
		}
	}
	if understood.looked {
		lines = append(lines, "I only looked; nothing was changed.")
	}
	for _, part := range understood.unmatched {
		lines = append(lines, fmt.Sprintf("I found no tool for “%s”, so that was not done.", part))
	}
	if req.Correction != "" {
		lines = append(lines, closed(shorten(oneLine(req.Correction), maxCorrection)))
	}
	return answer{
		reasoning: fmt.Sprintf("%d of %d calls have a result; the reply says what they show.", answered(outcomes), len(outcomes)),
		text:      strings.Join(lines, "\n"),
	}
}

func answered(outcomes []outcome) int {
	count := 0
	for _, o := range outcomes {
		if o.answered {
			count++
		}
	}
	return count
}

// outcomesOf pairs the calls of a turn with their results, in call order;
// results without a call come last.
func outcomesOf(cat *catalog, t turn) []outcome {
	var out []outcome
	paired := map[int]bool{}
	for _, call := range t.calls {
		o := describe(cat, call.Name, call.Arguments)
		for i, message := range t.results {
			if message.CallID == call.ID && !paired[i] {
				paired[i], o.answered, o.result = true, true, message.Text
				break
			}
		}
		out = append(out, o)
	}
	for i, message := range t.results {
		if !paired[i] {
			o := describe(cat, message.Name, nil)
			o.answered, o.result = true, message.Text
			out = append(out, o)
		}
	}
	return out
}

// describe says what a call asked for. A tool that is no longer offered counts
// as one that writes, so that nothing is played down.
func describe(cat *catalog, name string, arguments []byte) outcome {
	value, err := parseJSON(arguments)
	args, _ := value.(object)
	if err != nil {
		args = nil
	}
	t := cat.find(name)
	if t == nil {
		return outcome{phrase: strings.Join(words(name), " "), write: true, args: args}
	}
	record := ""
	if id := t.idParam(); id != nil {
		record = oneLine(args.text(id.name))
	}
	return outcome{tool: t, phrase: t.phrase(record), write: t.write, args: args}
}

// report says in words what came back. When several calls were made, each
// report names its own.
func (o outcome) report(several bool) string {
	if !o.answered {
		return fmt.Sprintf("No result came back for “%s”, so I do not know whether it happened.", o.phrase)
	}
	value, err := parseJSON([]byte(o.result))
	envelope, ok := value.(object)
	if err != nil || !ok {
		return o.raw(o.result)
	}
	switch envelope.text("status") {
	case "success":
		return o.success(envelope, several)
	case "error":
		return o.failure(envelope, several)
	case "forbidden":
		return o.refusal(envelope)
	default:
		return o.raw(renderValue(value, 0))
	}
}

// raw repeats an answer whose form says neither success nor failure.
func (o outcome) raw(text string) string {
	if strings.TrimSpace(text) == "" {
		return fmt.Sprintf("The tool for “%s” answered nothing.", o.phrase)
	}
	const longest = 2000
	return fmt.Sprintf("The tool for “%s” answered: %s", o.phrase, closed(shorten(strings.TrimSpace(text), longest)))
}

func (o outcome) success(envelope object, several bool) string {
	result, _ := envelope.get("result").(object)
	cut := envelope.get("truncated") == true || result.get("truncated") == true
	body := o.body(envelope.get("result"), cut)
	if o.write {
		return strings.TrimSpace(fmt.Sprintf("Done: %s. %s", o.phrase, body))
	}
	if several {
		return fmt.Sprintf("For “%s”: %s", o.phrase, body)
	}
	return body
}

// failure says what did not happen and why, or that nobody knows.
func (o outcome) failure(envelope object, several bool) string {
	message := closed(oneLine(envelope.text("message")))
	if envelope.text("error_code") == "outcome_unknown" {
		text := fmt.Sprintf("It is not known whether this happened: %s. Please check before trying again.", o.phrase)
		return strings.TrimSpace(text + " " + message)
	}
	if message == "" {
		message = closed("the tool reported an error" + codeText(envelope))
	}
	if several {
		return fmt.Sprintf("Not done (%s): %s", o.phrase, message)
	}
	return "Not done: " + message
}

func codeText(envelope object) string {
	if code := envelope.text("error_code"); code != "" {
		return " (" + strings.Join(words(code), " ") + ")"
	}
	return ""
}

// refusal says that nothing was changed, and why.
func (o outcome) refusal(envelope object) string {
	said := oneLine(envelope.text("message"))
	text := fmt.Sprintf("Nothing was changed (%s): %s.", o.phrase, refusalReason(envelope))
	if said == "" {
		return text
	}
	if envelope.text("reason") == "denied" {
		return fmt.Sprintf("%s The reason given: “%s”", text, said)
	}
	return text + " " + closed(said)
}

func refusalReason(envelope object) string {
	switch envelope.text("reason") {
	case "no_approval":
		return "it needs a person's approval, and there is none"
	case "denied":
		return "a person denied it"
	case "expired":
		return "nobody approved it in time"
	case "cancelled":
		return "the request for approval was cancelled"
	case "stale":
		return "something changed after the approval was asked for, so it no longer holds"
	default:
		return "it is not allowed" + codeText(envelope)
	}
}
