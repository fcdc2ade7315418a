package pages

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/agentstudio/agentstudio/models"
	views "github.com/agentstudio/agentstudio/views/agents"
	"github.com/agentstudio/agentstudio/views/ui"
	"github.com/agentstudio/agentstudio/web/respond"
)

// choices shows what a toolkit offers for one of its parameters: beside the
// field for the script, as a page otherwise. They come from what is saved, and
// only who may change the agent may ask.
func (p *agentPages) choices(c echo.Context) error {
	r, err := p.begin(c)
	if err != nil {
		return err
	}
	ctx, err := p.agents.ForOptions(r.ctx, c.Param("agent"), c.Param("slug"))
	if err != nil {
		return err
	}
	slug, name := c.Param("slug"), c.Param("param")
	shown := p.choicesFor(slug, name)
	status := http.StatusOK
	options, err := p.runner.Options(ctx, slug, name)
	if err != nil {
		if shown.Error, status = whyNoChoices(err); shown.Error == "" {
			return err
		}
	}
	for _, option := range options {
		label := option.Label
		if label == "" {
			label = option.Value
		}
		shown.Options = append(shown.Options, ui.Option{Value: option.Value, Label: label})
	}
	if fromScript(c) {
		return respond.HTML(c, status, views.ChoicesFragment(shown))
	}
	return p.choicesPage(c, status, shown)
}

// choicesFor returns the choices for a parameter, still without any.
func (p *agentPages) choicesFor(slug, name string) views.Choices {
	shown := views.Choices{Label: labelOf(nil, name)}
	config := p.configOf(slug)
	if config == nil {
		return shown
	}
	for i, param := range config.Params {
		if param.Name == name {
			s := config.Schema.Properties[name]
			shown.ID, shown.Label, shown.Lines = controlID(false, i), labelOf(s, name), writtenAs(s) == asLines
		}
	}
	return shown
}

func (p *agentPages) choicesPage(c echo.Context, status int, shown views.Choices) error {
	r, item, err := p.opened(c)
	if err != nil {
		return err
	}
	group, _ := p.registry.Group(c.Param("slug"))
	return respond.HTML(c, status, views.ChoicesPage(views.ChoicesView{
		Shell: r.shell, Agent: agentView(r, item), Toolkit: views.Toolkit{Slug: group.Slug, Name: group.Title}, Choices: shown,
	}))
}

// whyNoChoices returns what people can do something about, "" for other errors.
func whyNoChoices(err error) (string, int) {
	ours, ok := errors.AsType[*models.Error](err)
	if !ok {
		return "", 0
	}
	switch ours.Code {
	case models.CodeNotConfigured, models.CodeOptionsFailed, models.CodeInstantiationFailed, models.CodeVaultUnavailable,
		models.CodeToolScopeUnavailable, models.CodeToolingNotPermitted:
		return ours.Message, respond.Status(ours.Code, respond.Execute)
	}
	return "", 0
}
