package pages

import (
	"context"
	"log/slog"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/policy"
	"github.com/agentstudio/agentstudio/studio/approval"
	"github.com/agentstudio/agentstudio/tenancy"
	"github.com/agentstudio/agentstudio/views/layout"
	"github.com/agentstudio/agentstudio/views/ui"
)

// maxWaiting is how many waiting approvals a page reads at most.
const maxWaiting = 500

// formerMember stands for people whom the tenant no longer knows.
const formerMember = "a former member"

// frame is what all pages share: the shell around them, and names.
type frame struct {
	prefix       string
	approvals    *approval.Service
	authorizer   *policy.Authorizer
	directory    Directory
	logger       *slog.Logger
	hostSignsOut bool
	people       bool   // whether the Studio looks after people itself
	origin       string // that browsers see, where it is known
}

// request is who asks for a page, and the frame of the page they get.
type request struct {
	ctx   context.Context
	scope tenancy.Scope
	site  ui.Site
	shell layout.Shell
}

// open reads what every page needs: one query for how much waits, one for the
// tenant's name.
func (f *frame) open(c echo.Context) (*request, error) {
	r, err := f.begin(c)
	if err != nil {
		return nil, err
	}
	waiting, err := f.approvals.Waiting(r.ctx)
	if err != nil {
		return nil, err
	}
	tenant, err := f.directory.TenantName(r.ctx, r.scope.Tenant)
	if err != nil {
		return nil, err
	}
	r.shell = layout.Shell{
		Site: r.site, TenantName: tenant, Role: roleOf(r.scope), Person: r.scope.Name,
		Waiting: waiting, NoSignOut: f.hostSignsOut,
	}
	if f.people {
		r.shell.Menu = menu(r, f.authorizer.Allow(r.scope, r.scope.Tenant, policy.AgentsAdminister))
	}
	if r.scope.IsGlobal() {
		r.shell.Notices = append(r.shell.Notices, outsideTenants())
	}
	return r, nil
}

// notice says above the page what was just done, where the address names it.
func (r *request) notice(c echo.Context, words map[string]string) {
	if text, ok := words[c.QueryParam("done")]; ok && c.Request().Method == http.MethodGet {
		r.shell.Notices = append(r.shell.Notices, ui.Notice{Tone: ui.OK, Text: text})
	}
}

// menu is what people find under their own name.
func menu(r *request, administers bool) []ui.Link {
	links := []ui.Link{{Text: "Your profile and tenants", Href: r.site.Root("profile")}, {Text: "API tokens", Href: r.site.URL("tokens")}}
	if administers {
		links = append(links, ui.Link{Text: "Members and groups", Href: r.site.URL("members")})
	}
	return links
}

// waiting returns the approvals that wait for a decision and that the caller may
// see, the one that has waited longest first. Of more than [maxWaiting], the
// newest.
func (f *frame) waiting(r *request) ([]models.Approval, error) {
	if r.shell.Waiting == 0 {
		return nil, nil
	}
	list, err := f.approvals.List(r.ctx, []models.ApprovalState{models.ApprovalPending}, maxWaiting)
	slices.Reverse(list)
	return list, err
}

// begin is open for answers that are no whole page.
func (f *frame) begin(c echo.Context) (*request, error) {
	ctx := c.Request().Context()
	scope, p, err := tenancy.Caller(ctx)
	if err != nil {
		return nil, err
	}
	return &request{ctx: ctx, scope: scope, site: ui.Site{Prefix: f.prefix, Tenant: p.Segment()}}, nil
}

// allow refuses what the caller's role does not include.
func (f *frame) allow(scope tenancy.Scope, action policy.Action) error {
	if f.authorizer.Allow(scope, scope.Tenant, action) {
		return nil
	}
	return models.Errorf(models.CodePermissionDenied, "Your role here does not include this. Ask an admin.")
}

// names returns a look-up of what these people are called in the tenant.
func (f *frame) names(ctx context.Context, tenant string, ids []string) (func(id string) string, error) {
	ids = slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return id == "" })
	slices.Sort(ids)
	ids = slices.Compact(ids)
	if len(ids) == 0 {
		return func(string) string { return "" }, nil
	}
	known, err := f.directory.Names(ctx, tenant, ids)
	if err != nil {
		return nil, err
	}
	return func(id string) string {
		if id == "" {
			return ""
		}
		if name := known[id]; name != "" {
			return name
		}
		return formerMember
	}, nil
}

func roleOf(scope tenancy.Scope) string {
	switch {
	case scope.ManagesAll():
		return "Admin"
	case scope.MayAuthor:
		return "Author"
	default:
		return "Member"
	}
}

// fromScript reports whether the script asks, which wants a fragment.
func fromScript(c echo.Context) bool { return c.Request().Header.Get("HX-Request") == "true" }
