// Command soak keeps a cluster of several processes under a mixed load for a long time, kills,
// stops and restarts the processes and their PostgreSQL meanwhile, and then checks everything that
// happened by the log (see package history), and by the clients' answers.
//
//	go run ./test/soak -rowlock bin/rowlock [-for 10m] [-seed 7]
//
// `make soak` builds and runs it. The seed determines what the clients and the saboteur do, but not
// when.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/rowlock/rowlock/test/exercise"
)

// options configure a run.
type options struct {
	rowlock  string // path of the binary
	dir      string // where the data is during the run
	duration time.Duration
	warmUp   time.Duration // of the load before the first memory measurement
	seed     uint64
	replicas int
	speed    float64 // of the cluster's clock
	growth   float64 // the allowed relative growth of a process's memory at the end; 0 is not checked
	stderr   io.Writer
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

func parse(args []string) (options, error) {
	var o options
	f := flag.NewFlagSet("soak", flag.ContinueOnError)
	f.StringVar(&o.rowlock, "rowlock", "bin/rowlock", "the binary to soak")
	f.StringVar(&o.dir, "dir", "", "where to put the data (default: the folder for temporary files)")
	f.DurationVar(&o.duration, "for", 10*time.Minute, "how long the load and the failures go on")
	f.DurationVar(&o.warmUp, "warm-up", 45*time.Second, "how long the load runs without failures before memory is first measured")
	f.Uint64Var(&o.seed, "seed", 0, "what the clients and the failures follow from; 0 draws one")
	f.IntVar(&o.replicas, "replicas", 3, "how many processes to run")
	f.Float64Var(&o.speed, "speed", 5, "how fast the cluster's clock runs")
	f.Float64Var(&o.growth, "growth", 0.2, "by how much of itself the memory of a process may have grown in the end; 0: whatever it has")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if o.seed == 0 {
		o.seed = rand.Uint64N(1_000_000)
	}
	return o, nil
}

// run is the program: the cluster, the warm-up, the load with failures, the end, the verdict.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	o.stderr = stderr
	fmt.Fprintf(stdout, "soaking for %v with the seed %d\n", o.duration, o.seed)
	f, err := newFleet(ctx, o)
	if err != nil {
		return err
	}
	defer f.end()
	c := exercise.New(f, o.seed)
	if err := c.Prepare(ctx, o.speed); err != nil {
		return err
	}
	if err := c.WarmUp(ctx, o.warmUp); err != nil {
		return err
	}
	start, err := f.memoryAtRest(ctx, nil)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "memory after the warm-up: %s\n", start)
	if err := c.Prepare(ctx, o.speed); err != nil {
		return err
	}

	watches := c.Follow()
	load := c.Start(ctx, "load")
	sabotage(ctx, f, o.duration)
	load.Stop()
	h, err := c.Judge(ctx, watches, stdout)
	if err != nil {
		return err
	}
	end, err := f.memoryAtRest(ctx, start)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "memory in the end: %s\n", end)
	s := &f.survived
	fmt.Fprintf(stdout, "survived %d processes killed, %d stopped for a while; PostgreSQL crashed %d times and restarted %d times\n",
		s.kills.Load(), s.stops.Load(), s.crashes.Load(), s.restarts.Load())
	c.Report(stdout, h)
	f.judgeMemory(c, start, end)
	return c.Verdict(stdout)
}
