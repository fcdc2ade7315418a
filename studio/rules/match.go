package rules

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/kljensen/snowball/english"

	"github.com/agentstudio/agentstudio/models"
)

// Tool is what matching needs to know of a tool that a rule brings.
type Tool struct {
	Name        string
	Description string
}

// Input is what a turn is matched on.
type Input struct {
	Rules []models.Rule
	Text  string // the newest words of the person
	// Sticky are rules that matched earlier in the session; they stay in force,
	// so that a short answer does not lose its subject.
	Sticky []string
	Tools  func(name string) (Tool, bool)
}

// Match is one rule in force, and why.
type Match struct {
	Rule models.Rule
	Why  string
}

// Matcher decides by words. It is deterministic and has no state.
type Matcher struct{}

// Match returns the rules in force, in the order in which the agent has them.
// When none of them brings a tool, those that could are in force after all if
// the message names a record or the agent has few tools.
func (Matcher) Match(in Input) []Match {
	said := stems(in.Text)
	asksForHelp := help(in.Text)
	whys := make([]string, len(in.Rules))
	equipped := false
	for i, rule := range in.Rules {
		whys[i] = reason(in, rule, said, asksForHelp)
		equipped = equipped || whys[i] != "" && in.brings(rule)
	}
	open := !equipped && (namesRecord(in.Text) || in.fewTools())
	var matched []Match
	for i, rule := range in.Rules {
		if open && whys[i] == "" && in.brings(rule) {
			whys[i] = "nothing else matched, so its tools are offered"
		}
		if whys[i] != "" {
			matched = append(matched, Match{Rule: rule, Why: whys[i]})
		}
	}
	return matched
}

// brings reports whether a rule has a tool that exists.
func (in Input) brings(rule models.Rule) bool {
	return slices.ContainsFunc(rule.Tools, func(name string) bool {
		_, ok := in.Tools(name)
		return ok
	})
}

// fewTools reports whether all tools of all rules can be offered at once.
func (in Input) fewTools() bool {
	const few = 16
	names := map[string]bool{}
	for _, rule := range in.Rules {
		for _, name := range rule.Tools {
			names[name] = true
		}
	}
	return len(names) <= few
}

// namesRecord reports whether a word mixes letters and digits as ids do: A-1003.
func namesRecord(text string) bool {
	return slices.ContainsFunc(strings.Fields(text), func(word string) bool {
		return strings.ContainsFunc(word, unicode.IsLetter) && strings.ContainsFunc(word, unicode.IsDigit)
	})
}

func reason(in Input, rule models.Rule, said map[string]string, asksForHelp bool) string {
	if rule.Always || rule.Condition == "" && len(rule.Tools) == 0 {
		return "applies always"
	}
	if word := shared(said, rule.Condition); word != "" {
		return fmt.Sprintf("its condition and the message share %q", word)
	}
	for _, name := range rule.Tools {
		tool, ok := in.Tools(name)
		if !ok {
			continue
		}
		if word := shared(said, strings.ReplaceAll(tool.Name, "_", " ")+" "+tool.Description); word != "" {
			return fmt.Sprintf("its tool %s and the message share %q", name, word)
		}
	}
	switch {
	case asksForHelp && len(rule.Tools) > 0:
		return "the message asks what the agent can do"
	case slices.Contains(in.Sticky, rule.ID):
		return "it applied earlier in this conversation"
	default:
		return ""
	}
}

// shared returns a word of the message that text has too, by stem, or "".
func shared(said map[string]string, text string) string {
	found := ""
	for stem := range stems(text) {
		if word, ok := said[stem]; ok && (found == "" || word < found) {
			found = word
		}
	}
	return found
}

// stems returns the stems of the words of a text that carry meaning, each with
// a word it came from.
func stems(text string) map[string]string {
	out := map[string]string{}
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), notWord) {
		if len(word) > 2 && !english.IsStopWord(word) && !filler(word) {
			out[english.Stem(usual(word), false)] = word
		}
	}
	return out
}

// usual returns the word by which tools usually call what a word asks for, so
// that "tell Bob" finds a tool that sends notices.
func usual(word string) string {
	switch word {
	case "tell", "inform", "email", "mail", "message", "notify", "notification", "alert", "warn", "remind":
		return "notice"
	case "abort", "void", "revoke", "withdraw":
		return "cancel"
	case "reimburse", "repay", "reimbursement":
		return "refund"
	case "download", "csv", "spreadsheet":
		return "export"
	default:
		return word
	}
}

func notWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// filler reports words that are common to requests and descriptions of every
// subject, so that sharing them says nothing.
func filler(word string) bool {
	switch word {
	case "please", "customer", "customers", "tenant", "want", "wants", "would", "could", "one", "two",
		"caller", "text", "use", "like", "say", "says", "given", "their", "back", "also", "time":
		return true
	}
	return false
}

// help reports whether a message asks what the agent can do at all.
func help(text string) bool {
	text = strings.ToLower(text)
	for _, phrase := range []string{"what can you", "help", "what do you do", "how do you work", "what are you able"} {
		if strings.Contains(text, phrase) {
			return true
		}
	}
	return false
}

// ToolNames returns the tools that matched rules bring, each once, sorted, so
// that the offer changes as seldom as possible.
func ToolNames(matched []Match) []string {
	var names []string
	for _, m := range matched {
		names = append(names, m.Rule.Tools...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
