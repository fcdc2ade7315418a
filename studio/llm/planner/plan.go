package planner

import (
	"slices"
	"strings"
)

// reader is the planner at work on one request.
type reader struct {
	lex  *lexicon
	cat  *catalog
	talk conversation
}

// plan is what the planner understood.
type plan struct {
	source    string
	steps     []step
	unmatched []string
	negated   []string
	ambiguous []*tool
	// looked is set when a question or condition about a change was turned
	// into a look at the record.
	looked bool
	// unsure is set when such a question found no tool to look with.
	unsure  bool
	dropped bool
}

// step is one call to be made.
type step struct {
	tool   *tool
	clause clause
	args   map[string]argument
	// odd holds what was given for a parameter and does not fit its schema.
	odd map[string]string
	// unused is what narrows the request and no parameter took.
	unused string
}

// argument is the value of one parameter.
type argument struct {
	// json is the value as JSON text.
	json string
	// shown is the value in words.
	shown string
	// from is the text that it was taken from, when that is worth saying.
	from string
}

// missing returns the required parameters that have no value.
func (s step) missing() []*param {
	var out []*param
	for i := range s.tool.params {
		p := &s.tool.params[i]
		if _, ok := s.args[p.name]; p.required && !ok {
			out = append(out, p)
		}
	}
	return out
}

// record names what the step works on, or is "".
func (s step) record() string {
	for i := range s.tool.params {
		if arg, ok := s.args[s.tool.params[i].name]; ok && s.tool.params[i].kind == kindID {
			return arg.shown
		}
	}
	return ""
}

func (s step) phrase() string { return s.tool.phrase(s.record()) }

// incomplete reports whether something must be asked before any call.
func (p plan) incomplete() bool {
	return slices.ContainsFunc(p.steps, func(s step) bool { return len(s.missing()) > 0 })
}

// understand plans a message that is not the answer to a question.
func (p reader) understand(source string) plan {
	out := plan{source: source}
	list := p.clauses(source)
	if !slices.ContainsFunc(list, func(c clause) bool { return c.mood != moodStatement }) {
		for i := range list {
			list[i].mood = moodRequest
		}
	}
	for i, c := range list {
		if c.mood == moodStatement || c.mood == moodRequest && c.head < 0 && len(out.steps) > 0 {
			continue
		}
		p.plan(&out, list, i)
	}
	p.share(&out)
	out.steps = distinct(out.steps)
	return out
}

// distinct drops steps that would make the same call as an earlier one.
func distinct(steps []step) []step {
	seen := map[string]bool{}
	var out []step
	for _, s := range steps {
		call := s.tool.name + string(s.arguments())
		if !seen[call] {
			seen[call] = true
			out = append(out, s)
		}
	}
	return out
}

// plan adds what clause i asks for to out.
func (p reader) plan(out *plan, list []clause, i int) {
	c := list[i]
	found := p.match(c)
	switch {
	case c.mood == moodNegated:
		out.negated = append(out.negated, c.String())
		return
	case len(found) == 0:
		out.unsure = out.unsure || c.mood != moodRequest
		out.unmatched = append(out.unmatched, c.String())
		return
	case len(found) > 1:
		out.ambiguous = found
		return
	}
	if (c.mood == moodInquiry || c.mood == moodConditional) && p.mentionsWrite(c) {
		out.looked = true
	}
	var previous *step
	if len(out.steps) > 0 {
		previous = &out.steps[len(out.steps)-1]
	}
	x := p.extract(found[0], c)
	x.extractAll()
	p.carry(x, list, previous)
	p.borrow(x, list, i)
	out.steps = append(out.steps, x.steps()...)
}

// mentionsWrite reports whether a clause names the verb of a tool that writes.
func (p reader) mentionsWrite(c clause) bool {
	return slices.ContainsFunc(c.tokens, func(t token) bool {
		return t.kind == tokenWord && slices.ContainsFunc(p.cat.tools, func(one *tool) bool {
			return one.write && !isGeneric(one.lead) && one.lead == t.sense.key
		})
	})
}

