package main

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
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

// parse parses the program's arguments; groups are the names that -only accepts.
func parse(args, groups []string) (options, error) {
	var o options
	var only string
	f := flag.NewFlagSet("bench", flag.ContinueOnError)
	f.StringVar(&o.rowlock, "rowlock", "bin/rowlock", "the binary to measure")
	f.StringVar(&o.against, "against", "", "another binary to alternate with; the table shows both and the difference")
	f.IntVar(&o.turns, "turns", 3, "with -against: how often each binary is measured; the table shows medians")
	f.StringVar(&o.dir, "dir", "", "where to put the data, on the disk to be measured (default: the directory for temporary files)")
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
	f.StringVar(&only, "only", "", "groups to measure, of "+strings.Join(groups, ",")+" (default: all)")
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
		if !slices.Contains(groups, name) {
			return o, fmt.Errorf("-only: there is no group %q", name)
		}
	}
	if min(o.turns, o.pods, o.large, o.objects, o.definitions, o.execs, o.clients, o.writes, o.cronJobs, o.limit) < 1 {
		return o, fmt.Errorf("numbers must be positive")
	}
	return o, nil
}
