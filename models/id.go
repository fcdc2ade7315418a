package models

import (
	"strings"
	"time"

	"github.com/google/uuid"
)

// NewID returns a new UUIDv7 in its text form. Ids made later sort later, so
// that an index on them stays local.
func NewID() string {
	return uuid.Must(uuid.NewV7()).String()
}

// ValidID reports whether s is a UUID in the canonical text form that [NewID]
// returns. Anything else can be answered as unseen without asking a database.
func ValidID(s string) bool {
	return len(s) == 36 && uuid.Validate(s) == nil && s == strings.ToLower(s)
}

// Instant is a moment in UTC, in milliseconds since the Unix epoch; zero means
// never. Whole milliseconds compare the same in every database.
type Instant int64

// InstantOf returns the instant of t, cut to the millisecond.
func InstantOf(t time.Time) Instant {
	if t.IsZero() {
		return 0
	}
	return Instant(t.UnixMilli())
}

// Time returns the instant as a time in UTC, and the zero time for never.
func (i Instant) Time() time.Time {
	if i == 0 {
		return time.Time{}
	}
	return time.UnixMilli(int64(i)).UTC()
}

// Add returns the instant d later.
func (i Instant) Add(d time.Duration) Instant {
	return i + Instant(d.Milliseconds())
}
