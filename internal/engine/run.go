package engine

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/rowlock/rowlock/internal/contain"
	"github.com/rowlock/rowlock/internal/wakeup"
)

const (
	// contendedPause is the pause after another worker held the controller's lock.
	contendedPause = 15 * time.Millisecond
	// lockedPause is the pause after all due objects were found locked.
	lockedPause = 5 * time.Millisecond
	// shortPause is the shortest pause before something that is not due yet.
	shortPause = time.Millisecond
	// idlePoll bounds how long a worker without a Lookout sleeps: wake-ups from other processes are
	// hints and may be lost.
	idlePoll = time.Second
	// failurePause is the pause after the database or the mirror failed.
	failurePause = 100 * time.Millisecond
	// slowTurn is how long a turn may take, in real time, before it is logged.
	slowTurn = 2 * time.Second
)

// Run works until ctx ends, and then finishes what it has begun. It returns nil.
func (w *Worker) Run(ctx context.Context) error {
	w.Driver.Busy()
	defer w.Driver.Idle()
	w.progress.begin(w.Real())
	defer w.progress.end()
	if w.controller.Off || w.watched { // what is left for a controller that is Off is not urgent
		w.wait(ctx, w.idle)
	}
	w.begun.Store(true)
	for ctx.Err() == nil {
		t, took, err := w.timedTurn(ctx)
		w.rest(ctx, len(t.Claims), took)
		if took >= slowTurn && err == nil {
			w.Log.Info("slow turn", "duration", took, "objects", len(t.Claims), "planned", len(t.Planned), "next", w.pace.limit())
		}
		switch {
		case ctx.Err() != nil:
		case err != nil:
			w.Metrics.Failures.WithLabelValues(w.controller.Name).Inc()
			w.Log.Warn("a turn was rolled back", "error", err, "objects", len(t.Claims), "next", w.pace.limit())
			w.wait(ctx, failurePause)
		case t.Behind:
			w.awaitMirror(ctx, t.Revision)
		case t.Contended:
			w.wait(ctx, contendedPause)
		case len(t.Claims) == 0, t.Last && w.Driver.Advancing():
			w.wait(ctx, w.untilDue(t.Claimed))
		}
	}
	return nil
}

// timedTurn runs a turn when one more may run, and measures it from then on.
func (w *Worker) timedTurn(ctx context.Context) (t Turn, took time.Duration, err error) {
	if err := w.Turns.begin(ctx); err != nil {
		return Turn{}, 0, err
	}
	defer w.Turns.end()
	began := w.Real()
	t, err = w.Turn(ctx)
	return t, w.since(began), err
}

// untilDue returns how long there is nothing to do, unless the worker is woken. Work that is due
// but could not be claimed is locked by others, who will soon be done.
func (w *Worker) untilDue(c wakeup.Claimed) time.Duration {
	left := w.idle
	least := lockedPause
	if !c.NextDue.IsZero() {
		left = min(left, w.Clock.Until(c.NextDue))
		if left > 0 {
			least = shortPause // no other worker has it
		}
	}
	if !c.NextRetry.IsZero() {
		left = min(left, time.Until(c.NextRetry))
	}
	return max(left, least)
}

func (w *Worker) wait(ctx context.Context, d time.Duration) {
	w.Driver.Idle()
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-w.signal:
		return // Wake has marked the worker as busy
	case <-ctx.Done():
	case <-t.C:
	}
	w.Driver.Busy()
}

// Turn is what one transaction of a worker did.
type Turn struct {
	wakeup.Claimed
	Planned []Planned // of all claims, as they were applied; none for a failed batch, which is repeated one by one
	// Last says that nothing more is due, as far as the turn can tell: others may hold due objects,
	// and may have removed them. NextDue is then right without another claim.
	Last bool
	// Behind says that the claims were given back because the mirror had not reached their Revision
	// in time.
	Behind bool
}

// Turn runs one transaction: claim, reconcile, apply, commit. It processes what it has claimed even
// if ctx ends meanwhile. Run takes one turn after another; tests that step through a story call it
// instead of Run.
//
// An object whose sync fails is put off in a transaction of its own, which is not an error. An
// error is a turn that was rolled back completely: for example, because the database ended the
// session. What was claimed is then still due.
func (w *Worker) Turn(ctx context.Context) (t Turn, err error) {
	var fault *failure
	began := context.WithoutCancel(ctx)
	err = w.Pool.AcquireFunc(ctx, func(conn *pgxpool.Conn) error {
		w.progress.hold(conn.Conn())
		defer w.progress.hold(nil)
		return contain.Call(func() error {
			t, fault, err = w.once(began, conn.Conn())
			return err
		})
	})
	if fault != nil { // with the connection returned: there are fewer connections than workers
		err = errors.Join(err, w.putOff(began, fault))
	}
	if err == nil && !t.Behind {
		w.progress.made(w.Real())
	}
	return t, err
}
