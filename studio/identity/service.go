package identity

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/agentstudio/agentstudio/models"
)

const (
	// CookieName is the cookie that carries a cookie token.
	CookieName = "agentstudio_session"
	// SessionLifetime is how long a sign-in counts.
	SessionLifetime = 12 * time.Hour
	// APITokenLifetime is how long an API token counts unless told otherwise.
	APITokenLifetime = 24 * time.Hour
	// MaxAPITokenLifetime is the longest that an API token may count.
	MaxAPITokenLifetime = 90 * 24 * time.Hour
)

// Config says what a [Service] works with.
type Config struct {
	Store  Store
	Tokens *Tokens
	Now    func() time.Time // decides what has expired; nil means [time.Now]
	// Cost is what hashing a password takes; zero means [DefaultCost].
	Cost Cost
}

// Service signs people in and out, and says who calls and what they may do. It
// may be used from any goroutine.
type Service struct {
	store  Store
	tokens *Tokens
	now    func() time.Time
	hasher *hasher
}

// NewService returns the service of a configuration.
func NewService(c Config) *Service {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Cost == (Cost{}) {
		c.Cost = DefaultCost()
	}
	return &Service{store: c.Store, tokens: c.Tokens, now: c.Now, hasher: newHasher(c.Cost)}
}

// Client is where a person signs in from, as they are shown it later.
type Client struct {
	Device  string // such as "Firefox on Linux"
	Address string // network address
}

// SignIn starts a new sign-in of the user with this address, who has proved to
// be that user, and returns the cookie token for it. The id of the sign-in is
// always new, whatever the browser sent before. It returns an error with code
// unauthenticated when there is no such user.
func (s *Service) SignIn(ctx context.Context, email string, from Client) (string, error) {
	user, err := s.store.UserByEmail(ctx, normalEmail(email))
	if absent(err) {
		return "", unauthenticated("Nobody here has this address. Check its spelling, or ask an admin to add you.")
	}
	if err != nil {
		return "", fmt.Errorf("find the user who signs in: %w", err)
	}
	if user.Kind == models.UserService {
		return "", unauthenticated("A service account cannot sign in. It has API tokens.")
	}
	return s.begin(ctx, user.ID, from)
}

// begin starts a sign-in of a user who has proved who they are, and returns its
// cookie token.
func (s *Service) begin(ctx context.Context, user string, from Client) (string, error) {
	session := s.newSession(user, from)
	if err := s.store.CreateLoginSession(ctx, session); err != nil {
		return "", fmt.Errorf("keep the sign-in: %w", err)
	}
	return s.cookie(session)
}

// newSession returns a sign-in that begins now, by proof.
func (s *Service) newSession(user string, from Client) models.LoginSession {
	now := models.InstantOf(s.now())
	return models.LoginSession{
		ID: models.NewID(), UserID: user, AuthTime: now, CreatedAt: now, LastSeenAt: now,
		ExpiresAt: now.Add(SessionLifetime), Device: from.Device, Address: from.Address,
	}
}

func (s *Service) cookie(session models.LoginSession) (string, error) {
	return s.tokens.IssueBrowser(BrowserToken{
		User: session.UserID, Session: session.ID, ExpiresAt: session.ExpiresAt.Time(),
	})
}

// SignOut ends a sign-in, at once and everywhere. Ending one that is unknown
// or has ended is no error.
func (s *Service) SignOut(ctx context.Context, session string) error {
	err := s.store.RevokeLoginSession(ctx, session, models.InstantOf(s.now()))
	if err != nil && !absent(err) {
		return fmt.Errorf("end the sign-in: %w", err)
	}
	return nil
}

// membership returns a user's membership in a tenant, or an error with code
// permission_denied and reason membership_lost.
func (s *Service) membership(ctx context.Context, tenant, user string) (models.Membership, error) {
	if tenant == "" || user == "" {
		return models.Membership{}, membershipLost()
	}
	m, err := s.store.Membership(ctx, tenant, user)
	if absent(err) {
		return models.Membership{}, membershipLost().Because(err)
	}
	if err != nil {
		return models.Membership{}, fmt.Errorf("read a membership: %w", err)
	}
	return m, nil
}

// normalEmail is the form in which addresses are stored and compared.
func normalEmail(email string) string { return strings.ToLower(strings.TrimSpace(email)) }
