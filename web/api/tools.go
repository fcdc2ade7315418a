package api

import (
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/toolexec"
	"github.com/agentstudio/agentstudio/web/respond"
)

// tokenHeader carries the token that redeems an approval.
const tokenHeader = "X-Approval-Token"

// prepare sends what the caller wants through the first half of the door. The
// permission comes before the body, and the body before the tool's name.
func (a *API) prepare(c echo.Context, withToken bool) (*toolexec.Prepared, error) {
	ctx := c.Request().Context()
	if err := a.c.Door.Admit(ctx, toolexec.ChannelREST); err != nil {
		return nil, err
	}
	args, err := readArguments(c)
	if err != nil {
		return nil, err
	}
	slug, method := callable(c.Param("slug"))
	return a.c.Door.Prepare(ctx, toolexec.Request{
		Slug: slug, Method: method, Arguments: &args, Channel: toolexec.ChannelREST, HasToken: withToken,
	})
}

// callable reads what a path names: a tool, or a toolkit, a dot and one of its
// methods. A dot with nothing behind it stays with the slug, which names nothing.
func callable(name string) (slug, method string) {
	if slug, method, _ = strings.Cut(name, "."); method == "" {
		return name, ""
	}
	return slug, method
}

// execute runs a tool: a read at once, a write only with the token of an
// approval of exactly this call.
func (a *API) execute(c echo.Context) error {
	token := c.Request().Header.Get(tokenHeader)
	call, err := a.prepare(c, token != "")
	if err != nil {
		return err
	}
	envelope, err := a.run(c, call, token)
	if err != nil {
		return err
	}
	if reason, ok := envelope.RefusedByScope(); ok {
		return models.Errorf(models.CodeToolScopeUnavailable, "%s", envelope.Message).Reason(string(reason))
	}
	body, err := envelope.Encode()
	if err != nil {
		return err
	}
	return respond.Blob(c, http.StatusOK, body)
}

func (a *API) run(c echo.Context, call *toolexec.Prepared, token string) (toolexec.Envelope, error) {
	ctx := c.Request().Context()
	if !call.Write() {
		return a.c.Runner.Read(ctx, call)
	}
	approved, err := a.c.Approvals.Redeemable(ctx, call, token)
	if err != nil {
		return toolexec.Envelope{}, err
	}
	envelope, err := a.c.Runner.Approved(ctx, approved)
	if errors.Is(err, toolexec.ErrRunning) {
		err = models.Errorf(models.CodeApprovalConsumed, "This call is running already. It runs only once.")
	}
	return envelope, err
}

// request asks for a person's approval of a call. The token in the answer is
// inert until then.
func (a *API) request(c echo.Context) error {
	call, err := a.prepare(c, true)
	if err != nil {
		return err
	}
	if !call.Write() {
		return models.Errorf(models.CodeInvalidRequest, "%s changes nothing, so it needs no approval. Execute it.", call.Tool.Name)
	}
	p, err := call.Scope.Partition()
	if err != nil {
		return err
	}
	asked, token, err := a.c.Approvals.AskWithToken(c.Request().Context(), call)
	if err != nil {
		return err
	}
	return respond.JSON(c, http.StatusAccepted, map[string]any{
		"id": asked.ID, "token": token, "state": asked.State, "expires_at": asked.ExpiresAt.Time(),
		"url": a.c.Place.Link("t", p.Segment(), "approvals", asked.ID),
	})
}
