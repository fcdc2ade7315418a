package pages

import (
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/agents"
	views "github.com/agentstudio/agentstudio/views/agents"
	"github.com/agentstudio/agentstudio/views/ui"
	"github.com/agentstudio/agentstudio/web/respond"
)

// blank is the page on which an agent is made.
func (p *agentPages) blank(c echo.Context) error {
	r, err := p.open(c)
	if err != nil {
		return err
	}
	if !p.mayAuthor(r.scope) {
		return models.Errorf(models.CodeAuthoringDenied, "You may not build agents here. Ask an admin for the right to author.")
	}
	return respond.HTML(c, http.StatusOK, views.NewPage(views.NewView{Shell: r.shell, Form: p.form(models.Definition{})}))
}

// create makes an agent; its name in addresses follows from its title, with a
// number where that is taken.
func (p *agentPages) create(c echo.Context) error {
	r, err := p.begin(c)
	if err != nil {
		return err
	}
	if !p.mayAuthor(r.scope) {
		return models.Errorf(models.CodeAuthoringDenied, "You may not build agents here. Ask an admin for the right to author.")
	}
	form, err := formOf(c)
	if err != nil {
		return err
	}
	var d models.Definition
	readOwnFields(form, &d)
	agent, err := firstFree(slug(d.Title), func(name string) (models.Agent, error) {
		return p.agents.Create(r.ctx, agents.NewAgent{Name: name, Definition: d})
	})
	if why, again := invalidOf(err); again {
		if r, err = p.open(c); err != nil {
			return err
		}
		again := p.form(d)
		again.Errors = noted(r, why, ownField)
		return respond.HTML(c, why.status, views.NewPage(views.NewView{Shell: r.shell, Form: again}))
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, r.site.URL("agents", agent.Name, "tools"))
}

func (p *agentPages) instructions(c echo.Context) error {
	r, item, err := p.opened(c)
	if err != nil {
		return err
	}
	return p.showInstructions(c, r, item, http.StatusOK, p.form(item.Live.Definition))
}

func (p *agentPages) showInstructions(c echo.Context, r *request, item agents.Item, status int, form views.Form) error {
	return respond.HTML(c, status, views.InstructionsPage(views.InstructionsView{
		Shell: r.shell, Agent: agentView(r, item), Form: form,
	}))
}

func (p *agentPages) saveInstructions(c echo.Context) error {
	r, item, err := p.managed(c)
	if err != nil {
		return err
	}
	form, err := formOf(c)
	if err != nil {
		return err
	}
	expected, err := expectedVersion(form)
	if err != nil {
		return err
	}
	_, err = p.agents.Edit(r.ctx, item.Agent.Name, expected, "Changed the instructions", func(d *models.Definition) error {
		readOwnFields(form, d)
		return nil
	})
	if why, again := invalidOf(err); again {
		return p.instructionsAgain(c, form, why)
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, r.site.URL("agents", item.Agent.Name, "instructions"))
}

// instructionsAgain shows the form with what the person typed, and why it was
// not saved. It is based on the version that is live now.
func (p *agentPages) instructionsAgain(c echo.Context, sent url.Values, why invalid) error {
	r, item, err := p.opened(c)
	if err != nil {
		return err
	}
	typed := item.Live.Definition
	readOwnFields(sent, &typed)
	form := p.form(typed)
	form.Errors = noted(r, why, ownField)
	return p.showInstructions(c, r, item, why.status, form)
}

// readOwnFields puts the fields of the agent's own form into a definition. The
// form calls the title a name, as people do.
func readOwnFields(form url.Values, d *models.Definition) {
	d.Title, d.Description, d.Instructions = text(form, "name"), text(form, "description"), text(form, "instructions")
	d.Model, d.Effort = form.Get("model"), models.Effort(form.Get("effort"))
	d.ToolReview = form.Get("review") == "true"
}

// form returns an agent's own form, filled in from a definition.
func (p *agentPages) form(d models.Definition) views.Form {
	form := views.Form{
		Name: d.Title, Description: d.Description, Instructions: d.Instructions, Review: d.ToolReview,
	}
	for i, model := range p.models {
		chosen := d.Model == model || d.Model == "" && i == 0
		form.Models = append(form.Models, ui.Option{Value: model, Label: model, Selected: chosen})
	}
	for _, effort := range models.Efforts() {
		chosen := d.Effort == effort || d.Effort == "" && effort == models.EffortMedium
		form.Efforts = append(form.Efforts, ui.Option{Value: string(effort), Label: effortInWords(effort), Selected: chosen})
	}
	return form
}

func effortInWords(effort models.Effort) string {
	switch effort {
	case models.EffortMin:
		return "Least: no review, no restarts"
	case models.EffortLow:
		return "Low"
	case models.EffortMedium:
		return "Medium"
	case models.EffortHigh:
		return "High"
	default:
		return "Most"
	}
}

// ownField returns the form's name of a definition's field, and "" for those
// that the form does not have.
func ownField(field string) string {
	switch field {
	case "title", "name":
		return "name"
	case "description", "instructions", "model", "effort":
		return field
	}
	return ""
}

// noted returns the errors of a form's fields. What is about none of them
// becomes a notice above the page.
func noted(r *request, why invalid, fieldOf func(string) string) map[string]string {
	if field := fieldOf(why.field); field != "" {
		return map[string]string{field: why.words}
	}
	r.shell.Notices = append(r.shell.Notices, ui.Notice{Tone: ui.Danger, Title: "Not saved.", Text: why.words})
	return nil
}
