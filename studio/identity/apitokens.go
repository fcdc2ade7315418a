package identity

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/policy"
	"github.com/agentstudio/agentstudio/tenancy"
)

const (
	// maxTokens is how many API tokens of one user count at the same time.
	maxTokens = 50
	// maxTokenName is the longest name of a token, in characters.
	maxTokenName = 80
	// touchEvery is how exactly it is kept when a token or a sign-in was used last.
	touchEvery = models.Instant(time.Minute / time.Millisecond)
)

// NewToken is an API token to be issued.
type NewToken struct {
	User string // id of the member for whom it acts
	Name string // for people; 1 to 80 characters
	// Permissions are the only actions it is for, from [Permissions]; nil for all
	// that its user may do.
	Permissions []string
	TTL         time.Duration // 0 means [APITokenLifetime]
	By          string        // id of who asks for it
}

// Permissions lists the actions that an API token can be for.
func Permissions() []policy.Action {
	return []policy.Action{policy.AgentsSee, policy.AgentsAuthor, policy.ToolsCatalogue, policy.ToolsExecute}
}

// IssueAPIToken returns the text of a new token with which a program acts for a
// member of a tenant. The text is nowhere else: whoever loses it needs another
// token. It returns validation_error with details.field for a name, permissions
// or a lifetime that cannot be (at most [MaxAPITokenLifetime]), and for one token
// too many; and permission_denied when the user is no member of the tenant.
func (s *Service) IssueAPIToken(ctx context.Context, tenant string, n NewToken) (string, models.APIToken, error) {
	n.Name = strings.TrimSpace(n.Name)
	if n.TTL == 0 {
		n.TTL = APITokenLifetime
	}
	if err := n.validate(); err != nil {
		return "", models.APIToken{}, err
	}
	member, err := s.membership(ctx, tenant, n.User)
	if err != nil {
		return "", models.APIToken{}, err
	}
	now := models.InstantOf(s.now())
	token := models.APIToken{
		TenantID: member.TenantID, ID: models.NewID(), UserID: n.User, Name: n.Name, Permissions: n.Permissions,
		CreatedBy: n.By, CreatedAt: now, ExpiresAt: models.InstantOf(s.now().Add(n.TTL)),
	}
	err = s.write(ctx, tenant, func(ctx context.Context) error {
		live, err := s.store.APITokensOf(ctx, n.User)
		if err != nil {
			return err
		}
		live = slices.DeleteFunc(live, func(t models.APIToken) bool { return t.RevokedAt != 0 || t.ExpiresAt <= now })
		if len(live) >= maxTokens {
			return invalid("name", "There are %d tokens already. Revoke one that is not needed any more.", maxTokens)
		}
		return s.store.CreateAPIToken(ctx, token)
	})
	if err != nil {
		return "", models.APIToken{}, err
	}
	text, err := s.tokens.IssueAPI(APIToken{
		ID: token.ID, User: token.UserID, Tenant: token.TenantID, ExpiresAt: token.ExpiresAt.Time(),
	})
	return text, token, err
}

func (n NewToken) validate() error {
	if n.Name == "" || utf8.RuneCountInString(n.Name) > maxTokenName || !oneLine(n.Name) {
		return invalid("name", "Give the token a name of at most %d characters, so that people know what it is for.", maxTokenName)
	}
	if n.TTL < 0 || n.TTL > MaxAPITokenLifetime {
		return invalid("days", "A token can live for up to %d days.", int(MaxAPITokenLifetime.Hours()/24))
	}
	if n.Permissions != nil && len(n.Permissions) == 0 {
		return invalid("permissions", "Choose at least one thing that the token may do.")
	}
	for _, permission := range n.Permissions {
		if !slices.Contains(Permissions(), policy.Action(permission)) {
			return invalid("permissions", "There is no permission %.60q.", permission)
		}
	}
	return nil
}

// APITokens returns the API tokens of a tenant, the newest first: all, or those
// of one user.
func (s *Service) APITokens(ctx context.Context, tenant, user string) ([]models.APIToken, error) {
	var tokens []models.APIToken
	err := s.read(ctx, tenant, func(ctx context.Context) (err error) {
		if user == "" {
			tokens, err = s.store.APITokens(ctx)
		} else {
			tokens, err = s.store.APITokensOf(ctx, user)
		}
		return err
	})
	return tokens, err
}

// RevokeAPIToken ends a token at once, for a user or, as "", for whoever
// administers the tenant. It returns not_found for a token that is not there or
// another user's. Ending one that has ended is no error.
func (s *Service) RevokeAPIToken(ctx context.Context, tenant, user, id string) error {
	return s.write(ctx, tenant, func(ctx context.Context) error {
		token, err := s.store.APIToken(ctx, id)
		if err != nil {
			return err
		}
		if user != "" && token.UserID != user {
			return models.NotFound()
		}
		_, err = s.store.RevokeAPIToken(ctx, id, models.InstantOf(s.now()))
		return err
	})
}

// resolveAPIToken returns the scope of a token whose text is good, if its row
// still counts.
func (s *Service) resolveAPIToken(ctx context.Context, token APIToken) (tenancy.Scope, error) {
	var found models.TokenMember
	err := s.read(ctx, token.Tenant, func(ctx context.Context) (err error) {
		found, err = s.store.TokenMember(ctx, token.ID)
		return err
	})
	if absent(err) {
		return tenancy.Scope{}, lostToken(err)
	}
	if err != nil {
		return tenancy.Scope{}, fmt.Errorf("read an API token: %w", err)
	}
	now := models.InstantOf(s.now())
	if found.Token.UserID != token.User || found.Token.RevokedAt != 0 || found.Token.ExpiresAt <= now {
		return tenancy.Scope{}, lostToken(fmt.Errorf("the token's row has ended, or is another user's"))
	}
	if now-found.Token.LastUsedAt >= touchEvery {
		// For people to see; whether it can be kept is no matter of this request.
		_ = s.write(ctx, token.Tenant, func(ctx context.Context) error {
			_, err := s.store.TouchAPIToken(ctx, token.ID, found.Token.LastUsedAt, now)
			return err
		})
	}
	scope := scopeOf(found.User, found.Membership, tenancy.ViaAPI)
	scope.Permissions = found.Token.Permissions
	return scope, nil
}

// lostToken is the one answer for every token whose row does not count.
func lostToken(cause error) error {
	return unauthenticated("This API token was revoked, has expired, or its user has left the tenant. Ask for a new one.").Because(cause)
}

// read and write run fn in a unit of a tenant.
func (s *Service) read(ctx context.Context, tenant string, fn func(ctx context.Context) error) error {
	p, err := tenancy.PartitionOf(tenant)
	if err != nil {
		return err
	}
	return s.store.Read(ctx, p, fn)
}

func (s *Service) write(ctx context.Context, tenant string, fn func(ctx context.Context) error) error {
	p, err := tenancy.PartitionOf(tenant)
	if err != nil {
		return err
	}
	return s.store.Write(ctx, p, fn)
}
