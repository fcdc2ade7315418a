package pages

import (
	"errors"
	"strconv"
	"strings"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/schema"
	"github.com/agentstudio/agentstudio/views/ui"
	"github.com/agentstudio/agentstudio/web/respond"
)

// refusal is why parameters were not saved.
type refusal struct {
	status  int
	words   string
	issues  []schema.Issue
	refused []string // names of parameters that may not be sent
}

// refusalOf returns why a form of parameters is shown again, and false for
// errors that are no matter of the form.
func refusalOf(err error) (refusal, bool) {
	ours, ok := errors.AsType[*models.Error](err)
	if !ok {
		return refusal{}, false
	}
	switch ours.Code {
	case models.CodeInvalidParams, models.CodeServerManaged, models.CodeNotOverridable, models.CodeVersionConflict,
		models.CodeToolingNotPermitted, models.CodeVaultUnavailable:
	default:
		return refusal{}, false
	}
	why := refusal{status: respond.Status(ours.Code, respond.Write), words: ours.Message}
	why.issues, _ = ours.Details["issues"].([]schema.Issue)
	why.refused, _ = ours.Details["params"].([]string)
	return why, true
}

// errorsOf returns what to say beside each parameter, and whether that is all
// there is to say.
func (why refusal) errorsOf(config *hosttools.ConfigSchema, sent map[string]string) (map[string]string, bool) {
	said, whole := map[string]string{}, len(why.issues) > 0
	for _, name := range why.refused {
		said[name] = "This may not be sent."
	}
	for _, issue := range why.issues {
		name, place := splitPointer(issue.Pointer)
		if param, known := paramOf(config, name); !known || param.Managed() {
			whole = false
			continue
		}
		s := propertyOf(config, name)
		words := unreadable(s, sent[name])
		if words == "" {
			words = labelOf(s, name) + place.inWords(writtenAs(s) == asLines) + " " + issue.Message + "."
		}
		if said[name] != words {
			said[name] = sentences(said[name], words)
		}
	}
	return said, whole
}

// notice is what stands above the page.
func (why refusal) notice() ui.Notice {
	return ui.Notice{Tone: ui.Danger, Title: "Not saved.", Text: why.words}
}

// place is where in a parameter something is, as the tokens of a JSON pointer.
type place []string

// splitPointer returns the parameter of a JSON pointer, and the place in it.
func splitPointer(pointer string) (string, place) {
	tokens := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i, token := range tokens {
		tokens[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
	}
	return tokens[0], tokens[1:]
}

func (p place) inWords(lines bool) string {
	if len(p) == 0 {
		return ""
	}
	if index, err := strconv.Atoi(p[0]); lines && err == nil && len(p) == 1 {
		return ", entry " + strconv.Itoa(index+1) + ","
	}
	return ", at " + strings.Join(p, " › ") + ","
}
