package respond_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/web/respond"
)

func request(t *testing.T) (echo.Context, *httptest.ResponseRecorder) {
	t.Helper()
	recorder := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/studio/t/acme", nil)
	return echo.New().NewContext(r, recorder), recorder
}

func TestJSON(t *testing.T) {
	t.Parallel()
	c, recorder := request(t)
	require.NoError(t, respond.JSON(c, http.StatusAccepted, map[string]int64{"id": 9007199254740993}))
	require.Equal(t, http.StatusAccepted, recorder.Code)
	require.Equal(t, `{"id":9007199254740993}`, recorder.Body.String())
	require.Equal(t, "no-store", recorder.Header().Get("Cache-Control"))
	require.Equal(t, echo.MIMEApplicationJSON, recorder.Header().Get(echo.HeaderContentType))
}

func TestHTML(t *testing.T) {
	t.Parallel()
	c, recorder := request(t)
	require.NoError(t, respond.HTML(c, http.StatusConflict, templ.Raw("<p>ok</p>")))
	require.Equal(t, http.StatusConflict, recorder.Code)
	require.Equal(t, "<p>ok</p>", recorder.Body.String())
	require.Equal(t, "no-store", recorder.Header().Get("Cache-Control"))
	require.Equal(t, echo.MIMETextHTMLCharsetUTF8, recorder.Header().Get(echo.HeaderContentType))
}

// TestFailureSendsNoHalfAnswer fails in the middle: the error handler must find
// an answer that has not begun.
func TestFailureSendsNoHalfAnswer(t *testing.T) {
	t.Parallel()
	half := templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		_, err := io.WriteString(w, "<table><tr>")
		return errors.Join(err, io.ErrUnexpectedEOF)
	})
	for name, answer := range map[string]func(echo.Context) error{
		"a page": func(c echo.Context) error { return respond.HTML(c, http.StatusOK, half) },
		"a value": func(c echo.Context) error {
			return respond.JSON(c, http.StatusOK, map[string]any{"a": 1, "b": func() {}})
		},
		"broken JSON inside": func(c echo.Context) error { return respond.JSON(c, http.StatusOK, json.RawMessage(`{"a":`)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, recorder := request(t)
			require.Error(t, answer(c))
			require.False(t, c.Response().Committed)
			require.Empty(t, recorder.Body.String())
			require.Empty(t, recorder.Header())
		})
	}
}

// TestProblemOf maps errors of every origin, and looks for what may not be
// shown in all of the answer.
func TestProblemOf(t *testing.T) {
	t.Parallel()
	const secret = "postgres://studio:hunter2@db"
	internal := errors.New(secret)
	invalid := models.Errorf(models.CodeInvalidArgs, "Wrong.").With("params", []string{"a"})
	for name, c := range map[string]struct {
		err    error
		status int
		code   models.Code
	}{
		"ours":               {invalid, http.StatusUnprocessableEntity, models.CodeInvalidArgs},
		"ours, wrapped":      {fmt.Errorf("%s: %w", secret, invalid), http.StatusUnprocessableEntity, models.CodeInvalidArgs},
		"ours, with a cause": {invalid.Because(internal), http.StatusUnprocessableEntity, models.CodeInvalidArgs},
		"ours, joined":       {errors.Join(internal, invalid), http.StatusUnprocessableEntity, models.CodeInvalidArgs},
		"ours, inside echo's": {
			echo.NewHTTPError(http.StatusBadRequest, secret).WithInternal(invalid), http.StatusUnprocessableEntity, models.CodeInvalidArgs,
		},
		"not ours":               {internal, http.StatusInternalServerError, models.CodeInternal},
		"not ours, wrapped":      {fmt.Errorf("read: %w", internal), http.StatusInternalServerError, models.CodeInternal},
		"a canceled context":     {context.Canceled, http.StatusInternalServerError, models.CodeInternal},
		"echo: no route":         {echo.ErrNotFound, http.StatusNotFound, models.CodeNotFound},
		"echo: no such method":   {echo.ErrMethodNotAllowed, http.StatusMethodNotAllowed, models.CodeMethodNotAllowed},
		"echo: too large":        {echo.ErrStatusRequestEntityTooLarge, http.StatusRequestEntityTooLarge, models.CodeBodyTooLarge},
		"echo: another type":     {echo.ErrUnsupportedMediaType, http.StatusUnsupportedMediaType, models.CodeUnsupportedMediaType},
		"echo: with its words":   {echo.NewHTTPError(http.StatusNotFound, secret), http.StatusNotFound, models.CodeNotFound},
		"echo: with its cause":   {echo.NewHTTPError(http.StatusBadGateway, "x").WithInternal(internal), http.StatusInternalServerError, models.CodeInternal},
		"echo: something else":   {echo.NewHTTPError(http.StatusTeapot, secret), http.StatusInternalServerError, models.CodeInternal},
		"echo: wrapped by a job": {fmt.Errorf("%s: %w", secret, echo.ErrNotFound), http.StatusNotFound, models.CodeNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, _ := request(t)
			ctx.Response().Header().Set(echo.HeaderXRequestID, "r-1")
			var log bytes.Buffer
			problem := respond.ProblemOf(ctx, slog.New(slog.NewJSONHandler(&log, nil)), c.err, respond.Write)
			require.Equal(t, c.status, problem.Status)
			require.Equal(t, c.code, problem.Code)
			require.NotEmpty(t, problem.Message)
			require.Equal(t, "r-1", problem.RequestID)
			shown, err := json.Marshal(problem)
			require.NoError(t, err)
			require.NotContains(t, string(shown), "hunter2")
			requireLogged(t, log.Bytes(), problem, c.err)
		})
	}
}

// requireLogged requires one line with the whole error, which is as loud as the
// problem is bad.
func requireLogged(t *testing.T, log []byte, problem respond.Problem, err error) {
	t.Helper()
	var line struct {
		Level     string `json:"level"`
		Error     string `json:"error"`
		RequestID string `json:"request_id"`
	}
	require.NoError(t, json.Unmarshal(log, &line))
	require.Equal(t, problem.Status >= http.StatusInternalServerError, line.Level == "ERROR")
	require.Equal(t, err.Error(), line.Error)
	require.Equal(t, "r-1", line.RequestID)
}

func TestProblemShape(t *testing.T) {
	t.Parallel()
	c, _ := request(t)
	c.Response().Header().Set(echo.HeaderXRequestID, "r-1")
	err := models.Errorf(models.CodeToolingNotPermitted, "Not here.").Reason("toolkit_unavailable")
	problem := respond.ProblemOf(c, slog.New(slog.DiscardHandler), err, respond.Execute)
	require.Equal(t, http.StatusForbidden, problem.Status)
	shown, marshalErr := json.Marshal(problem)
	require.NoError(t, marshalErr)
	require.JSONEq(t, `{"code":"tooling_not_permitted","message":"Not here.","details":{"reason":"toolkit_unavailable"},"request_id":"r-1"}`,
		string(shown))
}
