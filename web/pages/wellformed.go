package pages

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"github.com/agentstudio/agentstudio/models"
)

// wellFormed refuses addresses whose path or query is no text, before anything
// is looked up with them. [formOf] asks the same of bodies, which are read only
// once the caller may send them.
func wellFormed(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if err := isText(c.Request().URL.Path); err != nil {
			return err
		}
		if err := areText(c.QueryParams()); err != nil {
			return err
		}
		return next(c)
	}
}

// areText refuses fields of which a name or a value is no text.
func areText(fields url.Values) error {
	for name, values := range fields {
		if err := isText(append(values, name)...); err != nil {
			return err
		}
	}
	return nil
}

// isText refuses what no column of text can hold: bytes that are not UTF-8, and
// the character NUL.
func isText(values ...string) error {
	for _, value := range values {
		if !utf8.ValidString(value) || strings.ContainsRune(value, 0) {
			return models.Errorf(models.CodeInvalidRequest,
				"A value of this request is not text: it has bytes that are not UTF-8, or the character NUL.")
		}
	}
	return nil
}
