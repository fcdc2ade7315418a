package session

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// woken reports whether a wake-up is to come, and takes it.
func woken(wake <-chan struct{}) bool {
	select {
	case <-wake:
		return true
	default:
		return false
	}
}

func TestBrokerWakesTheStreamsOfASession(t *testing.T) {
	t.Parallel()
	b := NewBroker()
	first, endFirst := b.Subscribe("a")
	defer endFirst()
	second, endSecond := b.Subscribe("a")
	defer endSecond()
	other, endOther := b.Subscribe("b")
	defer endOther()

	b.Wake("a")
	require.True(t, woken(first))
	require.True(t, woken(second))
	require.False(t, woken(other), "another conversation")
	b.Wake("nobody")
	require.False(t, woken(first))
}

func TestBrokerKeepsOneWakeUp(t *testing.T) {
	t.Parallel()
	b := NewBroker()
	wake, end := b.Subscribe("a")
	defer end()
	for range 100 {
		b.Wake("a") // nobody reads, and yet it does not wait
	}
	require.True(t, woken(wake))
	require.False(t, woken(wake), "one reading of the log serves them all")
	b.Wake("a")
	require.True(t, woken(wake), "a wake-up after the last one was taken is not lost")
}

func TestUnsubscribeFrees(t *testing.T) {
	t.Parallel()
	b := NewBroker()
	first, endFirst := b.Subscribe("a")
	second, endSecond := b.Subscribe("a")
	endFirst()
	require.Len(t, b.waiting["a"], 1)
	b.Wake("a")
	require.False(t, woken(first), "whoever left is not woken")
	require.True(t, woken(second))
	endSecond()
	require.Empty(t, b.waiting, "nothing is kept of a session that nobody streams")
	endSecond()
	endFirst()
	require.Empty(t, b.waiting, "leaving twice does no harm")

	third, endThird := b.Subscribe("a")
	endFirst()
	b.Wake("a")
	require.True(t, woken(third), "leaving twice does not end somebody else's stream")
	endThird()
}

// TestNoWakeUpIsLost has writers that grow a log and then wake, and streams
// that read it only when woken: every stream sees the whole log.
func TestNoWakeUpIsLost(t *testing.T) {
	t.Parallel()
	const writers, streams, entries = 8, 8, 200
	b := NewBroker()
	var log atomic.Int64
	var all sync.WaitGroup
	for range streams {
		wake, end := b.Subscribe("a")
		all.Go(func() {
			defer end()
			for log.Load() < writers*entries {
				<-wake
			}
		})
	}
	for range writers {
		all.Go(func() {
			for range entries {
				log.Add(1)
				b.Wake("a")
				_, end := b.Subscribe("a") // others come and go
				end()
			}
		})
	}
	all.Wait()
	require.Empty(t, b.waiting)
}
