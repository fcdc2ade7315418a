package studio

import (
	"context"
	"errors"
	"sync"
)

// ErrStopped says that a Studio was stopped. It does not start again; make another
// one.
var ErrStopped = errors.New("studio: it was stopped and does not start again; make another one with studio.New")

// lifecycle is how far a Studio has got: new, started, stopped, and never back.
type lifecycle struct {
	mu      sync.Mutex
	started bool
	stopped bool
	err     error // of Stop
}

// Start begins the background work, and takes up the turns that an earlier
// process left unfinished. A Studio that is started already stays as it is, so
// that every part of a host which needs it may start it, at the same time too;
// all return when it is started. After an error it may be tried again. After
// [Studio.Stop] it returns [ErrStopped].
func (s *Studio) Start(ctx context.Context) error {
	s.life.mu.Lock()
	defer s.life.mu.Unlock()
	if s.life.stopped {
		return ErrStopped
	}
	if s.life.started {
		return nil
	}
	if err := s.start(ctx); err != nil {
		return err
	}
	s.life.started = true
	return nil
}

// Stop ends the background work: running jobs may finish until ctx is done.
// Then it closes the toolkits that are open. The database stays open; it
// belongs to the host. Stopping again does nothing and returns what the first
// time returned.
func (s *Studio) Stop(ctx context.Context) error {
	s.life.mu.Lock()
	defer s.life.mu.Unlock()
	if s.life.stopped {
		return s.life.err
	}
	s.life.stopped = true
	s.life.err = s.jobs.Stop(ctx)
	s.Runner.Stop()
	return s.life.err
}
