// Package rules decides which rules of an agent apply to a turn, and which
// tools they bring. There are no agent-wide tools: a rule's inclusion is what
// offers them.
//
// The offline [Matcher] compares words, not meaning: it takes a rule whose
// condition, or one of whose tools, shares word stems with what the person
// wrote. It is worse than a model's judgement and says so in its reasons.
package rules
