package api

import (
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/agents"
	"github.com/agentstudio/agentstudio/studio/canon"
)

// readChange reads {"params": {…}, "user_overridable": […], "expected_version": 3}.
// Only params has to be there.
func readChange(c echo.Context) (agents.Change, error) {
	body, err := readObject(c, "params", "user_overridable", "expected_version")
	if err != nil {
		return agents.Change{}, err
	}
	change := agents.Change{}
	if change.Params, err = paramsOf(body); err != nil {
		return change, err
	}
	if list, ok := body.Get("user_overridable"); ok && list.Kind() != canon.KindNull {
		if change.UserOverridable, err = names("user_overridable", list); err != nil {
			return change, err
		}
	}
	change.ExpectedVersion, err = expectedOf(body)
	return change, err
}

// readParams reads {"params": {…}}.
func readParams(c echo.Context) (canon.Value, error) {
	body, err := readObject(c, "params")
	if err != nil {
		return canon.Value{}, err
	}
	return paramsOf(body)
}

// readObject reads a body that is an object with no other members than known.
func readObject(c echo.Context, known ...string) (canon.Value, error) {
	body, err := readJSON(c)
	if err != nil {
		return canon.Value{}, err
	}
	if body.Kind() != canon.KindObject {
		return canon.Value{}, models.Errorf(models.CodeInvalidArgs, "Send a JSON object.")
	}
	var unknown []string
	for _, member := range body.Members() {
		if !slices.Contains(known, member.Name) {
			unknown = append(unknown, member.Name)
		}
	}
	if len(unknown) > 0 {
		return canon.Value{}, models.Errorf(models.CodeInvalidArgs, "The body has members that are not known here.").
			With("params", unknown)
	}
	return body, nil
}

func paramsOf(body canon.Value) (canon.Value, error) {
	params, ok := body.Get("params")
	if !ok || params.Kind() != canon.KindObject {
		return params, models.Errorf(models.CodeInvalidArgs, `Send the parameters as an object: {"params": {…}}.`)
	}
	return params, nil
}

// names reads a list of texts, never nil.
func names(member string, list canon.Value) ([]string, error) {
	refusal := invalidMember(member, "is a list of names")
	if list.Kind() != canon.KindArray {
		return nil, refusal
	}
	found := []string{}
	for _, item := range list.Items() {
		if item.Kind() != canon.KindString {
			return nil, refusal
		}
		found = append(found, item.Str())
	}
	return found, nil
}

// version reads a version, a whole number from 1.
func version(value canon.Value) (int, error) {
	if value.Kind() != canon.KindNumber {
		return 0, invalidVersion()
	}
	digits, whole := value.Integer()
	number, err := strconv.Atoi(digits)
	if !whole || err != nil || number < 1 {
		return 0, invalidVersion()
	}
	return number, nil
}

func invalidVersion() error {
	return models.Errorf(models.CodeInvalidExpectedVersion,
		"expected_version is the number of the version that you looked at, a whole number from 1.")
}
