// Command campaign keeps a cluster of three replicas, a PostgreSQL and its synchronous standby
// under a mixed load, injects faults into processes, connections, the database and the cluster's
// clock, alone and together, and then checks everything that happened (see package exercise). All
// connections between them go through proxies of its own, so that it needs no privileges.
//
//	go run ./test/campaign -rowlock bin/rowlock [-for 1h] [-seed 7]
//
// `make campaign` builds and runs it. The seed determines which faults happen, in which order, and
// what the clients do, but not exactly when.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"github.com/rowlock/rowlock/test/exercise"
)

// options configure a run.
type options struct {
	rowlock  string // path of the binary
	old      string // path of one of an earlier version, which the replicas begin with; empty for none
	next     bool   // begin with rowlock, and upgrade the replicas to a build with one migration more
	skewed   string // path of one whose clock can be wrong (see buildSkewed); empty for none
	skew     bool   // build that
	bug      string // part of the names of bugs that the judges must notice; empty for a run without
	kinds    []Kind // of faults; nil for all that can be injected here
	dir      string // where the data is during the run
	duration time.Duration
	faults   int // at most
	seed     uint64
	speed    float64 // of the cluster's clock
	verbose  bool
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "campaign:", err)
		os.Exit(1)
	}
}

func parse(args []string) (options, error) {
	var o options
	f := flag.NewFlagSet("campaign", flag.ContinueOnError)
	f.StringVar(&o.rowlock, "rowlock", "bin/rowlock", "the binary to try")
	f.StringVar(&o.old, "old", "", "a binary of an earlier version with fewer migrations: the replicas begin with it and are upgraded one by one")
	f.BoolVar(&o.next, "next", false, "build the version after this one, which has one migration more: the replicas are upgraded to it one by one")
	f.BoolVar(&o.skew, "skew", false, "build a second binary whose clock can be wrong, which takes minutes")
	f.StringVar(&o.bug, "bug", "", "build Rowlock with each seeded bug whose name contains this, and check that the judges notice it; \"all\" for all")
	f.StringVar(&o.dir, "dir", "", "where to put the data (default: the directory for temporary files)")
	f.DurationVar(&o.duration, "for", time.Hour, "how long the load and the faults go on")
	f.IntVar(&o.faults, "faults", 100_000, "how many faults there are at most")
	f.Uint64Var(&o.seed, "seed", 0, "what the clients and the faults follow from; 0 draws one")
	f.Float64Var(&o.speed, "speed", 5, "how fast the cluster's clock runs")
	f.BoolVar(&o.verbose, "v", false, "print each fault")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if o.next && o.old != "" {
		return o, errors.New("-old and -next: give only one of them")
	}
	if o.seed == 0 {
		o.seed = rand.Uint64N(1_000_000)
	}
	return o, nil
}

// run is the program: the cluster, the load with faults, the end, the verdict.
func run(ctx context.Context, args []string, stdout io.Writer) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%v of faults with the seed %d\n", o.duration, o.seed)
	if o.bug != "" {
		return judgeJudges(ctx, o, stdout)
	}
	dir, err := os.MkdirTemp(o.dir, "rowlock-builds-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // whatever remains is in the directory for temporary files
	if err := o.build(ctx, dir); err != nil {
		return err
	}
	f, err := newFleet(ctx, o)
	if err != nil {
		return err
	}
	defer f.end()
	if err := f.campaign(ctx, stdout); err != nil {
		f.keep = true
		return fmt.Errorf("%w; the servers' data is kept in %s", err, f.dir)
	}
	return nil
}

// campaign runs the load and the faults on the fleet, and checks the result.
func (f *fleet) campaign(ctx context.Context, stdout io.Writer) error {
	o := f.options
	c := exercise.New(f, o.seed)
	c.Losses, c.Doubled, c.OnWrong, f.clients = f.lost, f.doubled, f.onWrong, c
	if o.old != "" {
		c.Tolerate(outdated)
	}
	if err := c.Prepare(ctx, o.speed); err != nil {
		return err
	}
	before, err := f.census(ctx)
	if err != nil {
		return err
	}
	watches := c.Follow()
	load := c.Start(ctx, "load")
	if o.old != "" {
		if err := f.upgrade(ctx); err != nil {
			return err
		}
	}
	count := f.inject(ctx, schedule(o.seed, o.faults, f.deck(ctx, stdout)), o.duration, stdout)
	load.Stop()
	f.list(stdout, count)
	h, err := c.Judge(ctx, watches, stdout)
	if err != nil {
		return err
	}
	if err := f.judgeLeaks(ctx, before, c, stdout); err != nil {
		return err
	}
	f.mu.Lock()
	for _, text := range f.found {
		c.Wrong("%s", text)
	}
	f.mu.Unlock()
	c.Report(stdout, h)
	return c.Verdict(stdout)
}

// deck returns the kinds of faults that can be injected here, and prints the others.
func (f *fleet) deck(ctx context.Context, stdout io.Writer) []Kind {
	if f.kinds != nil {
		return f.kinds
	}
	without := map[Kind]error{}
	if err := diskFaults(ctx); err != nil {
		without[FullDisk], without[SlowDisk], without[FailFsync] = err, err, err
	}
	if f.skewed == "" {
		without[WrongClock] = errors.New("needs -skew")
	}
	if f.old == "" {
		without[OldVersion] = errors.New("needs -old or -next")
	}
	for _, kind := range slices.Sorted(maps.Keys(without)) {
		fmt.Fprintf(stdout, "left out: %s: %v\n", kind, without[kind])
	}
	return slices.DeleteFunc(slices.Clone(deck), func(k Kind) bool { return without[k] != nil })
}

// list prints how often each kind of fault happened.
func (f *fleet) list(stdout io.Writer, count map[Kind]int) {
	sum := 0
	for _, kind := range slices.Sorted(maps.Keys(count)) {
		fmt.Fprintf(stdout, "%5d  %s\n", count[kind], kind)
		sum += count[kind]
	}
	fmt.Fprintf(stdout, "%5d  faults\n", sum)
}
