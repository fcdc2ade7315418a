package toolexec

import (
	"bytes"
	"context"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// removed replaces a secret in a result.
const removed = "[secret removed]"

// secretPattern finds one kind of secret. Text without any of the hints, one of
// which every match contains, need not be searched.
type secretPattern struct {
	hints   []hint
	pattern *regexp.Regexp
}

// hint is a text with the place of its rarest byte, by which it is found faster
// than by its first.
type hint struct {
	text string
	rare int
}

// secretPatterns match what must not reach a model or a log whichever tool
// returns it: private keys, tokens, and connection strings with a password.
func secretPatterns() []secretPattern {
	return []secretPattern{
		{[]hint{{"-----BEGIN ", 7}}, regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY-----[^"]*?-----END [A-Z ]*PRIVATE KEY-----`)},
		{[]hint{{".eyJ", 3}}, regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{16,}`)},
		{[]hint{{"://", 1}}, regexp.MustCompile(`\b[a-z][a-z0-9+.-]{2,15}://[^\s"/:@]+:[^\s"/@]+@[^\s"]+`)},
		{
			[]hint{{"sk-", 1}, {"sk_", 1}, {"ghp", 0}, {"gho", 0}, {"xox", 0}},
			regexp.MustCompile(`\b(?:sk|ghp|gho|xoxb|xoxp)[-_][A-Za-z0-9_-]{20,}`),
		},
	}
}

// suspects reports whether a text may hold a match.
func (p secretPattern) suspects(text []byte) bool {
	return slices.ContainsFunc(p.hints, func(h hint) bool { return h.in(text) })
}

// in reports whether a text contains the hint.
func (h hint) in(text []byte) bool {
	for from := 0; ; {
		at := bytes.IndexByte(text[from:], h.text[h.rare])
		if at < 0 {
			return false
		}
		from += at + 1
		if start := from - 1 - h.rare; start >= 0 && strings.HasPrefix(string(text[start:min(len(text), start+len(h.text))]), h.text) {
			return true
		}
	}
}

// cap cuts a result to size with the mark, takes secrets out, and shapes the
// envelope.
func (r *Runner) cap(_ context.Context, e *execution) error {
	if e.result == nil {
		return nil // the envelope tells a failure already
	}
	result, count := r.withoutSecrets(e.result, e.instance.Secrets())
	if len(result) <= r.limits.ResultBytes {
		e.envelope = shape(e, result, e.call.Tool.Truncates && saysTruncated(result), count)
		return nil
	}
	cut, ok := shorten(result, r.limits.ResultBytes)
	if !ok {
		e.envelope = unreadable(e.call.Tool.Name, r.limits.ResultBytes)
		return nil
	}
	e.envelope = shape(e, cut, true, count)
	return nil
}

// withoutSecrets takes out what looks like a secret, and the secrets that the
// instance is configured with.
func (r *Runner) withoutSecrets(text []byte, known []string) ([]byte, int) {
	count := 0
	for _, secret := range r.secrets {
		if !secret.suspects(text) {
			continue
		}
		text = secret.pattern.ReplaceAllFunc(text, func([]byte) []byte {
			count++
			return []byte(removed)
		})
	}
	text, found := withoutKnown(text, known)
	return text, count + found
}

// withoutKnown takes out secrets that are known.
func withoutKnown(text []byte, known []string) ([]byte, int) {
	count := 0
	for _, secret := range known {
		for _, form := range forms(secret) {
			if found := bytes.Count(text, form); found > 0 {
				count += found
				text = bytes.ReplaceAll(text, form, []byte(removed))
			}
		}
	}
	return text, count
}

// minSecret is the length below which a configured value is too common to be
// searched for.
const minSecret = 4

// forms returns how a secret may stand in a text: as it is, and as JSON.
func forms(secret string) [][]byte {
	if len(secret) < minSecret {
		return nil
	}
	plain := []byte(secret)
	quoted, err := jsontext.AppendQuote(nil, secret)
	if err != nil {
		return [][]byte{plain}
	}
	quoted = quoted[1 : len(quoted)-1]
	if bytes.Equal(quoted, plain) {
		return [][]byte{plain}
	}
	return [][]byte{quoted, plain}
}

// saysTruncated reports whether a tool marked its own result as partial.
func saysTruncated(result []byte) bool {
	switch { // As the last member it need not be searched for.
	case bytes.HasSuffix(result, []byte(`"truncated":true}`)):
		return true
	case bytes.HasSuffix(result, []byte(`"truncated":false}`)), !bytes.Contains(result, []byte(`"truncated":true`)):
		return false
	}
	var mark struct {
		Truncated bool `json:"truncated"`
	}
	return json.Unmarshal(result, &mark) == nil && mark.Truncated
}

// shorten drops items from the end of the largest list of an object, or text
// from the end of its largest text, until the whole fits into limit bytes.
func shorten(result []byte, limit int) ([]byte, bool) {
	var object map[string]jsontext.Value
	if err := json.Unmarshal(result, &object); err != nil {
		return nil, false
	}
	largest := ""
	for name, value := range object {
		if largest == "" || len(value) > len(object[largest]) {
			largest = name
		}
	}
	room := limit - (len(result) - len(object[largest]))
	if _, own := object["truncated"]; own {
		object["truncated"] = jsontext.Value("true")
		room -= len("true")
	}
	value, ok := shortenValue(object[largest], room)
	if !ok {
		return nil, false
	}
	object[largest] = value
	cut, err := json.Marshal(object, json.Deterministic(true))
	if err != nil || len(cut) > limit {
		return nil, false
	}
	return cut, true
}

func shortenValue(value jsontext.Value, room int) (jsontext.Value, bool) {
	if room < 2 {
		return nil, false
	}
	switch value.Kind() {
	case '[':
		return shortenList(value, room)
	case '"':
		var text string
		if err := json.Unmarshal(value, &text); err != nil {
			return nil, false
		}
		return shortenText(text, room)
	default:
		return nil, false
	}
}

func shortenList(value jsontext.Value, room int) (jsontext.Value, bool) {
	var items []jsontext.Value
	if err := json.Unmarshal(value, &items); err != nil {
		return nil, false
	}
	size, keep := len("[]"), 0
	for _, item := range items {
		if size += len(item) + len(","); size > room {
			break
		}
		keep++
	}
	out, err := json.Marshal(items[:keep])
	return out, err == nil && keep > 0
}

// shortenText halves the text until its encoding fits: escapes make the
// encoded length differ from the length of the text.
func shortenText(text string, room int) (jsontext.Value, bool) {
	for len(text) > 0 {
		out, err := json.Marshal(text)
		if err != nil {
			return nil, false
		}
		if len(out) <= room {
			return out, true
		}
		cut := min(len(text)-1, len(text)*room/len(out))
		for cut > 0 && !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = text[:cut]
	}
	return nil, false
}
