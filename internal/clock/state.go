package clock

import (
	"context"
	"fmt"
	"time"
)

// State is the clock at a moment.
type State struct {
	Now     time.Time
	Speed   float64 // 0 while it is paused
	Pace    float64 // its speed when it runs
	Version int64   // how often it has been changed
	Advance Advance // current, or the last one
}

// Paused reports whether the clock was paused by a user, not by an advance, which ends.
func (s State) Paused() bool {
	if s.Advance.Phase == Running {
		return !s.Advance.Resumes
	}
	return s.Speed == 0
}

// Phase is how far an advance is.
type Phase string

// The phases, as the database calls them.
const (
	Never       Phase = "none" // there has been no advance
	Running     Phase = "running"
	Done        Phase = "done"
	Interrupted Phase = "interrupted"
)

// Advance is a run of the clock from event to event.
type Advance struct {
	Phase   Phase
	From    time.Time
	To      time.Time // zero while that is the next due time, and something is already due
	Ended   time.Time // the time it reached; zero while it runs
	Steps   int64     // how often the clock was set forward
	Resumes bool      // the clock runs again afterwards, as it did before
}

// Read reads the clock from the database. If a change is about to take effect, it waits for that,
// which takes a few milliseconds.
func (c *Clock) Read(ctx context.Context) (State, error) {
	for {
		s, pending, err := c.read(ctx)
		if err != nil || pending <= 0 {
			return s, err
		}
		if err := sleep(ctx, pending); err != nil {
			return State{}, err
		}
	}
}

// read reads the clock. If pending is not 0, the state is not in effect yet, and is not used.
func (c *Clock) read(ctx context.Context) (s State, pending time.Duration, err error) {
	var from, to, ended *time.Time
	before := time.Now()
	row := c.pool.QueryRow(ctx, sqlRead)
	a := &s.Advance
	if err := row.Scan(&s.Now, &pending, &s.Speed, &s.Pace, &s.Version, &a.Phase, &from, &to, &ended, &a.Steps, &a.Resumes); err != nil {
		return State{}, 0, fmt.Errorf("read the clock: %w", err)
	}
	if pending > 0 {
		return State{}, pending, nil
	}
	after := time.Now()
	s.Now, a.From, a.To, a.Ended = s.Now.UTC(), utc(from), utc(to), utc(ended)
	changed, speed := c.take(state{
		cluster: s.Now, local: before.Add(after.Sub(before) / 2), // assume that the answer was made half-way
		speed: s.Speed, version: s.Version, advancing: a.Phase == Running,
	}, before)
	if changed {
		c.tell(Notice{Speed: speed})
	}
	return s, 0, nil
}

// sleep waits in real time.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// utc returns a time in UTC, zero for nil.
func utc(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return t.UTC()
}

// AwaitEnd waits until no advance is under way, or ctx ends, and reads the clock. The end of ctx
// ends the wait, but does not cancel the read.
func (c *Clock) AwaitEnd(ctx context.Context) (State, error) {
	reading := context.WithoutCancel(ctx)
	s, err := c.Read(reading)
	if err != nil || s.Advance.Phase != Running {
		return s, err
	}
	for {
		changed := c.Changed()
		if ctx.Err() != nil || !c.state.Load().advancing {
			return c.Read(reading)
		}
		select {
		case <-changed:
		case <-ctx.Done():
		}
	}
}
