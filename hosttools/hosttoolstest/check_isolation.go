package hosttoolstest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
)

// isolation reports a tenant-bound method that shows two tenants the same data.
//
// The rule: the results of the same call must differ, and share no row. Rows
// are objects anywhere below the top, texts in lists, and the lines of a text
// but the first. A row counts if it tells something: a text of at least six
// characters or a number of at least four digits that is neither an argument
// nor an enum's. A result of empty lists and texts, zeros and falses is empty.
//
// A tenant that the method refuses, in its own words, sees nothing.
func (s *suite) isolation(ctx context.Context, t *tool) []problem {
	if _, works := s.handy(ctx, t); !t.TenantBound || s.shared[t.Name] || !works {
		return nil
	}
	a, b := s.ordinaryCall(ctx, t, s.tenants[0]), s.ordinaryCall(ctx, t, s.tenants[1])
	if !a.succeeded() || !b.succeeded() {
		return nil
	}
	first, other := decoded(a.envelope.Result), decoded(b.envelope.Result)
	if t.reads() && !s.allowEmpty {
		for i, result := range []any{first, other} {
			if empty(result) {
				return []problem{{
					fmt.Sprintf("It returns nothing for the tenant %s, which proves nothing.", s.tenants[i]),
					"Add test data that differ for both tenants, pass Args that find some, or accept it with AllowEmpty.",
				}}
			}
		}
	}
	return s.compared(t, first, other, bytes.Equal(a.envelope.Result, b.envelope.Result))
}

func (s *suite) compared(t *tool, first, other any, same bool) []problem {
	const fix = "Take the tenant from a hosttools.TenantID field and start every query from it. " +
		"If the test data are alike, let them differ; if it is meant, pass Shared."
	words := t.words()
	row, found := words.sharedRow(first, other)
	switch {
	case found:
		return []problem{{fmt.Sprintf("Both tenants see %s.", cut(row)), fix}}
	case same && !empty(first):
		encoded, _ := json.Marshal(first) // It was decoded from JSON.
		return []problem{{fmt.Sprintf("Both tenants get the same result: %s.", cut(string(encoded))), fix}}
	default:
		return nil
	}
}

// decoded returns a result as values, nil where it is no JSON.
func decoded(result []byte) any {
	decoder := json.NewDecoder(bytes.NewReader(result))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil
	}
	return value
}

// empty reports whether a value holds nothing.
func empty(value any) bool {
	switch v := value.(type) {
	case string:
		return v == ""
	case json.Number:
		f, err := v.Float64()
		return err == nil && f == 0
	case bool:
		return !v
	case []any:
		return len(v) == 0
	case map[string]any:
		for _, member := range v {
			if !empty(member) {
				return false
			}
		}
		return true
	default:
		return true
	}
}
