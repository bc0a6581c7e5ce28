package clock

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"math"
	"time"
)

var (
	//go:embed run.sql
	sqlRun string
	//go:embed advance.sql
	sqlAdvance string
	//go:embed interrupt.sql
	sqlInterrupt string
)

const (
	// MaxSpeed is how many times as fast as real time the clock can run.
	MaxSpeed = 100_000
	// MinSpeed is the slowest speed of a running clock.
	MinSpeed = 0.001
	// MaxAdvance is how far one advance can go.
	MaxAdvance = 100 * 365 * 24 * time.Hour
)

// End is where the clock stops for good, because later times cannot be expressed in the API's time
// format.
var End = time.Date(9000, time.January, 1, 0, 0, 0, 0, time.UTC)

var (
	// ErrAdvancing says that an advance is under way, which must end or be interrupted first.
	ErrAdvancing = errors.New("the clock is advancing already")
	// ErrBackwards says that the target of an advance has passed.
	ErrBackwards = errors.New("the clock does not go backwards")
	// ErrTooFar says that an advance would go further than MaxAdvance, or past End.
	ErrTooFar = errors.New("the clock does not go so far")
	// ErrSpeed says that a speed is neither 0 nor between MinSpeed and MaxSpeed.
	ErrSpeed = fmt.Errorf("a speed is 0, or from %g to %d", MinSpeed, MaxSpeed)
)

// SetSpeed makes the clock run at a multiple of real time; 0 pauses it. Errors: ErrSpeed,
// ErrAdvancing.
func (c *Clock) SetSpeed(ctx context.Context, speed float64) (State, error) {
	if speed == 0 {
		return c.Pause(ctx)
	}
	if math.IsNaN(speed) || speed < MinSpeed || speed > MaxSpeed {
		return State{}, ErrSpeed
	}
	return c.run(ctx, true, &speed)
}

// Pause pauses the clock. Errors: ErrAdvancing.
func (c *Clock) Pause(ctx context.Context) (State, error) { return c.run(ctx, false, nil) }

// Resume makes the clock run at the speed that it last ran at. Errors: ErrAdvancing.
func (c *Clock) Resume(ctx context.Context) (State, error) { return c.run(ctx, true, nil) }

func (c *Clock) run(ctx context.Context, running bool, speed *float64) (State, error) {
	return c.change(ctx, sqlRun, running, speed)
}

// changePause is the pause before a change is tried again because another was about to take effect.
const changePause = 10 * time.Millisecond

// change makes a change by a statement that returns its outcome.
func (c *Clock) change(ctx context.Context, sql string, args ...any) (State, error) {
	for {
		var outcome string
		if err := c.pool.QueryRow(ctx, sql, args...).Scan(&outcome); err != nil {
			return State{}, fmt.Errorf("change the clock: %w", err)
		}
		switch outcome {
		case "changing":
			if err := sleep(ctx, changePause); err != nil {
				return State{}, err
			}
			continue
		case "advancing":
			return State{}, ErrAdvancing
		case "backwards":
			return State{}, ErrBackwards
		case "beyond":
			return State{}, ErrTooFar
		case "none":
			return c.Read(ctx)
		}
		return c.reread(ctx)
	}
}

// AdvanceBy begins an advance by a span of cluster time. With 0, the clock is paused until the
// cluster is settled. Errors: ErrAdvancing, ErrBackwards, ErrTooFar.
func (c *Clock) AdvanceBy(ctx context.Context, d time.Duration) (State, error) {
	switch {
	case d < 0:
		return State{}, ErrBackwards
	case d > MaxAdvance:
		return State{}, ErrTooFar
	}
	return c.advance(ctx, &d, nil)
}

// AdvanceTo begins an advance to a moment of cluster time. Errors: ErrAdvancing, ErrBackwards,
// ErrTooFar.
func (c *Clock) AdvanceTo(ctx context.Context, to time.Time) (State, error) {
	if to.Sub(c.Now()) > MaxAdvance || to.After(End) {
		return State{}, ErrTooFar
	}
	return c.advance(ctx, nil, &to)
}

// AdvanceToNext begins an advance to the next due time after everything due now has been done.
// Errors: ErrAdvancing.
func (c *Clock) AdvanceToNext(ctx context.Context) (State, error) { return c.advance(ctx, nil, nil) }

func (c *Clock) advance(ctx context.Context, by *time.Duration, to *time.Time) (State, error) {
	return c.change(ctx, sqlAdvance, by, to)
}

// Interrupt ends the current advance, if there is one, at the time that it has reached.
func (c *Clock) Interrupt(ctx context.Context) (State, error) { return c.change(ctx, sqlInterrupt) }

// reread reads the clock after this process has changed it, and notifies the others.
func (c *Clock) reread(ctx context.Context) (State, error) {
	s, err := c.Read(ctx)
	if err != nil {
		return State{}, err
	}
	c.tell(Notice{Own: true, Speed: true})
	return s, nil
}
