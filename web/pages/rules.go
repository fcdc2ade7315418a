package pages

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/labstack/echo/v4"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/agents"
	views "github.com/agentstudio/agentstudio/views/agents"
	"github.com/agentstudio/agentstudio/views/ui"
	"github.com/agentstudio/agentstudio/web/respond"
)

// maxRuleTitle is the length of a title that is taken from a condition.
const maxRuleTitle = 80

// rules lists the rules. The query opens the form: ?new= with a kind, or ?edit=
// with a rule's id.
func (p *agentPages) rules(c echo.Context) error {
	r, item, err := p.opened(c)
	if err != nil {
		return err
	}
	form, err := p.askedForm(c, item)
	if err != nil {
		return err
	}
	return p.showRules(c, r, item, http.StatusOK, form)
}

func (p *agentPages) askedForm(c echo.Context, item agents.Item) (*views.RuleForm, error) {
	if id := c.QueryParam("edit"); id != "" {
		rule, ok := ruleOf(item, id)
		if !ok {
			return nil, models.NotFound()
		}
		return p.ruleForm(item, rule), nil
	}
	switch kind := models.RuleKind(c.QueryParam("new")); kind {
	case models.RulePolicy, models.RuleObservation:
		return p.ruleForm(item, models.Rule{Kind: kind, Weight: models.WeightMedium}), nil
	}
	return nil, nil //nolint:nilnil // No form was asked for.
}

func ruleOf(item agents.Item, id string) (models.Rule, bool) {
	at := slices.IndexFunc(item.Live.Definition.Rules, func(rule models.Rule) bool { return rule.ID == id })
	if at < 0 {
		return models.Rule{}, false
	}
	return item.Live.Definition.Rules[at], true
}

func (p *agentPages) showRules(c echo.Context, r *request, item agents.Item, status int, form *views.RuleForm) error {
	view := views.RulesView{Shell: r.shell, Agent: agentView(r, item), Form: form}
	for _, rule := range item.Live.Definition.Rules {
		shown := ruleView(rule, p.ruleProblem(item, rule))
		if rule.Kind == models.RulePolicy {
			view.Policies = append(view.Policies, shown)
		} else {
			view.Observations = append(view.Observations, shown)
		}
	}
	return respond.HTML(c, status, views.RulesPage(view))
}

// ruleView returns a rule as its line in the list. A rule with neither a
// condition nor tools applies always, as the matcher has it.
func ruleView(rule models.Rule, problem string) views.Rule {
	shown := views.Rule{
		ID: rule.ID, Title: rule.Title, Content: rule.Content, Condition: rule.Condition, Tools: rule.Tools,
		Weight: string(rule.Weight), Review: rule.TriggerToolReview, Problem: problem,
		Always: rule.Always || rule.Condition == "" && len(rule.Tools) == 0,
	}
	if rule.Condition == "" && !shown.Always {
		shown.Condition = "one of its tools could help"
	}
	if rule.Kind == models.RuleObservation && rule.Title == titleFrom(rule.Condition) {
		shown.Title = ""
	}
	return shown
}

func (p *agentPages) ruleProblem(item agents.Item, rule models.Rule) string {
	for _, tool := range rule.Tools {
		d, ok := p.registry.Lookup(tool)
		switch {
		case !ok:
			return tool + " does not exist any more"
		case !slices.Contains(item.Live.Definition.Toolkits, d.Slug):
			return tool + " is not assigned"
		}
	}
	return ""
}

// ruleForm returns the form of a rule, with the tools that the agent has.
func (p *agentPages) ruleForm(item agents.Item, rule models.Rule) *views.RuleForm {
	form := &views.RuleForm{
		ID: rule.ID, Kind: views.Kind(rule.Kind), Title: rule.Title, Content: rule.Content, Condition: rule.Condition,
		Weight: string(rule.Weight), Review: rule.TriggerToolReview, Always: rule.Always,
	}
	for _, slug := range item.Live.Definition.Toolkits {
		group, _ := p.registry.Group(slug)
		for _, method := range group.Methods {
			form.Tools = append(form.Tools, ui.Option{
				Value: method.Name, Label: method.Name, Selected: slices.Contains(rule.Tools, method.Name),
			})
		}
	}
	return form
}

func (p *agentPages) saveRule(c echo.Context) error {
	r, item, err := p.managed(c)
	if err != nil {
		return err
	}
	var before models.Rule
	if id := c.Param("rule"); id != "" {
		found, ok := ruleOf(item, id)
		if !ok {
			return models.NotFound()
		}
		before = found
	}
	form, err := formOf(c)
	if err != nil {
		return err
	}
	expected, err := expectedVersion(form)
	if err != nil {
		return err
	}
	rule := readRule(form, before)
	_, err = p.agents.SaveRule(r.ctx, item.Agent.Name, expected, rule)
	if why, again := invalidOf(err); again {
		return p.ruleAgain(c, rule, why)
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, r.site.URL("agents", item.Agent.Name, "rules"))
}

func (p *agentPages) ruleAgain(c echo.Context, rule models.Rule, why invalid) error {
	r, item, err := p.opened(c)
	if err != nil {
		return err
	}
	form := p.ruleForm(item, rule)
	form.Errors = noted(r, why, ruleField)
	return p.showRules(c, r, item, why.status, form)
}

// readRule returns the rule that a form describes. A rule keeps its kind, and
// an observation, which has no title in the form, the title it had; a new one
// is called after its condition.
func readRule(form url.Values, before models.Rule) models.Rule {
	rule := models.Rule{
		ID: before.ID, Kind: before.Kind, Toolkit: before.Toolkit, Title: text(form, "title"), Content: text(form, "content"),
		Condition: text(form, "condition"), Always: form.Get("always") == "true", Tools: form["tools"],
		Weight: models.Weight(form.Get("weight")), TriggerToolReview: form.Get("review") == "true",
	}
	if rule.ID == "" {
		rule.Kind = models.RuleKind(form.Get("kind"))
	}
	if rule.Kind == models.RuleObservation {
		rule.Title, rule.Content = before.Title, before.Content
		if before.Title == "" || before.Title == titleFrom(before.Condition) {
			rule.Title = titleFrom(rule.Condition)
		}
	}
	return rule
}

// titleFrom names an observation by its condition, in one line. Characters that
// join others are for the condition only: titles may have none.
func titleFrom(condition string) string {
	seen := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, condition)
	title := strings.Join(strings.Fields(seen), " ")
	if title == "" {
		return "Always"
	}
	return cut(title, maxRuleTitle)
}

// ruleField returns the form's name of a rule's field.
func ruleField(field string) string {
	switch name := strings.TrimPrefix(field, "rule."); name {
	case "title", "content", "condition", "tools", "weight":
		return name
	}
	return ""
}

func (p *agentPages) deleteRule(c echo.Context) error {
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
	_, err = p.agents.DeleteRule(r.ctx, item.Agent.Name, expected, c.Param("rule"))
	if why, again := invalidOf(err); again {
		return p.notDone(c, "rules", why)
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, r.site.URL("agents", item.Agent.Name, "rules"))
}

// notDone shows a tab again with why a button did nothing.
func (p *agentPages) notDone(c echo.Context, tab string, why invalid) error {
	r, item, err := p.opened(c)
	if err != nil {
		return err
	}
	r.shell.Notices = append(r.shell.Notices, ui.Notice{Tone: ui.Danger, Title: "Nothing was changed.", Text: why.words})
	if tab == "rules" {
		return p.showRules(c, r, item, why.status, nil)
	}
	return p.showToolkits(c, r, why.status)
}
