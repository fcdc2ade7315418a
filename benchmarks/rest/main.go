// Command rest measures reads through the Studio's execute route beside a bare
// echo handler that checks the same token and runs the same query, over HTTP on
// loopback, and prints a table.
//
// The servers run in this process and the load comes from a second process of
// the same program, so that a profile of the servers holds no client.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"time"
)

// options are what the command line says.
type options struct {
	connections []int
	duration    time.Duration // of one measurement
	rounds      int           // measurements of each server, of which the median counts
	only        string        // measure one server alone
	cpu, allocs string        // files for profiles of the servers
	load        string        // JSON of a job: this process is the one that loads
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "rest:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	o, err := parse()
	if err != nil {
		return err
	}
	if o.load != "" {
		return loadAndReport(ctx, o.load, os.Stdout)
	}
	return compare(ctx, o)
}

func parse() (options, error) {
	var o options
	connections := flag.String("connections", "1,32,256", "numbers of connections, parted by commas")
	flag.DurationVar(&o.duration, "duration", 5*time.Second, "length of one measurement")
	flag.IntVar(&o.rounds, "rounds", 3, "measurements of each server, in turn; the median is shown")
	flag.StringVar(&o.only, "only", "", `measure "bare" or "studio" alone`)
	flag.StringVar(&o.cpu, "cpuprofile", "", "file for a CPU profile of the server")
	flag.StringVar(&o.allocs, "memprofile", "", "file for a profile of all the server's allocations")
	flag.StringVar(&o.load, "load", "", "for the program's own use")
	flag.Parse()
	if o.only != "" && o.only != nameBare && o.only != nameStudio {
		return o, fmt.Errorf("-only is %q and must be %s or %s", o.only, nameBare, nameStudio)
	}
	if o.rounds < 1 || o.duration <= 0 {
		return o, errors.New("-rounds and -duration must be positive")
	}
	for text := range strings.SplitSeq(*connections, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return o, fmt.Errorf("%q is no number of connections", text)
		}
		o.connections = append(o.connections, n)
	}
	return o, nil
}
