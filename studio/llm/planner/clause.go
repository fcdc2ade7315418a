package planner

import "strings"

// mood says what a clause wants.
type mood int

const (
	// moodRequest asks for something to be done or shown.
	moodRequest mood = iota
	// moodInquiry asks a question: nothing may be changed for it.
	moodInquiry
	// moodConditional asks for something under a condition that the planner
	// cannot judge: nothing may be changed for it.
	moodConditional
	// moodNegated says what not to do.
	moodNegated
	// moodStatement tells something; it may be the reason of a request.
	moodStatement
)

// clause is one thing that a message says.
type clause struct {
	source string
	tokens []token
	mood   mood
	// head is where the verb stands, or -1.
	head int
	// verb is the concept asked for, "" when there is no verb.
	verb string
	// bound is where the free text starts; verbs and nouns after it are part of
	// what is said, not of what is asked.
	bound int
	// question is set for a clause that ends with a question mark.
	question bool
}

// text returns what was written between two tokens, the second excluded.
func (c clause) text(from, to int) string {
	if from >= to || from >= len(c.tokens) {
		return ""
	}
	return strings.TrimSpace(c.source[c.tokens[from].start:c.tokens[to-1].end])
}

// String returns the clause as written.
func (c clause) String() string {
	return strings.TrimRight(c.text(0, len(c.tokens)), " ,;:")
}

// clauses cuts a message into clauses and judges the mood of each.
func (p reader) clauses(source string) []clause {
	var out []clause
	condition := false
	for _, part := range p.split(p.lex.read(source)) {
		c := clause{source: source, tokens: part, head: -1}
		if n := len(c.tokens); c.tokens[n-1].is("?") {
			c.question, c.tokens = true, c.tokens[:n-1]
		}
		if courtesy(c.tokens) {
			continue
		}
		p.findHead(&c)
		c.mood = moodOf(c)
		if condition && c.mood == moodRequest {
			c.mood = moodConditional
		}
		condition = c.head < 0 && c.tokens[0].is("if unless when once")
		out = append(out, c)
	}
	return out
}

// courtesy reports whether tokens are only greetings, thanks and marks.
func courtesy(tokens []token) bool {
	for _, t := range tokens {
		if t.kind != tokenPunct && (t.kind != tokenWord || !politeWord(t.lower)) {
			return false
		}
	}
	return true
}

// split cuts tokens at the ends of sentences, and before a connector that a
// new request follows.
func (p reader) split(tokens []token) [][]token {
	var parts [][]token
	start := 0
	cut := func(end, next int) {
		if end > start {
			parts = append(parts, tokens[start:end])
		}
		start = next
	}
	for i := 0; i < len(tokens); i++ {
		switch {
		case sentenceEnd(tokens, i):
			end := i
			if tokens[i].is("?") {
				end = i + 1
			}
			cut(end, i+1)
		case connector(tokens[i]) && i >= start && !hyphen(tokens, i):
			next := i + 1
			for next < len(tokens) && connector(tokens[next]) {
				next++
			}
			if p.newRequest(tokens, start, i, next) {
				cut(i, next)
				i = next - 1
			}
		}
	}
	cut(len(tokens), len(tokens))
	return parts
}

// hyphen reports whether token i joins two words: "un-cancel".
func hyphen(tokens []token, i int) bool {
	return tokens[i].is("-") && i > 0 && i+1 < len(tokens) && tokens[i-1].end == tokens[i].start && tokens[i].end == tokens[i+1].start
}

// hanging reports whether a negation is cut off from its verb by a comma: "do
// not, under any circumstances, …".
func hanging(tokens []token) bool {
	for i, t := range tokens {
		last := i+1 == len(tokens) || tokens[i+1].is(",")
		if last && t.kind == tokenWord && (t.is("not dont never") || strings.HasSuffix(t.lower, "n't")) {
			return true
		}
	}
	return false
}

func connector(t token) bool { return t.is(", and then but also plus so & : - – —") }

func sentenceEnd(tokens []token, i int) bool {
	if tokens[i].kind == tokenNewline || tokens[i].is("! ? ;") {
		return true
	}
	abbreviation := i > 0 && tokens[i-1].is("no nr mr mrs ms dr st e i g") && tokens[i-1].end == tokens[i].start
	return tokens[i].is(".") && !abbreviation
}

// newRequest reports whether the tokens from next on ask for something else
// than those from start to at.
func (p reader) newRequest(tokens []token, start, at, next int) bool {
	verb := next
	for verb < len(tokens) && tokens[verb].kind == tokenWord && leadIn(tokens[verb].lower) && tokens[verb].sense.role == roleNone {
		verb++
	}
	if tokens[at].is(",") && hanging(tokens[start:at]) {
		return false
	}
	if verb >= len(tokens) || !p.cat.action(tokens[verb]) || participle(tokens[verb].lower) {
		return false
	}
	light := tokens[verb].sense.role == roleNoun || tokens[verb].sense.role == roleWeak
	and := tokens[next-1].is("and then also plus &") || verb > next
	if light && (!and || verb+1 >= len(tokens)) {
		return false
	}
	if tokens[at].is(": - – —") && p.hasVerb(tokens[start:at]) {
		return false
	}
	return !inSpeech(tokens[start:at]) || namesRecord(tokens[verb:])
}

func (p reader) hasVerb(tokens []token) bool {
	for _, t := range tokens {
		if p.cat.action(t) && !participle(t.lower) {
			return true
		}
	}
	return false
}

// inSpeech reports whether tokens have come to what is to be told or noted.
func inSpeech(tokens []token) bool {
	for i, t := range tokens {
		if i > 0 && t.is(": saying says stating that") {
			return true
		}
	}
	return false
}

// namesRecord reports whether a record is named before the next connector.
func namesRecord(tokens []token) bool {
	for _, t := range tokens {
		switch {
		case t.kind == tokenID, t.hash:
			return true
		case t.kind == tokenNewline || t.is(", and then ; . ! ?"):
			return false
		}
	}
	return false
}
