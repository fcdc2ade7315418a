package hostjwt

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/tenancy"
)

// Claims are the names of the claims that make a scope. What is empty is named
// as in the comment. An absent claim gives nothing; one of another type is no
// valid token. No claim makes a superuser.
type Claims struct {
	User          string // "sub"; a text
	Name          string // "name"; a text
	Tenant        string // "tenant"; a text
	Groups        string // "groups"; a list of texts
	MayAuthor     string // "may_author"; true or false
	MayAdminister string // "may_administer"; true or false
}

func (c Claims) withDefaults() Claims {
	for _, claim := range []struct {
		into *string
		name string
	}{
		{&c.User, "sub"},
		{&c.Name, "name"},
		{&c.Tenant, "tenant"},
		{&c.Groups, "groups"},
		{&c.MayAuthor, "may_author"},
		{&c.MayAdminister, "may_administer"},
	} {
		if *claim.into == "" {
			*claim.into = claim.name
		}
	}
	return c
}

// Reload returns the scope that a user has in a tenant now. A token says what
// was right when it was made, so this is asked for all work without a request.
type Reload func(ctx context.Context, tenant, user string) (tenancy.Scope, error)

// Resolver takes callers and their rights from the claims of their tokens. Its
// callers are programs: a token decides nothing that a person has to.
type Resolver struct {
	tokens *Verifier
	reload Reload
}

var _ tenancy.Resolver = (*Resolver)(nil)

// NewResolver returns the resolver that believes the tokens of a verifier.
func NewResolver(tokens *Verifier, reload Reload) (*Resolver, error) {
	if tokens == nil || reload == nil {
		return nil, errors.New("hostjwt: a resolver needs a verifier, and a way to reload rights")
	}
	return &Resolver{tokens: tokens, reload: reload}, nil
}

// Resolve returns the scope that the request's bearer token gives.
func (r *Resolver) Resolve(ctx context.Context, request *http.Request) (tenancy.Scope, error) {
	text, ok := bearer(request)
	if !ok {
		return tenancy.Scope{}, models.Errorf(models.CodeUnauthenticated,
			"Send a token in one Authorization header, as: Bearer, a space, and the token.")
	}
	token, err := r.tokens.Verify(ctx, text)
	if err != nil {
		return tenancy.Scope{}, err
	}
	scope, err := token.scope()
	if err != nil {
		return tenancy.Scope{}, refused(err)
	}
	return scope, nil
}

// Reload asks the host.
func (r *Resolver) Reload(ctx context.Context, tenant, user string) (tenancy.Scope, error) {
	return r.reload(ctx, tenant, user)
}

// bearer returns the token of the only Authorization header.
func bearer(r *http.Request) (string, bool) {
	headers := r.Header.Values("Authorization")
	if len(headers) != 1 {
		return "", false
	}
	scheme, token, ok := strings.Cut(headers[0], " ")
	return token, ok && strings.EqualFold(scheme, "Bearer") && token != ""
}

// scope reads the claims.
func (t Token) scope() (tenancy.Scope, error) {
	names := t.from.Claims
	r := reader{token: t}
	scope := tenancy.Scope{
		Name: r.text(names.Name), Groups: r.list(names.Groups),
		MayAuthor: r.flag(names.MayAuthor), MayAdminister: r.flag(names.MayAdminister),
		StudioEnabled: true, Via: tenancy.ViaAPI,
	}
	if user := r.text(names.User); user != "" {
		scope.User = t.from.UserPrefix + user
	}
	tenant, err := t.tenant()
	scope.Tenant = tenant
	if err := errors.Join(r.err, err); err != nil {
		return tenancy.Scope{}, err
	}
	return scope, scope.Valid()
}

// tenant returns the tenant that the token is for, "" when it names none.
func (t Token) tenant() (string, error) {
	r := reader{token: t}
	tenant := r.text(t.from.Claims.Tenant)
	switch {
	case r.err != nil:
		return "", r.err
	case tenant == "":
		return "", nil
	case !tenancy.ValidTenant(tenant):
		return "", fmt.Errorf("%.80q is no tenant's name", tenant)
	case t.from.Tenants != nil && !slices.Contains(t.from.Tenants, tenant):
		return "", fmt.Errorf("the issuer may not speak for %q", tenant)
	}
	return tenant, nil
}

// reader reads claims, and keeps what is wrong with them.
type reader struct {
	token Token
	err   error
}

func (r *reader) text(name string) string { return claim[string](r, name) }

func (r *reader) flag(name string) bool { return claim[bool](r, name) }

func (r *reader) list(name string) []string {
	var texts []string
	for _, value := range claim[[]any](r, name) {
		text, ok := value.(string)
		if !ok {
			r.err = errors.Join(r.err, fmt.Errorf("the claim %s is no list of texts", name))
			return nil
		}
		texts = append(texts, text)
	}
	return texts
}

func claim[T any](r *reader, name string) T {
	value, ok := r.token.claims[name]
	if !ok {
		return *new(T)
	}
	typed, ok := value.(T)
	if !ok {
		r.err = errors.Join(r.err, fmt.Errorf("the claim %s is of another type", name))
	}
	return typed
}
