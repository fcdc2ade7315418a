package pages

import (
	"context"
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/policy"
	"github.com/agentstudio/agentstudio/studio/agents"
	"github.com/agentstudio/agentstudio/studio/engine"
	"github.com/agentstudio/agentstudio/studio/session"
	"github.com/agentstudio/agentstudio/tenancy"
	"github.com/agentstudio/agentstudio/views/chat"
	"github.com/agentstudio/agentstudio/web/respond"
)

const (
	maxSessions = 50  // conversations in the list beside one
	batch       = 200 // events read at once
)

// chatPages are the test chat of an agent, and its live log.
type chatPages struct {
	*frame
	agents   *agents.Service
	sessions *session.Service
	engine   *engine.Engine
	registry *hosttools.Registry
	resolver tenancy.Resolver
}

func (p *chatPages) routes(g *echo.Group) {
	get(g, "/agents/:agent/chat", p.show)
	get(g, "/agents/:agent/chat/:session", p.show)
	g.POST("/agents/:agent/sessions", p.create)
	g.POST("/sessions/:session/messages", p.send)
	g.POST("/sessions/:session/stop", p.stop)
	g.GET("/sessions/:session/events", p.stream)
}

// show is a conversation, or the invitation to start one.
func (p *chatPages) show(c echo.Context) error {
	r, err := p.open(c)
	if err != nil {
		return err
	}
	item, err := p.agents.Get(r.ctx, c.Param("agent"))
	if err != nil {
		return err
	}
	view := chat.View{Shell: r.shell, Agent: agentView(r, item), After: -1}
	if view.Sessions, err = p.list(r, item.Agent.ID); err != nil {
		return err
	}
	if id := c.Param("session"); id != "" {
		if err := p.fill(r, item, id, &view); err != nil {
			return err
		}
	}
	return respond.HTML(c, http.StatusOK, chat.Page(view))
}

// list returns the caller's conversations with an agent.
func (p *chatPages) list(r *request, agentID string) ([]chat.Session, error) {
	found, err := p.sessions.List(r.ctx, agentID, maxSessions)
	if err != nil {
		return nil, err
	}
	pending, err := p.waiting(r)
	if err != nil {
		return nil, err
	}
	waiting := map[string]bool{}
	for _, a := range pending {
		waiting[a.SessionID] = true
	}
	var list []chat.Session
	for _, s := range found {
		list = append(list, chat.Session{ID: s.ID, Title: s.Title, Updated: s.UpdatedAt.Time(), Waiting: waiting[s.ID]})
	}
	return list, nil
}

// fill adds the log of one conversation to the page.
func (p *chatPages) fill(r *request, item agents.Item, id string, view *chat.View) error {
	conversation, err := p.sessions.Get(r.ctx, id)
	if err != nil {
		return err
	}
	if conversation.AgentID != item.Agent.ID {
		return models.NotFound()
	}
	log := p.transcript(r)
	var items []chat.Item
	for {
		events, err := p.sessions.Events(r.ctx, id, view.After+1, batch)
		if err != nil {
			return err
		}
		added, err := log.add(r.ctx, events)
		if err != nil {
			return err
		}
		items = append(items, added...)
		if len(events) > 0 {
			view.After = events[len(events)-1].Offset
		}
		if len(events) < batch {
			break
		}
	}
	view.Session, view.Items = id, chat.Fold(items)
	view.State = log.stateLine(stopURL(r, id))
	view.Composer = chat.Composer{SendURL: sendURL(r, id), Waiting: len(log.pending) > 0}
	return nil
}

func (p *chatPages) transcript(r *request) *transcript {
	return &transcript{
		site: r.site, registry: p.registry, logger: p.logger, tools: map[string]string{},
		people: func(ctx context.Context, ids []string) (func(string) string, error) {
			return p.names(ctx, r.scope.Tenant, ids)
		},
	}
}

func sendURL(r *request, id string) string { return r.site.URL("sessions", id, "messages") }

func stopURL(r *request, id string) string { return r.site.URL("sessions", id, "stop") }

// create starts a conversation with an agent that the caller sees.
func (p *chatPages) create(c echo.Context) error {
	r, err := p.begin(c)
	if err != nil {
		return err
	}
	item, err := p.agents.Get(r.ctx, c.Param("agent"))
	if err != nil {
		return err
	}
	if err := p.allow(r.scope, policy.SessionsChat); err != nil {
		return err
	}
	created, err := p.sessions.Create(r.ctx, item.Agent.ID)
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, r.site.URL("agents", item.Agent.Name, "chat", created.ID))
}

// send adds a message. The log shows it; the script gets an empty composer.
func (p *chatPages) send(c echo.Context) error {
	r, err := p.begin(c)
	if err != nil {
		return err
	}
	if err := p.allow(r.scope, policy.SessionsChat); err != nil {
		return err
	}
	id := c.Param("session")
	if _, err := p.sessions.Get(r.ctx, id); err != nil {
		return err // before anything that was sent is looked at
	}
	form, err := formOf(c)
	if err != nil {
		return err
	}
	said := text(form, "text")
	_, err = p.engine.Send(r.ctx, id, said)
	composer := chat.Composer{SendURL: sendURL(r, id)}
	switch {
	case err == nil && !fromScript(c):
		return p.backToChat(c, r, id)
	case models.CodeOf(err) == models.CodeValidation && fromScript(c):
		refusal, _ := errors.AsType[*models.Error](err)
		composer.Text, composer.Error = said, refusal.Message
		return respond.HTML(c, http.StatusUnprocessableEntity, chat.ComposerForm(composer))
	case err != nil:
		return err
	}
	return respond.HTML(c, http.StatusOK, chat.ComposerForm(composer))
}

// stop ends the open turn; what was burned runs to its end.
func (p *chatPages) stop(c echo.Context) error {
	r, err := p.begin(c)
	if err != nil {
		return err
	}
	id := c.Param("session")
	if err := p.engine.Stop(r.ctx, id); err != nil {
		return err
	}
	if !fromScript(c) {
		return p.backToChat(c, r, id)
	}
	return respond.HTML(c, http.StatusOK, chat.StateLine(chat.State{StopURL: stopURL(r, id)}))
}

// backToChat leads to the page of a conversation, whose address names its agent.
func (p *chatPages) backToChat(c echo.Context, r *request, id string) error {
	conversation, err := p.sessions.Get(r.ctx, id)
	if err != nil {
		return err
	}
	items, err := p.agents.List(r.ctx)
	if err != nil {
		return err
	}
	for _, item := range items {
		if item.Agent.ID == conversation.AgentID {
			return c.Redirect(http.StatusSeeOther, r.site.URL("agents", item.Agent.Name, "chat", id))
		}
	}
	return c.Redirect(http.StatusSeeOther, r.site.URL("agents"))
}
