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
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"
)

// options say what to measure.
type options struct {
	rowlock string // path of the binary
	against string // path of the binary to compare with; empty for none
	turns   int    // how often each of the two is measured
	dir     string // where the data directories are created
	pods    int    // replicas of the Deployment
	large   int    // replicas of the Deployment for measuring growth
	objects int    // ConfigMaps, or custom resources
	// definitions is how many CustomResourceDefinitions are created.
	definitions int
	execs       int // of a command in Pods
	clients     int // that use the API concurrently
	writes      int // that are watched
	// cronJobs is how many CronJobs run every minute while an hour passes.
	cronJobs int
	// limit is the share of Kubernetes' own limits to go to, in per cent.
	limit int
	only  []string
	page  string // the Markdown page with the figures; empty for none
}

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
	o, err := parse(args)
	if err != nil {
		return err
	}
	if o.dir, err = os.MkdirTemp(o.dir, "rowlock-bench-"); err != nil {
		return err
	}
	defer os.RemoveAll(o.dir) //nolint:errcheck // what stays is in the folder for such things
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

// measures returns the requested groups.
func (o options) measures() []measure {
	if len(o.only) == 0 {
		return measures
	}
	return slices.DeleteFunc(slices.Clone(measures), func(m measure) bool { return !slices.Contains(o.only, m.name) })
}

func parse(args []string) (options, error) {
	var o options
	var only string
	names := make([]string, len(measures))
	for i, m := range measures {
		names[i] = m.name
	}
	f := flag.NewFlagSet("bench", flag.ContinueOnError)
	f.StringVar(&o.rowlock, "rowlock", "bin/rowlock", "the binary to measure")
	f.StringVar(&o.against, "against", "", "another binary to alternate with; the table shows both and the difference")
	f.IntVar(&o.turns, "turns", 3, "with -against: how often each binary is measured; the table shows medians")
	f.StringVar(&o.dir, "dir", "", "where to put the data, on the disk to be measured (default: the folder for temporary files)")
	f.IntVar(&o.pods, "pods", 2000, "replicas of the Deployment")
	f.IntVar(&o.large, "large", 20000, "replicas of the Deployment by which growth is judged")
	f.IntVar(&o.objects, "objects", 2000, "ConfigMaps to create, get, update, patch and delete")
	f.IntVar(&o.definitions, "definitions", 1000, "CustomResourceDefinitions to create")
	f.IntVar(&o.execs, "execs", 2000, "commands to execute in Pods")
	f.IntVar(&o.clients, "clients", 16, "clients that do so at once")
	f.IntVar(&o.writes, "writes", 1000, "writes that one watcher sees; a hundred watchers see a tenth of them")
	f.IntVar(&o.cronJobs, "cronjobs", 1000, "CronJobs that run every minute while an hour passes")
	f.IntVar(&o.limit, "limit", 10, "per cent of the nodes, Pods and Services up to which Kubernetes is tested; all of them take many minutes")
	f.StringVar(&o.page, "page", "", "the Markdown page to write the figures to, in place of those that it has of the same groups")
	f.StringVar(&only, "only", "", "groups to measure, of "+strings.Join(names, ",")+" (default: all)")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if o.page != "" && o.against != "" {
		return o, errors.New("-page keeps the figures of one binary: it goes without -against")
	}
	if only != "" {
		o.only = strings.Split(only, ",")
	}
	for _, name := range o.only {
		if !slices.Contains(names, name) {
			return o, fmt.Errorf("-only: there is no group %q", name)
		}
	}
	if min(o.turns, o.pods, o.large, o.objects, o.definitions, o.execs, o.clients, o.writes, o.cronJobs, o.limit) < 1 {
		return o, fmt.Errorf("numbers must be positive")
	}
	return o, nil
}

// settleTime is how long a server is left alone before its memory is read.
const settleTime = 5 * time.Second

func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
