package llm

import (
	"errors"
	"iter"
	"strings"
)

// ErrIncomplete reports a stream that ended without a Done event. Its calls
// and text may be cut off, so they must not be acted on.
var ErrIncomplete = errors.New("llm: stream ended before it was done")

// Response is a whole answer of a model.
type Response struct {
	Text      string
	Reasoning string
	Calls     []Call
	Usage     Usage
	Finish    Finish
}

// Collect reads seq to its end and returns the whole answer. On an error it
// returns what had arrived together with that error; a stream without a Done
// event is ErrIncomplete.
func Collect(seq iter.Seq2[Event, error]) (Response, error) {
	var out Response
	var text, reasoning strings.Builder
	err := ErrIncomplete
	for event, failure := range seq {
		if failure != nil {
			err = failure
			break
		}
		switch event.Kind {
		case EventTextDelta:
			text.WriteString(event.Text)
		case EventReasoningDelta:
			reasoning.WriteString(event.Text)
		case EventToolCall:
			out.Calls = append(out.Calls, event.Call)
		case EventDone:
			out.Usage, out.Finish, err = event.Usage, event.Finish, nil
		}
		if event.Kind == EventDone {
			break
		}
	}
	out.Text, out.Reasoning = text.String(), reasoning.String()
	return out, err
}
