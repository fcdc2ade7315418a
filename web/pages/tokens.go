package pages

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/policy"
	"github.com/agentstudio/agentstudio/studio/identity"
	"github.com/agentstudio/agentstudio/views/layout"
	"github.com/agentstudio/agentstudio/views/people"
	"github.com/agentstudio/agentstudio/views/ui"
	"github.com/agentstudio/agentstudio/web/respond"
)

const (
	day         = 24 * time.Hour
	defaultDays = "30"
)

// tokenPages are where people make and revoke API tokens, and admins service
// accounts.
type tokenPages struct {
	*frame
	identity *identity.Service
}

func (p *tokenPages) routes(g *echo.Group) {
	get(g, "/tokens", p.show)
	g.POST("/tokens", p.issue)
	g.POST("/tokens/:id/revoke", p.revoke)
	g.POST("/accounts", p.createAccount)
	g.POST("/accounts/:user/remove", p.removeAccount)
}

func (p *tokenPages) administers(r *request) bool {
	return p.authorizer.Allow(r.scope, r.scope.Tenant, policy.AgentsAdminister)
}

func (p *tokenPages) show(c echo.Context) error {
	return p.shown(c, http.StatusOK, people.TokensView{Days: defaultDays})
}

func (p *tokenPages) shown(c echo.Context, status int, view people.TokensView) error {
	r, err := p.open(c)
	if err != nil {
		return err
	}
	r.notice(c, map[string]string{
		"revoked": "The token is revoked, and refused from now on.", "added": "The account is there. Make a token for it.",
		"removed": "The account is removed with its tokens.",
	})
	view.Shell, view.Admin = r.shell, p.administers(r)
	whose := r.scope.User
	if view.Admin {
		whose = "" // all
	}
	tokens, err := p.identity.APITokens(r.ctx, r.scope.Tenant, whose)
	if err != nil {
		return err
	}
	var users []string
	for _, t := range tokens {
		users = append(users, t.UserID)
	}
	names, err := p.names(r.ctx, r.scope.Tenant, users)
	if err != nil {
		return err
	}
	for _, t := range tokens {
		view.Tokens = append(view.Tokens, tokenOf(t, names))
	}
	if view.Permissions == nil {
		view.Permissions = permissions(nil)
	}
	view.For = append(view.For, ui.Option{Value: r.scope.User, Label: "You"})
	if view.Admin {
		accounts, err := p.identity.ServiceAccounts(r.ctx, r.scope.Tenant)
		if err != nil {
			return err
		}
		for _, a := range accounts {
			view.Accounts = append(view.Accounts, people.Account{ID: a.User.ID, Name: a.User.Name, Role: layout.RoleName(a.Membership.Role)})
			view.For = append(view.For, ui.Option{Value: a.User.ID, Label: a.User.Name})
		}
	}
	return respond.HTML(c, status, people.TokensPage(view))
}

func tokenOf(t models.APIToken, names func(string) string) people.Token {
	shown := people.Token{
		ID: t.ID, Name: t.Name, For: names(t.UserID), For2: "everything its member may do", Live: true,
		Expires: t.ExpiresAt.Time(),
	}
	if t.LastUsedAt != 0 {
		shown.Used = t.LastUsedAt.Time()
	}
	if t.Permissions != nil {
		var words []string
		for _, p := range permissions(t.Permissions) {
			if p.Selected {
				words = append(words, strings.ToLower(p.Label))
			}
		}
		shown.For2 = strings.Join(words, ", ")
	}
	switch {
	case t.RevokedAt != 0:
		shown.State, shown.Live = "Revoked", false
	case t.ExpiresAt.Time().Before(time.Now()):
		shown.State, shown.Live = "Expired", false
	}
	return shown
}

// permissions are what a token can be for, in words.
func permissions(chosen []string) []people.Permission {
	words := map[policy.Action][2]string{
		policy.AgentsSee:      {"See agents", "List and open the agents that its member sees."},
		policy.AgentsAuthor:   {"Build agents", "Make, change, share and delete agents."},
		policy.ToolsCatalogue: {"See tools", "Read the catalogue and how toolkits are set up."},
		policy.ToolsExecute:   {"Run tools", "Run reads, and ask for approvals of writes."},
	}
	var all []people.Permission
	for _, action := range identity.Permissions() {
		all = append(all, people.Permission{
			Value: string(action), Label: words[action][0], Help: words[action][1], Selected: slices.Contains(chosen, string(action)),
		})
	}
	return all
}

