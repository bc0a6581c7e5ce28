// Package clock is the cluster's time. It lives in the database, so that all replicas agree:
//
//	now = anchor_cluster + (real - anchor_real) × speed
//
// where real is PostgreSQL's time. Everything that says "now" about the cluster means this clock; TLS, clients' timeouts
// and metrics use real time.
package clock

import (
	"context"
	_ "embed"
	"fmt"
	"math"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

var (
	//go:embed read.sql
	sqlRead string
	//go:embed set.sql
	sqlSet string
)

// refresh is how often the process compares its own time with PostgreSQL's.
const refresh = 10 * time.Second

// Clock tells cluster time without asking the database each time. It is safe for concurrent use.
type Clock struct {
	pool  *pgxpool.Pool
	state atomic.Pointer[state]
}

// state relates this process's monotonic time to cluster time.
type state struct {
	cluster time.Time // what cluster time was at local
	local   time.Time
	speed   float64
}

// Open reads the clock. Run keeps it true.
func Open(ctx context.Context, pool *pgxpool.Pool) (*Clock, error) {
	c := &Clock{pool: pool}
	return c, c.read(ctx)
}

// Run compares the clock with the database's now and then, until ctx ends. A database that does not answer leaves the clock
// as it is. It returns nil.
func (c *Clock) Run(ctx context.Context) error {
	t := time.NewTicker(refresh)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-t.C:
			_ = c.read(ctx) // the old reading is as good as it gets; the mirror notices and reports a lost database
		}
	}
}

// Set makes cluster time stand still at a moment, in the database and for this process at once; other processes follow
// when they next compare. It is for tests, which own their cluster: they must not go back.
func (c *Clock) Set(ctx context.Context, at time.Time) error {
	if _, err := c.pool.Exec(ctx, sqlSet, at); err != nil {
		return fmt.Errorf("set the clock: %w", err)
	}
	return c.read(ctx)
}

func (c *Clock) read(ctx context.Context) error {
	s := state{}
	before := time.Now()
	if err := c.pool.QueryRow(ctx, sqlRead).Scan(&s.cluster, &s.speed); err != nil {
		return fmt.Errorf("read the clock: %w", err)
	}
	after := time.Now()
	s.local = before.Add(after.Sub(before) / 2) // the answer was made about half-way
	c.state.Store(&s)
	return nil
}

// Now is cluster time, in UTC.
func (c *Clock) Now() time.Time {
	s := c.state.Load()
	return s.cluster.Add(time.Duration(float64(time.Since(s.local)) * s.speed)).UTC()
}

// During is how much cluster time passes in a span of real time.
func (c *Clock) During(real time.Duration) time.Duration {
	return time.Duration(float64(real) * c.state.Load().speed)
}

// never is as long as can be waited.
const never = time.Duration(math.MaxInt64)

// Until is how much real time passes until a moment of cluster time: 0 if it has passed, and as good as never when
// the clock stands still.
func (c *Clock) Until(t time.Time) time.Duration {
	left := t.Sub(c.Now())
	if left <= 0 {
		return 0
	}
	real := float64(left) / c.state.Load().speed // infinite when the clock stands still
	if real >= float64(never) {
		return never
	}
	return time.Duration(real)
}
