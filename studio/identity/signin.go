package identity

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/netip"
	"time"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/tenancy"
)

const (
	// attemptsWithin is how far back attempts count, and how long somebody who
	// made too many has to wait.
	attemptsWithin = 15 * time.Minute
	// accountAttempts and addressAttempts are how many may fail in that time. An
	// address can be that of a whole company.
	accountAttempts = 10
	addressAttempts = 100
	// retrySoon is when to try again where the server has too much to do.
	retrySoon = 5 * time.Second
	// maxTyped is the longest password that is looked at, in bytes.
	maxTyped = 4 * MaxPassword
)

// wrongSignIn is the one answer for an unknown address and a wrong password.
func wrongSignIn() *models.Error {
	return unauthenticated("The address or the password is not right. Check both and try again.")
}

func tooMany(sentence string, after time.Duration) *models.Error {
	return models.Errorf(models.CodeTooManyAttempts, "%s", sentence).With("retry_after", int(after.Seconds()))
}

// SignInWithPassword starts a new sign-in of whoever proves to be the person
// with an address. For an unknown address and a wrong password it returns the
// same error with code unauthenticated, after the same work; after too many of
// them, one with code too_many_attempts.
func (s *Service) SignInWithPassword(ctx context.Context, email, password string, from Client) (string, error) {
	email = normalEmail(email)
	taken, err := s.take(ctx, email, from.Address)
	if err != nil {
		return "", err
	}
	user, proof, err := s.prove(ctx, email, password)
	if err != nil {
		return "", err
	}
	if err := s.giveBack(ctx, taken); err != nil {
		return "", err
	}
	session := s.newSession(user, from)
	if err := s.store.CreateLoginSession(ctx, session); err != nil {
		return "", fmt.Errorf("keep the sign-in: %w", err)
	}
	// A password that was changed meanwhile has ended every sign-in but this one.
	now, err := s.store.Password(ctx, user)
	if err != nil || now.ChangedAt != proof.ChangedAt {
		return "", wrongSignIn().Because(s.SignOut(ctx, session.ID))
	}
	return s.cookie(session)
}

// attempt is what was counted for an attempt.
type attempt struct{ account, address string }

// take counts an attempt at an account from an address, before it is made.
func (s *Service) take(ctx context.Context, account, address string) (attempt, error) {
	a := attempt{account: attemptID("account", account), address: attemptID("address", network(address))}
	for _, counted := range []struct {
		id    string
		limit int64
	}{{a.address, addressAttempts}, {a.account, accountAttempts}} {
		now := s.now()
		allowed, err := s.store.TakeLoginAttempt(ctx, counted.id, models.AttemptRule{
			Limit: counted.limit, Now: models.InstantOf(now), Since: models.InstantOf(now.Add(-attemptsWithin)),
			LockUntil: models.InstantOf(now.Add(attemptsWithin)),
		})
		if err != nil {
			return a, fmt.Errorf("count an attempt to sign in: %w", err)
		}
		if !allowed {
			return a, tooMany("There were too many attempts. Wait a quarter of an hour, then try again.", attemptsWithin)
		}
	}
	return a, nil
}

// giveBack takes back what was counted for an attempt that was successful.
func (s *Service) giveBack(ctx context.Context, a attempt) error {
	if err := s.store.ForgetLoginAttempts(ctx, a.account); err != nil {
		return fmt.Errorf("forget attempts to sign in: %w", err)
	}
	if err := s.store.ReturnLoginAttempt(ctx, a.address); err != nil {
		return fmt.Errorf("take back an attempt to sign in: %w", err)
	}
	return nil
}

func attemptID(kind, value string) string {
	digest := sha256.Sum256([]byte(kind + "\x00" + value))
	return hex.EncodeToString(digest[:])
}

// network is what attempts from an address count for: of IPv6, where one
// customer has very many, the 64 bits of their network.
func network(address string) string {
	ip, err := netip.ParseAddr(address)
	if err != nil {
		return address
	}
	ip = ip.Unmap().WithZone("")
	if !ip.Is6() {
		return ip.String()
	}
	prefix, err := ip.Prefix(64)
	if err != nil {
		return ip.String()
	}
	return prefix.String()
}

