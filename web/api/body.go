package api

import (
	"errors"
	"io"
	"mime"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/canon"
)

// readArguments reads {"args": {…}} strictly. An absent args is an empty
// object. Nothing else may stand in the body.
func readArguments(c echo.Context) (canon.Value, error) {
	body, err := readJSON(c)
	if err != nil {
		return canon.Value{}, err
	}
	if body.Kind() != canon.KindObject {
		return canon.Value{}, models.Errorf(models.CodeInvalidArgs, `Send an object: {"args": {…}}.`)
	}
	for _, member := range body.Members() {
		if member.Name != "args" {
			return canon.Value{}, models.Errorf(models.CodeInvalidArgs, `Only "args" may stand in the body.`).
				With("params", []string{member.Name})
		}
	}
	args, ok := body.Get("args")
	if !ok {
		return canon.ObjectOf()
	}
	return args, nil
}

// readJSON reads a body as strictly parsed JSON.
func readJSON(c echo.Context) (canon.Value, error) {
	r := c.Request()
	kind, _, err := mime.ParseMediaType(r.Header.Get(echo.HeaderContentType))
	if err != nil || kind != echo.MIMEApplicationJSON {
		return canon.Value{}, models.Errorf(models.CodeUnsupportedMediaType, "Send JSON, with Content-Type: application/json.")
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
			return canon.Value{}, models.Errorf(models.CodeBodyTooLarge, "This is larger than 1 MiB. Send less.")
		}
		return canon.Value{}, models.Errorf(models.CodeInvalidJSON, "The body could not be read to its end.").Because(err)
	}
	value, err := canon.Parse(body)
	if err != nil {
		return canon.Value{}, malformed(err)
	}
	return value, nil
}

// malformed maps a strict parser's refusal: case-variant names are invalid
// arguments, all else is invalid JSON.
func malformed(err error) error {
	code := models.CodeInvalidJSON
	refusal, ok := errors.AsType[*canon.Error](err)
	if !ok {
		return models.Errorf(code, "The body is not JSON.").Because(err)
	}
	switch refusal.Reason {
	case canon.ReasonCaseVariantName:
		code = models.CodeInvalidArgs
	case canon.ReasonTooLarge:
		code = models.CodeBodyTooLarge
	}
	return models.Errorf(code, "%s", refusal.Error()).Reason(string(refusal.Reason)).Because(err)
}
