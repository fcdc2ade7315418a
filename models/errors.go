package models

import (
	"errors"
	"fmt"
	"maps"
)

// Code names a refusal or failure for programs. Codes are part of the contract
// with hosts and REST callers; their HTTP statuses are decided in web/respond,
// since one code can have another status on a write and on an execute route.
type Code string

// The codes, grouped by what they are about.
const (
	// Who calls, and where.
	CodeUnauthenticated  Code = "unauthenticated"
	CodeTenantRequired   Code = "tenant_required"
	CodeTenantMismatch   Code = "tenant_mismatch"
	CodeStudioDisabled   Code = "studio_disabled"
	CodeNotFound         Code = "not_found"
	CodeNotManageable    Code = "not_manageable"
	CodeAuthoringDenied  Code = "authoring_denied"
	CodeAdminRequired    Code = "admin_required"
	CodePermissionDenied Code = "permission_denied"
	CodeCrossOrigin      Code = "cross_origin"
	CodeWrongHost        Code = "wrong_host"
	// CodeTooManyAttempts: somebody guessed too often, at an account or from an
	// address; details.retry_after is in seconds.
	CodeTooManyAttempts Code = "too_many_attempts"
	// CodeStepUpRequired: a person has to prove again who they are.
	CodeStepUpRequired Code = "step_up_required"
	// CodeProviderUnavailable: the identity provider does not answer, or not as one.
	CodeProviderUnavailable Code = "provider_unavailable"

	// What was sent.
	CodeInvalidJSON            Code = "invalid_json"
	CodeInvalidRequest         Code = "invalid_request"
	CodeInvalidArgs            Code = "invalid_args"
	CodeInvalidName            Code = "invalid_name"
	CodeInvalidExpectedVersion Code = "invalid_expected_version"
	CodeValidation             Code = "validation_error"
	CodeServerManaged          Code = "server_managed"
	CodeNameImmutable          Code = "name_immutable"
	CodeInvalidVisibility      Code = "invalid_visibility"
	CodeGroupsRequired         Code = "groups_required"
	CodeGroupsNotAllowed       Code = "groups_not_allowed"
	CodeInvalidParams          Code = "invalid_params"
	CodeNotOverridable         Code = "not_overridable"
	CodeBodyTooLarge           Code = "body_too_large"
	CodeUnsupportedMediaType   Code = "unsupported_media_type"
	CodeMethodNotAllowed       Code = "method_not_allowed"

	// Records.
	CodeNameTaken       Code = "name_taken"
	CodeVersionConflict Code = "version_conflict"
	CodeTurnRunning     Code = "turn_running"

	// Tools.
	CodeToolScopeUnavailable Code = "tool_scope_unavailable"
	CodeToolingNotPermitted  Code = "tooling_not_permitted"
	CodeConfirmationRequired Code = "confirmation_required"
	CodeInstantiationFailed  Code = "instantiation_failed"
	CodeToolFailed           Code = "tool_failed"
	CodeToolTimeout          Code = "tool_timeout"
	CodeResultUnreadable     Code = "result_unreadable"
	CodeOutcomeUnknown       Code = "outcome_unknown"
	CodeNotConfigured        Code = "not_configured"
	CodeOptionsFailed        Code = "options_failed"

	// Approvals.
	CodeApprovalConsumed Code = "approval_consumed"
	CodeApprovalDecided  Code = "approval_decided"
	CodeApprovalExpired  Code = "approval_expired"
	CodeApprovalStale    Code = "approval_stale"
	CodeApprovalPending  Code = "approval_pending"
	CodeDecisionDenied   Code = "decision_denied"
	CodeTokenInvalid     Code = "token_invalid"
	CodeCardChanged      Code = "card_changed"

	// The Studio itself.
	CodeInternal           Code = "internal_error"
	CodeStorageUnavailable Code = "studio_storage_unavailable"
	CodeVaultUnavailable   Code = "vault_unavailable"
	CodeModelFailed        Code = "query_failed"
)

// Error is the one error that may reach a person or a program: a code, a plain
// sentence that says what to do, and optional details. Any other error is
// internal; its text stays in the log.
type Error struct {
	Code    Code
	Message string
	// Details are values for programs, such as "reason" or "params".
	Details map[string]any
	// Err is the cause, kept for the log and never shown.
	Err error
}

// Errorf returns an [Error] with a code and a sentence for people.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// NotFound is the one answer for a record that is absent or unseen; the two
// must not be told apart.
func NotFound() *Error {
	return &Error{Code: CodeNotFound, Message: "There is nothing here, or you cannot see it."}
}

// With returns a copy of the error with one more detail.
func (e *Error) With(key string, value any) *Error {
	c := *e
	c.Details = maps.Clone(e.Details)
	if c.Details == nil {
		c.Details = map[string]any{}
	}
	c.Details[key] = value
	return &c
}

// Reason returns a copy of the error with details.reason set.
func (e *Error) Reason(reason string) *Error { return e.With("reason", reason) }

// Because returns a copy of the error that carries its cause for the log.
func (e *Error) Because(err error) *Error {
	c := *e
	c.Err = err
	return &c
}

// Error returns the code and the sentence, and the cause where there is one.
func (e *Error) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("%s: %s: %v", e.Code, e.Message, e.Err)
	}
	return fmt.Sprintf("%s: %s", e.Code, e.Message)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is reports whether target is an [Error] with the same code, so that
// errors.Is(err, &Error{Code: …}) works through wrapping.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code == e.Code && t.Message == ""
}

// CodeOf returns the code of err, [CodeInternal] for an error that is not ours,
// and "" for nil.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	return CodeInternal
}

// ReasonOf returns details.reason of err, or "".
func ReasonOf(err error) string {
	if e, ok := errors.AsType[*Error](err); ok {
		if reason, ok := e.Details["reason"].(string); ok {
			return reason
		}
	}
	return ""
}
