// Package clock is the cluster's time. It lives in the database, so that all replicas agree:
//
//	now = anchor_cluster + (real - anchor_real) × speed
//
// where real is PostgreSQL's time. Everything that says "now" about the cluster means this clock;
// TLS, clients' timeouts and metrics use real time.
//
// The clock can run at a speed, be paused, and be advanced. An advance is a run from event to event
// (Driver): the clock is paused until the cluster is settled, is set to the next due time, and so
// on, until it reaches its target. The target is in the database, and whichever replica finds the
// cluster settled takes the next step, so an advance continues as long as there is a replica.
package clock

import (
	"context"
	_ "embed"
	"fmt"
	"math"
	"sync"
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

// refresh is how often the process compares its own time with the database's: often enough to
// notice a change whose hint was lost.
const refresh = 2 * time.Second

// Clock tells cluster time without a query each time, and changes it. It is safe for concurrent
// use.
type Clock struct {
	pool *pgxpool.Pool
	kick chan struct{} // buffer of one: the clock has been changed elsewhere

	state atomic.Pointer[state]

	mu      sync.Mutex
	changed chan struct{} // closed, and replaced, whenever the clock is found changed
	observe func(Notice)
}

// state relates this process's monotonic time to cluster time.
type state struct {
	cluster   time.Time // cluster time at local
	local     time.Time
	speed     float64
	version   int64
	advancing bool
}

func (s *state) now() time.Time {
	return s.cluster.Add(time.Duration(float64(time.Since(s.local)) * s.speed)).UTC()
}

// Notice is what a process reports when it has changed the clock or found it changed.
type Notice struct {
	Own   bool     // this process did it, and the others do not know yet
	Woken []string // the controllers that have work now
	Speed bool     // the clock runs at another speed: whatever waits for a time would wait too long, or not long enough
}

// Open reads the clock. Run keeps it accurate.
func Open(ctx context.Context, pool *pgxpool.Pool) (*Clock, error) {
	c := &Clock{pool: pool, kick: make(chan struct{}, 1), changed: make(chan struct{}), observe: func(Notice) {}}
	_, err := c.Read(ctx)
	return c, err
}

// Observe makes the clock call f after every change that this process makes or finds. f must not
// block for long. Call it once, before Run.
func (c *Clock) Observe(f func(Notice)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.observe = f
}

// Kick signals that another process may have changed the clock. It does not block.
func (c *Clock) Kick() {
	select {
	case c.kick <- struct{}{}:
	default:
	}
}

// Run compares the clock with the database's now and then, and whenever it is kicked, until ctx
// ends. If the database does not answer, the clock is unchanged. It returns nil.
func (c *Clock) Run(ctx context.Context) error {
	t := time.NewTicker(refresh)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-t.C:
		case <-c.kick:
		}
		_, _ = c.Read(ctx) // the old reading is the best there is; the mirror notices and reports a lost database
	}
}

// Set pauses cluster time at a moment, in the database and for this process at once; other
// processes follow when they next compare. It is for tests, which own their cluster: they must not
// go back.
func (c *Clock) Set(ctx context.Context, at time.Time) error {
	if _, err := c.pool.Exec(ctx, sqlSet, at); err != nil {
		return fmt.Errorf("set the clock: %w", err)
	}
	_, err := c.Read(ctx)
	return err
}

// take uses a reading, which was requested at a time of the process, and reports whether the clock
// has been changed since the last.
func (c *Clock) take(s state, asked time.Time) (changed, speed bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	old := c.state.Load()
	switch {
	case old == nil:
	case old.version > s.version && old.local.After(asked):
		return false, false // a newer one has overtaken it
	case old.version == s.version:
		// Two readings of one clock differ by the database's response time. Time does not go back
		// for that.
		if now := old.now(); now.After(s.now()) {
			s.cluster, s.local = now, time.Now()
		}
		c.state.Store(&s)
		return false, false
	}
	c.state.Store(&s)
	close(c.changed)
	c.changed = make(chan struct{})
	return true, old != nil && old.speed != s.speed
}

// tell gives the observer a notice.
func (c *Clock) tell(notice Notice) {
	c.mu.Lock()
	observe := c.observe
	c.mu.Unlock()
	observe(notice)
}

// Now returns cluster time, in UTC.
func (c *Clock) Now() time.Time { return c.state.Load().now() }

// never is the longest possible wait.
const never = time.Duration(math.MaxInt64)

// Until returns how much real time passes until a moment of cluster time: 0 if it has passed, and
// practically never when the clock is paused.
func (c *Clock) Until(t time.Time) time.Duration {
	left := t.Sub(c.Now())
	if left <= 0 {
		return 0
	}
	real := float64(left) / c.state.Load().speed // infinite when the clock is paused
	if real >= float64(never) {
		return never
	}
	return time.Duration(real)
}

// Changed returns a channel that is closed when this process next changes the clock, or finds it
// changed.
func (c *Clock) Changed() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.changed
}