// issue makes a token and shows it, this once.
func (p *tokenPages) issue(c echo.Context) error {
	r, err := p.begin(c)
	if err != nil {
		return err
	}
	if err := fresh(p.identity, r); err != nil {
		return err
	}
	form, err := formOf(c)
	if err != nil {
		return err
	}
	view := people.TokensView{Name: text(form, "name"), Days: form.Get("days"), Permissions: permissions(form["permissions"])}
	user, err := p.actsFor(r, form.Get("for"))
	if err != nil {
		return err
	}
	days, err := strconv.Atoi(form.Get("days"))
	if err != nil || days < 1 || days > int(identity.MaxAPITokenLifetime/day) {
		view.Errors = map[string]string{"days": "Choose 1 to 90 days."}
		return p.shown(c, http.StatusUnprocessableEntity, view)
	}
	chosen := append([]string{}, form["permissions"]...)
	secret, _, err := p.identity.IssueAPIToken(r.ctx, r.scope.Tenant, identity.NewToken{
		User: user, Name: view.Name, Permissions: chosen, TTL: time.Duration(days) * day, By: r.scope.User,
	})
	if field, words, again := respond.FieldOf(err); again {
		view.Errors = map[string]string{field: words}
		return p.shown(c, http.StatusUnprocessableEntity, view)
	}
	if err != nil {
		return err
	}
	return p.shown(c, http.StatusOK, people.TokensView{Days: defaultDays, Secret: secret})
}

// actsFor returns for whom a token may be made: oneself, and by admins service
// accounts of the tenant. Nobody makes a token of another person.
func (p *tokenPages) actsFor(r *request, user string) (string, error) {
	if user == "" || user == r.scope.User {
		return r.scope.User, nil
	}
	if p.administers(r) {
		accounts, err := p.identity.ServiceAccounts(r.ctx, r.scope.Tenant)
		if err != nil {
			return "", err
		}
		if slices.ContainsFunc(accounts, func(a identity.Person) bool { return a.User.ID == user }) {
			return user, nil
		}
	}
	return "", models.Errorf(models.CodePermissionDenied, "You can make tokens for yourself, and as an admin for service accounts.")
}

func (p *tokenPages) revoke(c echo.Context) error {
	r, err := p.begin(c)
	if err != nil {
		return err
	}
	whose := r.scope.User
	if p.administers(r) {
		whose = ""
	}
	if err := p.identity.RevokeAPIToken(r.ctx, r.scope.Tenant, whose, c.Param("id")); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, r.site.URL("tokens")+"?done=revoked")
}

// administered begins what only admins do here.
func (p *tokenPages) administered(c echo.Context) (*request, error) {
	r, err := p.begin(c)
	if err != nil {
		return nil, err
	}
	if err := p.allow(r.scope, policy.AgentsAdminister); err != nil {
		return nil, err
	}
	return r, fresh(p.identity, r)
}

func (p *tokenPages) createAccount(c echo.Context) error {
	r, err := p.administered(c)
	if err != nil {
		return err
	}
	form, err := formOf(c)
	if err != nil {
		return err
	}
	_, err = p.identity.CreateServiceAccount(r.ctx, r.scope.Tenant, identity.NewAccount{
		Name: text(form, "name"), Role: models.Role(form.Get("role")),
	})
	if field, words, again := respond.FieldOf(err); again {
		return p.shown(c, http.StatusUnprocessableEntity, people.TokensView{
			Days: defaultDays, Errors: map[string]string{"account." + field: words},
		})
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, r.site.URL("tokens")+"?done=added")
}

func (p *tokenPages) removeAccount(c echo.Context) error {
	r, err := p.administered(c)
	if err != nil {
		return err
	}
	if err := p.identity.RemoveServiceAccount(r.ctx, r.scope.Tenant, c.Param("user")); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, r.site.URL("tokens")+"?done=removed")
}
