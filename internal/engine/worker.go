package engine

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
)

// Worker runs one controller, one transaction at a time.
type Worker struct {
	Deps
	controller Controller
	applier    applier
	signal     chan struct{} // buffer of one: there may be work
	pace       pace
	patience   time.Duration // how long the next claim may wait for the mirror
	progress   progress
	idle       time.Duration // how long it sleeps at most
	watched    bool          // by a Lookout, which wakes it for its first turn
	begun      atomic.Bool   // it has taken a turn
}

// New makes a worker for a controller.
func New(deps Deps, c Controller) *Worker {
	if c.Off {
		c = c.resting()
	}
	deps.Log = deps.Log.With("controller", c.Name)
	if deps.Real == nil {
		deps.Real = time.Now
	}
	w := &Worker{
		Deps: deps, controller: c, applier: newApplier(deps, c), signal: make(chan struct{}, 1),
		pace: newPace(c.Batch), patience: mirrorWait, idle: idlePoll,
	}
	deps.Metrics.track(c.Name, c.Batch, w.Unmoved)
	return w
}

// Wake signals that there may be work. It does not block. From here on the worker counts as busy:
// an advance of the clock waits for it, although it may take a moment to begin.
func (w *Worker) Wake() {
	w.Driver.Busy()
	select {
	case w.signal <- struct{}{}:
	default:
		w.Driver.Idle() // already signalled
	}
}

// since returns how long ago a moment of Real was.
func (w *Worker) since(began time.Time) time.Duration { return w.Real().Sub(began) }

// Name returns the controller's name.
func (w *Worker) Name() string { return w.controller.Name }

func rollback(ctx context.Context, conn *pgx.Conn) error {
	if _, err := conn.Exec(ctx, "ROLLBACK"); err != nil {
		return fmt.Errorf("roll back: %w", err)
	}
	return nil
}
