package pages

import (
	"context"
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/approval"
	views "github.com/agentstudio/agentstudio/views/approvals"
	"github.com/agentstudio/agentstudio/web/respond"
)

// maxSettled is how many settled approvals the list shows.
const maxSettled = 100

// approvalPages are the inbox, one card, and the two decisions.
type approvalPages struct {
	*frame
	cards *cards
}

func (p *approvalPages) routes(g *echo.Group) {
	get(g, "", p.list)
	get(g, "/:approval", p.single)
	get(g, "/:approval/card", p.card)
	g.POST("/:approval/approve", p.decide(p.approvals.Approve))
	g.POST("/:approval/deny", p.decide(p.approvals.Deny))
}

func settledStates() []models.ApprovalState {
	return []models.ApprovalState{
		models.ApprovalApproved, models.ApprovalConsumed, models.ApprovalDenied,
		models.ApprovalExpired, models.ApprovalCancelled, models.ApprovalStale,
	}
}

func (p *approvalPages) list(c echo.Context) error {
	r, err := p.open(c)
	if err != nil {
		return err
	}
	settled := c.QueryParam("state") == "settled"
	shown, more, err := p.inbox(r, settled)
	if err != nil {
		return err
	}
	rows, err := p.cards.rows(r, shown)
	if err != nil {
		return err
	}
	return respond.HTML(c, http.StatusOK, views.ListPage(views.List{
		Shell: r.shell, Settled: settled, Waiting: r.shell.Waiting, Rows: rows, More: more,
	}))
}

// inbox returns what one of the two tabs shows: what expires next first, or what
// was settled last first. more says in words that there is more.
func (p *approvalPages) inbox(r *request, settled bool) (shown []models.Approval, more string, err error) {
	if !settled {
		shown, err = p.waiting(r)
		if len(shown) == maxWaiting && r.shell.Waiting > maxWaiting {
			more = "More calls wait than the newest " + counted(maxWaiting, "call") + " listed here. Decide on these, then load the page again."
		}
		return shown, more, err
	}
	shown, err = p.approvals.List(r.ctx, settledStates(), maxSettled)
	if len(shown) == maxSettled {
		more = "Only the newest " + counted(maxSettled, "call") + " are listed here. Activity has the record of all."
	}
	return shown, more, err
}

func (p *approvalPages) single(c echo.Context) error {
	r, err := p.open(c)
	if err != nil {
		return err
	}
	a, err := p.approvals.Get(r.ctx, c.Param("approval"))
	if err != nil {
		return err
	}
	card, err := p.cards.card(r, a)
	if err != nil {
		return err
	}
	return respond.HTML(c, http.StatusOK, views.SinglePage(views.Single{Shell: r.shell, Card: card}))
}

func (p *approvalPages) card(c echo.Context) error {
	r, err := p.begin(c)
	if err != nil {
		return err
	}
	a, err := p.approvals.Get(r.ctx, c.Param("approval"))
	if err != nil {
		return err
	}
	card, err := p.cards.card(r, a)
	if err != nil {
		return err
	}
	return respond.HTML(c, http.StatusOK, views.CardView(card))
}

// decide returns the handler of a decision. Without the script, an accepted
// decision leads back to the card; a refused one shows it again with the reason.
func (p *approvalPages) decide(how func(context.Context, approval.Decision) (models.Approval, error)) echo.HandlerFunc {
	return func(c echo.Context) error {
		r, err := p.begin(c)
		if err != nil {
			return err
		}
		form, err := formOf(c)
		if err != nil {
			return err
		}
		id := c.Param("approval")
		a, err := how(r.ctx, approval.Decision{
			ID: id, Nonce: form.Get("nonce"), Hash: form.Get("hash"), Reason: form.Get("reason"),
		})
		if err != nil {
			return p.refused(c, id, err)
		}
		if !fromScript(c) {
			return c.Redirect(http.StatusSeeOther, r.site.URL("approvals", id))
		}
		card, err := p.cards.card(r, a)
		if err != nil {
			return err
		}
		return respond.HTML(c, http.StatusOK, views.CardView(card))
	}
}

// refused shows the card as it is now, with why the decision did not count.
// Other errors are for the error page.
func (p *approvalPages) refused(c echo.Context, id string, cause error) error {
	refusal, ok := errors.AsType[*models.Error](cause)
	if !ok || !aboutCard(refusal.Code) {
		return cause
	}
	r, err := p.open(c)
	if err != nil {
		return err
	}
	a, err := p.approvals.Get(r.ctx, id)
	if err != nil {
		return err
	}
	card, err := p.cards.card(r, a)
	if err != nil {
		return err
	}
	card.Error = refusal.Message
	status := respond.Status(refusal.Code, respond.Write)
	if fromScript(c) {
		return respond.HTML(c, status, views.CardView(card))
	}
	return respond.HTML(c, status, views.SinglePage(views.Single{Shell: r.shell, Card: card}))
}

// aboutCard reports whether an error says why a decision did not count.
func aboutCard(code models.Code) bool {
	switch code {
	case models.CodeCardChanged, models.CodeApprovalExpired, models.CodeApprovalStale, models.CodeApprovalDecided,
		models.CodeApprovalConsumed, models.CodeApprovalPending, models.CodeDecisionDenied:
		return true
	}
	return false
}
