package canon

import (
	"errors"
	"fmt"
	"strings"
)

// Reason says why a text or a value was refused. It is stable and fit for
// "details.reason" of an answer.
type Reason string

// The reasons of refusal.
const (
	ReasonEmpty           Reason = "empty"
	ReasonSyntax          Reason = "syntax"
	ReasonTrailingData    Reason = "trailing_data"
	ReasonDuplicateName   Reason = "duplicate_name"
	ReasonCaseVariantName Reason = "case_variant_name"
	ReasonInvalidUTF8     Reason = "invalid_utf8"
	ReasonLoneSurrogate   Reason = "lone_surrogate"
	ReasonTooDeep         Reason = "too_deep"
	ReasonTooLarge        Reason = "too_large"
	// ReasonNumberRange is never given by Parse, which keeps literals: it is
	// for numbers that neither kind of number can hold.
	ReasonNumberRange Reason = "number_range"
)

// NoOffset is the offset of an [Error] about a value, rather than a text.
const NoOffset = -1

// Error is the only type of error that this package returns.
type Error struct {
	// Reason is why the input was refused.
	Reason Reason
	// Offset is the byte where the fault in a parsed text begins, or
	// [NoOffset].
	Offset int
	// Pointer is the JSON Pointer (RFC 6901) of the place, "" being the whole.
	// It is made of names that the sender chose.
	Pointer string
}

// Error says in a sentence for a person what was refused and where. The place
// is quoted and shortened, so the sentence is safe for a log line.
func (e *Error) Error() string {
	text := e.Reason.sentence()
	if e.Pointer != "" {
		text += fmt.Sprintf(", at %.100q", e.Pointer)
	}
	if e.Offset != NoOffset {
		text += fmt.Sprintf(" (byte %d)", e.Offset)
	}
	return text
}

func (r Reason) sentence() string {
	switch r {
	case ReasonEmpty:
		return "the JSON text is empty"
	case ReasonSyntax:
		return "the text is not valid JSON"
	case ReasonTrailingData:
		return "something follows after the end of the JSON value"
	case ReasonDuplicateName:
		return "an object has the same name twice"
	case ReasonCaseVariantName:
		return "an object has two names that differ only in upper and lower case"
	case ReasonInvalidUTF8:
		return "the text is not valid UTF-8"
	case ReasonLoneSurrogate:
		return "a \\u escape is half of a surrogate pair"
	case ReasonTooDeep:
		return fmt.Sprintf("arrays and objects are nested more than %d deep", MaxDepth)
	case ReasonTooLarge:
		return fmt.Sprintf("the JSON text is larger than %d bytes", MaxBytes)
	case ReasonNumberRange:
		return "a number is larger or smaller than can be kept"
	default:
		return "the JSON value is refused: " + string(r)
	}
}

// refused is an error about a value.
func refused(reason Reason) error {
	return &Error{Reason: reason, Offset: NoOffset}
}

// within puts token before the pointer of err, as err leaves the array or
// object in which token names the place.
func within(token string, err error) error {
	var inner *Error
	if !errors.As(err, &inner) {
		return err
	}
	token = strings.ReplaceAll(strings.ReplaceAll(token, "~", "~0"), "/", "~1")
	return &Error{Reason: inner.Reason, Offset: inner.Offset, Pointer: "/" + token + inner.Pointer}
}
