package clock

import (
	"context"
	_ "embed"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"
)

//go:embed step.sql
var sqlStep string

const (
	// Patience is how often a look may have failed for an advance still to wait for it to succeed. With the back-off that
	// it has, that is about 1.3 s; what has failed more often is tried again while time goes on.
	Patience = 8
	// stepPoll is how long the driver sleeps while an advance is under way, unless it is signalled. It is for work that another
	// replica has finished last, and died before it could take the step.
	stepPoll = 100 * time.Millisecond
	// stepPause is the pause after the database failed.
	stepPause = 100 * time.Millisecond
)

// Driver carries on the advance under way, as the drivers of all replicas do: each tries to take the next step when its own
// workers have run out of work. So whoever finishes last steps, and there is nobody who would have to be replaced.
type Driver struct {
	clock  *Clock
	log    *slog.Logger
	busy   atomic.Int64  // workers that are not idle
	signal chan struct{} // has room for one: all are
}

// NewDriver makes the process's driver. Run must be running for advances to go on, here or in another replica.
func NewDriver(c *Clock, log *slog.Logger) *Driver {
	return &Driver{clock: c, log: log, signal: make(chan struct{}, 1)}
}

// Busy says that one more worker has work, or looks for it. A nil Driver is told nothing.
func (d *Driver) Busy() {
	if d != nil {
		d.busy.Add(1)
	}
}

// Idle says that one of those has run out of work. It does not block.
func (d *Driver) Idle() {
	if d == nil || d.busy.Add(-1) > 0 || !d.Advancing() {
		return
	}
	select {
	case d.signal <- struct{}{}:
	default:
	}
}

// Working is how many workers have work, or look for it.
func (d *Driver) Working() int { return int(d.busy.Load()) }

// Advancing says whether an advance is under way, as far as this process knows.
func (d *Driver) Advancing() bool { return d != nil && d.clock.state.Load().advancing }

// Run takes steps until ctx ends. It returns nil.
func (d *Driver) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		changed := d.clock.Changed()
		var poll <-chan time.Time
		if d.Advancing() {
			poll = time.After(stepPoll)
		}
		polled := false
		select {
		case <-ctx.Done():
			return nil
		case <-changed:
		case <-d.signal:
		case <-poll:
			polled = true
		}
		if !d.Advancing() {
			continue
		}
		if err := d.step(ctx, polled); err != nil && ctx.Err() == nil {
			d.log.Warn("the clock could not be advanced", "error", err)
			_ = sleep(ctx, stepPause) // it ends with the loop
		}
	}
	return nil
}

// step takes the next step if the cluster is settled. If it is not, and nobody here has said that it might be, then work may lie
// about that a replica has left which is no more: the workers are told.
func (d *Driver) step(ctx context.Context, polled bool) error {
	s, err := d.clock.Step(ctx)
	if err != nil {
		return err
	}
	if s.Outcome == "busy" && polled {
		d.clock.tell(Notice{Woken: s.Woken})
	}
	return nil
}

// Stepped is what became of a step.
type Stepped struct {
	Outcome string   // none: there is no advance; busy: the cluster is not settled; stepped; done: the target is reached
	Woken   []string // the controllers that have work now
}

// Step takes the next step of the advance under way if the cluster is settled.
func (c *Clock) Step(ctx context.Context) (Stepped, error) {
	var s Stepped
	var st state
	asked := time.Now()
	if err := c.pool.QueryRow(ctx, sqlStep, Patience).Scan(&s.Outcome, &st.cluster, &st.speed, &st.version, &s.Woken); err != nil {
		return Stepped{}, fmt.Errorf("take a step of the clock: %w", err)
	}
	switch s.Outcome {
	case "none":
		_, err := c.Read(ctx)
		return s, err
	case "stepped", "done":
		st.local, st.advancing = time.Now(), s.Outcome == "stepped"
		c.take(st, asked)
		c.tell(Notice{Own: true, Woken: s.Woken, Speed: st.speed > 0})
	}
	return s, nil
}
