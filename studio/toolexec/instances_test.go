package toolexec

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/hosttools"
)

// shelf counts what is opened and closed.
type shelf struct {
	*instances

	opened, closed atomic.Int64
}

func newShelf() *shelf {
	return &shelf{instances: newInstances(newCrew(), slog.New(slog.DiscardHandler), time.Second)}
}

func (s *shelf) get(ctx context.Context, tenant string) (*instance, error) {
	return s.acquire(ctx, instanceKey{tenant: tenant, slug: "x_kit"}, s.built)
}

func (s *shelf) built(context.Context) (*hosttools.Instance, error) {
	return s.kit(nil)
}

func (s *shelf) kit(open func(context.Context) error) (*hosttools.Instance, error) {
	registry := hosttools.NewRegistry(hosttools.Host{Prefix: "x_", Tools: map[string]hosttools.Constructor{
		"x_kit": func() (hosttools.Entry, error) {
			return hosttools.Toolkit{
				Prefix: "x", Title: "Kit", Open: open,
				Methods: []hosttools.Method{hosttools.NewMethod("read", "Reads.",
					func(context.Context, struct{}) (struct{}, error) { return struct{}{}, nil }, hosttools.Read())},
				Close: func(context.Context) error { s.closed.Add(1); return nil },
			}, nil
		},
	}})
	d, ok := registry.Lookup("x_read")
	if !ok {
		return nil, registry.Err()
	}
	built, err := d.Construct(nil)
	if err == nil {
		err = built.Open(context.Background())
	}
	if err == nil {
		s.opened.Add(1)
	}
	return built, err
}

func TestInstancesOpenOnceForATenant(t *testing.T) {
	t.Parallel()
	s := newShelf()
	var seen sync.Map
	var calls sync.WaitGroup
	for range 50 {
		calls.Go(func() {
			for _, tenant := range []string{"acme", "globex"} {
				i, err := s.get(t.Context(), tenant)
				if err != nil {
					t.Error(err)
					return
				}
				if other, loaded := seen.LoadOrStore(i, tenant); loaded && other != tenant {
					t.Error("tenants share an instance")
				}
				s.release(i, false)
			}
		})
	}
	calls.Wait()
	require.EqualValues(t, 2, s.opened.Load())
	s.stop()
	require.EqualValues(t, 2, s.closed.Load())
	after, err := s.get(t.Context(), "acme")
	require.NoError(t, err)
	s.release(after, false)
	require.EqualValues(t, 3, s.closed.Load(), "after the stop nothing stays open")
}

func TestIdleInstancesAreClosed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newShelf()
		defer s.crew.stop()
		first, err := s.get(t.Context(), "acme")
		require.NoError(t, err)
		time.Sleep(2 * idleAfter)
		require.Zero(t, s.closed.Load(), "it is in use")
		s.release(first, false)
		time.Sleep(idleAfter / 2)
		again, err := s.get(t.Context(), "acme")
		require.NoError(t, err)
		require.Same(t, first, again)
		s.release(again, false)
		time.Sleep(idleAfter + time.Second)
		synctest.Wait()
		require.EqualValues(t, 1, s.closed.Load())
		next, err := s.get(t.Context(), "acme")
		require.NoError(t, err)
		require.NotSame(t, first, next)
		s.release(next, true)
		require.EqualValues(t, 2, s.closed.Load(), "a broken one is closed at once")
	})
}

func TestBrokenInstancesServeOutTheirCalls(t *testing.T) {
	t.Parallel()
	s := newShelf()
	a, err := s.get(t.Context(), "acme")
	require.NoError(t, err)
	b, err := s.get(t.Context(), "acme")
	require.NoError(t, err)
	require.Same(t, a, b)
	s.release(a, true)
	require.Zero(t, s.closed.Load(), "the other call still has it")
	c, err := s.get(t.Context(), "acme")
	require.NoError(t, err)
	require.NotSame(t, a, c, "no further call gets it")
	s.release(b, false)
	require.EqualValues(t, 1, s.closed.Load())
	s.release(c, false)
	s.stop()
	require.EqualValues(t, 2, s.closed.Load())
}

// TestOpeningThatFailsOrHangs holds that neither stays: the next call tries
// again, and what opens too late is closed.
func TestOpeningThatFailsOrHangs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newShelf()
		defer s.crew.stop()
		key := instanceKey{tenant: "acme", slug: "x_kit"}
		_, err := s.acquire(t.Context(), key, func(context.Context) (*hosttools.Instance, error) { return nil, errors.New("down") })
		require.ErrorContains(t, err, "down")
		_, err = s.acquire(t.Context(), key, func(context.Context) (*hosttools.Instance, error) { panic("boom") })
		require.ErrorIs(t, err, errPanicked)

		_, err = s.acquire(t.Context(), key, func(context.Context) (*hosttools.Instance, error) {
			return s.kit(func(context.Context) error { time.Sleep(time.Minute); return nil })
		})
		require.ErrorIs(t, err, context.DeadlineExceeded)
		i, err := s.get(t.Context(), "acme")
		require.NoError(t, err, "the hanging one is in nobody's way")
		s.release(i, true)
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		require.Equal(t, s.opened.Load(), s.closed.Load())
	})
}

func TestWaitingForAnInstanceEndsWithTheCaller(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newShelf()
		defer s.crew.stop()
		slow := func(context.Context) (*hosttools.Instance, error) {
			return s.kit(func(context.Context) error { time.Sleep(500 * time.Millisecond); return nil })
		}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		_, err := s.acquire(ctx, instanceKey{slug: "x_kit"}, slow)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		i, err := s.acquire(t.Context(), instanceKey{slug: "x_kit"}, slow)
		require.NoError(t, err)
		require.EqualValues(t, 1, s.opened.Load(), "the next one gets what the first began")
		s.release(i, false)
		s.stop()
		require.EqualValues(t, 1, s.closed.Load())
	})
}
