package planner

import (
	"strings"

	"github.com/agentstudio/agentstudio/studio/llm"
)

// maxMessage is how much of one message is read, in bytes.
const maxMessage = 16 << 10

// maxChain is how many earlier messages a chain of questions and answers may
// reach back.
const maxChain = 8

// turn is one user message and what followed it.
type turn struct {
	user    string
	reply   string
	calls   []llm.Call
	results []llm.Message
}

// acted reports whether tools were called in this turn.
func (t turn) acted() bool { return len(t.calls) > 0 || len(t.results) > 0 }

// asked reports whether the turn ended with a question to the user.
func (t turn) asked() bool { return !t.acted() && strings.Contains(t.reply, "?") }

// conversation is the messages cut into turns; it has at least one.
type conversation struct {
	turns []turn
	calls int
}

// readConversation cuts messages at every user message. System messages steer
// language models and are not read.
func readConversation(messages []llm.Message) conversation {
	talk := conversation{}
	current := turn{}
	for i, message := range messages {
		switch message.Role {
		case llm.RoleUser:
			if i > 0 && (len(talk.turns) > 0 || current.user != "" || current.reply != "" || current.acted()) {
				talk.turns = append(talk.turns, current)
			}
			current = turn{user: clip(message.Text)}
		case llm.RoleAssistant:
			current.reply = message.Text
			current.calls = append(current.calls, message.Calls...)
			talk.calls += len(message.Calls)
		case llm.RoleTool:
			current.results = append(current.results, message)
		}
	}
	talk.turns = append(talk.turns, current)
	return talk
}

// last returns the current turn.
func (c conversation) last() turn { return c.turns[len(c.turns)-1] }

// chain returns the user messages that belong to the newest request: the
// request itself, then the answers to the questions asked about it.
func (c conversation) chain() []string {
	first := len(c.turns) - 1
	for first > 0 && len(c.turns)-first < maxChain && c.turns[first-1].asked() {
		first--
	}
	var texts []string
	for _, t := range c.turns[first:] {
		texts = append(texts, t.user)
	}
	return texts
}

// before returns the turns that came before the newest chain, newest first.
func (c conversation) before() []turn {
	var out []turn
	for i := len(c.turns) - len(c.chain()) - 1; i >= 0; i-- {
		out = append(out, c.turns[i])
	}
	return out
}

// clip makes text safe to read: valid UTF-8 of at most maxMessage bytes.
func clip(text string) string {
	if len(text) > maxMessage {
		text = text[:maxMessage]
	}
	return strings.ToValidUTF8(text, "")
}
