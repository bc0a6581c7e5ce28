package clock

import (
	"context"
	"fmt"
	"time"
)

// State is the clock at a moment.
type State struct {
	Now     time.Time
	Speed   float64 // 0 while it stands still
	Pace    float64 // its speed when it runs
	Version int64   // how often it has been changed
	Advance Advance // under way, or the last
}

// Paused says that the clock was made to stand still: not by an advance, which lets go of it in the end.
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
	To      time.Time // zero while that is the next thing due, and something is due already
	Ended   time.Time // where it came to; zero while it runs
	Steps   int64     // how often the clock was set forward
	Resumes bool      // the clock runs again afterwards, as it did before
}

// Read reads the clock from the database.
func (c *Clock) Read(ctx context.Context) (State, error) {
	var s State
	var from, to, ended *time.Time
	before := time.Now()
	row := c.pool.QueryRow(ctx, sqlRead)
	a := &s.Advance
	if err := row.Scan(&s.Now, &s.Speed, &s.Pace, &s.Version, &a.Phase, &from, &to, &ended, &a.Steps, &a.Resumes); err != nil {
		return State{}, fmt.Errorf("read the clock: %w", err)
	}
	after := time.Now()
	s.Now, a.From, a.To, a.Ended = s.Now.UTC(), utc(from), utc(to), utc(ended)
	changed, speed := c.take(state{
		cluster: s.Now, local: before.Add(after.Sub(before) / 2), // the answer was made about half-way
		speed: s.Speed, version: s.Version, advancing: a.Phase == Running,
	}, before)
	if changed {
		c.tell(Change{Speed: speed})
	}
	return s, nil
}

// utc is a time in UTC, zero for none.
func utc(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return t.UTC()
}

// AwaitEnd waits until no advance is under way, or ctx ends, and reads the clock.
func (c *Clock) AwaitEnd(ctx context.Context) (State, error) {
	s, err := c.Read(ctx)
	if err != nil || s.Advance.Phase != Running {
		return s, err
	}
	for {
		changed := c.whenChanged()
		if ctx.Err() != nil || !c.state.Load().advancing {
			return c.Read(context.WithoutCancel(ctx))
		}
		select {
		case <-changed:
		case <-ctx.Done():
		}
	}
}
