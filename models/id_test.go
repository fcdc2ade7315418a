package models_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/agentstudio/agentstudio/models"
)

func TestNewID(t *testing.T) {
	t.Parallel()
	ids := make([]string, 1000)
	for i := range ids {
		ids[i] = models.NewID()
		require.True(t, models.ValidID(ids[i]))
		require.Equal(t, uuid.Version(7), uuid.MustParse(ids[i]).Version())
	}
	require.True(t, slices.IsSorted(ids), "ids made later sort later")
	require.Len(t, slices.Compact(ids), 1000)
}

func TestValidIDRefuses(t *testing.T) {
	t.Parallel()
	id := models.NewID()
	cases := map[string]string{
		"nothing":        "",
		"too short":      id[:35],
		"too long":       id + "0",
		"in braces":      "{" + id + "}",
		"as a URN":       "urn:uuid:" + id,
		"without dashes": strings.ReplaceAll(id, "-", ""),
		"other dashes":   strings.ReplaceAll(id, "-", "_"),
		"not hex":        id[:35] + "g",
		"a space":        id[:35] + " ",
		"a wildcard":     id[:35] + "%",
		"a zero byte":    id[:35] + "\x00",
		"a path":         "../../../../../../../../../etc/passwd",
		"wide digits":    strings.Repeat("\uff10", 12),
	}
	for name, text := range cases {
		require.False(t, models.ValidID(text), name)
	}
}

func TestInstant(t *testing.T) {
	t.Parallel()
	require.Zero(t, models.InstantOf(time.Time{}))
	require.True(t, models.Instant(0).Time().IsZero())

	zone := time.FixedZone("east", 5*3600)
	at := time.Date(2026, 3, 4, 5, 6, 7, 8_999_999, zone)
	instant := models.InstantOf(at)
	require.Equal(t, models.Instant(1772582767008), instant, "cut to the millisecond")
	require.Equal(t, time.UTC, instant.Time().Location())
	require.Equal(t, at.Truncate(time.Millisecond).UTC(), instant.Time())

	require.Equal(t, instant+1500, instant.Add(1500*time.Millisecond))
	require.Equal(t, instant, instant.Add(999*time.Microsecond))
	require.Equal(t, instant-60_000, instant.Add(-time.Minute))
}

func TestInstantsKeepOrderAndValue(t *testing.T) {
	t.Parallel()
	// From 1677 to 2262, which time.Time counts in nanoseconds.
	nanos := rapid.Int64()
	rapid.Check(t, func(t *rapid.T) {
		a, b := time.Unix(0, nanos.Draw(t, "a")), time.Unix(0, nanos.Draw(t, "b"))
		i, j := models.InstantOf(a), models.InstantOf(b)
		if a.Before(b) {
			require.LessOrEqual(t, i, j)
		}
		require.Equal(t, i, models.InstantOf(i.Time()))
		if i != 0 {
			require.Less(t, a.Sub(i.Time()).Abs(), time.Millisecond)
		}
	})
}
