package pages

import (
	"encoding/hex"
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/audit"
	views "github.com/agentstudio/agentstudio/views/audit"
	"github.com/agentstudio/agentstudio/views/ui"
	"github.com/agentstudio/agentstudio/web/respond"
)

const (
	auditPage  = 100 // entries of one page, before the filters
	maxScanned = 10  // pages of entries that a filtered page reads at most
)

// auditPages is the record of what was asked, decided and run.
type auditPages struct {
	*frame
	audit    *audit.Service
	registry *hosttools.Registry
}

// auditFilter is what the entries are narrowed to; empty fields do not narrow.
type auditFilter struct{ who, tool, action string }

func (p *auditPages) show(c echo.Context) error {
	r, err := p.open(c)
	if err != nil {
		return err
	}
	before := c.QueryParam("before")
	if !models.ValidID(before) {
		before = ""
	}
	filter := auditFilter{who: c.QueryParam("who"), tool: c.QueryParam("tool"), action: c.QueryParam("outcome")}
	view := views.View{Shell: r.shell, Who: filter.who, Tool: filter.tool, Outcomes: actionOptions(filter.action)}
	for range maxScanned {
		rows, last, err := p.page(r, filter, before)
		if err != nil {
			return err
		}
		view.Rows, before = append(view.Rows, rows...), last
		if last == "" || len(view.Rows) >= auditPage/2 {
			break
		}
	}
	if before != "" {
		view.Older = r.site.URL("activity") + "?" + filter.query(before)
	}
	return respond.HTML(c, http.StatusOK, views.Page(view))
}

// page reads one page of entries older than before, and returns those that
// match, and the id of the last one when there may be more.
func (p *auditPages) page(r *request, filter auditFilter, before string) ([]views.Row, string, error) {
	entries, err := p.audit.List(r.ctx, models.AuditFilter{
		Action: models.AuditAction(filter.action), Before: before, Limit: auditPage,
	})
	if err != nil || len(entries) == 0 {
		return nil, "", err
	}
	var people []string
	for _, e := range entries {
		people = append(people, e.Actor, e.Requester)
	}
	names, err := p.names(r.ctx, r.scope.Tenant, people)
	if err != nil {
		return nil, "", err
	}
	var rows []views.Row
	for _, e := range entries {
		row := p.row(r.site, e, names)
		if filter.matches(row) {
			rows = append(rows, row)
		}
	}
	if len(entries) < auditPage {
		return rows, "", nil
	}
	return rows, entries[len(entries)-1].ID, nil
}

func (p *auditPages) row(site ui.Site, e models.AuditEntry, names func(string) string) views.Row {
	row := views.Row{
		At: e.At.Time(), Asked: names(e.Requester), Decided: decidedBy(e, names), What: "Run " + e.Method,
		Tool: toolOf(e.Slug, e.Method), Line: e.Reason, Outcome: actionMark(e), Hash: hex.EncodeToString(e.ArgumentsHash),
	}
	if d, ok := p.registry.Find(e.Slug, e.Method); ok && d.Verb != "" {
		row.What = d.Verb
	}
	if e.ApprovalID != "" {
		row.Href = site.URL("approvals", e.ApprovalID)
	}
	return row
}

// decidedBy says who decided, as far as the entry tells.
func decidedBy(e models.AuditEntry, names func(string) string) string {
	switch e.Action {
	case models.AuditRequested:
		return "not yet"
	case models.AuditExpired:
		return "nobody in time"
	case models.AuditRefused:
		return "the Studio"
	default:
		return names(e.Actor)
	}
}

func actionMark(e models.AuditEntry) ui.Mark {
	switch e.Action {
	case models.AuditRequested:
		return ui.Mark{Text: "Asked for", Tone: ui.Accent}
	case models.AuditApproved:
		return ui.Mark{Text: "Approved", Tone: ui.OK}
	case models.AuditDenied:
		return ui.Mark{Text: "Denied", Tone: ui.Danger}
	case models.AuditExpired:
		return ui.Mark{Text: "Expired"}
	case models.AuditCancelled:
		return ui.Mark{Text: "Cancelled"}
	case models.AuditStale:
		return ui.Mark{Text: "Out of date", Tone: ui.Warn}
	case models.AuditRefused:
		return ui.Mark{Text: "Refused", Tone: ui.Danger}
	}
	switch models.Outcome(e.Outcome) {
	case models.OutcomeSucceeded:
		return ui.Mark{Text: "Ran once", Tone: ui.OK}
	case models.OutcomeFailed:
		return ui.Mark{Text: "Failed", Tone: ui.Danger}
	default:
		return ui.Mark{Text: "Outcome unknown", Tone: ui.Warn}
	}
}

func actionOptions(selected string) []ui.Option {
	options := []ui.Option{
		{Value: "", Label: "Any outcome"},
		{Value: string(models.AuditRequested), Label: "Asked for"},
		{Value: string(models.AuditApproved), Label: "Approved"},
		{Value: string(models.AuditDenied), Label: "Denied"},
		{Value: string(models.AuditRan), Label: "Ran"},
		{Value: string(models.AuditRefused), Label: "Refused"},
		{Value: string(models.AuditExpired), Label: "Expired"},
		{Value: string(models.AuditCancelled), Label: "Cancelled"},
		{Value: string(models.AuditStale), Label: "Out of date"},
	}
	for i := range options {
		options[i].Selected = options[i].Value == selected
	}
	return options
}

// matches reports whether an entry's people and tool contain what is asked for,
// in any case.
func (f auditFilter) matches(row views.Row) bool {
	return contains(row.Asked+"\n"+row.Decided, f.who) && contains(row.Tool+"\n"+row.What, f.tool)
}

func contains(text, part string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(strings.TrimSpace(part)))
}

func (f auditFilter) query(before string) string {
	values := url.Values{"before": {before}}
	for name, value := range map[string]string{"who": f.who, "tool": f.tool, "outcome": f.action} {
		if value != "" {
			values.Set(name, value)
		}
	}
	return values.Encode()
}
