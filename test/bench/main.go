// Command bench measures a Rowlock binary from outside, as its users see it: it runs `rowlock
// serve` on a PostgreSQL that flushes every commit, drives it with client-go over HTTP, and prints
// a table in Markdown.
//
//	go run ./test/bench -rowlock bin/rowlock [-pods 2000] [-only start,workload]
//	go run ./test/bench -rowlock bin/rowlock -against /tmp/rowlock-before -turns 3 -only workload
//	go run ./test/bench -rowlock bin/rowlock -page docs/BENCHMARKS.md
//
// `make bench` builds and runs it. Client and server share the machine, so every figure includes
// the client's own work.
package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"
)

// measure is a group of figures. Groups run in order, each on a server of its own.
type measure struct {
	name string
	run  func(ctx context.Context, o options, r *report) error
}

var measures = []measure{
	{"start", measureStart},
	{"workload", measureWorkload},
	{"jobs", measureJobs},
	{"api", measureAPI},
	{"replicas", measureReplicas},
	{"floor", measureFloor},
	{"definitions", measureDefinitions},
	{"custom", measureCustom},
	{"exec", measureExec},
	{"watch", measureWatch},
	{"clock", measureClock},
	{"growth", measureGrowth},
	{"limits", measureLimits},
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run is the program. It prints each group of figures as soon as it has it.
func run(ctx context.Context, args []string, stdout io.Writer) error {
	if len(args) > 0 && args[0] == floorCommand {
		return serveFloor(ctx, args[1:], stdout)
	}
	o, err := parse(args, groups())
	if err != nil {
		return err
	}
	if o.dir, err = os.MkdirTemp(o.dir, "rowlock-bench-"); err != nil {
		return err
	}
	defer os.RemoveAll(o.dir) //nolint:errcheck // what stays is in the directory for such things
	if err := os.Chmod(o.dir, 0o755); err != nil {
		return err // PostgreSQL runs as another user when this is root
	}
	machine, err := describeMachine(o.dir)
	if err != nil {
		return err
	}
	if o.against != "" {
		fmt.Fprintf(stdout, "%s\n\n", machine)
		return compare(ctx, o, stdout)
	}
	for _, m := range o.measures() {
		if err := o.measure(ctx, m, machine, stdout); err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
	}
	return nil
}

// measure prints a table of the group's figures, and writes it to the page if there is one.
func (o options) measure(ctx context.Context, m measure, machine string, stdout io.Writer) error {
	var table bytes.Buffer
	out := io.MultiWriter(stdout, &table)
	fmt.Fprintf(out, "%s: %s\n\n", m.name, machine)
	if err := m.run(ctx, o, newReport(out)); err != nil {
		return err
	}
	fmt.Fprintln(stdout)
	if o.page == "" {
		return nil
	}
	return keep(o.page, m.name, table.String())
}

// groups returns the names of all groups.
func groups() []string {
	names := make([]string, len(measures))
	for i, m := range measures {
		names[i] = m.name
	}
	return names
}

// measures returns the requested groups.
func (o options) measures() []measure {
	if len(o.only) == 0 {
		return measures
	}
	return slices.DeleteFunc(slices.Clone(measures), func(m measure) bool { return !slices.Contains(o.only, m.name) })
}
