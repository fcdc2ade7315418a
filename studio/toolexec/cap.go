package toolexec

import (
	"bytes"
	"context"
	"regexp"
	"slices"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// removed replaces a secret in a result.
const removed = "[secret removed]"

// secretPattern finds one kind of secret. Text without any of the hints, which
// every match contains, need not be searched.
type secretPattern struct {
	hints   [][]byte
	pattern *regexp.Regexp
}

// secretPatterns match what must not reach a model or a log whichever tool
// returns it: private keys, tokens, and connection strings with a password.
func secretPatterns() []secretPattern {
	pattern := func(text string, hints ...string) secretPattern {
		p := secretPattern{pattern: regexp.MustCompile(text)}
		for _, hint := range hints {
			p.hints = append(p.hints, []byte(hint))
		}
		return p
	}
	return []secretPattern{
		pattern(`-----BEGIN [A-Z ]*PRIVATE KEY-----[^"]*?-----END [A-Z ]*PRIVATE KEY-----`, "-----BEGIN "),
		pattern(`\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{16,}`, ".eyJ"),
		pattern(`\b[a-z][a-z0-9+.-]{2,15}://[^\s"/:@]+:[^\s"/@]+@[^\s"]+`, "://"),
		pattern(`\b(?:sk|ghp|gho|xoxb|xoxp)[-_][A-Za-z0-9_-]{20,}`,
			"sk-", "sk_", "ghp_", "ghp-", "gho_", "gho-", "xoxb-", "xoxb_", "xoxp-", "xoxp_"),
	}
}

// suspects reports whether a text may hold a match.
func (p secretPattern) suspects(text []byte) bool {
	return slices.ContainsFunc(p.hints, func(hint []byte) bool { return bytes.Contains(text, hint) })
}

// cap cuts a result to size with the mark, takes secrets out, and shapes the
// envelope.
func (r *Runner) cap(_ context.Context, e *execution) error {
	if e.result == nil {
		return nil // the envelope tells a failure already
	}
	result, count := r.withoutSecrets(e.result)
	if len(result) <= r.limits.ResultBytes {
		e.envelope = shape(e, result, saysTruncated(result), count)
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

func (r *Runner) withoutSecrets(result []byte) ([]byte, int) {
	count := 0
	for _, secret := range r.secrets {
		if !secret.suspects(result) {
			continue
		}
		result = secret.pattern.ReplaceAllFunc(result, func([]byte) []byte {
			count++
			return []byte(removed)
		})
	}
	return result, count
}

// saysTruncated reports whether a tool marked its own result as partial.
func saysTruncated(result []byte) bool {
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
