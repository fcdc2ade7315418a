package identity

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/tenancy"
)

var (
	_ tenancy.Resolver = (*Service)(nil)
	_ tenancy.Members  = (*Service)(nil)
)

// Resolve returns the scope of whoever sent the request. An Authorization
// header decides alone, even when it is not valid; without one, the cookie
// does.
//
// An API token gives the scope of its tenant, if its row still counts, narrowed
// to what it is for. A cookie gives the scope of the
// tenant in ctx (see [tenancy.WithRequested]) where the user is a member; else that of
// their first tenant by id, which is not the URL's, so that the request will
// be refused as a mismatch; and a scope without a tenant where they have none.
//
// It returns an error with code unauthenticated when nobody is signed in.
func (s *Service) Resolve(ctx context.Context, r *http.Request) (tenancy.Scope, error) {
	if headers := r.Header.Values("Authorization"); len(headers) > 0 {
		return s.resolveBearer(ctx, headers)
	}
	cookie, err := r.Cookie(CookieName)
	if err != nil {
		return tenancy.Scope{}, unauthenticated("You are not signed in. Sign in, or send an API token.")
	}
	return s.resolveCookie(ctx, cookie.Value)
}

// Reload returns the scope that a user has in a tenant now, for work without a
// request. It returns an error with code permission_denied and reason
// membership_lost when they are no member, or no longer.
func (s *Service) Reload(ctx context.Context, tenant, user string) (tenancy.Scope, error) {
	if tenant == "" || user == "" {
		return tenancy.Scope{}, membershipLost()
	}
	u, m, err := s.store.Member(ctx, tenant, user)
	if absent(err) {
		return tenancy.Scope{}, membershipLost().Because(err)
	}
	if err != nil {
		return tenancy.Scope{}, fmt.Errorf("read a member: %w", err)
	}
	return scopeOf(u, m, tenancy.ViaJob), nil
}

func (s *Service) resolveBearer(ctx context.Context, headers []string) (tenancy.Scope, error) {
	text, ok := bearer(headers)
	if !ok {
		return tenancy.Scope{}, unauthenticated("The Authorization header cannot be read. Send one, as: Bearer, a space, and an API token.")
	}
	token, err := s.tokens.VerifyAPI(text)
	if err != nil {
		return tenancy.Scope{}, err
	}
	return s.resolveAPIToken(ctx, token)
}

func (s *Service) resolveCookie(ctx context.Context, text string) (tenancy.Scope, error) {
	token, err := s.tokens.VerifyBrowser(text)
	if err != nil {
		return tenancy.Scope{}, err
	}
	session, err := s.liveSession(ctx, token)
	if err != nil {
		return tenancy.Scope{}, err
	}
	user, err := s.store.User(ctx, token.User)
	if absent(err) {
		return tenancy.Scope{}, signInAgain(err)
	}
	if err != nil {
		return tenancy.Scope{}, fmt.Errorf("read the user who is signed in: %w", err)
	}
	if now := models.InstantOf(s.now()); now-session.LastSeenAt >= touchEvery {
		// For people to see; whether it can be kept is no matter of this request.
		_ = s.store.TouchLoginSession(ctx, session.ID, session.LastSeenAt, now)
	}
	memberships, err := s.store.MembershipsOf(ctx, user.ID)
	if err != nil {
		return tenancy.Scope{}, fmt.Errorf("read the memberships of who is signed in: %w", err)
	}
	scope := scopeOf(user, choose(memberships, tenancy.Requested(ctx)), tenancy.ViaBrowser)
	scope.Session = session.ID
	scope.AuthTime = session.AuthTime.Time()
	return scope, nil
}

// liveSession returns the row of a cookie's sign-in, if it still counts.
func (s *Service) liveSession(ctx context.Context, token BrowserToken) (models.LoginSession, error) {
	session, err := s.store.LoginSession(ctx, token.Session)
	if absent(err) {
		return models.LoginSession{}, signInAgain(err)
	}
	if err != nil {
		return models.LoginSession{}, fmt.Errorf("read a sign-in: %w", err)
	}
	switch {
	case session.UserID != token.User:
		return models.LoginSession{}, signInAgain(errors.New("the sign-in is another user's"))
	case session.RevokedAt != 0:
		return models.LoginSession{}, signInAgain(errors.New("the sign-in was ended"))
	case session.ExpiresAt <= models.InstantOf(s.now()):
		return models.LoginSession{}, signInAgain(errors.New("the sign-in has expired"))
	}
	return session, nil
}

// bearer returns the token of the only Authorization header.
func bearer(headers []string) (string, bool) {
	if len(headers) != 1 {
		return "", false
	}
	scheme, token, ok := strings.Cut(headers[0], " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") || token == "" || strings.ContainsAny(token, " \t,") {
		return "", false
	}
	return token, true
}

// choose returns the membership in tenant, else the first by tenant, else none.
func choose(memberships []models.Membership, tenant string) models.Membership {
	if len(memberships) == 0 {
		return models.Membership{}
	}
	for _, m := range memberships {
		if m.TenantID == tenant {
			return m
		}
	}
	return slices.MinFunc(memberships, byTenant)
}

func byTenant(a, b models.Membership) int { return cmp.Compare(a.TenantID, b.TenantID) }

func scopeOf(user models.User, m models.Membership, via tenancy.Via) tenancy.Scope {
	return tenancy.Scope{
		User: user.ID, Name: user.Name, Tenant: m.TenantID, Groups: slices.Clone(m.Groups),
		MayAuthor:     m.Role == models.RoleAuthor || m.Role == models.RoleAdmin,
		MayAdminister: m.Role == models.RoleAdmin,
		StudioEnabled: true, Via: via,
	}
}
