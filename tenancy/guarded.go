package tenancy

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/agentstudio/agentstudio/models"
)

// The limits of what a resolver may say, so that a careless one is refused and
// not believed.
const (
	maxUser   = 256 // bytes, of an id or a name
	maxGroups = 1000
	maxGroup  = 128 // bytes
)

// reloadWithin is how long a reload may take. One that hangs is a refusal.
const reloadWithin = 10 * time.Second

// Guarded returns a resolver that believes another one only where it makes
// sense: a scope that breaks [Scope.Valid] is an error, and so is a reload of
// somebody else, in another tenant, that panics, or that does not answer in
// time. A reloaded scope carries no browser session, so that it decides nothing.
func Guarded(r Resolver) Resolver {
	if _, ok := r.(guarded); ok {
		return r
	}
	return guarded{r}
}

type guarded struct{ inner Resolver }

// GroupNames asks the resolver, where it knows.
func (g guarded) GroupNames(ctx context.Context, tenant string) ([]string, error) {
	known, ok := g.inner.(Groups)
	if !ok {
		return nil, nil
	}
	return known.GroupNames(ctx, tenant)
}

// Resolve resolves, and checks the scope. Its time and its panics are its
// caller's to bound, which knows how to answer.
func (g guarded) Resolve(ctx context.Context, r *http.Request) (Scope, error) {
	scope, err := g.inner.Resolve(ctx, r)
	if err != nil {
		return Scope{}, err
	}
	if err := scope.Valid(); err != nil {
		return Scope{}, unbelievable(err)
	}
	scope.global = false
	return scope, nil
}

// Reload reloads within its time, and checks the scope.
func (g guarded) Reload(ctx context.Context, tenant, user string) (Scope, error) {
	if !ValidTenant(tenant) { // what a GLOBAL host left behind is nobody's
		return Scope{}, models.Errorf(models.CodeTenantRequired, "This belongs to no tenant.")
	}
	ctx, cancel := context.WithTimeout(ctx, reloadWithin)
	defer cancel()
	scope, err := reload(ctx, g.inner, tenant, user)
	if err != nil {
		return Scope{}, err
	}
	if err := scope.Valid(); err != nil {
		return Scope{}, unbelievable(err)
	}
	if scope.User != user || scope.Tenant != tenant {
		return Scope{}, unbelievable(fmt.Errorf("asked for %q of %q, it told of %q of %q", user, tenant, scope.User, scope.Tenant))
	}
	scope.Via, scope.Session, scope.global = ViaJob, "", false
	return scope, nil
}

// reload calls a host's Reload in a goroutine of its own, so that a panic is an
// error and a hang ends with ctx.
func reload(ctx context.Context, r Resolver, tenant, user string) (Scope, error) {
	type answer struct {
		scope Scope
		err   error
	}
	done := make(chan answer, 1)
	go func() {
		a := answer{err: unbelievable(fmt.Errorf("the resolver ended its goroutine"))}
		defer func() {
			if p := recover(); p != nil {
				a = answer{err: unbelievable(fmt.Errorf("the resolver panicked: %v", p))}
			}
			done <- a
		}()
		a.scope, a.err = r.Reload(ctx, tenant, user)
	}()
	select {
	case a := <-done:
		return a.scope, a.err
	case <-ctx.Done():
		return Scope{}, fmt.Errorf("reload the rights of a caller: %w", ctx.Err())
	}
}

// unbelievable is the refusal of what a resolver said. Nothing of it is used.
func unbelievable(cause error) error {
	return models.Errorf(models.CodeUnauthenticated, "Who you are could not be established. Sign in again.").Because(cause)
}

// Valid returns an error for a scope that no careful resolver gives: without a
// user, with text that is none or too long, with a way that there is not, or
// with too many groups. Whether its tenant is one, and the right one, is judged
// where it is used.
func (s Scope) Valid() error {
	switch {
	case s.User == "":
		return fmt.Errorf("the scope names no user")
	case !plainText(s.User, maxUser), !plainText(s.Name, maxUser), !plainText(s.Session, maxUser):
		return fmt.Errorf("the user, name or session of the scope is no text, or longer than %d bytes", maxUser)
	case !slices.Contains([]Via{ViaBrowser, ViaAPI, ViaMCP, ViaJob}, s.Via):
		return fmt.Errorf("the scope does not say how it came about: %.20q", s.Via)
	case len(s.Groups) > maxGroups:
		return fmt.Errorf("the scope has %d groups, more than %d", len(s.Groups), maxGroups)
	}
	for _, group := range s.Groups {
		if !ValidGroup(group) {
			return fmt.Errorf("a group of the scope is no text, empty, or longer than %d bytes", maxGroup)
		}
	}
	return nil
}

// ValidGroup reports whether a text can name a group: one line that is not empty
// and not longer than 128 bytes.
func ValidGroup(name string) bool { return name != "" && plainText(name, maxGroup) }

// plainText reports whether a text is valid UTF-8 without control characters, at
// most limit bytes long.
func plainText(text string, limit int) bool {
	return len(text) <= limit && utf8.ValidString(text) && strings.IndexFunc(text, unicode.IsControl) < 0
}
