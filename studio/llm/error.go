package llm

import (
	"errors"
	"fmt"
	"time"
)

// ErrorKind sorts a provider's failures by what a caller can do about them.
type ErrorKind string

// Kinds of provider failures.
const (
	// KindRetryable is a passing failure: the same request may succeed now.
	KindRetryable ErrorKind = "retryable"
	// KindRateLimited asks the caller to wait, for RetryAfter when it is set.
	KindRateLimited ErrorKind = "rate_limited"
	// KindRefused means that the provider will not serve this request: content
	// it filters, a bad key, a malformed or too long request. Retrying is vain.
	KindRefused ErrorKind = "refused"
	// KindUnavailable means that the provider cannot be reached or is down.
	KindUnavailable ErrorKind = "unavailable"
)

// Error is a failure of a model provider.
type Error struct {
	Kind ErrorKind
	// Model is the Name of the model that failed.
	Model string
	// Message is safe to log: it holds no key and no conversation text.
	Message string
	// RetryAfter is how long the provider asks to wait; 0 when it did not say.
	RetryAfter time.Duration
	// Err is the cause, if any.
	Err error
}

// Error says which model failed, how, and why.
func (e *Error) Error() string {
	text := fmt.Sprintf("llm: %s: %s", e.Model, e.Kind)
	if e.Message != "" {
		text += ": " + e.Message
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Temporary reports whether the same request may succeed later.
func (e *Error) Temporary() bool { return e.Kind != KindRefused }

// KindOf returns the kind of the *Error in err's chain, and "" when there is
// none.
func KindOf(err error) ErrorKind {
	if failure, ok := errors.AsType[*Error](err); ok {
		return failure.Kind
	}
	return ""
}
