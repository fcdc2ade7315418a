package pages

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/agents"
	"github.com/agentstudio/agentstudio/web/respond"
)

// formOf returns the fields of the body, all of them text; the query does not
// count, so that a link can fill in nothing.
func formOf(c echo.Context) (url.Values, error) {
	r := c.Request()
	if err := r.ParseForm(); err != nil {
		if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
			return nil, models.Errorf(models.CodeBodyTooLarge, "This is larger than 1 MiB. Send less.")
		}
		return nil, models.Errorf(models.CodeInvalidRequest, "The form could not be read.").Because(err)
	}
	return r.PostForm, areText(r.PostForm)
}

// text returns a field with the line breaks of forms made plain.
func text(form url.Values, name string) string {
	return strings.TrimSpace(strings.ReplaceAll(form.Get(name), "\r\n", "\n"))
}

// expectedVersion reads expected_version: digits without a sign or leading
// zeros, from 1.
func expectedVersion(form url.Values) (int, error) {
	sent := form.Get("expected_version")
	n, err := strconv.Atoi(sent)
	if err != nil || n < 1 || strconv.Itoa(n) != sent {
		return 0, models.Errorf(models.CodeInvalidExpectedVersion,
			"The form does not say on which version it is based. Open the page again.")
	}
	return n, nil
}

// invalid is why a form is shown again.
type invalid struct {
	status int
	field  string // as the error names it, "" when it is about no field
	words  string
}

// invalidOf returns why a form is shown again, and false for errors that are no
// matter of the form.
func invalidOf(err error) (invalid, bool) {
	ours, ok := errors.AsType[*models.Error](err)
	if !ok {
		return invalid{}, false
	}
	switch ours.Code {
	case models.CodeValidation, models.CodeInvalidName, models.CodeNameTaken, models.CodeVersionConflict,
		models.CodeToolingNotPermitted:
	default:
		return invalid{}, false
	}
	field, _ := ours.Details["field"].(string)
	if ours.Code == models.CodeNameTaken {
		field = "name"
	}
	return invalid{status: respond.Status(ours.Code, respond.Write), field: field, words: ours.Message}, true
}

// slug derives the name of an agent from its title: lower-case letters, digits
// and single dashes. A title without any gives "agent", and the title "New" a
// name that is not reserved.
func slug(title string) string {
	var out strings.Builder
	dash := false
	for _, r := range strings.ToLower(title) {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') {
			dash = out.Len() > 0
			continue
		}
		if dash {
			out.WriteByte('-')
			dash = false
		}
		out.WriteRune(r)
	}
	name := strings.TrimRight(out.String()[:min(out.Len(), maxSlug)], "-")
	switch name {
	case "":
		return "agent"
	case agents.ReservedName:
		return agents.ReservedName + "-agent"
	}
	return name
}

const (
	maxSlug     = 64 // the longest name of an agent
	maxNumbered = 50 // the highest number that a name is given
)

// firstFree creates under a name, or under the first of name-2 to name-50 that
// is not taken.
func firstFree(name string, create func(name string) (models.Agent, error)) (models.Agent, error) {
	agent, err := create(name)
	for n := 2; n <= maxNumbered && models.CodeOf(err) == models.CodeNameTaken; n++ {
		suffix := "-" + strconv.Itoa(n)
		agent, err = create(strings.TrimRight(name[:min(len(name), maxSlug-len(suffix))], "-") + suffix)
	}
	return agent, err
}
