package identity

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/agentstudio/agentstudio/models"
)

const (
	// seenEvery is how exactly it is known when a sign-in was used last.
	seenEvery = time.Minute
	// maxSeen is how many sign-ins are remembered; then all are forgotten, which
	// costs a statement each.
	maxSeen = 10_000
)

// lastSeen remembers which sign-ins were noted lately, so that most requests
// write nothing.
type lastSeen struct {
	mu sync.Mutex
	at map[string]time.Time
}

func newLastSeen() *lastSeen { return &lastSeen{at: map[string]time.Time{}} }

// due reports whether a sign-in is to be noted, and takes it as noted.
func (l *lastSeen) due(session string, now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if last, ok := l.at[session]; ok && now.Sub(last) < seenEvery {
		return false
	}
	if len(l.at) >= maxSeen {
		clear(l.at)
	}
	l.at[session] = now
	return true
}

// Seen notes that a sign-in is being used, once a minute at most.
func (s *Service) Seen(ctx context.Context, session string) error {
	now := s.now()
	if session == "" || !s.seen.due(session, now) {
		return nil
	}
	err := s.store.TouchLoginSession(ctx, session, models.InstantOf(now.Add(-seenEvery)), models.InstantOf(now))
	if err != nil {
		return fmt.Errorf("note that a sign-in is used: %w", err)
	}
	return nil
}
