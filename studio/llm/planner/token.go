package planner

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// tokenKind says what a token is.
type tokenKind int

const (
	tokenPunct tokenKind = iota
	tokenWord
	tokenNumber
	tokenMoney
	tokenID
	tokenEmail
	tokenDate
	tokenQuote
	tokenNewline
)

// token is one piece of a text. For a quote, text is what is quoted; for a
// number, its digits as JSON would write them.
type token struct {
	kind       tokenKind
	text       string
	lower      string
	sense      sense
	start, end int
	// hash is set for an id or number written with a leading "#".
	hash bool
}

// is reports whether the token is one of the space-separated words or marks.
func (t token) is(words string) bool {
	return (t.kind == tokenWord || t.kind == tokenPunct) && oneOf(t.lower, words)
}

// Every pattern is anchored and of bounded work; they are tried in this order.
var (
	emailPattern  = regexp.MustCompile(`^[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+`)
	datePattern   = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}\b`)
	moneyPattern  = regexp.MustCompile(`(?i)^(?:[€$£]\s?(-?\d+(?:[.,]\d+)*)|(-?\d+(?:[.,]\d+)*)\s?(?:[€$£]|(?:eur|usd|gbp|chf|euros?|dollars?|pounds?|francs?)\b))`)
	idPattern     = regexp.MustCompile(`^#?[A-Za-z0-9]+(?:[-_/][A-Za-z0-9]+)*`)
	numberPattern = regexp.MustCompile(`^#?(-?\d+(?:[.,]\d+)*)`)
	wordPattern   = regexp.MustCompile(`^[\pL\pM]+(?:['’][\pL\pM]+)*`)
	possessive    = regexp.MustCompile(`^['’]s\b`)
	measure       = regexp.MustCompile(`(?i)^\d+(?:st|nd|rd|th|am|pm|h|x|kg|km|cm|mm|ms|s|m|g)$`)
)

// read cuts text into tokens and gives every word its sense.
func (l *lexicon) read(text string) []token {
	var tokens []token
	for pos := 0; pos < len(text); {
		t, size := scan(text, pos)
		if size == 0 {
			_, width := utf8.DecodeRuneInString(text[pos:])
			pos += width
			continue
		}
		t.start, t.end = pos, pos+size
		t.lower = strings.ReplaceAll(strings.ToLower(t.text), "’", "'")
		if t.kind == tokenWord {
			t.sense = l.sense(t.lower)
		}
		tokens = append(tokens, t)
		pos += size
		if t.kind == tokenID {
			pos += len(possessive.FindString(text[pos:]))
		}
	}
	return markPhrases(tokens)
}

// scan reads the token at pos; a size of 0 means that there is none.
func scan(text string, pos int) (token, int) {
	rest := text[pos:]
	r, width := utf8.DecodeRuneInString(rest)
	switch {
	case r == '\n':
		return token{kind: tokenNewline, text: "\n"}, width
	case unicode.IsSpace(r) || unicode.IsControl(r):
		return token{}, 0
	}
	if inner, size := quoted(text, pos); size > 0 {
		return token{kind: tokenQuote, text: inner}, size
	}
	if t, size := scanValue(rest); size > 0 {
		return t, size
	}
	if word := wordPattern.FindString(rest); word != "" {
		return token{kind: tokenWord, text: word}, len(word)
	}
	return token{kind: tokenPunct, text: rest[:width]}, width
}

// scanValue reads an address, date, amount, id or number.
func scanValue(rest string) (token, int) {
	if m := emailPattern.FindString(rest); m != "" {
		return token{kind: tokenEmail, text: m}, len(m)
	}
	if m := datePattern.FindString(rest); m != "" {
		return token{kind: tokenDate, text: m}, len(m)
	}
	if m := moneyPattern.FindStringSubmatch(rest); m != nil {
		if digits, ok := plainNumber(m[1] + m[2]); ok {
			return token{kind: tokenMoney, text: digits}, len(m[0])
		}
	}
	if m := idPattern.FindString(rest); looksLikeID(m) {
		id := strings.TrimPrefix(m, "#")
		return token{kind: tokenID, text: id, hash: id != m}, len(m)
	}
	if m := numberPattern.FindStringSubmatch(rest); m != nil {
		if digits, ok := plainNumber(m[1]); ok {
			return token{kind: tokenNumber, text: digits, hash: m[0] != m[1]}, len(m[0])
		}
	}
	return token{}, 0
}

// looksLikeID reports whether s mixes letters and digits as ids do; "3rd" and
// "5pm" do not, nor do plain numbers.
func looksLikeID(s string) bool {
	s = strings.TrimPrefix(s, "#")
	digits := strings.ContainsAny(s, "0123456789")
	letters := strings.IndexFunc(s, unicode.IsLetter) >= 0
	joined := strings.ContainsAny(s, "-_")
	const shortest = 6
	switch {
	case !digits || measure.MatchString(s):
		return false
	case letters:
		return true
	default:
		return joined && len(s) >= shortest
	}
}

// plainNumber writes a number as JSON does: "1,250.00" and "1.250,00" become
// 1250.00, "25,5" becomes 25.5. It reports whether that is possible.
func plainNumber(s string) (string, bool) {
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "-", s[1:]
	}
	last := strings.LastIndexAny(s, ".,")
	whole, fraction := s, ""
	if last >= 0 {
		separator := s[last : last+1]
		thousands := separator == "," && len(s)-last == 4 || strings.Count(s, separator) > 1
		if !thousands {
			whole, fraction = s[:last], s[last:]
		}
	}
	whole = strings.NewReplacer(",", "", ".", "").Replace(whole)
	whole = strings.TrimLeft(whole, "0")
	if whole == "" {
		whole = "0"
	}
	out := sign + whole + strings.Replace(fraction, ",", ".", 1)
	return out, jsonNumber.MatchString(out)
}

var jsonNumber = regexp.MustCompile(`^-?(?:0|[1-9]\d*)(?:\.\d+)?$`)

// maxQuote is how long a quotation may be, in bytes; it bounds the search for
// its end.
const maxQuote = 2000

// quoted reads the quotation that starts at pos. A single quote opens one only
// after a space and closes it only before something that is no letter, so that
// apostrophes are left alone.
func quoted(text string, pos int) (string, int) {
	open, width := utf8.DecodeRuneInString(text[pos:])
	closers := map[rune]string{'"': `"`, '“': "”\"", '„': "“”", '«': "»", '‘': "’", '\'': "'"}[open]
	if closers == "" {
		return "", 0
	}
	apostrophe := open == '\'' || open == '‘'
	if before, _ := utf8.DecodeLastRuneInString(text[:pos]); apostrophe && pos > 0 && isWordRune(before) {
		return "", 0
	}
	body := text[pos+width:]
	if len(body) > maxQuote {
		body = body[:maxQuote]
	}
	for i, r := range body {
		if !strings.ContainsRune(closers, r) {
			continue
		}
		size := i + utf8.RuneLen(r)
		if after, _ := utf8.DecodeRuneInString(body[size:]); apostrophe && isWordRune(after) {
			continue
		}
		if strings.TrimSpace(body[:i]) == "" {
			return "", 0
		}
		return strings.TrimSpace(body[:i]), width + size
	}
	return "", 0
}

func isWordRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}
