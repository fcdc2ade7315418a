package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
)

// everyAllocation is the rate at which the heap profile misses little: one
// sample for each 4 KiB.
const everyAllocation = 4 << 10

// profiled runs f under the profiles that the options ask for.
func profiled(o options, f func() error) (err error) {
	if o.allocs != "" {
		runtime.MemProfileRate = everyAllocation
	}
	if o.cpu != "" {
		file, err := os.Create(o.cpu)
		if err != nil {
			return fmt.Errorf("create the CPU profile: %w", err)
		}
		if err := pprof.StartCPUProfile(file); err != nil {
			return errors.Join(err, file.Close())
		}
		defer func() {
			pprof.StopCPUProfile()
			_ = file.Close() // a profile that is cut short cannot be read, and says so
		}()
	}
	if err := f(); err != nil || o.allocs == "" {
		return err
	}
	file, err := os.Create(o.allocs)
	if err != nil {
		return fmt.Errorf("create the allocation profile: %w", err)
	}
	return errors.Join(pprof.Lookup("allocs").WriteTo(file, 0), file.Close())
}
