package toolexec

import (
	"fmt"
	"sync"
	"time"
)

// restFor is how long a goroutine of a crew waits for its next work.
const restFor = 10 * time.Second

// crew runs the code of toolkits in goroutines of its own, so that a panic is an
// error and a hang keeps nobody. A goroutine takes further work for a while: its
// stack has grown to what such work needs, and growing one costs more than most
// calls do.
type crew struct {
	work    chan task
	stopped chan struct{}
	stop    func() // ends the goroutines that wait for work, and others when theirs is done
}

type task struct {
	do   func() error
	done chan error // with room for one
}

func newCrew() *crew {
	stopped := make(chan struct{})
	return &crew{work: make(chan task), stopped: stopped, stop: sync.OnceFunc(func() { close(stopped) })}
}

// run starts f and tells how it ended: a panic is an error, and so is an end of
// its goroutine without a return.
func (c *crew) run(f func() error) <-chan error {
	t := task{do: f, done: make(chan error, 1)}
	select {
	case c.work <- t: // Somebody waits for work.
	default:
		go c.serve(t)
	}
	return t.done
}

// serve carries out one task after another, until none comes for a while.
func (c *crew) serve(t task) {
	rest := time.NewTimer(restFor)
	defer rest.Stop()
	for {
		t.carryOut()
		rest.Reset(restFor)
		select {
		case t = <-c.work:
		case <-rest.C:
			return
		case <-c.stopped:
			return
		}
	}
}

func (t task) carryOut() {
	var err error = errGone
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", errPanicked, p)
		}
		t.done <- err
	}()
	err = t.do()
}