// prove returns the user of an address whose password this is, and the password
// as it is stored. An unknown address takes the same work as a wrong password.
func (s *Service) prove(ctx context.Context, email, password string) (string, models.Password, error) {
	stored := models.Password{Hash: s.hasher.dummy()}
	user, err := s.store.UserByEmail(ctx, email)
	switch {
	case err == nil && user.Kind != models.UserService:
		found, err := s.store.Password(ctx, user.ID)
		if err == nil {
			stored = found
		} else if !absent(err) {
			return "", stored, fmt.Errorf("read a password: %w", err)
		}
	case err != nil && !absent(err):
		return "", stored, fmt.Errorf("find the user who signs in: %w", err)
	}
	if len(password) > maxTyped {
		password = ""
	}
	right, err := s.hasher.verify(ctx, stored.Hash, password)
	if err != nil {
		return "", stored, err
	}
	if !right || stored.UserID == "" {
		return "", stored, wrongSignIn()
	}
	return user.ID, stored, s.rehash(ctx, stored, password)
}

// rehash keeps a password with the cost of today.
func (s *Service) rehash(ctx context.Context, stored models.Password, password string) error {
	if !s.hasher.outdated(stored.Hash) {
		return nil
	}
	hash, err := s.hasher.hash(ctx, password)
	if err != nil {
		return err
	}
	if _, err := s.store.RehashPassword(ctx, stored.UserID, stored.Hash, hash); err != nil {
		return fmt.Errorf("keep a password with another cost: %w", err)
	}
	return nil
}

// HasPassword reports whether a user can prove who they are with one.
func (s *Service) HasPassword(ctx context.Context, user string) (bool, error) {
	_, err := s.store.Password(ctx, user)
	if absent(err) {
		return false, nil
	}
	return err == nil, err
}

// Confirm has the person of a sign-in prove again who they are. It returns the
// cookie token of the sign-in that follows the one of the scope.
func (s *Service) Confirm(ctx context.Context, scope tenancy.Scope, password string, from Client) (string, error) {
	if err := s.reprove(ctx, scope, password, from); err != nil {
		return "", err
	}
	return s.Renew(ctx, scope, from)
}

// reprove checks the password of a person who is signed in.
func (s *Service) reprove(ctx context.Context, scope tenancy.Scope, password string, from Client) error {
	user, err := s.signedIn(ctx, scope)
	if err != nil {
		return err
	}
	taken, err := s.take(ctx, user.Email, from.Address)
	if err != nil {
		return err
	}
	if _, _, err := s.prove(ctx, user.Email, password); err != nil {
		if models.CodeOf(err) == models.CodeUnauthenticated {
			return models.Errorf(models.CodeValidation, "This is not your password. Try again.").With("field", "current").Because(err)
		}
		return err
	}
	return s.giveBack(ctx, taken)
}

// Renew replaces the sign-in of a person who has just proved again who they
// are, and returns the cookie token of the one that follows it.
func (s *Service) Renew(ctx context.Context, scope tenancy.Scope, from Client) (string, error) {
	if _, err := s.signedIn(ctx, scope); err != nil {
		return "", err
	}
	next := s.newSession(scope.User, from)
	replaced, err := s.store.ReplaceLoginSession(ctx, scope.Session, next, next.AuthTime)
	if err != nil {
		return "", fmt.Errorf("renew a sign-in: %w", err)
	}
	if !replaced {
		return "", signInAgain(nil)
	}
	return s.cookie(next)
}

// signedIn returns the user of a browser's scope.
func (s *Service) signedIn(ctx context.Context, scope tenancy.Scope) (models.User, error) {
	if scope.Via != tenancy.ViaBrowser || scope.Session == "" {
		return models.User{}, unauthenticated("This is for people who are signed in with a browser. Sign in first.")
	}
	user, err := s.store.User(ctx, scope.User)
	if absent(err) {
		return models.User{}, signInAgain(err)
	}
	return user, err
}
