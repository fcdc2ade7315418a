package planner

import (
	"strconv"
	"strings"
)

// enum takes the allowed value that the clause names; values listed with it
// become further ones when the tool only reads.
func (x *extraction) enum(one *param) {
	values := x.enumValues(one, x.clause)
	if len(values) == 0 {
		return
	}
	x.set(one, values[0])
	if !x.tool.write && len(values) > 1 {
		x.more[one.name] = values[1:]
	}
	for i, t := range x.clause.tokens {
		if t.kind == tokenWord && x.matchesAny(one.enum, x.clause.tokens, i) {
			x.used[i] = true
		}
	}
}

func (x *extraction) matchesAny(values []string, tokens []token, i int) bool {
	for _, value := range values {
		if x.matchesEnum(value, tokens, i) {
			return true
		}
	}
	return false
}

// enumValues returns the allowed values that a clause names outside its free
// text, in order, without those that follow a "not".
func (p reader) enumValues(one *param, c clause) []string {
	var out []string
	for i, t := range c.tokens {
		speech := i >= c.bound && !c.tokens[c.bound].is("that :")
		if i == c.head || speech || excluded(c.tokens, i) || t.is("not") {
			continue
		}
		for _, value := range one.enum {
			if p.matchesEnum(value, c.tokens, i) && !strings.Contains(" "+strings.Join(out, " ")+" ", " "+value+" ") {
				out = append(out, value)
				break
			}
		}
	}
	return out
}

// matchesEnum reports whether the words of an allowed value start at token i,
// as they stand, by their stem, or by a usual other word.
func (p reader) matchesEnum(value string, tokens []token, i int) bool {
	parts := words(value)
	if len(parts) == 0 || i+len(parts) > len(tokens) || strings.TrimSpace(value) == "" {
		return false
	}
	for j, part := range parts {
		t := tokens[i+j]
		if t.kind == tokenPunct || t.kind == tokenQuote && t.lower != part {
			return false
		}
		same := t.lower == part || t.kind == tokenWord && (stem(t.lower) == stem(part) || otherWord(t.lower) == part)
		if !same {
			return false
		}
	}
	return true
}

// otherWord returns the value that a usual other word for it stands for.
func otherWord(word string) string {
	switch word {
	case "open", "waiting", "outstanding", "unshipped":
		return "pending"
	case "sent", "dispatched":
		return "shipped"
	case "arrived", "received":
		return "delivered"
	case "reimbursed":
		return "refunded"
	case "urgent":
		return "high"
	default:
		return ""
	}
}

// number takes an amount, a limit, or the number next to the parameter's
// words; a required number is the only one left.
func (x *extraction) number(one *param) {
	at := -1
	switch {
	case one.limit():
		at = x.limitAt(one)
	case one.money():
		at = x.numberAt(one, func(i int) bool { return x.clause.tokens[i].kind == tokenMoney })
	}
	if at < 0 && !one.limit() {
		at = x.numberAt(one, func(i int) bool { return x.besides(one, i) })
	}
	if at < 0 && one.required {
		at = x.numberAt(one, func(i int) bool { return !x.countsRows(i) && (one.named(idWords) || !x.clause.tokens[i].hash) })
	}
	if at < 0 {
		return
	}
	x.used[at] = true
	x.setNumber(one, numberText(x.clause.tokens[at]))
}

// numberAt returns the first number outside the free text that ok accepts.
func (x *extraction) numberAt(one *param, ok func(int) bool) int {
	for i, t := range x.clause.tokens[:x.clause.bound] {
		if (t.kind == tokenNumber || t.kind == tokenMoney) && !x.used[i] && ok(i) {
			return i
		}
	}
	if one.money() {
		return x.tailMoney()
	}
	return -1
}

// tailMoney returns the only amount with a currency in the free text, or -1.
func (x *extraction) tailMoney() int {
	found := -1
	for i := x.clause.bound; i < len(x.clause.tokens); i++ {
		if x.clause.tokens[i].kind != tokenMoney || x.used[i] {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = i
	}
	return found
}

// besides reports whether one of the parameter's words is next to token i.
func (x *extraction) besides(one *param, i int) bool {
	for j := max(0, i-2); j <= i+1 && j < len(x.clause.tokens); j++ {
		if x.clause.tokens[j].kind == tokenWord && x.speaksOf(one, x.clause.tokens[j]) {
			return true
		}
	}
	return false
}

// limitAt returns the number of "first 5", "top 3", "max 10", "5 orders".
func (x *extraction) limitAt(one *param) int {
	for i, t := range x.clause.tokens {
		if (t.kind == tokenNumber || numberWord(t.lower) != "") && !x.used[i] && !t.hash && (x.countsRows(i) || x.besides(one, i)) {
			return i
		}
	}
	return -1
}

// countsRows reports whether token i says how many rows are wanted.
func (x *extraction) countsRows(i int) bool {
	tokens := x.clause.tokens
	if i > 0 && tokens[i-1].is("first top max maximum most to limit only last latest newest") {
		return !tokens[i-1].is("to") || i > 1 && tokens[i-2].is("up")
	}
	if i+1 < len(tokens) && tokens[i+1].kind == tokenWord && strings.HasSuffix(tokens[i+1].lower, "s") {
		return x.tool.has(tokens[i+1].sense.key) || tokens[i+1].is("rows results entries items lines")
	}
	const farthest = 5 // "2 most recent pending orders"
	for j := i + 1; j < len(tokens) && j <= i+farthest; j++ {
		if tokens[j].kind != tokenWord || tokens[j].is("on of for from with to in at by and because") {
			return false
		}
		if x.tool.has(tokens[j].sense.key) && strings.HasSuffix(tokens[j].lower, "s") {
			return true
		}
	}
	return false
}

func numberText(t token) string {
	if word := numberWord(t.lower); word != "" {
		return word
	}
	return t.text
}

// numberWord returns the digits of a small number written as a word.
func numberWord(word string) string {
	for i, name := range strings.Fields("one two three four five six seven eight nine ten eleven twelve") {
		if name == word {
			return strconv.Itoa(i + 1)
		}
	}
	return ""
}

// setNumber stores a number if the schema accepts it. A limit above the
// maximum becomes the maximum: the rest is reported as cut off anyway.
func (x *extraction) setNumber(one *param, digits string) {
	if one.integer && strings.Contains(digits, ".") {
		digits = strings.TrimSuffix(strings.TrimRight(digits, "0"), ".")
	}
	if number, ok := parseRational(digits); one.limit() && ok && one.high.at != nil && number.Cmp(one.high.at) > 0 && one.high.at.IsInt() {
		digits = one.high.at.Num().String()
	}
	if len(digits) > maxDigits || !one.validNumber(digits) {
		x.odd[one.name] = digits
		return
	}
	x.args[one.name] = argument{json: digits, shown: digits}
	delete(x.odd, one.name)
}
