package hostjwt

import (
	"context"
	"net/http"
	"slices"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/tenancy"
)

// Accounts know whom an account at an issuer belongs to.
type Accounts interface {
	// LinkedScope returns the scope of the user who is linked to an account, in the
	// tenant. It returns an error with code unauthenticated where there is no such
	// user, and with permission_denied where they are no member.
	LinkedScope(ctx context.Context, issuer, subject, tenant string) (tenancy.Scope, error)
}

// Inner is the resolver that knows all other callers, and all names.
type Inner interface {
	tenancy.Resolver
	tenancy.Members
	tenancy.Groups
}

// Members is the standalone server's resolver where it believes other issuers. A
// token says only which account calls, and for which tenant; what its user may
// do, memberships say, at every request.
type Members struct {
	Inner
	tokens   *Verifier
	accounts Accounts
}

// NewMembers returns the resolver that finds users by the tokens of a verifier,
// and everybody else as inner does.
func NewMembers(inner Inner, tokens *Verifier, accounts Accounts) *Members {
	return &Members{Inner: inner, tokens: tokens, accounts: accounts}
}

// Resolve returns the scope of whoever sent the request.
func (m *Members) Resolve(ctx context.Context, r *http.Request) (tenancy.Scope, error) {
	text, ok := bearer(r)
	if !ok || !m.tokens.Ours(text) {
		return m.Inner.Resolve(ctx, r)
	}
	token, err := m.tokens.Verify(ctx, text)
	if err != nil {
		return tenancy.Scope{}, err
	}
	return m.scope(ctx, token)
}

// scope returns the scope of a token's account in the tenant that the token
// names, else in the one of the address.
func (m *Members) scope(ctx context.Context, token Token) (tenancy.Scope, error) {
	named, err := token.tenant()
	if err != nil {
		return tenancy.Scope{}, refused(err)
	}
	tenant := named
	if named == "" {
		tenant = tenancy.Requested(ctx)
	}
	if allowed := token.from.Tenants; allowed != nil && !slices.Contains(allowed, tenant) {
		return tenancy.Scope{}, elsewhere()
	}
	scope, err := m.accounts.LinkedScope(ctx, token.Issuer, token.Subject, tenant)
	if models.CodeOf(err) != models.CodePermissionDenied {
		return scope, err
	}
	if named == "" {
		return tenancy.Scope{}, elsewhere().Because(err)
	}
	return tenancy.Scope{}, refused(err)
}

func elsewhere() *models.Error {
	return models.Errorf(models.CodeTenantMismatch, "This token is for another tenant than the one in this address.")
}