// carry fills an id that the clause does not hold: with the previous step's
// or the last one talked about, when a word such as "it" points back; else
// with the only id of the message.
func (p reader) carry(x *extraction, list []clause, previous *step) {
	for i := range x.tool.params {
		one := &x.tool.params[i]
		if _, filled := x.args[one.name]; filled || x.odd[one.name] != "" {
			continue
		}
		back := refersBack(x.clause)
		if previous != nil && back && (one.kind == kindID || one.kind == kindEnum) {
			if arg, ok := previous.args[one.name]; ok {
				x.args[one.name] = arg
				continue
			}
		}
		if one.kind != kindID || !one.required {
			continue
		}
		candidates := p.idsIn(x.tool, one, list)
		if len(candidates) == 0 && back {
			candidates = p.idsBefore(x.tool, one)
		}
		if len(candidates) == 1 {
			x.set(one, candidates[0])
		}
	}
}

// idsIn returns the different ids that a message holds for a parameter.
func (p reader) idsIn(t *tool, one *param, list []clause) []string {
	var out []string
	for _, c := range list {
		for j := range c.tokens {
			value, _, ok := p.fit(t, one, c.tokens, j)
			if ok && !slices.Contains(out, value) {
				out = append(out, value)
			}
		}
	}
	return out
}

// idsBefore returns the ids of the newest earlier turn that holds any, in the
// user's words or in the arguments of its calls.
func (p reader) idsBefore(t *tool, one *param) []string {
	for _, earlier := range p.talk.before() {
		if ids := p.idsIn(t, one, []clause{{tokens: p.lex.read(earlier.user)}}); len(ids) > 0 {
			return ids
		}
		var ids []string
		for _, call := range earlier.calls {
			value, err := parseJSON(call.Arguments)
			args, ok := value.(object)
			if id := args.text(one.name); err == nil && ok && one.validText(id) && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
		if len(ids) > 0 {
			return ids
		}
	}
	return nil
}

// borrow takes a missing reason from the statement next to the clause: "The
// customer changed their mind. Cancel A-1002." An open note goes on in the
// statements that follow it.
func (p reader) borrow(x *extraction, list []clause, i int) {
	for j := range x.tool.params {
		one := &x.tool.params[j]
		arg, filled := x.args[one.name]
		if one.kind != kindText || filled && (one.reason() || !x.open) {
			continue
		}
		for _, at := range []int{i + 1, i - 1} {
			if at < 0 || at >= len(list) || list[at].mood != moodStatement || introduces(list[at]) {
				continue
			}
			from := afterLabel(list[at], one)
			said := trimText(list[at], from, len(list[at].tokens))
			switch {
			case filled && at > i:
				x.set(one, strings.TrimRight(arg.from, ".")+". "+said)
			case !filled && one.required && one.reason() && (from > 0 || strings.Contains(said, " ")):
				x.set(one, said)
			}
			break
		}
	}
}

// afterLabel returns where the text of "Reason: …" or "The reason is …" starts,
// and 0 when a clause does not start so.
func afterLabel(c clause, one *param) int {
	for i, t := range c.tokens[:min(2, len(c.tokens))] {
		if t.kind == tokenWord && slices.Contains(one.words, t.lower) && i+1 < len(c.tokens) && c.tokens[i+1].is(": is - =") {
			return i + 2
		}
	}
	return 0
}

// introduces reports whether a statement is about the speaker or a condition.
func introduces(c clause) bool {
	return c.tokens[0].is("i'm i im my we're if unless when once") || len(c.tokens) == 1
}

// share gives a step the reason of a later step when it has none of its own and
// the tool is the same, or the reason speaks of both: "cancel A-1 and refund 5
// EUR on A-2, both broken".
func (p reader) share(out *plan) {
	for i := len(out.steps) - 2; i >= 0; i-- {
		next := out.steps[i+1]
		for _, one := range out.steps[i].missing() {
			arg, ok := next.args[one.name]
			if ok && one.reason() && (next.tool == out.steps[i].tool || speaksOfAll(arg.shown)) {
				out.steps[i].args[one.name] = arg
			}
		}
	}
}

// speaksOfAll reports whether a reason is one for everything asked.
func speaksOfAll(reason string) bool {
	first, _, _ := strings.Cut(strings.ToLower(reason), " ")
	return oneOf(first, "both all they each everything")
}
