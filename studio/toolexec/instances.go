package toolexec

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/agentstudio/agentstudio/hosttools"
)

// idleAfter is how long an instance stays open after its last call.
const idleAfter = time.Minute

// instanceKey names an instance: a toolkit of one tenant in one configuration.
// Tenants never share one.
type instanceKey struct{ tenant, slug, config string }

// instance is an open instance, shared by the calls that use it now.
type instance struct {
	*hosttools.Instance

	key   instanceKey
	ready chan struct{} // closed once Instance or err is set
	err   error

	// Guarded by the mutex of instances.
	users   int
	retired bool // serves no further call
	idle    *time.Timer
}

// instances keeps open instances: each is constructed and opened once, for the
// first call that needs it, and closed when it has been idle.
type instances struct {
	crew   *crew
	logger *slog.Logger
	within time.Duration // for opening, and for closing
	idle   time.Duration

	mu      sync.Mutex
	open    map[instanceKey]*instance
	stopped bool
}

func newInstances(crew *crew, logger *slog.Logger, within time.Duration) *instances {
	return &instances{crew: crew, logger: logger, within: within, idle: idleAfter, open: map[instanceKey]*instance{}}
}

// acquire returns the open instance of a key. The first call builds it; the
// others wait for that as long as their context lasts. Every acquired instance
// has to be released.
func (s *instances) acquire(
	ctx context.Context, key instanceKey, build func(context.Context) (*hosttools.Instance, error),
) (*instance, error) {
	i, first := s.take(key)
	if first {
		go s.build(ctx, i, build)
	}
	select {
	case <-i.ready:
	default:
		select {
		case <-i.ready:
		case <-ctx.Done():
			s.release(i, false)
			return nil, ctx.Err()
		}
	}
	if i.err != nil {
		s.release(i, true)
		return nil, i.err
	}
	return i, nil
}

// take counts one more user of the key's instance, and reports whether it has
// to be built.
func (s *instances) take(key instanceKey) (i *instance, first bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i, ok := s.open[key]; ok {
		i.users++
		if i.idle != nil {
			i.idle.Stop()
		}
		return i, false
	}
	i = &instance{key: key, ready: make(chan struct{}), users: 1, retired: s.stopped}
	if !s.stopped {
		s.open[key] = i
	}
	return i, true
}

// build constructs and opens an instance, within its own time: who waits for
// it may go. One that hangs is given up for its successor.
func (s *instances) build(
	ctx context.Context, i *instance, build func(context.Context) (*hosttools.Instance, error),
) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.within)
	defer cancel()
	var built *hosttools.Instance
	done := s.crew.run(func() (err error) {
		built, err = build(ctx)
		return err
	})
	select {
	case i.err = <-done:
		i.Instance = built
	case <-ctx.Done():
		i.err = fmt.Errorf("open: %w", ctx.Err())
		go s.closeLate(i.key, done, &built)
	}
	close(i.ready)
}

// closeLate closes an instance that opened after nobody waited any more.
func (s *instances) closeLate(key instanceKey, done <-chan error, built **hosttools.Instance) {
	if err := <-done; err == nil {
		s.close(key, *built)
	}
}

// release gives an instance back. A broken one serves no further call, and is
// closed when its last user is gone.
func (s *instances) release(i *instance, broken bool) {
	s.mu.Lock()
	i.users--
	if broken {
		s.retire(i)
	}
	last := i.users == 0
	if last && !i.retired {
		s.rest(i)
	}
	closing := last && i.retired
	s.mu.Unlock()
	if closing {
		s.shut(i)
	}
}

// rest starts the time after which an unused instance is closed.
func (s *instances) rest(i *instance) {
	if i.idle == nil {
		i.idle = time.AfterFunc(s.idle, func() { s.expire(i) })
		return
	}
	i.idle.Reset(s.idle)
}

func (s *instances) expire(i *instance) {
	s.mu.Lock()
	unused := i.users == 0 && !i.retired
	if unused {
		s.retire(i)
	}
	s.mu.Unlock()
	if unused {
		s.shut(i)
	}
}

// spoil keeps an instance in use from serving further calls.
func (s *instances) spoil(i *instance) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.retire(i)
}

func (s *instances) retire(i *instance) {
	i.retired = true
	if s.open[i.key] == i {
		delete(s.open, i.key)
	}
	if i.idle != nil {
		i.idle.Stop()
	}
}

// stop closes what nobody uses, and the rest when it is released.
func (s *instances) stop() {
	s.mu.Lock()
	s.stopped = true
	var unused []*instance
	for _, i := range s.open {
		s.retire(i)
		if i.users == 0 {
			unused = append(unused, i)
		}
	}
	s.mu.Unlock()
	for _, i := range unused {
		s.shut(i)
	}
}

// shut closes an instance that nobody uses any more, once it is built.
func (s *instances) shut(i *instance) {
	select {
	case <-i.ready:
	default:
		go func() {
			<-i.ready
			s.shut(i)
		}()
		return
	}
	if i.Instance != nil {
		s.close(i.key, i.Instance)
	}
}

// close gives back what an instance holds. A failure to do so is logged and
// changes nothing.
func (s *instances) close(key instanceKey, i *hosttools.Instance) {
	ctx, cancel := context.WithTimeout(context.Background(), s.within)
	defer cancel()
	var err error
	select {
	case err = <-s.crew.run(func() error { return i.Close(ctx) }):
	case <-ctx.Done():
		err = ctx.Err() // What hangs is left behind.
	}
	if err != nil {
		s.logger.WarnContext(ctx, "close a toolkit", "slug", key.slug, "tenant", key.tenant, "error", scrub(err, i.Secrets()))
	}
}
