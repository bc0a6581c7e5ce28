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
	// Patience is how often a sync may have failed for an advance still to wait for it. With its
	// back-off, that is about 1.3 s; a sync with more failures is retried while time continues.
	Patience = 8
	// stepPoll is how long the driver sleeps during an advance, unless it is signalled. It is for
	// the case that a replica finished the last work and died before it could take the step.
	stepPoll = 100 * time.Millisecond
	// stepPause is the pause after the database failed.
	stepPause = 100 * time.Millisecond
)

// Driver continues the current advance, as the drivers of all replicas do: each tries to take the
// next step when its own workers have run out of work. So the last replica to finish takes the
// step, and no replica has to be replaced.
type Driver struct {
	clock  *Clock
	log    *slog.Logger
	busy   atomic.Int64  // workers that are not idle
	signal chan struct{} // buffer of one: all workers are idle
}

// NewDriver makes the process's driver. For advances to continue, Run must be running, here or in
// another replica.
func NewDriver(c *Clock, log *slog.Logger) *Driver {
	return &Driver{clock: c, log: log, signal: make(chan struct{}, 1)}
}

// Busy records that one more worker has work, or looks for it. On a nil Driver it does nothing.
func (d *Driver) Busy() {
	if d != nil {
		d.busy.Add(1)
	}
}

// Idle records that one of them has run out of work. It does not block.
func (d *Driver) Idle() {
	if d == nil || d.busy.Add(-1) > 0 || !d.Advancing() {
		return
	}
	select {
	case d.signal <- struct{}{}:
	default:
	}
}

// Working returns how many workers have work, or look for it.
func (d *Driver) Working() int { return int(d.busy.Load()) }

// Advancing reports whether an advance is under way, as far as this process knows.
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

// step takes the next step if the cluster is settled. If it is not, and nothing in this process
// signalled that it might be, a dead replica may have left work: the workers are woken.
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

// Stepped is the outcome of a step.
type Stepped struct {
	Outcome string   // none: there is no advance; busy: the cluster is not settled; stepped; done: the target is reached
	Woken   []string // the controllers that have work now
}

// Step takes the next step of the current advance if the cluster is settled.
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
