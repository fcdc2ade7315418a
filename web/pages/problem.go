package pages

import (
	"github.com/labstack/echo/v4"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/tenancy"
	"github.com/agentstudio/agentstudio/views/problem"
	"github.com/agentstudio/agentstudio/views/ui"
	"github.com/agentstudio/agentstudio/web/respond"
)

// Problem answers with an error page: in the shell where the caller's tenant is
// known, and as a fragment where the script asked.
func (p *Pages) Problem(c echo.Context, shown respond.Problem) error {
	view := problemView(shown)
	view.Site = ui.Site{Prefix: p.frame.prefix}
	if fromScript(c) {
		return respond.HTML(c, shown.Status, problem.Fragment(view))
	}
	if scope, _, err := tenancy.Caller(c.Request().Context()); err == nil {
		r, err := p.frame.open(c)
		if err == nil {
			view.Shell, view.Site = &r.shell, r.site
			view.Links = []ui.Link{{Text: "Go to Home", Href: r.site.URL()}}
		} else {
			p.frame.logger.WarnContext(c.Request().Context(), "an error page has no shell", "tenant", scope.Tenant, "error", err)
		}
	}
	if view.Shell == nil {
		view.Links = []ui.Link{{Text: "Go to the start", Href: view.Site.Root()}}
	}
	return respond.HTML(c, shown.Status, problem.Page(view))
}

func problemView(shown respond.Problem) problem.View {
	title, next := problemWords(shown.Code)
	return problem.View{
		Title: title, Sentence: shown.Message, Next: next, Code: string(shown.Code), RequestID: shown.RequestID,
	}
}

// problemWords returns a title for a code, and what to do where the error's own
// sentence does not say it.
func problemWords(code models.Code) (title, next string) {
	switch code {
	case models.CodeNotFound:
		return "This page does not exist", "It may have been deleted, or it is not shared with you."
	case models.CodeStudioDisabled:
		return "Agent Studio is switched off here", "Whoever runs the host application can switch it on."
	case models.CodeUnauthenticated:
		return "You are not signed in", ""
	case models.CodeTenantMismatch, models.CodeTenantRequired:
		return "This is another tenant", "Sign in for it, or go back to your own."
	case models.CodeNotManageable, models.CodeAuthoringDenied, models.CodeAdminRequired, models.CodePermissionDenied:
		return "You may not do this", ""
	case models.CodeCrossOrigin, models.CodeWrongHost:
		return "This was not carried out", "Open the Studio by its own address and try again."
	case models.CodeVersionConflict:
		return "Somebody was faster", ""
	case models.CodeValidation, models.CodeInvalidRequest, models.CodeInvalidExpectedVersion, models.CodeInvalidName,
		models.CodeToolingNotPermitted, models.CodeBodyTooLarge, models.CodeUnsupportedMediaType, models.CodeMethodNotAllowed:
		return "This could not be accepted", "Go back, correct it, and send it again."
	case models.CodeStorageUnavailable:
		return "The Studio cannot reach its data", "Try again in a moment. Nothing was changed."
	default:
		return "Something went wrong", ""
	}
}
