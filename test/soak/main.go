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
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/rowlock/rowlock/test/exercise"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
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
