package hosttools

import (
	"fmt"

	"github.com/agentstudio/agentstudio/tenancy"
)

// Error is a tool's own refusal or failure, in words for people and models:
// "Only pending orders can be cancelled." Its effect must be nothing.
type Error struct {
	Code    string // for programs, such as "not_pending"
	Message string // a sentence, shown as it is
}

// Errorf returns an [Error].
func Errorf(code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Error returns the code and the sentence.
func (e *Error) Error() string { return e.Code + ": " + e.Message }

// ArgumentsError says that arguments do not decode into a method's input, for
// example an integer that its Go type cannot hold.
type ArgumentsError struct{ err error }

// Error returns what did not decode.
func (e *ArgumentsError) Error() string { return e.err.Error() }

// Unwrap returns the decoder's error.
func (e *ArgumentsError) Unwrap() error { return e.err }

// HostTenantMismatch returns the error with which a host's own code refuses a
// record of another tenant than the caller's. The call is answered with
// tool_scope_unavailable and the reason host_tenant_mismatch, 403 over HTTP. It
// is the one reason that a host raises itself (contract 1, section 2), and
// must be raised before anything is changed.
func HostTenantMismatch() error { return tenancy.Refuse(tenancy.HostTenantMismatch) }
