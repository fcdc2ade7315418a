package hosttoolstest

import (
	"context"
	"fmt"
	"runtime/pprof"
	"time"
)

// ending is how a toolkit's code ended.
type ending struct {
	err   error
	crash string // how it panicked, "" if it did not
	late  bool   // it had not returned when its time was over
}

// says puts what is wrong with an ending into words, "" when nothing is.
func (e ending) says() string {
	switch {
	case e.late:
		return "did not return in time"
	case e.crash != "":
		return e.crash
	default:
		return ""
	}
}

// good reports whether the code returned, and no error.
func (e ending) good() bool { return e.says() == "" && e.err == nil }

// contained runs a toolkit's code in a goroutine of its own that carries the
// profiler labels of ctx, and waits for its end, at most for limit.
func contained(ctx context.Context, limit time.Duration, f func() error) ending {
	done := make(chan ending, 1)
	go func() {
		pprof.SetGoroutineLabels(ctx)
		end := ending{crash: "ended its goroutine"}
		defer func() {
			if p := recover(); p != nil {
				end.crash = fmt.Sprintf("panicked: %v", p)
			}
			done <- end
		}()
		end = ending{err: f()}
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case end := <-done:
		return end
	case <-timer.C:
		return ending{late: true}
	}
}
