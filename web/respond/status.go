package respond

import (
	"net/http"

	"github.com/agentstudio/agentstudio/models"
)

// Route is the kind of route that answers: the same code may have another
// status on a write than on an execute route (contract 1, section 6).
type Route int

// The kinds of route.
const (
	Write   Route = iota // reads and writes of records
	Execute              // running a tool
)

// Status returns the HTTP status of a code on a kind of route. Codes without a
// line of their own are 500.
func Status(code models.Code, route Route) int {
	switch code {
	case models.CodeInvalidJSON, models.CodeInvalidRequest, models.CodeInvalidName, models.CodeInvalidExpectedVersion:
		return http.StatusBadRequest
	case models.CodeUnauthenticated:
		return http.StatusUnauthorized
	case models.CodeTenantMismatch, models.CodeNotManageable, models.CodeAuthoringDenied, models.CodeAdminRequired,
		models.CodePermissionDenied, models.CodeCrossOrigin, models.CodeToolScopeUnavailable,
		models.CodeConfirmationRequired, models.CodeDecisionDenied, models.CodeTokenInvalid, models.CodeStepUpRequired:
		return http.StatusForbidden
	case models.CodeNotFound, models.CodeStudioDisabled:
		return http.StatusNotFound
	case models.CodeMethodNotAllowed:
		return http.StatusMethodNotAllowed
	case models.CodeNameTaken, models.CodeVersionConflict, models.CodeTurnRunning, models.CodeApprovalConsumed,
		models.CodeApprovalDecided, models.CodeApprovalStale, models.CodeApprovalPending, models.CodeCardChanged,
		models.CodeNotConfigured:
		return http.StatusConflict
	case models.CodeApprovalExpired:
		return http.StatusGone
	case models.CodeBodyTooLarge:
		return http.StatusRequestEntityTooLarge
	case models.CodeUnsupportedMediaType:
		return http.StatusUnsupportedMediaType
	case models.CodeWrongHost:
		return http.StatusMisdirectedRequest
	case models.CodeTenantRequired, models.CodeInvalidArgs, models.CodeServerManaged, models.CodeValidation,
		models.CodeInvalidParams, models.CodeNotOverridable, models.CodeNameImmutable, models.CodeInvalidVisibility,
		models.CodeGroupsRequired, models.CodeGroupsNotAllowed:
		return http.StatusUnprocessableEntity
	case models.CodeToolingNotPermitted:
		if route == Execute {
			return http.StatusForbidden
		}
		return http.StatusUnprocessableEntity
	case models.CodeTooManyAttempts:
		return http.StatusTooManyRequests
	case models.CodeModelFailed, models.CodeOptionsFailed, models.CodeProviderUnavailable:
		return http.StatusBadGateway
	case models.CodeStorageUnavailable, models.CodeVaultUnavailable:
		return http.StatusServiceUnavailable
	default:
		return http.StatusInternalServerError
	}
}
