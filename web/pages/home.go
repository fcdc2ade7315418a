package pages

import (
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/agents"
	"github.com/agentstudio/agentstudio/studio/session"
	"github.com/agentstudio/agentstudio/views/approvals"
	views "github.com/agentstudio/agentstudio/views/home"
	"github.com/agentstudio/agentstudio/views/ui"
	"github.com/agentstudio/agentstudio/web/respond"
)

const (
	maxNeeds  = 5   // approvals that Home lists; the inbox has all
	maxRecent = 500 // approvals that the plots of a day count
)

// homePages is the first page after sign-in.
type homePages struct {
	*frame
	cards    *cards
	agents   *agents.Service
	sessions *session.Service
}

func (p *homePages) show(c echo.Context) error {
	r, err := p.open(c)
	if err != nil {
		return err
	}
	recent, err := p.approvals.List(r.ctx, append(settledStates(), models.ApprovalPending), maxRecent)
	if err != nil {
		return err
	}
	pending, err := p.waiting(r)
	if err != nil {
		return err
	}
	waiting, err := p.cards.rows(r, pending[:min(len(pending), maxNeeds)])
	if err != nil {
		return err
	}
	steps, err := p.steps(r, recent)
	if err != nil {
		return err
	}
	today := since(recent, time.Now().UTC().Truncate(24*time.Hour))
	return respond.HTML(c, http.StatusOK, views.Page(views.View{
		Shell: r.shell, Needs: needs(r.site, waiting), Calls: callsPlot(today), Waiting: hoursPlot(today), Steps: steps,
	}))
}

func needs(site ui.Site, rows []approvals.Row) []views.Need {
	var list []views.Need
	for _, row := range rows {
		detail := row.Person + " asked directly"
		if row.Agent != "" {
			detail = row.Agent + " asks for " + row.Person
		}
		list = append(list, views.Need{
			Tone: ui.Warn, Kind: "Approval", Title: row.Verb, Detail: detail + ": " + row.Line, Since: row.Requested,
			Action: ui.Link{Text: "Review", Href: site.URL("approvals", row.ID)},
		})
	}
	return list
}

// since returns the approvals that were asked for from a moment on.
func since(list []models.Approval, from time.Time) []models.Approval {
	return slices.DeleteFunc(slices.Clone(list), func(a models.Approval) bool { return a.IssuedAt.Time().Before(from) })
}

// callsPlot counts what became of a day's writes.
func callsPlot(today []models.Approval) ui.Plot {
	count := map[approvals.State]int{}
	ended := map[models.Outcome]int{}
	for _, a := range today {
		count[stateOf(a)]++
		ended[a.Outcome]++
	}
	plot := ui.Plot{ID: "calls-today", Title: "Writes by what became of them", Unit: "calls", Points: []ui.Point{
		{Label: "Ran once", Value: ended[models.OutcomeSucceeded], Tone: ui.OK},
		{Label: "Failed", Value: ended[models.OutcomeFailed], Tone: ui.Danger},
		{Label: "Unknown", Value: ended[models.OutcomeUnknown], Tone: ui.Warn},
		{Label: "Denied", Value: count[approvals.Denied], Tone: ui.Danger},
		{Label: "Lapsed", Value: count[approvals.Expired] + count[approvals.Cancelled] + count[approvals.Stale]},
		{Label: "Open", Value: count[approvals.Pending] + count[approvals.Granted] + count[approvals.Approved], Tone: ui.Accent},
	}}
	plot.Summary = counted(len(today), "write") + " asked for today (UTC), " +
		strconv.Itoa(ended[models.OutcomeSucceeded]) + " ran and succeeded."
	return plot
}

// hoursPlot counts a day's requests for approval by the hour, in UTC.
func hoursPlot(today []models.Approval) ui.Plot {
	const step = 3 // hours in one column
	points := make([]ui.Point, 24/step)
	for i := range points {
		points[i].Label = strconv.Itoa(i * step)
	}
	for _, a := range today {
		points[a.IssuedAt.Time().Hour()/step].Value++
	}
	return ui.Plot{
		ID: "asked-today", Title: "Approvals asked for, by hour", Unit: "approvals", Points: points,
		Summary: counted(len(today), "approval") + " asked for today; hours are in UTC.",
	}
}
