package planner

import (
	"fmt"
	"math/big"
	"strings"
)

// askMissing asks for everything that the first incomplete step lacks.
func askMissing(p plan) answer {
	for _, s := range p.steps {
		missing := s.missing()
		if len(missing) == 0 {
			continue
		}
		var questions, names []string
		for _, one := range missing {
			questions = append(questions, question(s, one))
			names = append(names, one.label())
		}
		text := strings.Join(questions, " ")
		if len(p.steps) > 1 {
			text = fmt.Sprintf("To %s: %s", s.phrase(), text)
		}
		return answer{
			reasoning: fmt.Sprintf("The request asks to %s; %s fits, but the message does not say the %s.", s.phrase(), s.tool.name, strings.Join(names, " or the ")),
			text:      text,
		}
	}
	return answer{}
}

// question asks for one parameter in plain words.
func question(s step, one *param) string {
	hint := hintOf(one)
	switch odd := s.odd[one.name]; {
	case odd != "" && one.kind == kindNumber:
		return fmt.Sprintf("The %s cannot be %s%s. What should it be?", one.label(), odd, one.span())
	case odd != "":
		return fmt.Sprintf("“%s” cannot be the %s. What is it?%s", odd, one.label(), hint)
	}
	switch one.kind {
	case kindID:
		return fmt.Sprintf("Which %s? I need the %s%s.", s.tool.noun(one), one.label(), exampleText(one))
	case kindEnum:
		return fmt.Sprintf("Which %s: %s?", one.label(), strings.Join(one.enum, ", "))
	case kindRecipient:
		return "Who should it go to?" + hint
	case kindBool:
		return fmt.Sprintf("Yes or no: %s?%s", one.label(), hint)
	case kindNumber:
		if one.money() {
			return fmt.Sprintf("How much? I need the %s%s.", one.label(), exampleText(one))
		}
	case kindDate:
		return fmt.Sprintf("Which %s? Write it like 2026-01-31.", one.label())
	}
	return fmt.Sprintf("What is the %s?%s", one.label(), hint)
}

// exampleText gives the schema's example, or its description.
func exampleText(one *param) string {
	if one.example != "" {
		return ", for example " + one.example
	}
	if text := sentence(one.description); text != "" {
		return " (" + text + ")"
	}
	return ""
}

func hintOf(one *param) string {
	if text := sentence(one.description); text != "" {
		return " (" + text + ")"
	}
	return ""
}

// span says which numbers a parameter takes.
func (p *param) span() string {
	switch {
	case p.low.at != nil && p.high.at != nil:
		return fmt.Sprintf(": it must be between %s and %s", decimal(p.low.at), decimal(p.high.at))
	case p.low.at != nil && p.low.open:
		return ": it must be more than " + decimal(p.low.at)
	case p.low.at != nil:
		return ": it must be at least " + decimal(p.low.at)
	case p.high.at != nil:
		return ": it must be at most " + decimal(p.high.at)
	default:
		return ""
	}
}

// decimal writes a number as people do: 0.01 rather than 1/100.
func decimal(number *big.Rat) string {
	if number.IsInt() {
		return number.Num().String()
	}
	return strings.TrimRight(number.FloatString(maxDigits), "0")
}

// sentence returns the first sentence of a description, on one line, without
// its full stop.
func sentence(description string) string {
	text := oneLine(description)
	for i := 0; i+1 < len(text); i++ {
		if text[i] == '.' && text[i+1] == ' ' && !strings.HasSuffix(text[:i], "e.g") && !strings.HasSuffix(text[:i], "i.e") {
			text = text[:i]
			break
		}
	}
	return strings.TrimRight(text, ".")
}

// askWhich asks which of several tools was meant.
func askWhich(p plan) answer {
	var phrases, names []string
	for _, t := range p.ambiguous {
		phrases = append(phrases, t.phrase(""))
		names = append(names, t.name)
	}
	return answer{
		reasoning: fmt.Sprintf("The words fit %s equally well.", strings.Join(names, " and ")),
		text:      fmt.Sprintf("Which of these do you mean: %s?", strings.Join(phrases, ", or ")),
	}
}
