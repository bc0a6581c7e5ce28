package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/rowlock/rowlock/test/exercise"
)

// census counts what must not keep growing.
type census struct {
	goroutines [replicas]int
	sessions   int // of the replicas
	most       int // the maximum: their pools as they report them, and one each that listens
	stuck      int // those in an idle transaction
	databases  int
}

// census counts in an idle cluster.
func (f *fleet) census(ctx context.Context) (c census, err error) {
	for i, r := range f.replicas {
		text, err := r.client.CoreV1().RESTClient().Get().AbsPath("/metrics").Do(ctx).Raw()
		if err != nil {
			return c, err
		}
		if c.goroutines[i], err = gauge(string(text), "go_goroutines"); err != nil {
			return c, err
		}
		most, err := gauge(string(text), "rowlock_database_connections_max")
		if err != nil && !r.isOld() { // those of the version before may lack it
			return c, err
		}
		c.most += most + 1
	}
	if err := f.database.read(ctx, sqlSessions, nil, &c.sessions, &c.stuck); err != nil {
		return c, err
	}
	return c, f.database.read(ctx, sqlDatabases, nil, &c.databases)
}

// gauge reads a metric without labels.
func gauge(metrics, name string) (int, error) {
	for line := range strings.Lines(metrics) {
		if value, ok := strings.CutPrefix(strings.TrimSpace(line), name+" "); ok {
			return strconv.Atoi(value)
		}
	}
	return 0, fmt.Errorf("there is no metric %s", name)
}

// moreGoroutines is how many goroutines may be added as pools fill: far less than one per fault or
// request.
const moreGoroutines = 150

// leaked returns what has grown too much.
func (c census) leaked(before census) (found []string) {
	for i := range c.goroutines {
		if c.goroutines[i] > before.goroutines[i]+moreGoroutines {
			found = append(found, fmt.Sprintf("replica-%d has %d goroutines, and had %d", i+1, c.goroutines[i], before.goroutines[i]))
		}
	}
	if c.sessions > c.most {
		found = append(found, fmt.Sprintf("there are %d sessions of replicas, which may have %d", c.sessions, c.most))
	}
	if c.stuck > 0 {
		found = append(found, fmt.Sprintf("%d sessions are in a transaction in which nothing happens", c.stuck))
	}
	if c.databases > before.databases {
		found = append(found, fmt.Sprintf("there are %d databases, and were %d", c.databases, before.databases))
	}
	return found
}

// judgeLeaks waits until everything of the load is gone, and records what is not.
func (f *fleet) judgeLeaks(ctx context.Context, before census, c *exercise.Clients, stdout io.Writer) error {
	var now census
	var err error
	exercise.Retry(ctx, time.Second, func() bool {
		now, err = f.census(ctx)
		return err == nil && len(now.leaked(before)) == 0
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "goroutines %d, sessions %d, databases %d; at first %d, %d, %d\n",
		now.goroutines, now.sessions, now.databases, before.goroutines, before.sessions, before.databases)
	for _, text := range now.leaked(before) {
		c.Wrong("%s", text)
	}
	return nil
}
