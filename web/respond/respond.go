package respond

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"github.com/agentstudio/agentstudio/models"
)

// JSON answers with a value as JSON. It is encoded before the status is
// written, so that a failure cannot send half an answer.
func JSON(c echo.Context, status int, value any) error {
	body, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("encode an answer: %w", err)
	}
	return Blob(c, status, body)
}

// Blob answers with JSON that is encoded already.
func Blob(c echo.Context, status int, body []byte) error {
	c.Response().Header().Set("Cache-Control", "no-store")
	return c.JSONBlob(status, body)
}

// HTML answers with a page or a fragment, rendered before the status is
// written.
func HTML(c echo.Context, status int, component templ.Component) error {
	var body bytes.Buffer
	if err := component.Render(c.Request().Context(), &body); err != nil {
		return fmt.Errorf("render a page: %w", err)
	}
	c.Response().Header().Set("Cache-Control", "no-store")
	return c.HTMLBlob(status, body.Bytes())
}

// Problem is an error as it may be shown.
type Problem struct {
	Status    int            `json:"-"`
	Code      models.Code    `json:"code"`
	Message   string         `json:"message"`
	Details   map[string]any `json:"details"`
	RequestID string         `json:"request_id"`
}

// ProblemOf returns what may be shown of an error, and logs what may not.
// Errors that are not ours, and echo's own, get general words.
func ProblemOf(c echo.Context, logger *slog.Logger, err error, route Route) Problem {
	known := known(err)
	p := Problem{
		Status: Status(known.Code, route), Code: known.Code, Message: known.Message, Details: known.Details,
		RequestID: c.Response().Header().Get(echo.HeaderXRequestID),
	}
	level := slog.LevelInfo
	if p.Status >= http.StatusInternalServerError {
		level = slog.LevelError
	}
	logger.Log(c.Request().Context(), level, "answered with an error", "status", p.Status, "code", p.Code,
		"path", c.Request().URL.Path, "request_id", p.RequestID, "error", err)
	return p
}

// known returns err as one of ours.
func known(err error) *models.Error {
	if ours, ok := errors.AsType[*models.Error](err); ok {
		return ours
	}
	if router, ok := errors.AsType[*echo.HTTPError](err); ok {
		switch router.Code {
		case http.StatusNotFound:
			return models.NotFound()
		case http.StatusMethodNotAllowed:
			return models.Errorf(models.CodeMethodNotAllowed, "This address does not take such a request.")
		case http.StatusRequestEntityTooLarge:
			return models.Errorf(models.CodeBodyTooLarge, "This is larger than 1 MiB. Send less.")
		case http.StatusUnsupportedMediaType:
			return models.Errorf(models.CodeUnsupportedMediaType, "Send JSON, not compressed.")
		}
	}
	return models.Errorf(models.CodeInternal, "Something went wrong inside the Studio. Try again; if it stays, tell whoever runs it the request id.")
}

// FieldOf returns which field of a form is wrong and why, and false for errors
// that are no matter of the form.
func FieldOf(err error) (field, words string, again bool) {
	ours, ok := errors.AsType[*models.Error](err)
	if !ok || ours.Code != models.CodeValidation {
		return "", "", false
	}
	field, _ = ours.Details["field"].(string)
	return field, ours.Message, true
}
