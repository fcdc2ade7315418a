package respond_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"net/http"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/web/respond"
)

// codes returns every code that models declares.
func codes(t *testing.T) []models.Code {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../../models/errors.go", nil, 0)
	require.NoError(t, err)
	var found []models.Code
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if kind, ok := spec.Type.(*ast.Ident); !ok || kind.Name != "Code" {
			return true
		}
		for _, value := range spec.Values {
			text, err := strconv.Unquote(value.(*ast.BasicLit).Value)
			require.NoError(t, err)
			found = append(found, models.Code(text))
		}
		return true
	})
	require.Contains(t, found, models.CodeModelFailed, "the constants were not found")
	return found
}

// TestEveryCodeHasAStatus is the contract's table. A new code needs a line,
// be it the last one.
func TestEveryCodeHasAStatus(t *testing.T) {
	t.Parallel()
	want := map[models.Code]int{}
	for status, group := range map[int][]models.Code{
		http.StatusBadRequest: {
			models.CodeInvalidJSON, models.CodeInvalidRequest, models.CodeInvalidName, models.CodeInvalidExpectedVersion,
		},
		http.StatusUnauthorized: {models.CodeUnauthenticated},
		http.StatusForbidden: {
			models.CodeTenantMismatch, models.CodeNotManageable, models.CodeAuthoringDenied, models.CodeAdminRequired,
			models.CodePermissionDenied, models.CodeCrossOrigin, models.CodeToolScopeUnavailable,
			models.CodeConfirmationRequired, models.CodeDecisionDenied, models.CodeTokenInvalid, models.CodeStepUpRequired,
		},
		http.StatusNotFound:         {models.CodeNotFound, models.CodeStudioDisabled},
		http.StatusMethodNotAllowed: {models.CodeMethodNotAllowed},
		http.StatusConflict: {
			models.CodeNameTaken, models.CodeVersionConflict, models.CodeTurnRunning, models.CodeApprovalConsumed,
			models.CodeApprovalDecided, models.CodeApprovalStale, models.CodeApprovalPending, models.CodeCardChanged,
			models.CodeNotConfigured,
		},
		http.StatusGone:                  {models.CodeApprovalExpired},
		http.StatusRequestEntityTooLarge: {models.CodeBodyTooLarge},
		http.StatusUnsupportedMediaType:  {models.CodeUnsupportedMediaType},
		http.StatusMisdirectedRequest:    {models.CodeWrongHost},
		http.StatusUnprocessableEntity: {
			models.CodeTenantRequired, models.CodeInvalidArgs, models.CodeServerManaged, models.CodeValidation,
			models.CodeToolingNotPermitted, models.CodeInvalidParams, models.CodeNotOverridable, models.CodeNameImmutable,
			models.CodeInvalidVisibility, models.CodeGroupsRequired, models.CodeGroupsNotAllowed,
		},
		http.StatusTooManyRequests:    {models.CodeTooManyAttempts},
		http.StatusBadGateway:         {models.CodeModelFailed, models.CodeOptionsFailed, models.CodeProviderUnavailable},
		http.StatusServiceUnavailable: {models.CodeStorageUnavailable, models.CodeVaultUnavailable},
		// A tool's own failure is an answer with status 200, in its envelope;
		// where one of these reaches a route by itself, something is broken.
		http.StatusInternalServerError: {
			models.CodeInternal, models.CodeInstantiationFailed, models.CodeToolFailed, models.CodeToolTimeout,
			models.CodeResultUnreadable, models.CodeOutcomeUnknown,
		},
	} {
		for _, code := range group {
			require.NotContains(t, want, code)
			want[code] = status
		}
	}
	for _, code := range codes(t) {
		status, ok := want[code]
		require.True(t, ok, "%s has no line in this table", code)
		delete(want, code)
		require.Equal(t, status, respond.Status(code, respond.Write), "%s on a write", code)
		if code == models.CodeToolingNotPermitted {
			status = http.StatusForbidden
		}
		require.Equal(t, status, respond.Status(code, respond.Execute), "%s on execute", code)
	}
	require.Empty(t, want, "codes that do not exist")
	require.Equal(t, http.StatusInternalServerError, respond.Status("unheard_of", respond.Write))
}
