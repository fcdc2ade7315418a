package api

import (
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/agents"
	"github.com/agentstudio/agentstudio/studio/canon"
)

// definitionFields are the members of a body that say what an agent is told.
func definitionFields() []string {
	return []string{"title", "description", "instructions", "llm", "effort", "tool_review"}
}

// changeOf returns the change of a definition that a body asks for. A default
// that null asks for is the empty value, which the service fills in, except for
// the title's: the agent's name.
func changeOf(body canon.Value, name string) func(d *models.Definition) error {
	return func(d *models.Definition) error {
		var effort, title string
		for member, target := range map[string]*string{
			"title": &title, "description": &d.Description, "instructions": &d.Instructions, "llm": &d.Model, "effort": &effort,
		} {
			value, there, err := textMember(body, member)
			if err != nil {
				return err
			}
			if there {
				*target = value
			}
		}
		if value, there := body.Get("title"); there {
			d.Title = title
			if value.Kind() == canon.KindNull {
				d.Title = name
			}
		}
		if _, there := body.Get("effort"); there {
			d.Effort = models.Effort(effort)
		}
		return reviewOf(body, d)
	}
}

func reviewOf(body canon.Value, d *models.Definition) error {
	value, there := body.Get("tool_review")
	switch {
	case !there:
	case value.Kind() == canon.KindNull:
		d.ToolReview = false
	case value.Kind() == canon.KindBool:
		d.ToolReview = value.Bool()
	default:
		return invalidMember("tool_review", "is true or false")
	}
	return nil
}

// textMember returns a member that is a text, "" for null, and whether it is
// there.
func textMember(body canon.Value, name string) (text string, there bool, err error) {
	value, there := body.Get(name)
	switch {
	case !there:
		return "", false, nil
	case value.Kind() == canon.KindNull:
		return "", true, nil
	case value.Kind() == canon.KindString:
		return value.Str(), true, nil
	default:
		return "", true, invalidMember(name, "is a text")
	}
}

// sharingOf reads who an agent is shared with, the zero value where the body
// does not say.
func sharingOf(body canon.Value) (agents.Sharing, error) {
	visibility, _, err := textMember(body, "visibility")
	if err != nil {
		return agents.Sharing{}, err
	}
	sharing := agents.Sharing{Visibility: models.Visibility(visibility)}
	if list, there := body.Get("allowed_groups"); there && list.Kind() != canon.KindNull {
		sharing.Groups, err = names("allowed_groups", list)
	}
	return sharing, err
}

// expectedOf reads the optional expected_version, 0 without one.
func expectedOf(body canon.Value) (int, error) {
	number, there := body.Get("expected_version")
	if !there || number.Kind() == canon.KindNull {
		return 0, nil
	}
	return version(number)
}

func invalidMember(name, is string) error {
	return models.Errorf(models.CodeInvalidArgs, "%s %s.", name, is).With("params", []string{name})
}
