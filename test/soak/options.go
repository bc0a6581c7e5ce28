package main

import (
	"flag"
	"io"
	"math/rand/v2"
	"time"
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

func parse(args []string) (options, error) {
	var o options
	f := flag.NewFlagSet("soak", flag.ContinueOnError)
	f.StringVar(&o.rowlock, "rowlock", "bin/rowlock", "the binary to soak")
	f.StringVar(&o.dir, "dir", "", "where to put the data (default: the directory for temporary files)")
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
