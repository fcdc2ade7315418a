package identity

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"

	"github.com/agentstudio/agentstudio/models"
)

// Provider signs people in elsewhere: at an identity provider.
type Provider interface {
	// Name is what people call it, such as "Acme SSO".
	Name() string
	// Begin returns the address to send a browser to, and the secret that it has to
	// bring back with the answer, for its cookie.
	Begin(ctx context.Context, ask ProviderAsk) (redirect, flow string, err error)
	// Finish returns whom the provider's answer names and where they go on, if it is
	// the answer to this flow. Its errors are for people.
	Finish(ctx context.Context, flow string, answer url.Values) (Visitor, string, error)
}

// ProviderAsk says what a sign-in at a provider is for.
type ProviderAsk struct {
	Callback string // address of ours that the answer goes to
	Next     string // path to go on at
	Fresh    bool   // the person must prove again who they are
}

// Visitor is who a provider says has come.
type Visitor struct {
	Issuer, Subject string
	Email           string
	EmailVerified   bool
	Name            string
	AuthTime        models.Instant // when they proved who they are; 0 when that is not known
	// Memberships are those that their groups give them. They replace what earlier
	// groups gave.
	Memberships []models.Membership
}

// Arrive signs in a visitor: it finds their user by issuer and subject, or makes
// one where their groups belong somewhere, gives them what their groups give, and
// takes what earlier groups gave. It returns the cookie token, and an error with
// code unauthenticated when they have no business here. An address alone leads
// to nobody's account.
func (s *Service) Arrive(ctx context.Context, v Visitor, from Client) (string, error) {
	if v.Issuer == "" || v.Subject == "" {
		return "", errors.New("a visitor without an account")
	}
	user, err := s.store.UserByIdentity(ctx, v.Issuer, v.Subject)
	if absent(err) {
		user, err = s.welcome(ctx, v)
	}
	if err != nil {
		return "", err
	}
	if user.Kind == models.UserService {
		return "", unauthenticated("This account belongs to a program, which cannot sign in.")
	}
	if err := s.store.MapMemberships(ctx, user.ID, v.Issuer, v.Memberships); err != nil {
		return "", fmt.Errorf("give a visitor what their groups give: %w", err)
	}
	memberships, err := s.store.MembershipsOf(ctx, user.ID)
	if err != nil {
		return "", fmt.Errorf("read the memberships of who signs in: %w", err)
	}
	if len(memberships) == 0 {
		return "", unauthenticated("You belong to no tenant here, or no longer. Ask an admin to add you.")
	}
	session := s.newSession(user.ID, from)
	session.AuthTime = min(v.AuthTime, session.CreatedAt) // nobody vouches for the future
	if err := s.store.CreateLoginSession(ctx, session); err != nil {
		return "", fmt.Errorf("keep the sign-in: %w", err)
	}
	return s.cookie(session)
}

// welcome makes the user of an account that nobody has yet, where its groups
// belong somewhere and its address is verified.
func (s *Service) welcome(ctx context.Context, v Visitor) (models.User, error) {
	email := normalEmail(v.Email)
	switch {
	case len(v.Memberships) == 0:
		return models.User{}, unauthenticated("Nobody here has this account. Ask an admin to add one of your groups.")
	case !validEmail(email) || !v.EmailVerified:
		return models.User{}, unauthenticated("Your identity provider has not verified your address. Verify it there, and sign in again.")
	}
	user := models.User{ID: models.NewID(), Kind: models.UserPerson, Email: email, Name: v.Name}
	if checkPersonName(user.Name) != nil {
		user.Name = email
	}
	err := s.store.CreateLinkedUser(ctx, user, models.UserIdentity{Issuer: v.Issuer, Subject: v.Subject})
	if models.CodeOf(err) != models.CodeNameTaken {
		return user, err
	}
	// Either this account came twice at once, or somebody has the address.
	known, lookup := s.store.UserByIdentity(ctx, v.Issuer, v.Subject)
	if lookup == nil {
		return known, nil
	}
	if !absent(lookup) {
		return models.User{}, fmt.Errorf("find the user of an account: %w", lookup)
	}
	return models.User{}, unauthenticated("Somebody here has your address already. If that is you, sign in as before, " +
		"and ask whoever runs the server to link your account.").Because(err)
}

// GroupRule gives the members of a provider's group a membership.
type GroupRule struct {
	Group  string // at the provider
	Tenant string
	Role   models.Role
	Groups []string // in the tenant
}

// Mapped returns the memberships that groups give by rules: in each tenant the
// highest role, and all groups.
func Mapped(groups []string, rules []GroupRule) []models.Membership {
	var mapped []models.Membership
	for _, rule := range rules {
		if !slices.Contains(groups, rule.Group) {
			continue
		}
		at := slices.IndexFunc(mapped, func(m models.Membership) bool { return m.TenantID == rule.Tenant })
		if at < 0 {
			mapped = append(mapped, models.Membership{TenantID: rule.Tenant, Role: rule.Role, Groups: []string{}})
			at = len(mapped) - 1
		}
		if rank(rule.Role) > rank(mapped[at].Role) {
			mapped[at].Role = rule.Role
		}
		mapped[at].Groups = append(mapped[at].Groups, rule.Groups...)
		slices.Sort(mapped[at].Groups)
		mapped[at].Groups = slices.Compact(mapped[at].Groups)
	}
	return mapped
}

func rank(role models.Role) int {
	return slices.Index([]models.Role{models.RoleMember, models.RoleAuthor, models.RoleAdmin}, role)
}
